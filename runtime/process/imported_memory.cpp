// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/imported_memory.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <new>

#include "src/base/sanitizers.h"
#include "src/base/survives_fork.h"

// The handler may interrupt the sanitizers' runtime.
#define LANEWISE_BARE __attribute__((disable_sanitizer_instrumentation))

namespace lanewise {

namespace detail {
constinit std::atomic<std::size_t> imported_ranges{0};
}

namespace {

constinit thread_local MendFaults* t_mend = nullptr;
constinit thread_local bool t_never_blocked = false;

/// A range in the list of all. Ranges are never freed, so that the handler can walk the list without a lock.
struct ImportedRange {
  std::atomic<bool> taken{true};
  std::atomic<std::uintptr_t> begin{0};  ///< set after what follows; 0: none
  std::atomic<std::uintptr_t> end{0};
  std::uintptr_t page_bytes = 0;
  std::atomic<bool> lost{false};
  ImportedRange* next = nullptr;
};

constinit std::atomic<ImportedRange*> g_first{nullptr};
/// Threads that mend a fault now. A range is not unmapped before they have gone.
constinit std::atomic<std::size_t> g_menders{0};

/// What was there before. Constant once the handler is installed.
LANEWISE_SURVIVES_FORK struct sigaction g_previous{};
LANEWISE_SURVIVES_FORK constinit std::atomic<bool> g_installed{false};

}  // namespace

struct ImportedRanges {
  LANEWISE_BARE static std::uintptr_t end_of(const ImportedRange& range) {
    return __atomic_load_n(reinterpret_cast<const std::uintptr_t*>(&range.end), __ATOMIC_ACQUIRE);
  }

  LANEWISE_BARE static ImportedRange* find(std::uintptr_t address) {
    for (ImportedRange* range = __atomic_load_n(reinterpret_cast<ImportedRange**>(&g_first), __ATOMIC_ACQUIRE);
         range != nullptr; range = range->next) {
      const std::uintptr_t begin = __atomic_load_n(reinterpret_cast<std::uintptr_t*>(&range->begin), __ATOMIC_SEQ_CST);
      if (begin != 0 && begin <= address && address < end_of(*range)) return range;
    }
    return nullptr;
  }

  /// Puts empty memory in the place of the page with this address and of all after it. What is missing from a file that
  /// has become shorter is all of that. A system call without the C library's function, which sanitizers replace.
  LANEWISE_BARE static bool replace(ImportedRange& range, std::uintptr_t address) {
    const std::uintptr_t page = address & ~(range.page_bytes - 1);
    const long made = syscall(SYS_mmap, page, end_of(range) - page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0L);
    if (made < 0) return false;
    __atomic_store_n(reinterpret_cast<bool*>(&range.lost), true, __ATOMIC_RELEASE);
    return true;
  }

  LANEWISE_BARE static bool mend(std::uintptr_t address) {
    auto* menders = reinterpret_cast<std::size_t*>(&g_menders);
    __atomic_fetch_add(menders, 1, __ATOMIC_SEQ_CST);
    bool mended = false;
    // Only after an address of ours has been found: on a thread that has never been here, the first use of a
    // thread-local variable may allocate memory.
    if (ImportedRange* range = find(address); range != nullptr && t_mend != nullptr && replace(*range, address)) {
      t_mend->any_ = 1;
      mended = true;
    }
    __atomic_fetch_sub(menders, 1, __ATOMIC_SEQ_CST);
    return mended;
  }

  /// As if our handler were not there.
  LANEWISE_BARE static void pass_on(int signal, siginfo_t* info, void* context) {
    const bool sent = info->si_code <= 0;  // by a process, and not because of a fault
    if ((g_previous.sa_flags & SA_SIGINFO) != 0) {
      g_previous.sa_sigaction(signal, info, context);
      return;
    }
    if (g_previous.sa_handler == SIG_IGN && sent) return;
    if (g_previous.sa_handler != SIG_DFL && g_previous.sa_handler != SIG_IGN) {
      g_previous.sa_handler(signal);
      return;
    }
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
    // A fault happens again when the handler returns. The other signal would not.
    if (sent) syscall(SYS_tgkill, getpid(), gettid(), signal);
  }

