# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` and the Debian package contain.  The tool finds shim/ and include/ in share/lanewise beside its
# own bin/, so the whole tree can be moved.

include(GNUInstallDirs)

set(CMAKE_INSTALL_LIBDIR lib) # lanewise.pc finds its folders from where it lies
install(TARGETS lanewise RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY shim include DESTINATION ${CMAKE_INSTALL_DATADIR}/lanewise)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The library is installed once it has a public header.
if(EXISTS ${CMAKE_SOURCE_DIR}/include/lanewise/lanewise.h)
  install(DIRECTORY include/lanewise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(TARGETS lanewise_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  configure_file(cmake/lanewise.pc.in lanewise.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/lanewise.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lanewise)
set(CPACK_PACKAGE_CONTACT "The Lanewise authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "checks CUDA kernels by running them on the CPU, warp by warp")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-19")
include(CPack)
