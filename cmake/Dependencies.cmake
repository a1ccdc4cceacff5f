# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Third-party libraries. scripts/setup installs all of them.
find_package(Threads REQUIRED)
find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm)
find_package(Clang REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/clang)
find_package(LLD REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/lld)

# `lanewise_llvm_headers` is for compiling against LLVM, `lanewise_llvm` also for linking with Clang and LLVM as shared
# libraries, which makes links of tools and tests fast.
add_library(lanewise_llvm_headers INTERFACE)
target_include_directories(lanewise_llvm_headers SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS} ${LLD_INCLUDE_DIRS})
target_compile_definitions(lanewise_llvm_headers INTERFACE ${LLVM_DEFINITIONS_LIST})
target_compile_options(lanewise_llvm_headers INTERFACE -fno-rtti -fno-exceptions)
add_library(lanewise_llvm INTERFACE)
target_link_libraries(lanewise_llvm INTERFACE lanewise_llvm_headers lldELF lldCommon clang-cpp LLVM)

# The driver's compiler is linked statically to the parts of LLVM that it uses: it starts in half the time
# (docs/performance.md), and it cannot conflict with another version of LLVM in an application.
set(static_llvm ON)
if(LANEWISE_SANITIZE OR NOT EXISTS ${LLVM_LIBRARY_DIR}/libLLVMX86CodeGen.a OR
   NOT EXISTS ${LLVM_LIBRARY_DIR}/libclangCodeGen.a)
  set(static_llvm OFF)
endif()
option(LANEWISE_STATIC_LLVM "Link the driver's compiler to LLVM's and Clang's archives" ${static_llvm})

include(Spirv)

# oneTBB runs the work-group loops. The driver has a copy of its own, which scripts/setup builds (scripts/lib/build-tbb):
# it shares no limit with the application's, loads nothing, and lives with failures to make a thread. LANEWISE_TBB=system
# takes an installed one, a static library if there is one; docs/decisions/D09-scheduler-on-onetbb.md says what is
# different then.
set(LANEWISE_TBB private CACHE STRING "oneTBB: private (built by scripts/setup) or system (installed)")
add_library(lanewise_tbb INTERFACE)
set(private_tbb ${PROJECT_SOURCE_DIR}/build/deps/tbb)
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
find_file(tbb_version_header oneapi/tbb/version.h HINTS ${private_tbb}/include NO_CACHE)
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
set(LANEWISE_CLANG ${LLVM_TOOLS_BINARY_DIR}/clang CACHE FILEPATH "Clang that compiles the built-in library")
