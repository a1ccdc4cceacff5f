// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/platform.h"

#include <atomic>

namespace lanewise {

namespace {
std::atomic<LanguageSurfaceProvider> g_surface_provider{nullptr};
}  // namespace

void set_language_surface_provider(LanguageSurfaceProvider provider) {
  g_surface_provider.store(provider, std::memory_order_release);
}

LanguageSurface make_language_surface(const DeviceFacts& facts) {
  const auto provider = g_surface_provider.load(std::memory_order_acquire);
  return provider != nullptr ? provider(facts) : LanguageSurface{};
}

Platform::Platform() {
  devices_[0] = new Device(*this);
}

Platform& Platform::instance() {
  static auto* const platform = new Platform;
  return *platform;
}

}  // namespace lanewise
