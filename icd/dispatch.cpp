// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/dispatch.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <new>

#include "icd/extensions.h"
#include "runtime/process/crash_report.h"
#include "runtime/process/fork_guard.h"
#include "runtime/trace/trace.h"
#include "src/config/config.h"

namespace lanewise {

namespace {

constinit const DispatchTable kDispatch = {
#define ENTRY(name, since) .name = &::name,
#define ALIAS(name, function) .name = &::function,
#define EMPTY(name) .name = nullptr,
#include "icd/entry_points.def"
};

/// A function that can be found by name. `extension` is null for those of cl_khr_icd.
struct NamedFunction {
  std::string_view name;
  const char* extension;
};

constexpr NamedFunction kFunctions[] = {
#define ICD(name) {#name, nullptr},
#define FOUND(name, since, extension) {#name, #extension},
#define EXTENSION(name, extension, function) {#name, #extension},
#include "icd/entry_points.def"
};

/// In the order of kFunctions; a separate array because a function's address as `void*` is not a constant expression.
void* const kAddresses[] = {
#define ICD(name) reinterpret_cast<void*>(&::name),
#define FOUND(name, since, extension) reinterpret_cast<void*>(&::name),
#define EXTENSION(name, extension, function) reinterpret_cast<void*>(&::function),
#include "icd/entry_points.def"
};

constexpr std::size_t kCount = std::size(kFunctions);
static_assert(kCount == std::size(kAddresses));

/// Indices into kFunctions, sorted by name for binary search, because loaders ask for every name there is.
constexpr std::array<std::size_t, kCount> kByName = [] {
  std::array<std::size_t, kCount> order{};
  for (std::size_t i = 0; i < kCount; ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [](auto a, auto b) { return kFunctions[a].name < kFunctions[b].name; });
  return order;
}();

const NamedFunction* find(std::string_view name) {
  const auto at = std::lower_bound(kByName.begin(), kByName.end(), name,
                                   [](std::size_t i, std::string_view wanted) { return kFunctions[i].name < wanted; });
  return at != kByName.end() && kFunctions[*at].name == name ? &kFunctions[*at] : nullptr;
}

void* address(const NamedFunction& function) {
  if (function.extension != nullptr && !reports_extension(platform().device().facts(), function.extension)) {
    return nullptr;
  }
  return kAddresses[&function - kFunctions];
}

}  // namespace

const DispatchTable& dispatch() {
  return kDispatch;
}

namespace {
/// In a child that begins anew, handles of its parent's platform and devices are valid from the first call on.
bool renew() {
  try {
    static_cast<void>(platform());
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}
}  // namespace

Platform& platform() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (!began_anew()) {
      report_ignored_options();
      trace::start();
      start_crash_reports();
    }
    set_renewal(&renew);
    set_dispatch_table(began_anew() ? new DispatchTable(kDispatch) : &kDispatch);
    set_language_surface_provider(&language_surface);
    // Made here and not at the first query: what is half initialised at a fork would stay so in the child.
    static_cast<void>(Platform::instance().device().facts());
  });
  return Platform::instance();
}

void* find_extension_function(std::string_view name) {
  const NamedFunction* function = find(name);
  return function != nullptr ? address(*function) : nullptr;
}

}  // namespace lanewise
