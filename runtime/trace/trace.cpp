// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/trace.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "runtime/trace/buffers.h"
#include "runtime/trace/writer.h"
#include "src/base/clock.h"
#include "src/config/config.h"
#include "src/file/chosen_file.h"

namespace lanewise::trace {

namespace detail {
constinit std::atomic<bool> g_on{false};
}

namespace {

constexpr std::size_t kMostText = 4096;

constinit std::atomic<ThreadBuffer*> g_buffers{nullptr};
constinit std::atomic<std::size_t> g_bytes{0};
constinit std::atomic<std::uint64_t> g_lost{0};
constinit std::atomic<std::uint32_t> g_number{0};
constinit std::atomic<pid_t> g_process{0};  ///< the process that records
constinit std::atomic<const std::string*> g_file{nullptr};
constinit thread_local ThreadBuffer* t_buffer = nullptr;
constinit thread_local const char* t_code = nullptr;

/// Whether there is room for so many bytes more, which then count.
bool take_room(std::size_t bytes) noexcept {
  if (g_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes <= kMostBytes) return true;
  g_bytes.fetch_sub(bytes, std::memory_order_relaxed);
  return false;
}

ThreadBuffer* make_buffer() noexcept try {
  if (!take_room(sizeof(ThreadBuffer))) return nullptr;
  auto* made = new ThreadBuffer;
  made->thread = gettid();
  std::array<char, 32> name{};
  if (pthread_getname_np(pthread_self(), name.data(), name.size()) == 0) made->name = name.data();
  made->next = g_buffers.load(std::memory_order_relaxed);
  while (!g_buffers.compare_exchange_weak(made->next, made, std::memory_order_release, std::memory_order_relaxed)) {
  }
  return made;
} catch (const std::bad_alloc&) {
  return nullptr;
}

/// A place for so many bytes in the thread's last block, or in a new one. Null: there is no room.
std::byte* place_for(ThreadBuffer& buffer, std::size_t bytes) noexcept {
  Block* block = buffer.last;
  if (block->used.load(std::memory_order_relaxed) + bytes > Block::kBytes) {
    if (!take_room(sizeof(Block))) return nullptr;
    auto* fresh = new (std::nothrow) Block;
    if (fresh == nullptr) return nullptr;
    block->next.store(fresh, std::memory_order_release);
    block = buffer.last = fresh;
  }
  return block->bytes + block->used.load(std::memory_order_relaxed);
}

}  // namespace

ThreadBuffer* all_buffers() noexcept {
  return g_buffers.load(std::memory_order_acquire);
}

std::uint64_t lost_records() noexcept {
  return g_lost.load(std::memory_order_relaxed);
}

void add(const Record& record, std::string_view text) noexcept {
  text = text.substr(0, kMostText);
  if (t_buffer == nullptr) t_buffer = make_buffer();
  const std::size_t bytes = sizeof(detail::Stored) + (text.size() + 7) / 8 * 8;
  std::byte* const place = t_buffer == nullptr ? nullptr : place_for(*t_buffer, bytes);
  if (place == nullptr) {
    g_lost.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  new (place) detail::Stored{record, text.size()};
  if (!text.empty()) std::memcpy(place + sizeof(detail::Stored), text.data(), text.size());
  Block& block = *t_buffer->last;
  block.used.store(block.used.load(std::memory_order_relaxed) + bytes, std::memory_order_release);
}

void add_task(std::uint64_t begin, std::string_view category, std::string_view name,
              std::string_view details) noexcept {
  const std::uint64_t now = now_ns();
  std::array<char, 512> text;
  std::size_t size = 0;
  const auto append = [&](std::string_view part) {
    const std::size_t count = std::min(part.size(), text.size() - size);
    std::memcpy(text.data() + size, part.data(), count);
    size += count;
  };
  append(category);
  append("\n");
  append(name);
  append("\n");
  append(details);
  add({.begin = begin == 0 ? now : begin, .end = now, .kind = begin == 0 ? RecordKind::note : RecordKind::task},
      {text.data(), size});
}

std::uint32_t next_number() noexcept {
  const std::uint32_t number = g_number.fetch_add(1, std::memory_order_relaxed) + 1;
  return number != 0 ? number : next_number();
}

void set_code(const char* name) noexcept {
  t_code = name;
}

const char* take_code() noexcept {
  return std::exchange(t_code, nullptr);
}

void start() {
  if (config().trace.empty()) return;
  const std::string path = file::chosen_path(config().trace);
  // Said now, and not at the end of a long run.
  if (const std::string fault = file::fault_of_chosen(path); !fault.empty()) {
    const std::string line = "lanewise: the trace cannot be written to " + path + ": " + fault + "\n";
    static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
    return;
  }
  g_file.store(new std::string(path), std::memory_order_release);
  g_process.store(getpid(), std::memory_order_relaxed);
  // A child has the parent's records and would write them again.
  pthread_atfork(nullptr, nullptr, [] { detail::g_on.store(false, std::memory_order_relaxed); });
  std::atexit([] {
    const std::string* file = g_file.load(std::memory_order_acquire);
    if (file == nullptr || getpid() != g_process.load(std::memory_order_relaxed)) return;
    detail::g_on.store(false, std::memory_order_relaxed);
    write_file(*file);
  });
  detail::g_on.store(true, std::memory_order_relaxed);
}

}  // namespace lanewise::trace
