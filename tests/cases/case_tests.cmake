# SPDX-License-Identifier: Apache-2.0
#
# Registers case files (kernels with a launch comment and expectations) as tests: one for each file and compiler, each
# `lanewise verify --compiler C FILE`.  Used by tests/cases and tests/examples.
#
# A file that asks for something that this build does not look for is named in a list (later.txt: file, then the
# reason).  Its tests are registered as disabled, so that CTest counts and prints them as not run; they never
# count as passed.  The list only shrinks: a line for a file that does not exist stops the configuration.

find_program(LANEWISE_NVCC nvcc HINTS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin /usr/local/cuda/bin
             DOC "NVIDIA's compiler; its tests are registered only where it is found")
option(LANEWISE_TEST_NVCC "also run the case tests with nvcc where it is found" ON)

set(LANEWISE_CASE_COMPILERS clang)
if(LANEWISE_NVCC AND LANEWISE_TEST_NVCC)
  list(APPEND LANEWISE_CASE_COMPILERS nvcc)
endif()

# lanewise_add_case_tests(PREFIX FOLDER LATER): every .cu file under FOLDER becomes PREFIX.<path without .cu>.<compiler>.
function(lanewise_add_case_tests prefix folder later)
  if(NOT TARGET lanewise)
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${later})
  file(STRINGS ${later} lines REGEX "^[^#]")
  set(later_files)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "[ \t].*$" "" file "${line}")
    if(NOT EXISTS ${folder}/${file})
      message(FATAL_ERROR "${later} names ${file}, which is not in ${folder}")
    endif()
    list(APPEND later_files ${file})
  endforeach()

  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.cu)
  foreach(file IN LISTS files)
    string(REGEX REPLACE "\\.cu$" "" stem ${file})
    string(REPLACE "/" "." stem ${stem})
    foreach(compiler IN LISTS LANEWISE_CASE_COMPILERS)
      set(name ${prefix}.${stem}.${compiler})
      set(is_proof FALSE)
      if(file MATCHES "^(check|proved|pairs)/")
        set(is_proof TRUE)
      endif()
      add_test(NAME ${name} COMMAND lanewise verify --compiler ${compiler} ${folder}/${file})
      set_tests_properties(${name} PROPERTIES LABELS "${prefix};${compiler}" TIMEOUT 300)
      if(file IN_LIST later_files)
        set_tests_properties(${name} PROPERTIES DISABLED TRUE)
      endif()
      # A proof is about the code that runs: other levels, and code with debug information, must never be judged wrongly.
      if(is_proof AND NOT file IN_LIST later_files)
        if(compiler STREQUAL clang)
          set(variants "O3:-O3" "O0:-O0")
        else()
          set(variants "debug:-g")
        endif()
        foreach(variant IN LISTS variants)
          string(REPLACE ":" ";" pair ${variant})
          list(GET pair 0 variant_name)
          list(GET pair 1 variant_flag)
          add_test(NAME ${name}-${variant_name} COMMAND lanewise verify --compiler ${compiler} ${variant_flag} ${folder}/${file})
          set_tests_properties(${name}-${variant_name} PROPERTIES LABELS "${prefix};${compiler}" TIMEOUT 300)
        endforeach()
      endif()
    endforeach()
  endforeach()
endfunction()
