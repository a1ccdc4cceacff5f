# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `lanewise_flags`: include root, language level, warnings as errors, sanitizers. Every target of ours links it.
add_library(lanewise_flags INTERFACE)
target_include_directories(lanewise_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_include_directories(lanewise_flags SYSTEM INTERFACE ${OPENCL_INCLUDE_DIR} ${XXHASH_INCLUDE_DIR})
target_compile_definitions(lanewise_flags INTERFACE CL_TARGET_OPENCL_VERSION=300 CL_USE_DEPRECATED_OPENCL_1_0_APIS
  CL_USE_DEPRECATED_OPENCL_1_1_APIS CL_USE_DEPRECATED_OPENCL_1_2_APIS CL_USE_DEPRECATED_OPENCL_2_0_APIS
  CL_USE_DEPRECATED_OPENCL_2_1_APIS CL_USE_DEPRECATED_OPENCL_2_2_APIS CL_ENABLE_BETA_EXTENSIONS)
target_compile_options(lanewise_flags INTERFACE -Wall -Wextra -Wconversion -Wno-sign-conversion -Werror
  # The rules of mutexes (src/base/thread_safety.h).
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wthread-safety> $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wthread-safety-beta>)
# Every operation rounds by itself, also where processors have fused ones: what C++ computes is the same on all of them.
if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  target_compile_options(lanewise_flags INTERFACE -ffp-contract=off)
endif()
if(LANEWISE_SANITIZE)
  target_compile_options(lanewise_flags INTERFACE -fsanitize=${LANEWISE_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -shared-libsan)
  # The sanitizer's run-time library must be shared, because the driver is; it is in the compiler's own directory.
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-runtime-dir OUTPUT_VARIABLE sanitizer_dir
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  target_link_options(lanewise_flags INTERFACE -fsanitize=${LANEWISE_SANITIZE} -shared-libsan
    -Wl,-rpath,${sanitizer_dir})
endif()

# Paths inside the tree are hashed relative to it, so that a second clone on the same machine reuses compiled files.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
