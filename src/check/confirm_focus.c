/* SPDX-License-Identifier: Apache-2.0
 *
 * Which blocks of a large launch are run to confirm a finding: corners and middle of the grid, where the launch does not say which matter.
 */
#include "check/confirm.h"

enum { LAUNCH_THREADS = 1 << 24 }; /* beyond it only some blocks run */

struct launch *confirm_focus(struct arena *arena, const struct launch *launch)
{
    struct launch *copy = arena_copy(arena, launch, sizeof *launch);
    double threads = 1;
    for (unsigned axis = 0; axis < 3; axis++)
        threads *= (double)launch->grid[axis] * (double)launch->block[axis];
    if (threads <= LAUNCH_THREADS || launch->focus.count != 0)
        return copy;
    for (unsigned i = 0; i < 27; i++) {
        unsigned choice[3] = {i % 3, i / 3 % 3, i / 9};
        bool repeated = false;
        for (unsigned axis = 0; axis < 3; axis++) {
            int64_t size = launch->grid[axis];
            repeated |= (choice[axis] == 1 && size < 3) || (choice[axis] == 2 && size < 2);
        }
        for (unsigned axis = 0; axis < 3 && !repeated; axis++) {
            int64_t size = launch->grid[axis], places[] = {0, size / 2, size - 1};
            *vec_push(arena, &copy->focus) = places[choice[axis]];
        }
    }
    return copy;
}
