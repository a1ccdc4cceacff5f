// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/family.h"

#include <new>
#include <optional>
#include <utility>

#include "runtime/process/imported_memory.h"

namespace lanewise {

namespace {
void drop(TimeCapture* capture) {
  while (capture != nullptr) delete std::exchange(capture, capture->next);
}
}  // namespace

TimeCaptures::~TimeCaptures() {
  drop(captures_.close());
}

bool TimeCaptures::add(std::uint64_t* to) {
  if (captures_.closed()) return false;
  auto* capture = new (std::nothrow) TimeCapture{to, nullptr};
  if (capture == nullptr || captures_.push(*capture)) return true;
  delete capture;
  return false;
}

void TimeCaptures::write(RunTimes times) {
  TimeCapture* const captures = captures_.close();
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
