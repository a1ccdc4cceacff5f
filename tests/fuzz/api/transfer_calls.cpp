// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads, writes, copies and fills of buffers. On the host's side of a transfer all sizes are small, because behind any
// pointer there is World::kHostBytes of memory, which no driver can know; on the buffer's side any size is allowed.
#include "tests/fuzz/api/world.h"

namespace lanewise::fuzz {

namespace {

void read_or_write(World& world, Draw& draw) {
  const cl_bool blocks = blocking(world, draw);
  Wait wait(world, draw);
  const auto queue = world.queue(draw);
  const auto memory = world.memory(draw);
  const std::size_t offset = amount(draw, 256);
  const std::size_t size = amount(draw, 256);
  void* host = world.host(draw);
  if (draw.one_in(2)) {
    static_cast<void>(
        clEnqueueReadBuffer(queue, memory, blocks, offset, size, host, wait.count(), wait.list(), wait.event()));
  } else {
    static_cast<void>(
        clEnqueueWriteBuffer(queue, memory, blocks, offset, size, host, wait.count(), wait.list(), wait.event()));
  }
}

void rectangle(World& world, Draw& draw) {
  const cl_bool blocks = blocking(world, draw);
  Wait wait(world, draw);
  const auto queue = world.queue(draw);
  const auto memory = world.memory(draw);
  const auto origin = triple(draw, false);
  const auto region = triple(draw, true);
  const std::size_t host_origin[3] = {draw.below(16), draw.below(16), draw.below(4)};
  const std::size_t row = draw.one_in(2) ? 0 : amount(draw, 16);
  const std::size_t slice = draw.one_in(2) ? 0 : amount(draw, 64);
  const std::size_t host_row = draw.one_in(2) ? 0 : draw.below(256);
  const std::size_t host_slice = draw.one_in(2) ? 0 : host_row * draw.below(16);
  const auto* given = draw.one_in(32) ? nullptr : region.data();
  auto* function = draw.one_in(2) ? clEnqueueReadBufferRect : nullptr;
  void* host = world.host(draw);
  if (function != nullptr) {
    static_cast<void>(function(queue, memory, blocks, origin.data(), host_origin, given, row, slice, host_row,
                               host_slice, host, wait.count(), wait.list(), wait.event()));
  } else {
    static_cast<void>(clEnqueueWriteBufferRect(queue, memory, blocks, origin.data(), host_origin, given, row, slice,
                                               host_row, host_slice, host, wait.count(), wait.list(), wait.event()));
  }
}

void copy(World& world, Draw& draw) {
  Wait wait(world, draw);
  const auto queue = world.queue(draw);
  const auto from = world.memory(draw);
  const auto to = draw.one_in(2) ? from : world.memory(draw);
  static_cast<void>(clEnqueueCopyBuffer(queue, from, to, amount(draw, 256), amount(draw, 256), amount(draw, 256),
                                        wait.count(), wait.list(), wait.event()));
}

void copy_rectangle(World& world, Draw& draw) {
  Wait wait(world, draw);
  const auto queue = world.queue(draw);
  const auto from = world.memory(draw);
  const auto to = draw.one_in(2) ? from : world.memory(draw);
  const auto origin = triple(draw, false);
  const auto target = triple(draw, false);
  const auto region = triple(draw, true);
  std::size_t pitches[4] = {};
  for (auto& pitch : pitches) pitch = draw.one_in(2) ? 0 : amount(draw, 16);
  if (draw.one_in(2)) {
    pitches[2] = pitches[0];
    pitches[3] = pitches[1];
  }
  static_cast<void>(clEnqueueCopyBufferRect(queue, from, to, origin.data(), target.data(), region.data(), pitches[0],
                                            pitches[1], pitches[2], pitches[3], wait.count(), wait.list(),
                                            wait.event()));
}

void fill(World& world, Draw& draw) {
  Wait wait(world, draw);
  const std::size_t sizes[] = {1, 2, 4, 8, 16, 32, 64, 128, 0, 3, 256, SIZE_MAX};
  const std::size_t pattern = draw.among(sizes);
  const std::size_t unit = pattern == 0 || pattern > 256 ? 1 : pattern;
  static_cast<void>(clEnqueueFillBuffer(world.queue(draw), world.memory(draw), world.host(draw), pattern,
                                        draw.one_in(4) ? amount(draw, 256) : draw.below(4) * unit,
                                        draw.one_in(4) ? amount(draw, 256) : draw.below(16) * unit, wait.count(),
                                        wait.list(), wait.event()));
}

}  // namespace

std::vector<Call> transfer_calls() {
  return {read_or_write, read_or_write, rectangle, rectangle, copy, copy_rectangle, fill};
}

}  // namespace lanewise::fuzz
