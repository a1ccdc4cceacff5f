// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/family.h"

#include <new>
#include <optional>
#include <utility>

#include "runtime/process/imported_memory.h"

namespace lanewise {

namespace {
/// What the list of captures begins with once they have been written.
constinit TimeCapture g_written{};

void drop(TimeCapture* capture) {
  while (capture != nullptr && capture != &g_written) delete std::exchange(capture, capture->next);
}
}  // namespace

TimeCaptures::~TimeCaptures() {
  drop(head_.load(std::memory_order_relaxed));
}

bool TimeCaptures::add(std::uint64_t* to) {
  TimeCapture* head = head_.load(std::memory_order_acquire);
  if (head == &g_written) return false;
  auto* capture = new (std::nothrow) TimeCapture{to, nullptr};
  if (capture == nullptr) return true;
  do {
    if (head == &g_written) {
      delete capture;
      return false;
    }
    capture->next = head;
  } while (!head_.compare_exchange_weak(head, capture, std::memory_order_acq_rel, std::memory_order_acquire));
  return true;
}

void TimeCaptures::write(RunTimes times) {
  TimeCapture* const captures = head_.exchange(&g_written, std::memory_order_acq_rel);
  std::optional<MendFaults> mend;
  if (captures != nullptr && has_imported_memory()) mend.emplace();
  for (const TimeCapture* at = captures; at != nullptr; at = at->next) {
    at->to[0] = times.run;
    at->to[1] = times.all;
  }
  drop(captures);
}

FamilyGoods& Family::share(std::unique_ptr<FamilyGoods> fresh) {
  FamilyGoods* there = nullptr;
  if (goods.compare_exchange_strong(there, fresh.get(), std::memory_order_acq_rel, std::memory_order_acquire))
    return *fresh.release();
  return *there;
}

}  // namespace lanewise
