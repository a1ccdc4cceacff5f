// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/gl/transfer.h"

#include <memory>
#include <utility>

#include "runtime/gl/shared_object.h"

namespace lanewise::gl {

namespace {

/// A transfer, from the enqueue until the application's command has ended.
class Transfer final : public ContextJob, public std::enable_shared_from_this<Transfer> {
 public:
  Transfer(Direction direction, std::vector<Ref<MemObject>> objects, Ref<UserEvent> moved)
      : direction_(direction), objects_(std::move(objects)), moved_(std::move(moved)) {}

  void start() {
    self_ = shared_from_this();
    thread_of(0).post(*this);
  }
  /// The transfer will not start.
  void give_up() { moved_->give_up(); }
  /// The result; valid when `moved` has ended.
  [[nodiscard]] cl_int status() const { return status_; }

  /// Moves objects until there is one of another thread.
  void run(const Functions* gl) noexcept override {
    const ContextThread& here = thread_of(next_);
    while (next_ < objects_.size() && &thread_of(next_) == &here) move(gl, *objects_[next_++]);
    if (gl != nullptr && direction_ == Direction::release) gl->Finish();
    if (next_ < objects_.size()) return thread_of(next_).post(*this);
    const std::shared_ptr<Transfer> alive = std::move(self_);
    moved_->set_status(CL_COMPLETE);
  }

 private:
  [[nodiscard]] ContextThread& thread_of(std::size_t i) const { return shared_object(*objects_[i])->thread(); }

  void move(const Functions* gl, MemObject& object) noexcept {
    SharedObject& shared = *shared_object(object);
    cl_int moved = shared.error_of_use();
    if (gl != nullptr)
      moved = direction_ == Direction::acquire ? shared.held().acquire(*gl, object.data())
                                               : shared.held().release(*gl, object.data());
    if (moved == CL_SUCCESS) return;
    status_ = moved;
    if (direction_ == Direction::acquire) shared.set_acquired(false);
  }

  const Direction direction_;
  const std::vector<Ref<MemObject>> objects_;
  Ref<UserEvent> moved_;
  std::size_t next_ = 0;
  cl_int status_ = CL_SUCCESS;
  std::shared_ptr<Transfer> self_;  ///< while a thread has it as a job
};

/// About what it costs to wake the thread.
constexpr std::uint64_t kPostNs = 5'000;

class BeginWork final : public Work {
 public:
  explicit BeginWork(std::shared_ptr<Transfer> transfer) : transfer_(std::move(transfer)) {}
  ~BeginWork() override {
    if (!started_.load(std::memory_order_relaxed)) transfer_->give_up();
  }
  [[nodiscard]] std::uint64_t pieces() const override { return 1; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return kPostNs; }
  cl_int run(Worker&, std::uint64_t, std::uint64_t) const noexcept override {
    started_.store(true, std::memory_order_relaxed);
    transfer_->start();
    return CL_SUCCESS;
  }

 private:
  std::shared_ptr<Transfer> transfer_;
  mutable std::atomic<bool> started_{false};
};

class EndWork final : public Work {
 public:
  explicit EndWork(std::shared_ptr<Transfer> transfer) : transfer_(std::move(transfer)) {}
  [[nodiscard]] std::uint64_t pieces() const override { return 1; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return 1; }
  cl_int run(Worker&, std::uint64_t, std::uint64_t) const noexcept override { return transfer_->status(); }

 private:
  std::shared_ptr<Transfer> transfer_;
};

}  // namespace

Result<TransferCommands> make_transfer(Context& context, Direction direction, std::vector<Ref<MemObject>> objects) {
  auto moved = UserEvent::create(context, CL_COMMAND_USER, UserEvent::EndedBy::driver);
  if (!moved.ok()) return moved.error();
  auto transfer = std::make_shared<Transfer>(direction, std::move(objects), moved.value());
  return TransferCommands{std::make_unique<BeginWork>(transfer), std::make_unique<EndWork>(transfer),
                          std::move(moved).value()};
}

SharedObject* shared_object(const MemObject& object) {
  return static_cast<SharedObject*>(object.graphics());
}

}  // namespace lanewise::gl
