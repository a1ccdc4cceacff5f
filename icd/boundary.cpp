// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/boundary.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "include/lanewise/api_names.h"
#include "src/log/log.h"

namespace lanewise {

void log_refusal(const char* function, cl_int code, const char* reason) noexcept {
  const char* remedy = remedy_for(code);
  log_line(Channel::api, "%s: %s (%d): %s%s%s", function, error_name(code), code, reason, *remedy == 0 ? "" : "; ",
           remedy);
}

void log_refusal(const char* function, const ApiError& error) noexcept {
  log_refusal(function, error.code, error.message.empty() ? error.reason : error.message.c_str());
}

ForkedChildAnswer answer_in_forked_child(const char* function) noexcept {
  const std::string_view name(function);
  const auto begins = [name](std::string_view prefix) { return name.starts_with(prefix); };
  constexpr std::array<std::string_view, 3> kQueries = {"clGetPlatform", "clGetDevice", "clGetExtensionFunction"};
  constexpr std::array<std::string_view, 4> kReleases = {"clRelease", "clRetain", "clMemFree", "clMemBlockingFree"};
  if (std::any_of(kReleases.begin(), kReleases.end(), begins)) return {false, CL_SUCCESS};
  if (!forked_child_may_query()) return {false, CL_OUT_OF_RESOURCES};
  if (std::any_of(kQueries.begin(), kQueries.end(), begins)) return {true, CL_SUCCESS};
  log_refusal(function, CL_OUT_OF_RESOURCES, "the process was forked inside of the driver");
  return {false, CL_OUT_OF_RESOURCES};
}

}  // namespace lanewise
