/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared library is made of the static one; CMake wants a source of its own for it.
 */
typedef int lanewise_shared_has_no_source;
