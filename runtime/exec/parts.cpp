// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/parts.h"

#include <algorithm>
#include <utility>

#include "src/base/rounding.h"

namespace lanewise {

Parts::Parts(unsigned nodes, unsigned threads)
    : nodes_(nodes), threads_(divide_up(threads, nodes)), parts_(std::make_unique<Part[]>(nodes)) {}

void Parts::prepare(Command& command, Pieces range, std::uint64_t grain, std::uint64_t chunk) {
  command_.store(&command, std::memory_order_relaxed);
  grain_.store(grain, std::memory_order_relaxed);
  chunk_.store(chunk, std::memory_order_relaxed);
  unsigned used = 0;
  std::uint64_t first = range.first;
  for (unsigned i = 0; i < nodes_; ++i) {
    const std::uint64_t left = range.last - first;
    // Parts are multiples of the grain too.
    const std::uint64_t fair = round_up(left / (nodes_ - i), grain);
    const std::uint64_t last = i + 1 == nodes_ ? range.last : first + std::min(left, fair);
    Part& part = parts_[i];
    part.pieces = last - first;
    part.last.store(last, std::memory_order_relaxed);
    part.left.store(part.pieces, std::memory_order_relaxed);
    if (part.pieces != 0) ++used;
    first = last;
  }
  open_parts_.store(used, std::memory_order_relaxed);
  left_parts_.store(used + (range.first != 0 ? 1 : 0), std::memory_order_relaxed);
}

void Parts::publish() {
  // As soon as the last of them is open, the command may end and the parts may be prepared for another one.
  unsigned end = nodes_;
  while (end > 0 && parts_[end - 1].pieces == 0) --end;
  for (unsigned i = 0; i < end; ++i)
    parts_[i].open.store(static_cast<std::int64_t>(parts_[i].pieces), std::memory_order_release);
}

bool Parts::claim(Pieces& pieces, unsigned node) {
  for (unsigned i = 0; i < nodes_; ++i)
    if (claim_from((node + i) % nodes_, pieces)) return true;
  return false;
}

bool Parts::claim_from(unsigned index, Pieces& pieces) {
  Part& part = parts_[index];
  const std::uint64_t chunk = chunk_.load(std::memory_order_relaxed);
  const std::uint64_t grain = grain_.load(std::memory_order_relaxed);
  // Looking first would bring the line twice, once to read and once to write. A thread that has taken a chunk of this
  // part knows about how much is left: since then each of the others has taken one as well.
  std::int64_t known = 0;
  if (pieces.part == index) {
    known = static_cast<std::int64_t>(part.last.load(std::memory_order_relaxed) - pieces.last) -
            static_cast<std::int64_t>((threads_ - 1) * chunk);
    known = std::max<std::int64_t>(known, 0);
  } else {
    known = part.open.load(std::memory_order_relaxed);
    if (known <= 0) return false;
  }
  const std::uint64_t size = next_size(static_cast<std::uint64_t>(known), chunk, grain, threads_);
  const std::int64_t open = part.open.fetch_sub(static_cast<std::int64_t>(size), std::memory_order_acquire);
  if (open <= 0) return false;
  const std::uint64_t last = part.last.load(std::memory_order_relaxed);
  const std::uint64_t first = last - static_cast<std::uint64_t>(open);
  const bool all = std::cmp_less_equal(open, size);
  pieces = {.first = first, .last = all ? last : first + size, .part = index, .closes = false};
  if (all) pieces.closes = open_parts_.fetch_sub(1, std::memory_order_relaxed) == 1;
  return true;
}

bool Parts::retire(unsigned part, std::uint64_t pieces) {
  if (part != Pieces::kNoPart && parts_[part].left.fetch_sub(pieces, std::memory_order_acq_rel) != pieces) return false;
  return left_parts_.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

std::uint64_t Parts::open() const {
  std::uint64_t open = 0;
  for (unsigned i = 0; i < nodes_; ++i)
    open += static_cast<std::uint64_t>(std::max<std::int64_t>(parts_[i].open.load(std::memory_order_relaxed), 0));
  return open;
}

}  // namespace lanewise
