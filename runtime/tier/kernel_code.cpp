// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/tier/kernel_code.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "runtime/code/compiler_client.h"
#include "runtime/code/description.h"
#include "runtime/exec/activity.h"
#include "runtime/process/fork_guard.h"
#include "src/config/config.h"
#include "src/file/scarce.h"
#include "src/host/cancellation.h"
#include "src/log/log.h"

namespace lanewise {

namespace {

bool same_arguments(const abi::KernelInfo& a, const abi::KernelInfo& b) {
  return a.args_bytes == b.args_bytes && a.has_variables == b.has_variables &&
         std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(),
                    [](const abi::ArgInfo& x, const abi::ArgInfo& y) {
                      return x.kind == y.kind && x.size == y.size && x.align == y.align && x.offset == y.offset;
                    });
}

Kernels look_at_kernels() {
  const Activity activity = activity_now();
  return {.commands = activity.kicks, .run = activity.participants != 0};
}

/// Somebody waits for this work now, if it was only asked for.
void want(const std::shared_ptr<AskedJob>& job) {
  if (job != nullptr && !job->is_wanted()) CompilerClient::instance().want(*job);
}

}  // namespace

void KernelCode::ask(const Owner& owner) {
  if (run() != nullptr) return;
  {
    const MutexLock lock(mutex_);
    if (state_ != State::none || key_ || wanted_ || std::exchange(asked_, true)) return;
  }
  const Hash128 key = cache_key(job(), &ir_);
  const bool cached = is_cached(key);
  if (!cached && start(owner, Urgency::asked)) return;
  const MutexLock lock(mutex_);
  asked_ = false;
  if (cached && state_ == State::none && !wanted_) key_ = key;  // `tell` opens it
}

cl_int KernelCode::wait() {
  if (run() != nullptr) [[likely]]
    return CL_SUCCESS;
  if (in_forked_child()) return CL_OUT_OF_RESOURCES;
  {
    MutexLock lock(mutex_);
    const bool begun = state_ == State::in_work;
    if (const auto job = asked_job_) {
      lock.unlock();
      want(job);
      lock.lock();
    }
    while (state_ == State::in_work) ended_.wait(mutex_);
    if (state_ == State::made) return CL_SUCCESS;
    if (begun && error_ != CL_SUCCESS) return error_;
    state_ = State::in_work;
  }
  make(nullptr);
  const MutexLock lock(mutex_);
  return error_;
}

bool KernelCode::tell(const Owner& owner, const Ref<UserEvent>& event) {
  bool begun = false;
  std::shared_ptr<AskedJob> job;
  if (load()) return false;
  {
    const MutexLock lock(mutex_);
    if (run() != nullptr || in_forked_child()) return false;
    events_.push_back(event);
    begun = state_ == State::in_work || std::exchange(wanted_, true);
    job = asked_job_;
  }
  want(job);
  if (!begun && !start(owner, Urgency::wanted)) (void)wait();
  return true;
}

/// Opens code that is cached, on the calling thread: no other could start sooner than it is open. False: there is none,
/// or another thread is at work. No task has been started then: it would take this for work on the code, and end.
bool KernelCode::load() {
  Hash128 key;
  {
    const MutexLock lock(mutex_);
    if (state_ != State::none) return state_ == State::made;
    if (!key_) return false;
    state_ = State::in_work;
    key = *std::exchange(key_, std::nullopt);
  }
  bool found = false;
  try {
    const host::CancellationHeld held;
    const auto reply = cached_reply(key);
    found = reply && publish(*reply);
  } catch (const std::exception& exception) {
    log_line(Channel::build, "cached code of kernel %s: %s", described_.name.c_str(), exception.what());
  }
  if (found) {
    end(CL_SUCCESS);
  } else {
    const MutexLock lock(mutex_);
    state_ = State::none;  // `tell` starts a task, which also tells those that came meanwhile
    ended_.notify_all();
  }
  return found;
}

std::string KernelCode::take_fault() {
  const MutexLock lock(mutex_);
  return fault_.empty() || std::exchange(told_, true) ? std::string() : fault_;
}

void KernelCode::keep_fault(const std::string& why) {
  log_line(Channel::build, "no code for kernel %s: %s", described_.name.c_str(), why.c_str());
  const MutexLock lock(mutex_);
  fault_ = why.substr(0, why.find_last_not_of('\n') + 1);
}

