# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` and the Debian package contain.  The tool finds shim/ and include/ in share/lanewise beside its
# own bin/, so the whole tree can be moved.

include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # the tests are no part of an installation

set(CMAKE_INSTALL_LIBDIR lib) # lanewise.pc finds its folders from where it lies
install(TARGETS lanewise RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY shim DESTINATION ${CMAKE_INSTALL_DATADIR}/lanewise)
if(EXISTS ${CMAKE_SOURCE_DIR}/include/lanewise)
  install(DIRECTORY include DESTINATION ${CMAKE_INSTALL_DATADIR}/lanewise)
endif()
install(FILES cmake/lanewise.cmake DESTINATION ${CMAKE_INSTALL_DATADIR}/lanewise/cmake)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The tool writes its manual page and completions itself, from the tables that it reads its options with.
set(made ${CMAKE_BINARY_DIR}/made)
set(completion_bash share/bash-completion/completions lanewise)
set(completion_zsh share/zsh/vendor-completions _lanewise)
set(completion_fish share/fish/vendor_completions.d lanewise.fish)
add_custom_command(OUTPUT ${made}/lanewise.1
  COMMAND ${CMAKE_COMMAND} -E make_directory ${made}
  COMMAND lanewise help man > ${made}/lanewise.1
  DEPENDS lanewise VERBATIM)
set(made_files ${made}/lanewise.1)
install(FILES ${made}/lanewise.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
foreach(shell bash zsh fish)
  list(GET completion_${shell} 0 folder)
  list(GET completion_${shell} 1 name)
  add_custom_command(OUTPUT ${made}/${name}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${made}
    COMMAND lanewise help completion ${shell} > ${made}/${name}
    DEPENDS lanewise VERBATIM)
  list(APPEND made_files ${made}/${name})
  install(FILES ${made}/${name} DESTINATION ${folder})
endforeach()
add_custom_target(lanewise_made ALL DEPENDS ${made_files})

# The library: headers, both kinds, pkg-config, and the CMake package.
install(DIRECTORY include/lanewise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
add_dependencies(lanewise_made lanewise_shared lanewise_archive) # all that is installed, in one target
install(TARGETS lanewise_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${LANEWISE_ARCHIVE} DESTINATION ${CMAKE_INSTALL_LIBDIR})
configure_file(cmake/lanewise.pc.in lanewise.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/lanewise.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/lanewise-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/lanewise-config.cmake cmake/lanewise_kernels.cmake ${CMAKE_BINARY_DIR}/lanewise-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_DATADIR}/lanewise/cmake)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lanewise)
set(CPACK_PACKAGE_CONTACT "The Lanewise authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "checks CUDA kernels by running them on the CPU, warp by warp")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36), libclang1-19, libclang-common-19-dev, libz3-4 (>= 4.8)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-19")
include(CPack)
