// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/file/cache_place.h"

#include <cstdlib>

#include "src/config/config.h"

namespace lanewise {

std::string cache_directory() {
  if (!config().cache_dir.empty()) return config().cache_dir;
  if (const char* base = secure_getenv("XDG_CACHE_HOME"); base != nullptr && base[0] == '/')
    return std::string(base) + "/lanewise";
  const char* home = secure_getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.cache/lanewise";
  return {};
}

}  // namespace lanewise
