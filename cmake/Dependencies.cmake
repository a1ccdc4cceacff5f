# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Third-party libraries. scripts/setup installs all of them.
find_package(Threads REQUIRED)
if(NOT LANEWISE_HOST_BUILD)
  include(LlvmDependencies)
endif()

include(Spirv)

# oneTBB runs the work-group loops. The driver has a copy of its own, which scripts/setup builds (scripts/lib/build-tbb):
# it shares no limit with the application's, loads nothing, and lives with failures to make a thread. LANEWISE_TBB=system
# takes an installed one, a static library if there is one; docs/decisions/D09-scheduler-on-onetbb.md says what is
# different then.
set(LANEWISE_TBB private CACHE STRING "oneTBB: private (built by scripts/setup) or system (installed)")
add_library(lanewise_tbb INTERFACE)
set(private_tbb ${LANEWISE_PREPARED}/tbb)
if(LANEWISE_SANITIZE MATCHES "thread")
  string(APPEND private_tbb -thread)
endif()
if(LANEWISE_TBB STREQUAL "private" AND NOT EXISTS ${private_tbb}/lib/libtbb.a)
  message(WARNING "There is no ${private_tbb} (PRESET=... scripts/setup builds it): the installed oneTBB is taken")
  set(LANEWISE_TBB system)
endif()
if(LANEWISE_TBB STREQUAL "private")
  target_include_directories(lanewise_tbb SYSTEM INTERFACE ${private_tbb}/include)
  target_link_libraries(lanewise_tbb INTERFACE ${private_tbb}/lib/libtbb.a Threads::Threads)
else()
  find_library(static_tbb libtbb.a)
  if(static_tbb)
    target_link_libraries(lanewise_tbb INTERFACE ${static_tbb} Threads::Threads)
  else()
    find_package(TBB REQUIRED)
    target_link_libraries(lanewise_tbb INTERFACE TBB::tbb)
  endif()
  target_compile_definitions(lanewise_tbb INTERFACE LANEWISE_SYSTEM_TBB)
endif()

# The version, for lanewise-info.
find_file(tbb_version_header oneapi/tbb/version.h HINTS ${private_tbb}/include NO_CACHE CMAKE_FIND_ROOT_PATH_BOTH)
set(tbb_version)
if(tbb_version_header)
  file(STRINGS ${tbb_version_header} tbb_version REGEX "#define TBB_VERSION_(MAJOR|MINOR|PATCH) ")
  list(TRANSFORM tbb_version REPLACE ".* ([0-9]+).*" "\\1")
  list(JOIN tbb_version "." tbb_version)
endif()
set(LANEWISE_TBB_VERSION "${tbb_version}, ${LANEWISE_TBB}")

# xxHash is used header-only; its namespace is private to each translation unit.
find_path(XXHASH_INCLUDE_DIR xxh3.h REQUIRED)
find_path(OPENCL_INCLUDE_DIR CL/cl_icd.h REQUIRED)
