// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/semaphore/payload.h"

#include <algorithm>
#include <utility>

namespace lanewise {

bool Payload::signalled() const {
  const MutexLock lock(mutex_);
  return level() > 0;
}

void Payload::signal() {
  Ref<UserEvent> wait;
  {
    const MutexLock lock(mutex_);
    add_level(1);
    if (waits_.empty()) {
      keep_signal();
      return;
    }
    wait = std::move(waits_.front());
    waits_.pop_front();
  }
  wait->set_status(CL_COMPLETE);
}

Result<Ref<UserEvent>> Payload::wait(Context& context) {
  auto made = UserEvent::create(context);
  if (!made.ok()) return made;
  if (!can_wait()) return Error{CL_OUT_OF_RESOURCES, "no thread for the waits of a shared semaphore"};
  bool ready = false;
  {
    const MutexLock lock(mutex_);
    ready = waits_.empty() && take_signal();
    if (!ready) waits_.push_back(made.value());
  }
  if (ready) {
    made.value()->set_status(CL_COMPLETE);
  } else {
    wait_has_come();
  }
  return made;
}

void Payload::taken() {
  const MutexLock lock(mutex_);
  add_level(-1);
}

void Payload::give_up(const UserEvent& wait) {
  const auto is_it = [&](const Ref<UserEvent>& other) { return other.get() == &wait; };
  Ref<UserEvent> next;
  {
    const MutexLock lock(mutex_);
    if (const auto at = std::find_if(waits_.begin(), waits_.end(), is_it); at != waits_.end()) {
      next = std::move(*at);  // released after the lock
      waits_.erase(at);
      return;
    }
    const bool failed = wait.status() < CL_COMPLETE || std::any_of(failing_.begin(), failing_.end(), is_it);
    if (failed) return;  // it had no signal
    if (waits_.empty()) {
      keep_signal();
      return;
    }
    next = std::move(waits_.front());
    waits_.pop_front();
  }
  next->set_status(CL_COMPLETE);
}

Payload::Served Payload::serve() {
  for (Served so_far = Served::none;; so_far = Served::some) {
    Ref<UserEvent> wait;
    {
      const MutexLock lock(mutex_);
      if (waits_.empty()) return Served::all;
      if (!take_signal()) return so_far;
      wait = std::move(waits_.front());
      waits_.pop_front();
    }
    wait->set_status(CL_COMPLETE);
  }
}

void Payload::fail(cl_int status) {
  std::deque<Ref<UserEvent>> ending;
  std::deque<Ref<UserEvent>> done;  // releases the events after the lock
  {
    const MutexLock lock(mutex_);
    ending = waits_;
    failing_.swap(waits_);
  }
  for (const auto& wait : ending) wait->set_status(status);
  const MutexLock lock(mutex_);
  done.swap(failing_);
}

}  // namespace lanewise
