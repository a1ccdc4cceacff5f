# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `cmake --install` installs the driver, `cpack` makes a .deb package of the same files.
include(GNUInstallDirs)

install(TARGETS lanewise LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS lanewise_compiler_lib LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/lanewise)
install(TARGETS lanewise_compiler RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/lanewise)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY} ${LANEWISE_PRIVATE_DIR})
install(TARGETS lanewise-cc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS lanewise-info RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(PROGRAMS ${PROJECT_SOURCE_DIR}/scripts/lanewise-report DESTINATION ${CMAKE_INSTALL_BINDIR})
set_target_properties(lanewise-cc PROPERTIES INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
# The SPIR-V translator is a library that Debian 12 does not have, so it comes along, beside the one program that uses it.
if(TARGET lanewise_spirv)
  set_target_properties(lanewise_spirv PROPERTIES INSTALL_RPATH $ORIGIN)
  install(TARGETS lanewise_spirv RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/lanewise)
  if(TARGET lanewise_llvm_name)
    install(TARGETS lanewise_llvm_name LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/lanewise)
  endif()
  install(FILES ${SPIRV_TRANSLATOR_LIBRARY_DIRS}/libLLVMSPIRVLib.so.22.1
    ${PROJECT_BINARY_DIR}/compiler/lanewise-spirv.libraries
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/lanewise)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${SPIRV_TRANSLATOR_LIBRARY_DIRS})
endif()
# The built-in library and the support objects: everything else that the build put beside the helper.
install(DIRECTORY ${LANEWISE_PRIVATE_DIR}/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/lanewise
  FILES_MATCHING PATTERN "*.lwb" PATTERN "*.o" PATTERN "*.a")

# The .icd file contains the installed path of the library, so it is written at installation time, when the prefix is
# known (cmake --install --prefix, cpack). Loaders read /etc/OpenCL/vendors; with another prefix than /usr the file is
# below that prefix, and OCL_ICD_VENDORS must name its directory.
install(CODE "set(lanewise_libdir ${CMAKE_INSTALL_LIBDIR})")
install(CODE [[
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(vendors /etc/OpenCL/vendors)
  else()
    set(vendors ${CMAKE_INSTALL_PREFIX}/etc/OpenCL/vendors)
  endif()
  message(STATUS "Installing: $ENV{DESTDIR}${vendors}/lanewise.icd")
  file(WRITE $ENV{DESTDIR}${vendors}/lanewise.icd "${CMAKE_INSTALL_PREFIX}/${lanewise_libdir}/liblanewise.so.1\n")
]])

# `pkg-config --libs lanewise` links an application to the driver itself, as to libOpenCL.so. Relocatable.
configure_file(${PROJECT_SOURCE_DIR}/cmake/lanewise.pc.in ${CMAKE_BINARY_DIR}/package/lanewise.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/package/lanewise.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/docs/lanewise.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
install(FILES ${PROJECT_SOURCE_DIR}/docs/lanewise-cc.1 ${PROJECT_SOURCE_DIR}/docs/lanewise-info.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# README.md and SECURITY.md link to the documents. Mermaid sources are for those who change a picture.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.csv")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/SECURITY.md
  ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(LANEWISE_TBB STREQUAL "private")
  install(FILES ${private_tbb}/LICENSE.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.oneTBB.txt)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lanewise-opencl-icd)
set(CPACK_PACKAGE_CONTACT "The Lanewise developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "OpenCL driver for multicore CPUs")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_PROVIDES opencl-icd)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 | libopencl1")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-plotly")  # lanewise-report
set(CPACK_STRIP_FILES ON)
include(CPack)
