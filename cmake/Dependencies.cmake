# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Third-party libraries, each one named once. scripts/setup installs all of them.
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm)
find_package(Clang REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/clang)
find_package(LLD REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/lld)

# Clang and LLVM as shared libraries: fast links, shared pages. `lanewise_llvm` carries what users of LLVM need.
add_library(lanewise_llvm INTERFACE)
target_include_directories(lanewise_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS} ${LLD_INCLUDE_DIRS})
target_compile_definitions(lanewise_llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
target_compile_options(lanewise_llvm INTERFACE -fno-rtti -fno-exceptions)
target_link_libraries(lanewise_llvm INTERFACE lldELF lldCommon clang-cpp LLVM)

# xxHash is used header-only; its namespace is private to each translation unit.
find_path(XXHASH_INCLUDE_DIR xxh3.h REQUIRED)
find_path(OPENCL_INCLUDE_DIR CL/cl_icd.h REQUIRED)
set(LANEWISE_CLANG ${LLVM_TOOLS_BINARY_DIR}/clang CACHE FILEPATH "Clang that compiles the built-in library")
