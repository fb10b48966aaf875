# SPDX-License-Identifier: Apache-2.0
#
# lanewise_add_kernels(TARGET file.cu ... [OPTIONS option...] [DEPENDS file...] [STATIC])
#
# Runs `lanewise build` on each file and adds its launcher to TARGET, which is made as a static library if there is none: a source that
# says #include "file_kernels.h" then finds it.  Links lanewise::shared, or lanewise::static with STATIC.  OPTIONS go to
# `lanewise build`; DEPENDS names the headers that the kernels include.  A kernel with a violation that no run-time check can
# stop (a race, a barrier that threads miss), or with a site that is neither proved nor checkable, fails the build, as the tool's exit status does.

function(lanewise_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 kernels "STATIC" "" "OPTIONS;DEPENDS")
  if(NOT kernels_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "lanewise_add_kernels(TARGET file.cu ... [OPTIONS option...] [DEPENDS file...] [STATIC])")
  endif()
  if(NOT LANEWISE_EXECUTABLE)
    message(FATAL_ERROR "lanewise was not found: set LANEWISE_EXECUTABLE")
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}_kernels)
  set(sources)
  foreach(file ${kernels_UNPARSED_ARGUMENTS})
    get_filename_component(path ${file} ABSOLUTE)
    get_filename_component(name ${file} NAME_WLE)
    if(NOT EXISTS ${path})
      message(FATAL_ERROR "lanewise_add_kernels: ${file} does not exist")
    endif()
    add_custom_command(
      OUTPUT ${folder}/${name}_kernels.c ${folder}/${name}_kernels.h
      BYPRODUCTS ${folder}/${name}.ptx ${folder}/${name}.report.json
      COMMAND ${LANEWISE_EXECUTABLE} build ${path} -o ${folder} ${kernels_OPTIONS}
      DEPENDS ${path} ${kernels_DEPENDS} ${LANEWISE_EXECUTABLE}
      COMMENT "Checked kernels of ${name}" VERBATIM)
    list(APPEND sources ${folder}/${name}_kernels.c ${folder}/${name}_kernels.h)
  endforeach()
  if(TARGET ${target})
    target_sources(${target} PRIVATE ${sources})
  else()
    add_library(${target} STATIC ${sources})
  endif()
  target_include_directories(${target} PUBLIC ${folder})
  if(kernels_STATIC)
    target_link_libraries(${target} PUBLIC lanewise::static)
  else()
    target_link_libraries(${target} PUBLIC lanewise::shared)
  endif()
endfunction()
