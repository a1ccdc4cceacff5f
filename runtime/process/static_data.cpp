// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/static_data.h"

#include <link.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "src/base/sanitizers.h"
#include "src/base/survives_fork.h"

// The linker's names for the ends of the section of what survives.
extern "C" {
[[gnu::visibility("hidden")]] extern std::byte __start_lanewise_survives_fork;  // NOLINT(bugprone-reserved-identifier)
[[gnu::visibility("hidden")]] extern std::byte __stop_lanewise_survives_fork;   // NOLINT(bugprone-reserved-identifier)
}

// The functions below read and write what is between variables as well, which AddressSanitizer watches.
#define LANEWISE_BARE __attribute__((disable_sanitizer_instrumentation))

namespace lanewise {

namespace {

constexpr std::size_t kLine = 64;

struct DataRange {
  std::byte* begin;
  std::byte* end;
};

/// Up to one line of memory, at its place and as it was.
struct SavedLine {
  std::byte* place;
  alignas(8) std::array<std::byte, kLine> bytes;
};

struct SavedData {
  std::vector<DataRange> ranges;
  std::vector<SavedLine> lines;             ///< in ascending order; what no line covers was zero
  const std::byte* thread_image = nullptr;  ///< first values of the thread-local variables; then there are zeros
  std::size_t thread_image_bytes = 0;
  std::size_t thread_bytes = 0;
  std::ptrdiff_t to_thread_data = 0;  ///< from `t_anchor` to the first thread-local variable, on every thread
};

LANEWISE_SURVIVES_FORK constinit std::atomic<SavedData*> g_saved{nullptr};
constinit thread_local int t_anchor = 0;

/// Without a call of the C library's functions, in whose place sanitizers put theirs.
LANEWISE_BARE void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == kLine) {
    __builtin_memcpy_inline(to, from, kLine);
    return;
  }
  for (std::size_t i = 0; i < bytes; ++i) const_cast<volatile std::byte&>(to[i]) = from[i];
}

LANEWISE_BARE bool differ(const std::byte* one, const std::byte* other, std::size_t bytes) {
  std::uint64_t difference = 0;
  std::size_t i = 0;
  for (; i + 8 <= bytes; i += 8) {
    std::uint64_t words[2];
    __builtin_memcpy_inline(&words[0], one + i, 8);
    __builtin_memcpy_inline(&words[1], other + i, 8);
    difference |= words[0] ^ words[1];
  }
  for (; i < bytes; ++i) difference |= static_cast<std::uint64_t>(one[i] ^ other[i]);
  return difference != 0;
}

constexpr SavedLine kZeros{};

/// The first address behind the line of `place`, at most `end`.
std::byte* end_of_line(std::byte* place, std::byte* end) {
  const std::size_t room = kLine - reinterpret_cast<std::uintptr_t>(place) % kLine;
  return static_cast<std::size_t>(end - place) > room ? place + room : end;
}

/// Takes `hole` out of the ranges.
void subtract(std::vector<DataRange>& ranges, DataRange hole) {
  std::vector<DataRange> left;
  for (const DataRange& range : ranges) {
    const DataRange before{range.begin, std::min(range.end, hole.begin)};
    const DataRange after{std::max(range.begin, hole.end), range.end};
    for (const DataRange& part : {before, after})
      if (part.begin < part.end) left.push_back(part);
  }
  ranges = std::move(left);
}

DataRange memory_of(const dl_phdr_info& library, const ElfW(Phdr) & header) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the dynamic linker gives it as a number
  auto* begin = reinterpret_cast<std::byte*>(library.dlpi_addr + header.p_vaddr);
  return {begin, begin + header.p_memsz};
}

bool is_in(const void* address, DataRange range) {
  return address >= range.begin && address < range.end;
}

