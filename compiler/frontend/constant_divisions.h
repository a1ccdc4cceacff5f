// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Integer divisions that have a result although C has none, where both operands are constants:
///
///     #define PARTS 0
///     int rows = 64 / PARTS, rest = 64 % PARTS;       // -1 and 0, as in kernel/division.h
///
/// Clang's code generation folds them to poison, after which LLVM takes code away.
#pragma once

#include <clang/AST/ASTConsumer.h>

#include <memory>

namespace lanewise {

/// To be run on each declaration before code is made of it.
std::unique_ptr<clang::ASTConsumer> mend_constant_divisions();

}  // namespace lanewise
