# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Toolchain: Debian 12 on AArch64, compiled by Clang on another machine. `scripts/setup --target aarch64` makes the sysroot,
# and installs the emulator by which programs of the build run.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
if(NOT CMAKE_SYSROOT)
  set(CMAKE_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/../build/deps/aarch64/sysroot)
endif()
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET aarch64-linux-gnu)
  # Programs that no emulator is to run begin with a link, and these with lld.
  set(CMAKE_${language}_FLAGS_INIT "--start-no-unused-arguments -fuse-ld=lld --end-no-unused-arguments")
endforeach()
set(CMAKE_C_COMPILER clang-22)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR python3 ${CMAKE_CURRENT_LIST_DIR}/../tests/one_processor.py qemu-aarch64-static -L
  ${CMAKE_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
