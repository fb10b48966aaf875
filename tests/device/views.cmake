# SPDX-License-Identifier: Apache-2.0
# Slices, matrix views, writing by place: each kernel of proved/ is proved, as clang and as nvcc compile it; transcripts of what is found when they
# are used wrongly, and of what they give; the twins of gemm_views.
find_program(LANEWISE_NVCC nvcc HINTS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin /usr/local/cuda/bin)
set(compilers clang)
if(LANEWISE_NVCC)
  list(APPEND compilers nvcc)
endif()
file(GLOB proved CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/proved/*.cu)
foreach(compiler IN LISTS compilers)
  foreach(file IN LISTS proved)
    get_filename_component(name ${file} NAME_WE)
    add_test(NAME device/proved_${name}_${compiler} COMMAND lanewise verify --compiler ${compiler} ${file})
    set_tests_properties(device/proved_${name}_${compiler} PROPERTIES LABELS "device;${compiler}" TIMEOUT 300)
  endforeach()
  add_test(NAME device/twins_${compiler}
    COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/twins.sh $<TARGET_FILE:lanewise> ${CMAKE_SOURCE_DIR}/examples/gemm_views/gemm.cu ${compiler})
  set_tests_properties(device/twins_${compiler} PROPERTIES LABELS "device;${compiler}" TIMEOUT 300)
endforeach()
add_test(NAME device/page_gemm_views
  COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/tails_pages.sh $<TARGET_FILE:lanewise> ${CMAKE_SOURCE_DIR}/examples/gemm_views)
set_tests_properties(device/page_gemm_views PROPERTIES LABELS device TIMEOUT 300)
foreach(name misuse run build)
  add_test(NAME device/${name}
    COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/../cli/run_test.sh $<TARGET_FILE:lanewise> ${CMAKE_CURRENT_SOURCE_DIR}/${name}.test)
  set_tests_properties(device/${name} PROPERTIES LABELS device TIMEOUT 300)
endforeach()
if(NOT LANEWISE_SANITIZE)
  add_test(NAME device/launch_slices
    COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/launch_slices.sh $<TARGET_FILE:lanewise> $<TARGET_FILE:lanewise_static>)
  set_tests_properties(device/launch_slices PROPERTIES LABELS device TIMEOUT 300)
endif()
