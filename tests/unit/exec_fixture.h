// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shared by the tests of queues and the scheduler: a context, queues, and works that only count.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/core/context.h"
#include "runtime/core/platform.h"
#include "runtime/exec/event.h"
#include "runtime/exec/queue.h"
#include "runtime/exec/user_event.h"
#include "runtime/exec/worker.h"

namespace lanewise::test {

/// Runs a function per piece.
class CallWork final : public Work {
 public:
  using Body = std::function<cl_int(std::uint64_t piece)>;
  explicit CallWork(Body body, std::uint64_t pieces = 1, std::uint64_t piece_ns = 0)
      : body_(std::move(body)), pieces_(pieces), piece_ns_(piece_ns) {}

  [[nodiscard]] std::uint64_t pieces() const override { return pieces_; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return piece_ns_; }
  cl_int run(Worker&, std::uint64_t first, std::uint64_t last) const noexcept override {
    for (std::uint64_t piece = first; piece < last; ++piece) {
      if (const cl_int status = body_(piece); status != CL_SUCCESS) return status;
    }
    return CL_SUCCESS;
  }

 private:
  Body body_;
  std::uint64_t pieces_;
  std::uint64_t piece_ns_;
};

inline WorkPtr call(CallWork::Body body, std::uint64_t pieces = 1, std::uint64_t piece_ns = 0) {
  return std::make_unique<CallWork>(std::move(body), pieces, piece_ns);
}
/// Adds one per piece.
inline WorkPtr count(std::atomic<int>& counter, std::uint64_t pieces = 1, std::uint64_t piece_ns = 0) {
  return call([&counter](std::uint64_t) { return counter.fetch_add(1), CL_SUCCESS; }, pieces, piece_ns);
}
inline WorkPtr fail(cl_int status) {
  return call([status](std::uint64_t) { return status; });
}

class ExecTest : public ::testing::Test {
 protected:
  static constexpr cl_command_queue_properties kInOrder = 0;
  static constexpr cl_command_queue_properties kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

  ExecTest() : context_(Context::create({Ref<Device>(device())}, {}, nullptr, nullptr)) {}
  static Device& device() { return Platform::instance().device(); }

  [[nodiscard]] Ref<Queue> queue(cl_command_queue_properties properties) const {
    return Queue::create(*context_, device(), properties, {});
  }
  [[nodiscard]] Ref<UserEvent> user() const { return UserEvent::create(*context_).value(); }

  static Ref<Event> submit(Queue& queue, WorkPtr work, std::vector<Event*> waits = {},
                           SubmitKind kind = SubmitKind::normal) {
    return queue.submit(CL_COMMAND_NATIVE_KERNEL, std::move(work), waits, kind).value();
  }

  Ref<Context> context_;
};

}  // namespace lanewise::test
