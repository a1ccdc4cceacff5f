// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The driver's version for queries. CMakeLists.txt has the same number; a test compares them.
#pragma once

#define LANEWISE_VERSION "0.1.0"
