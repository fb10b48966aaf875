# SPDX-License-Identifier: Apache-2.0
#
# find_package(lanewise): targets lanewise::shared and lanewise::static, and
#
#     lanewise_add_kernels(TARGET file.cu ... [OPTIONS option...] [DEPENDS file...])   lanewise_kernels.cmake
#     lanewise_add_test(NAME name FILE file.cu ...)                                    lanewise.cmake
#
# Everything is found from where this file lies, so an installation can be moved.

get_filename_component(_lanewise_prefix ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
set(_lanewise_lib ${_lanewise_prefix}/lib)

find_package(Threads REQUIRED)
if(NOT TARGET lanewise::shared)
  add_library(lanewise::shared SHARED IMPORTED)
  set_target_properties(lanewise::shared PROPERTIES
    IMPORTED_LOCATION ${_lanewise_lib}/liblanewise.so
    INTERFACE_INCLUDE_DIRECTORIES ${_lanewise_prefix}/include)
  add_library(lanewise::static STATIC IMPORTED)
  set_target_properties(lanewise::static PROPERTIES
    IMPORTED_LOCATION ${_lanewise_lib}/liblanewise.a
    INTERFACE_INCLUDE_DIRECTORIES ${_lanewise_prefix}/include
    INTERFACE_LINK_LIBRARIES "Threads::Threads;m;${CMAKE_DL_LIBS}")
endif()

if(NOT LANEWISE_EXECUTABLE AND EXISTS ${_lanewise_prefix}/bin/lanewise)
  set(LANEWISE_EXECUTABLE ${_lanewise_prefix}/bin/lanewise)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/lanewise.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/lanewise_kernels.cmake)
unset(_lanewise_prefix)
unset(_lanewise_lib)
