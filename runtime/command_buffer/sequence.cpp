// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/command_buffer/sequence.h"

#include <algorithm>
#include <utility>

#include "runtime/exec/worker.h"
#include "src/base/clock.h"

namespace lanewise {

namespace {
/// A command above this is no longer small. Far above the limit, because one sample may have been interrupted.
constexpr std::uint64_t kLargeNs = 4 * kSmallWorkNs;
}  // namespace

void Sequence::add(WorkPtr work) {
  if (!work || work->pieces() == 0) return;
  ns_ += cost_of(*work);
  stack_bytes_ = std::max(stack_bytes_, work->stack_bytes());
  stoppable_ = stoppable_ && work->stoppable();
  const std::uint64_t pieces = work->pieces();
  parts_.push_back({std::move(work), pieces});
}

cl_int Sequence::RecordedWork::run(Worker& worker) const noexcept {
  const cl_int status = work->run(worker, 0, pieces);
  work->finish(worker.running());
  return status;
}

cl_int Sequence::run(Worker& worker, std::uint64_t /*first*/, std::uint64_t /*last*/) const noexcept {
  if (worker.draws_sample()) return run_measured(worker);
  for (const RecordedWork& part : parts_) {
    if (const cl_int status = part.run(worker); status < 0) return status;
  }
  return CL_SUCCESS;
}

cl_int Sequence::run_measured(Worker& worker) const noexcept {
  std::uint64_t before = now_ns();
  for (const RecordedWork& part : parts_) {
    if (const cl_int status = part.run(worker); status < 0) return status;
    const std::uint64_t now = now_ns();
    part.work->measured(now - before);
    if (now - before > kLargeNs) outgrown_->store(true, std::memory_order_relaxed);
    before = now;
  }
  return CL_SUCCESS;
}

}  // namespace lanewise
