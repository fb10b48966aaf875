# SPDX-License-Identifier: Apache-2.0
#
# lanewise_add_test(NAME name FILE file.cu [SHARDS n] [OPTIONS option...])
#
# `lanewise test FILE OPTIONS` as a test of ctest named NAME; with SHARDS, n tests NAME-1 ... NAME-n that may run side by side.
# The tool is LANEWISE_EXECUTABLE, found beside this file's installation or in PATH.

find_program(LANEWISE_EXECUTABLE lanewise HINTS ${CMAKE_CURRENT_LIST_DIR}/../../../bin)

function(lanewise_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;FILE;SHARDS" "OPTIONS")
  if(NOT test_NAME OR NOT test_FILE OR test_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "lanewise_add_test(NAME name FILE file.cu [SHARDS n] [OPTIONS option...])")
  endif()
  if(NOT LANEWISE_EXECUTABLE)
    message(FATAL_ERROR "lanewise was not found: set LANEWISE_EXECUTABLE")
  endif()
  get_filename_component(file ${test_FILE} ABSOLUTE)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "lanewise_add_test: ${test_FILE} does not exist")
  endif()
  if(NOT test_SHARDS)
    add_test(NAME ${test_NAME} COMMAND ${LANEWISE_EXECUTABLE} test ${file} ${test_OPTIONS})
    set_tests_properties(${test_NAME} PROPERTIES LABELS lanewise)
    return()
  endif()
  foreach(part RANGE 1 ${test_SHARDS})
    add_test(NAME ${test_NAME}-${part}
             COMMAND ${LANEWISE_EXECUTABLE} test ${file} --shard ${part}/${test_SHARDS} --jobs 1 ${test_OPTIONS})
    set_tests_properties(${test_NAME}-${part} PROPERTIES LABELS lanewise)
  endforeach()
endfunction()
