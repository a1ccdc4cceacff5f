// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/boundary.h"

#include "src/log/log.h"

namespace lanewise {

void log_refusal(const char* function, cl_int code, const char* reason) noexcept {
  log_line(Channel::api, "%s: error %d: %s", function, code, reason);
}

}  // namespace lanewise
