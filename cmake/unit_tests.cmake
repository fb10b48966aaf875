# SPDX-License-Identifier: Apache-2.0
#
# lanewise_add_unit_test(NAME SOURCES...): one cmocka program, run as one test named unit/NAME.
# Without cmocka no unit test is built; `./dev test` installs it first.

find_path(CMOCKA_INCLUDE cmocka.h)
find_library(CMOCKA_LIBRARY cmocka)
if(NOT CMOCKA_INCLUDE OR NOT CMOCKA_LIBRARY)
  message(STATUS "cmocka not found: no unit tests (Debian: libcmocka-dev)")
endif()

function(lanewise_add_unit_test name)
  if(NOT CMOCKA_INCLUDE OR NOT CMOCKA_LIBRARY)
    return()
  endif()
  add_executable(test_${name} ${ARGN})
  target_include_directories(test_${name} SYSTEM PRIVATE ${CMOCKA_INCLUDE})
  target_link_libraries(test_${name} PRIVATE lanewise_static ${CMOCKA_LIBRARY})
  add_test(NAME unit/${name} COMMAND test_${name})
  set_tests_properties(unit/${name} PROPERTIES LABELS unit)
endfunction()
