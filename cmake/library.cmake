# SPDX-License-Identifier: Apache-2.0
#
# The library as it is installed, shared and static.  Both show lw_* alone: a host program may have names like ours.  Inside this build,
# programs and tests link lanewise_static, which shows everything.

add_library(lanewise_shared SHARED cmake/empty.c)
set_target_properties(lanewise_shared PROPERTIES OUTPUT_NAME lanewise VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_libraries(lanewise_shared PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,lanewise_static>)
target_link_options(lanewise_shared PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/lanewise.map)
set_property(TARGET lanewise_shared APPEND PROPERTY LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/lanewise.map)

set(LANEWISE_ARCHIVE ${CMAKE_BINARY_DIR}/installed/liblanewise.a)
add_custom_command(OUTPUT ${LANEWISE_ARCHIVE}
  COMMAND ${CMAKE_COMMAND} -E make_directory installed
  COMMAND ${CMAKE_COMMAND} -E rm -f ${LANEWISE_ARCHIVE}
  COMMAND ${CMAKE_LINKER} -r -o installed/lanewise.o --whole-archive $<TARGET_FILE:lanewise_static>
  COMMAND ${CMAKE_OBJCOPY} --strip-debug --wildcard --keep-global-symbol=lw_* installed/lanewise.o
  COMMAND ${CMAKE_AR} rcs ${LANEWISE_ARCHIVE} installed/lanewise.o
  DEPENDS lanewise_static WORKING_DIRECTORY ${CMAKE_BINARY_DIR} VERBATIM)
add_custom_target(lanewise_archive ALL DEPENDS ${LANEWISE_ARCHIVE})
