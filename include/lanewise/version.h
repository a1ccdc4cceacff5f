// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The version: the only place where it is written. MAJOR.MINOR.PATCH, followed by -rcN for a candidate. CMakeLists.txt
/// reads it for the library's name and for packages; scripts/generate-docs writes it into the manual pages.
#pragma once

#define LANEWISE_VERSION "1.0.0-rc1"
