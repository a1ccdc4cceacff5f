// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/platform.h"

#include <atomic>

#include "src/base/survives_fork.h"

namespace lanewise {

namespace {
constinit std::atomic<LanguageSurfaceProvider> g_surface_provider{nullptr};
LANEWISE_SURVIVES_FORK constinit std::atomic<Platform*> g_platform{nullptr};
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
  static Platform* const platform = [] {
    Platform* made = g_platform.load();
    if (made == nullptr)
      g_platform.store(made = new Platform);
    else
      made->carry_over();
    return made;
  }();
  return *platform;
}

void Platform::carry_over() noexcept {
  for (Device* device : devices_) device->carry_over();
  belong_here();
}

}  // namespace lanewise
