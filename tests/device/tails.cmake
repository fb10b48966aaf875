# SPDX-License-Identifier: Apache-2.0
#
# The helpers for tails (tail.h, reduce.h, halo.h, vector.h): every kernel is proved, and right at the sizes where tails break, with each
# compiler that is there; blocks of every shape; misuse as a transcript; the pages of the examples show what the tool says.
find_program(LANEWISE_NVCC nvcc HINTS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin /usr/local/cuda/bin
             DOC "NVIDIA's compiler; its tests are registered only where it is found")
set(tails_compilers clang)
if(LANEWISE_NVCC)
  list(APPEND tails_compilers nvcc)
endif()
file(GLOB tails_kernels CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/tails_*.cu)
foreach(compiler ${tails_compilers})
  foreach(file ${tails_kernels})
    get_filename_component(name ${file} NAME_WE)
    if(name STREQUAL tails_identities)
      add_test(NAME device/${name}-${compiler} COMMAND lanewise verify --compiler ${compiler} ${file})
      list(APPEND tails_tests device/${name}-${compiler})
      continue()
    endif()
    add_test(NAME device/${name}-proved-${compiler}
      COMMAND lanewise check --fail-on=unproved --compiler ${compiler} ${file})
    add_test(NAME device/${name}-${compiler} COMMAND lanewise test --compiler ${compiler} ${file})
    list(APPEND tails_tests device/${name}-proved-${compiler} device/${name}-${compiler})
  endforeach()
  add_test(NAME device/tails_shapes-${compiler}
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/tails_shapes.sh $<TARGET_FILE:lanewise> ${compiler})
  list(APPEND tails_tests device/tails_shapes-${compiler})
endforeach()
foreach(name tails_blocks tails_forms tails_vectors tails_halo)
  add_test(NAME device/${name}-sizes
    COMMAND lanewise test --sizes 0,1,31,32,33,255,256,257,1000 ${CMAKE_CURRENT_LIST_DIR}/${name}.cu)
  list(APPEND tails_tests device/${name}-sizes)
endforeach()
add_test(NAME device/tails_misuse
  COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/../cli/run_test.sh $<TARGET_FILE:lanewise> ${CMAKE_CURRENT_LIST_DIR}/tails_misuse.test)
list(APPEND tails_tests device/tails_misuse)
foreach(example tail_sizes stencil_halo reduce_identity unchecked_indexing)
  add_test(NAME device/page_${example}
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/tails_pages.sh $<TARGET_FILE:lanewise> ${CMAKE_SOURCE_DIR}/examples/${example})
  list(APPEND tails_tests device/page_${example})
endforeach()
set_tests_properties(${tails_tests} PROPERTIES LABELS device TIMEOUT 600)