  LANEWISE_BARE static void on_signal(int signal, siginfo_t* info, void* context) {
    const int saved = errno;
    if (info->si_code != BUS_ADRERR || !mend(reinterpret_cast<std::uintptr_t>(info->si_addr)))
      pass_on(signal, info, context);
    errno = saved;
  }

  static bool install() {
    struct sigaction before{};
    if (g_installed.load()) return true;  // by the parent
    if (sigaction(SIGBUS, nullptr, &before) != 0) return false;
    // A thread of the parent has got as far as here.
    if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction == &on_signal) return true;
    g_previous = before;
    struct sigaction action{};
    action.sa_sigaction = &on_signal;
    action.sa_mask = g_previous.sa_mask;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | (g_previous.sa_flags & SA_NODEFER);
    if (sigaction(SIGBUS, &action, nullptr) != 0) return false;
    g_installed.store(true);
    return true;
  }

  static ImportedRange* take() noexcept {
    for (ImportedRange* range = g_first.load(std::memory_order_acquire); range != nullptr; range = range->next)
      if (!range->taken.exchange(true, std::memory_order_acq_rel)) return range;
    auto* made = new (std::nothrow) ImportedRange;
    if (made == nullptr) return nullptr;
    made->next = g_first.load(std::memory_order_relaxed);
    while (!g_first.compare_exchange_weak(made->next, made, std::memory_order_release, std::memory_order_relaxed)) {
    }
    return made;
  }
};

bool add_imported_memory(void* begin, std::size_t bytes, std::size_t page_bytes) noexcept {
  static const bool installed = ImportedRanges::install();
  ImportedRange* range = installed ? ImportedRanges::take() : nullptr;
  if (range == nullptr) return false;
  // In this order, because `imported_at` may look at the range while it changes.
  range->lost.store(false, std::memory_order_release);
  range->end.store(reinterpret_cast<std::uintptr_t>(begin) + bytes, std::memory_order_release);
  range->page_bytes = page_bytes;
  detail::imported_ranges.fetch_add(1, std::memory_order_relaxed);
  range->begin.store(reinterpret_cast<std::uintptr_t>(begin), std::memory_order_seq_cst);
  return true;
}

void lose_imported_memory(const void* begin) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  for (ImportedRange* range = g_first.load(std::memory_order_acquire); range != nullptr; range = range->next)
    if (range->begin.load(std::memory_order_relaxed) == address) range->lost.store(true, std::memory_order_release);
}

void remove_imported_memory(const void* begin) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  for (ImportedRange* range = g_first.load(std::memory_order_acquire); range != nullptr; range = range->next) {
    if (range->begin.load(std::memory_order_relaxed) != address) continue;
    range->begin.store(0, std::memory_order_seq_cst);
    while (g_menders.load(std::memory_order_seq_cst) != 0) sched_yield();
    detail::imported_ranges.fetch_sub(1, std::memory_order_relaxed);
    range->taken.store(false, std::memory_order_release);
    return;
  }
}

Imported imported_at(const void* address) noexcept {
  if (!has_imported_memory()) return Imported::none;
  const ImportedRange* range = ImportedRanges::find(reinterpret_cast<std::uintptr_t>(address));
  if (range == nullptr) return Imported::none;
  return range->lost.load(std::memory_order_acquire) ? Imported::lost : Imported::present;
}

MendFaults::MendFaults(bool unblock) noexcept : outer_(t_mend) {
  if (unblock && !t_never_blocked) {
    sigset_t fault;
    sigemptyset(&fault);
    sigaddset(&fault, SIGBUS);
    has_saved_ = pthread_sigmask(SIG_UNBLOCK, &fault, &saved_) == 0 && sigismember(&saved_, SIGBUS) == 1;
  }
  t_mend = this;
}

MendFaults::~MendFaults() {
  t_mend = outer_;
  if (has_saved_) pthread_sigmask(SIG_SETMASK, &saved_, nullptr);
}

void MendFaults::never_blocked() noexcept {
  t_never_blocked = true;
}

}  // namespace lanewise
