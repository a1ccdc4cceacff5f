# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# LLVM, Clang and lld, of which the compiler is made.
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
set(back_end X86)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(back_end AArch64)
endif()
set(static_llvm ON)
if(LANEWISE_SANITIZE OR NOT EXISTS ${LLVM_LIBRARY_DIR}/libLLVM${back_end}CodeGen.a OR
   NOT EXISTS ${LLVM_LIBRARY_DIR}/libclangCodeGen.a)
  set(static_llvm OFF)
endif()
option(LANEWISE_STATIC_LLVM "Link the driver's compiler to LLVM's and Clang's archives" ${static_llvm})
set(clang ${LLVM_TOOLS_BINARY_DIR}/clang)
if(CMAKE_CROSSCOMPILING)
  set(clang ${CMAKE_C_COMPILER})  # one that runs here
endif()
set(LANEWISE_CLANG ${clang} CACHE FILEPATH "Clang that compiles the built-in library")
