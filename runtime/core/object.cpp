// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/object.h"

namespace lanewise {

namespace {
std::atomic<const void*> g_dispatch{nullptr};
std::atomic<void*> g_loader_data{nullptr};
}  // namespace

void set_dispatch_table(const void* table) {
  g_dispatch.store(table, std::memory_order_release);
}
const void* dispatch_table() {
  return g_dispatch.load(std::memory_order_acquire);
}

void set_loader_data(void* data) {
  g_loader_data.store(data, std::memory_order_release);
}
void* loader_data() {
  return g_loader_data.load(std::memory_order_acquire);
}

/// Destroys objects in a loop: a chain of a million events, each holding the next, must not use a million frames.
struct Reclaimer {
  static void reclaim(Counted* object) noexcept {
    thread_local Counted* dead = nullptr;
    thread_local bool active = false;
    object->next_dead_ = dead;
    dead = object;
    if (active) return;
    active = true;
    while (dead != nullptr) {
      Counted* victim = std::exchange(dead, dead->next_dead_);
      victim->destroy();
    }
    active = false;
  }
};

void Counted::release_internal() noexcept {
  if (internal_.fetch_sub(1, std::memory_order_acq_rel) == 1) Reclaimer::reclaim(this);
}

}  // namespace lanewise