/// False: there is no thread, or no memory.
bool KernelCode::start(const Owner& owner, Urgency urgency) {
  if (in_forked_child()) return false;
  try {
    const auto job = urgency == Urgency::asked ? std::make_shared<AskedJob>(look_at_kernels) : nullptr;
    const auto task = [this, owner, job] {
      std::shared_ptr<AskedJob> asked;
      {
        const MutexLock lock(mutex_);
        if (state_ != State::none) return;  // another thread has been faster
        state_ = State::in_work;
        if (!wanted_) asked = job;  // else this thread has overtaken the one of somebody who waits
        asked_job_ = asked;
      }
      make(asked);
    };
    return run_in_background(task, urgency, look_at_kernels);
  } catch (const std::exception& error) {
    log_line(Channel::build, "no thread for the code of a kernel: %s", error.what());
    return false;
  }
}

/// The calling thread has set the state `in_work`.
void KernelCode::make(const std::shared_ptr<AskedJob>& asked) noexcept {
  cl_int error = CL_OUT_OF_HOST_MEMORY;
  try {
    const host::CancellationHeld held;  // what waits for the code holds nothing off itself
    error = made_by_compiler(asked);
  } catch (const std::exception& exception) {
    log_line(Channel::build, "no code for kernel %s: %s", described_.name.c_str(), exception.what());
  }
  end(error);
}

void KernelCode::end(cl_int error) noexcept {
  std::vector<Ref<UserEvent>> events;
  {
    const MutexLock lock(mutex_);
    state_ = error == CL_SUCCESS ? State::made : State::none;
    error_ = error;
    asked_ = wanted_ = false;
    asked_job_ = nullptr;
    if (error == CL_SUCCESS) fault_.clear();
    events.swap(events_);
    ended_.notify_all();
  }
  for (const Ref<UserEvent>& event : events) (void)event->set_status(CL_COMPLETE);
}

/// Without the program's IR.
abi::FirstCode KernelCode::job() const {
  return {
      .program = {},
      .kernel = described_.name,
      .large_program = artifact_.reply.large_program,
      .code = {
          .isa = artifact_.isa, .vector_width = config().vectorize ? 0U : 1U, .zero_private = artifact_.zero_private}};
}

cl_int KernelCode::made_by_compiler(const std::shared_ptr<AskedJob>& asked) {
  const abi::Request request = job();
  for (const auto& run : {cached_run, run_anew}) {
    const Result<abi::Reply> answer = run(request, &ir_, asked);
    if (!answer) {
      keep_fault(answer.error().message);
      return answer.error().code;
    }
    const abi::Reply& reply = answer.value();
    if (reply.status != CL_SUCCESS) {
      keep_fault(reply.log);
      return reply.status == CL_OUT_OF_HOST_MEMORY || reply.status == CL_COMPILER_NOT_AVAILABLE ? reply.status
                                                                                                : CL_OUT_OF_RESOURCES;
    }
    if (publish(reply)) return CL_SUCCESS;
  }
  return CL_OUT_OF_RESOURCES;
}

/// Why the reply is not the code of this kernel; null: it is.
const char* KernelCode::fault_of(const abi::Reply& reply) const {
  if (reply.kernels.size() != 1 || reply.lacks_code) return "it is not the code of one kernel";
  if (!check_description(reply)) return "its description is damaged";
  const abi::KernelInfo& info = reply.kernels.front();
  const bool same = info.name == described_.name && same_arguments(info, described_) && info.block == 0 &&
                    info.reqd_work_group_size == described_.reqd_work_group_size &&
                    reply.variables == artifact_.reply.variables;
  return same ? nullptr : "its description differs";
}

/// False: the reply is refused.
bool KernelCode::publish(const abi::Reply& reply) {
  const auto refuse = [&](const char* why) {
    keep_fault(std::string("refused: ") + why);
    return false;
  };
  if (const char* fault = fault_of(reply); fault != nullptr) return refuse(fault);
  auto code_object = file::retry_when_scarce([&] { return CodeObject::open(reply.code_object); });
  if (!code_object) return refuse(code_object.error().message.c_str());
  auto made = std::make_unique<Made>();
  made->code_object = std::move(code_object).value();
  made->info = reply.kernels.front();
  made->run = made->code_object->symbol(made->info.symbol);
  if (made->run == nullptr) return refuse("its code object has no code");
  made_ = std::move(made);
  info_.store(&made_->info, std::memory_order_release);
  run_.store(made_->run, std::memory_order_release);
  return true;
}

}  // namespace lanewise
