// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The resources of a process: peak memory, threads, and whether a compiler is mapped into it.
#pragma once

#include <cstdio>
#include <fstream>
#include <string>

namespace lanewise::bench {

inline void print_weight() {
  std::string word;
  std::ifstream status("/proc/self/status");
  while (status >> word) {
    long value = 0;
    if (word == "VmHWM:" && status >> value) std::printf("peak_kib %ld\n", value);
    if (word == "Threads:" && status >> value) std::printf("threads %ld\n", value);
  }
  std::ifstream maps("/proc/self/maps");
  bool compiler = false;
  // LLVM may be a library of that name or inside of a driver's own compiler library.
  while (maps >> word)
    compiler = compiler || word.find("LLVM") != std::string::npos || word.find("clang") != std::string::npos ||
               word.find("lanewise-compiler") != std::string::npos || word.find("OclCpuBackEnd") != std::string::npos;
  std::printf("compiler_mapped %d\n", compiler ? 1 : 0);
}

}  // namespace lanewise::bench
