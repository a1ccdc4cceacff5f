// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the cache of compiled programs lies.
#pragma once

#include <string>

namespace lanewise {

/// The cache directory that the options and the environment choose, absolute or as given; empty: there is no cache.
std::string cache_directory();

}  // namespace lanewise