/// If this driver is the library: where its variables are.
void describe(const dl_phdr_info& library, SavedData& saved) {
  std::vector<DataRange> written;
  for (unsigned i = 0; i < library.dlpi_phnum; ++i) {
    const ElfW(Phdr) & header = library.dlpi_phdr[i];
    if (header.p_type == PT_LOAD && (header.p_flags & PF_W) != 0) written.push_back(memory_of(library, header));
  }
  if (std::none_of(written.begin(), written.end(), [](DataRange range) { return is_in(&g_saved, range); })) return;
  for (unsigned i = 0; i < library.dlpi_phnum; ++i) {
    const ElfW(Phdr) & header = library.dlpi_phdr[i];
    if (header.p_type == PT_GNU_RELRO) subtract(written, memory_of(library, header));
    if (header.p_type != PT_TLS) continue;
    if (library.dlpi_tls_data == nullptr) return;  // never: the boundary has counted this call in one of them
    saved.thread_image = memory_of(library, header).begin;
    saved.thread_image_bytes = header.p_filesz;
    saved.thread_bytes = header.p_memsz;
    saved.to_thread_data = static_cast<std::byte*>(library.dlpi_tls_data) - reinterpret_cast<std::byte*>(&t_anchor);
  }
  subtract(written, {&__start_lanewise_survives_fork, &__stop_lanewise_survives_fork});
  const bool is_the_program = library.dlpi_name == nullptr || library.dlpi_name[0] == 0;
  if (!is_the_program) saved.ranges = std::move(written);
}

LANEWISE_BARE void save_lines(SavedData& saved) {
  std::size_t bytes = 0;
  for (const DataRange& range : saved.ranges) bytes += static_cast<std::size_t>(range.end - range.begin) + 2 * kLine;
  saved.lines.reserve(bytes / kLine);  // what is not used of it is never touched
  for (const DataRange& range : saved.ranges) {
    for (std::byte* place = range.begin; place != range.end;) {
      std::byte* const end = end_of_line(place, range.end);
      const auto bytes = static_cast<std::size_t>(end - place);
      if (differ(place, kZeros.bytes.data(), bytes)) {
        saved.lines.push_back({place, {}});
        copy_bytes(saved.lines.back().bytes.data(), place, bytes);
      }
      place = end;
    }
  }
}

}  // namespace

void save_static_data() noexcept {
  if (kThreadSanitizer) return;  // it ends a forked child that makes threads
  try {
    auto* saved = new SavedData;
    dl_iterate_phdr(
        [](dl_phdr_info* library, std::size_t, void* into) {
          describe(*library, *static_cast<SavedData*>(into));
          return 0;
        },
        saved);
    if (saved->ranges.empty()) {
      delete saved;
      return;
    }
    std::sort(saved->ranges.begin(), saved->ranges.end(), [](DataRange a, DataRange b) { return a.begin < b.begin; });
    save_lines(*saved);
    g_saved.store(saved);
  } catch (const std::bad_alloc&) {  // children are refused then
  }
}

bool static_data_saved() noexcept {
  return g_saved.load() != nullptr;
}

LANEWISE_BARE void restore_static_data() noexcept {
  const SavedData& saved = *g_saved.load();
  const SavedLine* next = saved.lines.data();
  const SavedLine* const last = next + saved.lines.size();
  for (const DataRange& range : saved.ranges) {
    for (std::byte* place = range.begin; place != range.end;) {
      std::byte* const end = end_of_line(place, range.end);
      const auto bytes = static_cast<std::size_t>(end - place);
      const SavedLine& was = next != last && next->place == place ? *next++ : kZeros;
      // What has not changed is not written, so that its page stays shared with the parent.
      if (differ(place, was.bytes.data(), bytes)) copy_bytes(place, was.bytes.data(), bytes);
      place = end;
    }
  }
}

LANEWISE_BARE void restore_thread_data() noexcept {
  const SavedData& saved = *g_saved.load();
  std::byte* const data = reinterpret_cast<std::byte*>(&t_anchor) + saved.to_thread_data;
  copy_bytes(data, saved.thread_image, saved.thread_image_bytes);
  for (std::size_t i = saved.thread_image_bytes; i < saved.thread_bytes; ++i)
    const_cast<volatile std::byte&>(data[i]) = std::byte{0};
}

}  // namespace lanewise
