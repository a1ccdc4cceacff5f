// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/execution.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/exec/worker.h"
#include "src/base/clock.h"
#include "src/base/rounding.h"

namespace lanewise {

namespace {
constexpr std::uint64_t kChunkNs = 30'000;  ///< intended time of one chunk
constexpr std::uint64_t kSampleNs = 1'000;  ///< works known to be below this are measured only now and then

/// Runs pieces in a process that has imported memory.
cl_int run_beside_imported(const Work& work, Worker& worker, std::uint64_t first, std::uint64_t last) {
  const Imported before = work.imported();
  if (before == Imported::none) return work.run(worker, first, last);
  if (before == Imported::lost) return kMemoryLost;
  const MendFaults mend(before != Imported::unknown);
  const cl_int status = work.run(worker, first, last);
  // What is missing may have been replaced by another thread or command.
  const bool lost = mend.any() || work.imported() == Imported::lost;
  return status >= 0 && lost ? kMemoryLost : status;
}
}  // namespace

void Execution::set(WorkPtr work) {
  work_ = std::move(work);
  if (!work_) return;
  stoppable_ = work_->stoppable();
  cost_ns_.store(cost_of(*work_), std::memory_order_relaxed);
  take_sizes();
}

void Execution::take_sizes() {
  division_.set_count(work_->pieces());
  stack_kib_ = static_cast<std::uint16_t>(
      std::min<std::uint64_t>(divide_up(work_->stack_bytes(), 1024), std::numeric_limits<std::uint16_t>::max()));
}

void Execution::complete() {
  if (const cl_int error = static_cast<const LateWork&>(*work_).complete(); error != CL_SUCCESS) {
    fail(error);
    division_.set_count(1);  // it does not run
  } else {
    take_sizes();
  }
}

void Execution::prepare(unsigned threads) {
  const std::uint64_t pieces = division_.count();
  const std::uint64_t fair = pieces / (4u * std::uint64_t{threads}) + 1;
  const std::uint64_t grain = std::clamp<std::uint64_t>(work_->grain(), 1, pieces);
  const std::uint64_t cost = cost_of(*work_);  // launches that ended since the enqueue may have measured it
  cost_ns_.store(cost, std::memory_order_relaxed);
  std::uint64_t chunk = grain;
  if (cost != 0) {
    const std::uint64_t piece_ns = std::max<std::uint64_t>(cost / pieces, 1);
    chunk = cost <= kSmallWorkNs ? pieces : std::max(chunk, std::min(kChunkNs / piece_ns, fair));
  }
  division_.begin(grain, chunk);
}

bool Execution::lasts(Pieces pieces) const {
  const std::uint64_t cost = cost_ns();
  return cost == 0 || cost / division_.count() * pieces.count() > 2 * kChunkNs;
}

unsigned Execution::helpers(unsigned threads) const {
  const std::uint64_t chunks = division_.open() / division_.chunk() + 1;
  // If nothing is known of the work, one thread is woken; the first chunk will show whether more are useful.
  const std::uint64_t spent = spent_ns_.load(std::memory_order_relaxed);
  const std::uint64_t worth = spent != 0 ? chunks : cost_ns() / kSmallWorkNs;
  const std::uint64_t wanted = std::min({chunks, worth, std::uint64_t{threads}});
  return static_cast<unsigned>(std::max<std::uint64_t>(wanted, 2)) - 1;
}

Execution::After Execution::run(Worker& worker, Pieces& pieces, unsigned threads) {
  if (error_.load(std::memory_order_relaxed) != CL_SUCCESS) return {};
  if (division_.is_whole(pieces)) return run_whole(worker, pieces, threads);
  const std::uint64_t start = now_ns();
  if (!execute(worker, pieces.first, pieces.last)) return {};
  const std::uint64_t ns = now_ns() - start;
  if (spent_ns_.load(std::memory_order_relaxed) == 0) report(1);  // it is known now how many threads are useful
  learn(pieces.count(), ns, threads);
  return {.ns = ns, .ran = true};
}

unsigned Execution::more_threads(std::uint64_t ns, unsigned threads) const {
  if (division_.open() == 0) return 0;
  // Each thread that is woken wakes one more; if chunks take long, all threads are woken at once.
  return ns > kSmallWorkNs ? helpers(threads) : 1;
}

Execution::After Execution::run_whole(Worker& worker, Pieces& pieces, unsigned threads) {
  const std::uint64_t all = division_.count();
  const bool shareable = all > division_.grain() && threads > 1;
  const std::uint64_t cost = cost_ns();
  const bool exact = cost == 0 || cost > kSampleNs || worker.draws_sample();
  if (!exact) {
    // Reading the clock is a large part of the cost of such a small command. The coarse clock still detects launches
    // that have become much longer.
    const std::uint64_t start = shareable ? coarse_now_ns() : 0;
    if (!execute(worker, 0, all) || !shareable) return {};
    spent_ns_.store(coarse_now_ns() - start, std::memory_order_relaxed);
    return {};
  }
  const std::uint64_t start = now_ns();
  std::uint64_t done = 0;
  if (shareable) {
    done = division_.grain();
    if (!execute(worker, 0, done)) return {};
    if (const std::uint64_t ns = now_ns() - start; ns > kSmallWorkNs) {
      spent_ns_.store(ns, std::memory_order_relaxed);
      division_.set_chunk(done);
      division_.share_from(done);
      learn(done, ns, threads);
      pieces.last = done;
      return {.shared = true};
    }
  }
  if (!execute(worker, done, all)) return {};
  spent_ns_.store(now_ns() - start, std::memory_order_relaxed);
  return {};
}

bool Execution::execute(Worker& worker, std::uint64_t first, std::uint64_t last) {
  const cl_int error =
      has_imported_memory() ? run_beside_imported(*work_, worker, first, last) : work_->run(worker, first, last);
  if (error >= 0) return true;
  cl_int none = CL_SUCCESS;
  error_.compare_exchange_strong(none, error, std::memory_order_relaxed);
  return false;
}

void Execution::learn(std::uint64_t pieces, std::uint64_t ns, unsigned threads) {
  const std::uint64_t chunk = division_.chunk();
  const std::uint64_t fair = division_.count() / (4u * std::uint64_t{threads}) + 1;
  const double ideal = static_cast<double>(pieces) * static_cast<double>(kChunkNs) / static_cast<double>(ns + 1);
  const auto wanted = ideal < static_cast<double>(fair) ? static_cast<std::uint64_t>(ideal) : fair;
  // All threads read the size: it is written only where it changes by much.
  if (wanted >= chunk - chunk / 4 && wanted <= chunk + chunk / 4) return;
  division_.set_chunk(std::max(std::clamp(wanted, chunk / 2, chunk * 8), division_.grain()));
}

cl_int Execution::result() const {
  const cl_int error = error_.load(std::memory_order_relaxed);
  const std::uint64_t ns = spent_ns_.load(std::memory_order_relaxed);
  if (ns != 0 && error == CL_SUCCESS) work_->measured(ns);
  return error;
}

}  // namespace lanewise
