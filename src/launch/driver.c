/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the CUDA driver at run time.
 */
#include "launch/driver.h"

#include <dlfcn.h>
#include <string.h>

enum lw_status driver_find(struct driver *driver, struct lw_error *error)
{
    static const struct {
        const char *symbol;
        size_t offset;
    } rows[] = {
#define DRIVER_ROW(member, symbol, parameters) {symbol, offsetof(struct driver, member)},
        DRIVER_FUNCTIONS(DRIVER_ROW)
#undef DRIVER_ROW
    };
    memset(driver, 0, sizeof *driver);
    driver->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (driver->library == NULL) {
        const char *why = dlerror();
        return complain(error, LW_ERROR_NO_DRIVER, "there is no CUDA driver: %s", why != NULL ? why : "libcuda.so.1 cannot be loaded");
    }
    for (unsigned i = 0; i < COUNT_OF(rows); i++) {
        void *found = dlsym(driver->library, rows[i].symbol);
        if (found == NULL) {
            driver_drop(driver);
            return complain(error, LW_ERROR_NO_DRIVER, "the CUDA driver is too old: it has no %s", rows[i].symbol);
        }
        memcpy((char *)driver + rows[i].offset, &found, sizeof found);
    }
    return LW_OK;
}

void driver_drop(struct driver *driver)
{
    if (driver->library != NULL)
        dlclose(driver->library);
    driver->library = NULL;
}
