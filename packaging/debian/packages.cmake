# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What CPack writes into the Debian packages; finish.cmake makes their files what Debian's policy asks for.
set(LANEWISE_MAINTAINER "The Lanewise developers <lanewise@packages.invalid>" CACHE STRING
  "Who is responsible for Debian packages that are made here: NAME <ADDRESS>")
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL driver tools dev)
set(CPACK_PACKAGE_NAME lanewise)
# Each package has a summary of its own, the first line of its description.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGE_CONTACT ${LANEWISE_MAINTAINER})
# Not CPACK_PACKAGING_INSTALL_PREFIX: it is /usr in Debian packages anyway, and would be a folder in the archive of the source.
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# Debian sorts 1.0.0~rc1 before 1.0.0.
string(REPLACE "-rc" "~rc" LANEWISE_DEBIAN_VERSION ${LANEWISE_VERSION})
set(CPACK_DEBIAN_PACKAGE_VERSION ${LANEWISE_DEBIAN_VERSION})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)  # else that of this machine
endif()
# What tests/packaging/oldest_libraries_test.py finds. dpkg-shlibdeps would take our libLLVM.so.22.1 for that of Debian.
set(system_libraries "libc6 (>= 2.34), libgcc-s1 (>= 7), libstdc++6 (>= 11)")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(same_version "(= ${LANEWISE_DEBIAN_VERSION}-1)")

set(CPACK_DEBIAN_DRIVER_PACKAGE_NAME lanewise-opencl-icd)
set(CPACK_DEBIAN_DRIVER_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DRIVER_PACKAGE_DEPENDS "${system_libraries}, zlib1g (>= 1:1.2.9)")
set(CPACK_DEBIAN_DRIVER_PACKAGE_PROVIDES opencl-icd)
set(CPACK_DEBIAN_DRIVER_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 | libopencl1, lanewise-tools")
set(CPACK_DEBIAN_DRIVER_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/conffiles ${CMAKE_CURRENT_LIST_DIR}/triggers
  ${package}/debian/shlibs)
set(CPACK_DEBIAN_DRIVER_DESCRIPTION "OpenCL driver for multicore processors
Lanewise lets OpenCL programs run on the processor, without a GPU: it is a
driver (ICD) that programs find through the OpenCL loader. It implements
OpenCL 3.1 with OpenCL C up to 3.1, C++ for OpenCL and SPIR-V, images,
shared virtual memory and sub-groups.

Kernels are compiled by Clang and LLVM in a process of their own,
vectorised over work-items, and kept in a cache. Nothing else has to be
installed: LLVM and oneTBB are inside of the package.")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME lanewise-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "lanewise-opencl-icd ${same_version}, ${system_libraries}, python3:any")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS python3-plotly)
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "OpenCL driver for multicore processors - tools
Programs that belong to the Lanewise driver: lanewise-info shows the
device, what limits it and what is wrong with the installation,
lanewise-cc compiles OpenCL programs ahead of time to binaries or SPIR-V,
and lanewise-report makes a page of a trace.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME liblanewise-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "lanewise-opencl-icd ${same_version}, opencl-c-headers | opencl-headers")
set(CPACK_DEBIAN_DEV_DESCRIPTION "OpenCL driver for multicore processors - development files
What is needed to link an application to the Lanewise driver itself,
without an OpenCL loader: the library's name for linkers, a file for
pkg-config and a package for CMake.")

foreach(file changelog finish.cmake shlibs)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${file}.in ${package}/debian/${file} @ONLY)
endforeach()
set(CPACK_PRE_BUILD_SCRIPTS ${package}/debian/finish.cmake)
