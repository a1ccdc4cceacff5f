// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/interrupt.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <thread>
#include <utility>

#include "src/base/clock.h"
#include "src/base/sanitizers.h"
#include "src/base/survives_fork.h"
#include "src/host/processor.h"

// For functions in which the sanitizers' runtime must not be entered, or which leave frames that it counts.
#define LANEWISE_BARE __attribute__((disable_sanitizer_instrumentation))

namespace lanewise {

/// A call of a range function. The assembly below depends on the layout.
struct InterruptibleCall {
  lanewise_range_fn* code;
  const lanewise_launch* launch;
  const void* args;
  lanewise_worker* worker;
  std::uint64_t first;
  std::uint64_t last;
  const std::atomic<bool>* requested;
  void* stack;                   ///< stack pointer of the frame that makes the call
  volatile std::uint32_t armed;  ///< the signal handler may continue the thread in that frame
};
static_assert(offsetof(InterruptibleCall, requested) == 48 && offsetof(InterruptibleCall, stack) == 56 &&
              offsetof(InterruptibleCall, armed) == 64 && sizeof(std::atomic<bool>) == 1);

extern "C" {
/// 0: the code has run to its end; 1: it was interrupted, or not begun.
int lanewise_interruptible_call(InterruptibleCall* call);
/// The last part of that function, for a call that is interrupted.
[[noreturn]] void lanewise_interruptible_leave(InterruptibleCall* call);
void lanewise_signal_return();
}

// The flag is read after `armed` is set, so that a request whose signal came before `armed` was set is not missed.
#if defined(__x86_64__)
asm(R"(
  .text
  .p2align 4
  .hidden lanewise_interruptible_call
  .globl lanewise_interruptible_call
  .type lanewise_interruptible_call, @function
lanewise_interruptible_call:
  .cfi_startproc
  push %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  mov %rsp, %rbp
  .cfi_def_cfa_register %rbp
  push %rbx
  push %r12
  push %r13
  push %r14
  push %r15
  sub $8, %rsp
  .cfi_offset %rbx, -24
  .cfi_offset %r12, -32
  .cfi_offset %r13, -40
  .cfi_offset %r14, -48
  .cfi_offset %r15, -56
  mov %rdi, %rbx
  mov %rsp, 56(%rbx)
  movl $1, 64(%rbx)
  mov 48(%rbx), %rax
  cmpb $0, (%rax)
  jne 1f
  mov 8(%rbx), %rdi
  mov 16(%rbx), %rsi
  mov 24(%rbx), %rdx
  mov 32(%rbx), %rcx
  mov 40(%rbx), %r8
  call *(%rbx)
  movl $0, 64(%rbx)
  xor %eax, %eax
  jmp 2f
  .hidden lanewise_interruptible_leave
  .globl lanewise_interruptible_leave
lanewise_interruptible_leave:
  mov 56(%rdi), %rsp
  mov %rdi, %rbx
1:
  movl $0, 64(%rbx)
  cld
  emms
  mov $1, %eax
2:
  add $8, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbx
  pop %rbp
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size lanewise_interruptible_call, .-lanewise_interruptible_call

  .hidden lanewise_signal_return
  .globl lanewise_signal_return
  .type lanewise_signal_return, @function
lanewise_signal_return:
  mov $15, %eax
  syscall
  .size lanewise_signal_return, .-lanewise_signal_return
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .p2align 4
  .hidden lanewise_interruptible_call
  .globl lanewise_interruptible_call
  .type lanewise_interruptible_call, @function
lanewise_interruptible_call:
  .cfi_startproc
  stp x29, x30, [sp, #-160]!
  .cfi_def_cfa_offset 160
  .cfi_offset x29, -160
  .cfi_offset x30, -152
  mov x29, sp
  .cfi_def_cfa_register x29
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  .cfi_offset x19, -144
  .cfi_offset x20, -136
  .cfi_offset x21, -128
  .cfi_offset x22, -120
  .cfi_offset x23, -112
  .cfi_offset x24, -104
  .cfi_offset x25, -96
  .cfi_offset x26, -88
  .cfi_offset x27, -80
  .cfi_offset x28, -72
  .cfi_offset d8, -64
  .cfi_offset d9, -56
  .cfi_offset d10, -48
  .cfi_offset d11, -40
  .cfi_offset d12, -32
  .cfi_offset d13, -24
  .cfi_offset d14, -16
  .cfi_offset d15, -8
  mov x19, x0
  str x29, [x19, #56]
  mov w9, #1
  str w9, [x19, #64]
  ldr x9, [x19, #48]
  ldrb w9, [x9]
  cbnz w9, 1f
  ldr x9, [x19]
  ldp x0, x1, [x19, #8]
  ldp x2, x3, [x19, #24]
  ldr x4, [x19, #40]
  blr x9
  str wzr, [x19, #64]
  mov w0, #0
  b 2f
  .hidden lanewise_interruptible_leave
  .globl lanewise_interruptible_leave
lanewise_interruptible_leave:
  ldr x29, [x0, #56]
  mov sp, x29
  mov x19, x0
1:
  str wzr, [x19, #64]
  mov w0, #1
2:
  ldp x19, x20, [sp, #16]
  ldp x21, x22, [sp, #32]
  ldp x23, x24, [sp, #48]
  ldp x25, x26, [sp, #64]
  ldp x27, x28, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  ldp x29, x30, [sp], #160
  .cfi_def_cfa sp, 0
  ret
  .cfi_endproc
  .size lanewise_interruptible_call, .-lanewise_interruptible_call

  .hidden lanewise_signal_return
  .globl lanewise_signal_return
  .type lanewise_signal_return, @function
lanewise_signal_return:
  mov x8, #139
  svc #0
  .size lanewise_signal_return, .-lanewise_signal_return
)");
#else
#error "write lanewise_interruptible_call for this processor"
#endif

namespace {

/// Changes what the thread does when the handler returns: it leaves the call.
LANEWISE_BARE void continue_at_the_end(ucontext_t& context, InterruptibleCall* call) {
  auto& machine = context.uc_mcontext;
#if defined(__x86_64__)
  machine.gregs[REG_RIP] = reinterpret_cast<greg_t>(&lanewise_interruptible_leave);
  machine.gregs[REG_RDI] = reinterpret_cast<greg_t>(call);
  machine.gregs[REG_RSP] = reinterpret_cast<greg_t>(call->stack);  // above the handler's frame, which stays intact
#else
  machine.pc = reinterpret_cast<std::uint64_t>(&lanewise_interruptible_leave);
  machine.regs[0] = reinterpret_cast<std::uint64_t>(call);
  machine.sp = reinterpret_cast<std::uint64_t>(call->stack);  // above the handler's frame, which stays intact
#endif
}

constexpr std::uint64_t kPatienceNs = 10'000'000'000;

constinit thread_local InterruptibleCall* t_call = nullptr;

/// Its address is the value of our signals, by which they are told from those of others.
constinit int g_mark = 0;

/// Set by the handler when the signal comes whose value is its address.
constinit volatile std::sig_atomic_t g_has_come = 0;

/// Without std::atomic, whose functions are instrumented: the sanitizer's runtime would deadlock if the signal came
/// while the thread was inside of it.
LANEWISE_BARE bool is_requested(const InterruptibleCall& call) {
  return __atomic_load_n(reinterpret_cast<const bool*>(call.requested), __ATOMIC_RELAXED);
}

LANEWISE_BARE void on_signal(int, siginfo_t* info, void* context) {
  // Only threads that have called `run` get our signal, so the thread-local variable exists.
  if (info->si_code != SI_QUEUE) return;
  if (info->si_value.sival_ptr == &g_has_come) g_has_come = 1;
  if (info->si_value.sival_ptr != &g_mark) return;
  InterruptibleCall* call = t_call;
  if (call == nullptr || call->armed == 0 || !is_requested(*call)) return;
  continue_at_the_end(*static_cast<ucontext_t*>(context), call);
}

/// ThreadSanitizer delays signals until the thread calls a function that it intercepts, which a kernel never does. So
/// its builds install the handler by a system call, which ThreadSanitizer does not notice.
bool install(int signal) {
#if LANEWISE_THREAD_SANITIZER
  struct {
    void (*handler)(int, siginfo_t*, void*);
    unsigned long flags;
    void (*restorer)();
    std::uint64_t mask;
  } action{&on_signal, SA_SIGINFO | SA_RESTART | SA_ONSTACK | 0x04000000UL, &lanewise_signal_return, 0};
  return syscall(SYS_rt_sigaction, signal, &action, nullptr, sizeof action.mask) == 0;
#else
  struct sigaction action{};
  action.sa_sigaction = &on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  return sigaction(signal, &action, nullptr) == 0;
#endif
}

/// As long as this object exists, the calling thread does not block the signal.
class TakeSignal {
 public:
  explicit TakeSignal(int signal) {
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, signal);
    pthread_sigmask(SIG_UNBLOCK, &ours, &saved_);
  }
  ~TakeSignal() { pthread_sigmask(SIG_SETMASK, &saved_, nullptr); }
  TakeSignal(const TakeSignal&) = delete;
  TakeSignal& operator=(const TakeSignal&) = delete;

 private:
  sigset_t saved_{};
};

/// Whether a signal to this thread comes to our handler. Emulators of processors have fewer signals than the system,
/// and install handlers for the others all the same.
bool comes(int signal) {
  const TakeSignal take(signal);
  sigval value{};
  value.sival_ptr = const_cast<std::sig_atomic_t*>(&g_has_come);
  g_has_come = 0;
  // One that a thread sends to itself is there when the call returns.
  return pthread_sigqueue(pthread_self(), signal, value) == 0 && g_has_come != 0;
}

/// What `interrupt_signal` has chosen in this process or in its parent; 0: nothing yet.
LANEWISE_SURVIVES_FORK constinit std::atomic<int> g_signal{0};

/// 0: there is none. Searches from the end of the range, because other users of signals begin at its start.
int interrupt_signal() {
  static const int chosen = [] {
    if (const int before = g_signal.load(); before != 0) return before;
    for (int signal = SIGRTMAX; signal >= SIGRTMIN; --signal) {
      struct sigaction old{};
      if (sigaction(signal, nullptr, &old) != 0 || (old.sa_flags & SA_SIGINFO) != 0 || old.sa_handler != SIG_DFL)
        continue;
      if (!install(signal)) continue;
      if (!comes(signal)) {
        sigaction(signal, &old, nullptr);
        continue;
      }
      g_signal.store(signal);
      return signal;
    }
    return 0;
  }();
  return chosen;
}

/// Whether our handler is still installed: the default action would end the process, and another handler does not
/// expect the signal.
bool is_still_ours(int signal) {
#if LANEWISE_THREAD_SANITIZER
  return signal != 0;
#else
  struct sigaction now{};
  return sigaction(signal, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &on_signal;
#endif
}

}  // namespace

struct Termination::Running {
  pthread_t thread;
  ListLink<Running> link{};
};
struct Termination::Links {
  static ListLink<Running>& of(Running& running) { return running.link; }
};

std::unique_ptr<Termination> Termination::create() {
  if (interrupt_signal() == 0) return nullptr;
  return std::unique_ptr<Termination>(new Termination);
}

bool Termination::run(lanewise_range_fn* code, const lanewise_launch& launch, const void* args, lanewise_worker& worker,
                      std::uint64_t first, std::uint64_t last) {
  Running running{pthread_self()};
  {
    const MutexLock lock(mutex_);
    if (requested()) return false;  // under the lock, so that a request finds every thread that has begun before
    running_.push_front(running);
  }
  InterruptibleCall call{code, &launch, args, &worker, first, last, &requested_, nullptr, 0};
  bool left = false;
  {
    const TakeSignal take(interrupt_signal());
    InterruptibleCall* const outer = std::exchange(t_call, &call);
    left = lanewise_interruptible_call(&call) != 0;
    t_call = outer;
  }
  if (left) host::end_vector_code();
  const MutexLock lock(mutex_);
  running_.remove(running);
  return !left;
}

bool Termination::interrupt() {
  const int signal = interrupt_signal();
  const bool send = is_still_ours(signal);
  // A thread removes itself from the list before it continues, so under the lock every entry is a live thread.
  const MutexLock lock(mutex_);
  for (Running* at = running_.first(); send && at != nullptr; at = running_.after(*at)) {
    sigval value{};
    value.sival_ptr = &g_mark;
    pthread_sigqueue(at->thread, signal, value);
  }
  return !running_.empty();
}

bool Termination::request() {
  {
    const MutexLock lock(mutex_);
    if (requested_.exchange(true)) return false;
  }
  // A signal that comes while a kernel is inside a service such as printf has no effect, but the flag is read at the
  // end of the service. Signals are repeated nevertheless, because that costs nothing but time.
  const std::uint64_t deadline = now_ns() + kPatienceNs;
  auto pause = std::chrono::microseconds(50);
  while (interrupt() && now_ns() < deadline) {
    std::this_thread::sleep_for(pause);
    if (pause < std::chrono::milliseconds(10)) pause *= 2;
  }
  return true;
}

LANEWISE_BARE Uninterruptible::Uninterruptible() : call_(t_call) {
  if (call_ == nullptr) return;
  call_->armed = 0;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

LANEWISE_BARE void Uninterruptible::end() {
  if (call_ == nullptr) return;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  call_->armed = 1;
  if (call_->requested->load(std::memory_order_relaxed)) lanewise_interruptible_leave(call_);
}

}  // namespace lanewise
