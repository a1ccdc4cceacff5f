// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs with faults: every error of a program belongs to its build, whenever its code is made (design D30).
#pragma once

#include <cstdint>
#include <string>

namespace lanewise::fuzz {

/// The program of this seed: a kernel with one fault or two, whose text may have been changed.
std::string broken(std::uint64_t seed);

/// Builds the programs of `count` seeds twice: with its code, and with code that is made when it is
/// wanted. Both builds must give the same status and the same log, and after the second each kernel must get code.
///
/// @returns whether that is so; else it prints the program
bool check_broken(std::uint64_t seed, std::uint64_t count);

}  // namespace lanewise::fuzz
