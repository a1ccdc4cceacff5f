// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/object/object.h"

#include <memory>

#include "runtime/process/fork_guard.h"
#include "src/base/survives_fork.h"

namespace lanewise {

namespace {
constinit std::atomic<const void*> g_dispatch{nullptr};

/// A table of this process or of one of its ancestors. Never freed: old handles point to it.
struct KnownTable {
  const void* table;
  KnownTable* next;
};
LANEWISE_SURVIVES_FORK constinit std::atomic<KnownTable*> g_tables{nullptr};
}  // namespace

void set_dispatch_table(const void* table) {
  g_tables.store(new KnownTable{table, g_tables.load()});
  g_dispatch.store(table, std::memory_order_release);
}
const void* dispatch_table() {
  return g_dispatch.load(std::memory_order_acquire);
}

bool is_inherited(const Handle& handle, Tag tag) noexcept {
  const void* const table = __atomic_load_n(&handle.dispatch, __ATOMIC_ACQUIRE);
  if (!began_anew() || table == dispatch_table()) return false;
  for (const KnownTable* known = g_tables.load(); known != nullptr; known = known->next)
    if (known->table == table) return handle.tag.load(std::memory_order_relaxed) == tag;
  return false;
}

/// Destroys objects in a loop: a chain of a million objects, each holding the next, must not use a million stack
/// frames. In a forked child (a callback may have forked) nothing is freed, because locks of other threads stay locked
/// there.
struct Reclaimer {
  static void reclaim(Counted* object) noexcept {
    if (in_forked_child()) return;
    thread_local Counted* dead = nullptr;
    thread_local bool active = false;
    object->next_dead_ = dead;
    dead = object;
    if (active) return;
    active = true;
    while (dead != nullptr && !in_forked_child()) {
      Counted* victim = std::exchange(dead, dead->next_dead_);
      victim->destroy();
    }
    active = false;
  }
};

struct Loan {
  Counted* object;
  Loan* next;
};

void Loans::end() noexcept {
  // One at a time: destroying an object may call the application, which may call the API again.
  while (newest_ != before_) {
    const std::unique_ptr<Loan> loan(std::exchange(newest_, newest_->next));
    loan->object->release_internal();
  }
}

bool Loans::take(Counted& object) noexcept {
  Loan*& newest = detail::thread_state().loans;
  std::unique_ptr<Loan> loan(new (std::nothrow) Loan{&object, newest});
  if (!loan || !object.try_retain_internal()) return false;
  newest = loan.release();
  return true;
}

void Counted::release_internal() noexcept {
  if (internal_.fetch_sub(1, std::memory_order_acq_rel) == 1) Reclaimer::reclaim(this);
}

}  // namespace lanewise
