# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `cmake --install` installs everything, `cpack` makes three Debian packages of the same files: the driver, its tools, and
# what applications need that link it. packaging/wheel makes a Python package of an installation.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME driver)
set(CMAKE_INSTALL_DOCDIR ${CMAKE_INSTALL_DATAROOTDIR}/doc/lanewise)
set(private ${CMAKE_INSTALL_LIBDIR}/lanewise)
set(package ${CMAKE_BINARY_DIR}/package)

set_target_properties(lanewise PROPERTIES EXPORT_NAME Lanewise)
install(TARGETS lanewise EXPORT Lanewise LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_COMPONENT dev)
install(TARGETS lanewise_compiler_lib LIBRARY DESTINATION ${private})
install(TARGETS lanewise_compiler RUNTIME DESTINATION ${private})
install(TARGETS lanewise-cc lanewise-info RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/scripts/lanewise-report DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
set_target_properties(lanewise-cc PROPERTIES INSTALL_RPATH $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
# The SPIR-V translator, where it is a library, is one that few systems have: it comes along, beside the program that uses it.
if(TARGET lanewise_spirv)
  install(TARGETS lanewise_spirv RUNTIME DESTINATION ${private})
  if(TARGET lanewise_llvm_name)
    install(TARGETS lanewise_llvm_name LIBRARY DESTINATION ${private})
  endif()
  if(LANEWISE_TRANSLATOR_SONAME)
    install(FILES ${LANEWISE_TRANSLATOR_LIBRARY} DESTINATION ${private} RENAME ${LANEWISE_TRANSLATOR_SONAME})
  endif()
  install(FILES ${LANEWISE_PRIVATE_DIR}/lanewise-spirv.libraries DESTINATION ${private})
endif()
# The built-in library for this processor.
set(library builtins-x86-64.lwb)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(library builtins-aarch64.lwb)
endif()
install(FILES ${LANEWISE_PRIVATE_DIR}/${library} DESTINATION ${private})

# The .icd file contains the installed path of the library, so it is written at installation time, when the prefix is
# known (cmake --install --prefix, cpack). Loaders read /etc/OpenCL/vendors; with another prefix than /usr the file is
# below that prefix, and OCL_ICD_VENDORS must name its directory.
install(CODE "set(lanewise_library ${CMAKE_INSTALL_LIBDIR}/liblanewise.so.${PROJECT_VERSION_MAJOR})")
install(CODE [[
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(vendors /etc/OpenCL/vendors)
  else()
    set(vendors ${CMAKE_INSTALL_PREFIX}/etc/OpenCL/vendors)
  endif()
  message(STATUS "Installing: $ENV{DESTDIR}${vendors}/lanewise.icd")
  file(WRITE $ENV{DESTDIR}${vendors}/lanewise.icd "${CMAKE_INSTALL_PREFIX}/${lanewise_library}\n")
]])

# An application is linked to the driver itself, as to libOpenCL.so, by `pkg-config --libs lanewise` or, in CMake, by
# find_package(Lanewise) and the target Lanewise::Lanewise. Both are relocatable.
configure_file(${PROJECT_SOURCE_DIR}/cmake/lanewise.pc.in ${package}/lanewise.pc @ONLY)
install(FILES ${package}/lanewise.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
install(EXPORT Lanewise NAMESPACE Lanewise:: FILE LanewiseConfig.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Lanewise COMPONENT dev)
write_basic_package_version_file(${package}/LanewiseConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${package}/LanewiseConfigVersion.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Lanewise COMPONENT dev)

install(FILES ${PROJECT_SOURCE_DIR}/docs/lanewise.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7)
install(FILES ${PROJECT_SOURCE_DIR}/docs/lanewise-cc.1 ${PROJECT_SOURCE_DIR}/docs/lanewise-info.1
  ${PROJECT_SOURCE_DIR}/docs/lanewise-report.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)
# README.md and SECURITY.md link to the documents. Mermaid sources are for those who change a picture.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.csv")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/SECURITY.md
  ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md
  # The licences of what is linked into these files or lies beside them.
  ${PROJECT_SOURCE_DIR}/packaging/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

include(${PROJECT_SOURCE_DIR}/packaging/debian/packages.cmake)
# The source as an archive, which builds without git.
set(CPACK_SOURCE_GENERATOR TXZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME lanewise-${LANEWISE_VERSION}-source)
set(CPACK_SOURCE_IGNORE_FILES "/build/" "/\\\\.git/" "/\\\\.cache/" "/__pycache__/" "/cts-logs/" "\\\\.png$")
include(CPack)
