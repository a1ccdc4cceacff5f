// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/code_object_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "src/base/survives_fork.h"
#include "src/config/config.h"
#include "src/file/cache_place.h"
#include "src/file/file.h"

namespace lanewise {

namespace {

namespace fs = std::filesystem;

constexpr std::time_t kStampInterval = 3600;  ///< seconds: the last use is written at most this often
constexpr unsigned kStoresPerTrim = 32;
constexpr std::size_t kHashDigits = 32;

/// Marks a file or folder as used now.
void stamp(const std::string& path) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0 || std::time(nullptr) - info.st_mtim.tv_sec < kStampInterval) return;
  utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

bool holds(const std::string& path, std::span<const std::uint8_t> bytes) {
  const file::Descriptor opened = file::open_read(path, true);
  if (!opened) return false;
  const auto mapping = file::Mapping::of(opened.get());
  return mapping && std::ranges::equal(mapping->bytes(), bytes);
}

std::uint64_t bytes_of(const fs::directory_entry& entry) {
  std::error_code error;
  if (!entry.is_directory(error)) return entry.file_size(error);
  std::uint64_t sum = 0;
  for (fs::recursive_directory_iterator it(entry.path(), error), end; !error && it != end; it.increment(error))
    if (it->is_regular_file(error)) sum += it->file_size(error);
  return sum;
}

/// Removes the least recently used entries, down to three quarters of `limit` bytes, and temporary files that writers
/// left behind when they died.
void trim(const std::string& folder, const std::string& suffix, std::uint64_t limit) {
  struct Entry {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t bytes;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename();
    std::error_code ignored;
    const auto used = it->last_write_time(ignored);
    if (ignored) continue;
    if (name.ends_with(".tmp") && now - used > std::chrono::seconds(kStampInterval)) fs::remove(it->path(), ignored);
    const std::string digits = name.substr(0, kHashDigits);
    if (digits.size() != kHashDigits || name != digits + suffix ||
        digits.find_first_not_of("0123456789abcdef") != std::string::npos)
      continue;
    entries.push_back({it->path(), used, bytes_of(*it)});
    total += entries.back().bytes;
  }
  if (total <= limit) return;
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (total <= limit / 4 * 3) break;
    std::error_code ignored;
    fs::remove_all(entry.path, ignored);
    if (!ignored) total -= entry.bytes;
  }
}

/// The path of a header of that name relative to the folder of its program; empty for names that lead out of it.
std::string relative_name(const std::string& name) {
  const fs::path path = fs::path(name).lexically_normal();
  if (path.is_absolute() || path.empty() || *path.begin() == ".." || !path.has_filename()) return {};
  return path;
}

bool write_below(const std::string& folder, const std::string& name, const std::string& text) {
  const std::string path = folder + "/" + name;
  const std::size_t slash = path.rfind('/');
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  if (holds(path, bytes)) return true;
  return file::make_private_directory(path.substr(0, slash)) &&
         file::write_atomically(path.substr(0, slash), path.substr(slash + 1), bytes);
}

}  // namespace

CodeObjectFiles::CodeObjectFiles(const std::string& cache, std::uint64_t limit, std::vector<std::string> bases)
    : limit_(limit), folder_(std::move(bases)) {
  std::error_code error;
  // Absolute, because a debugger has another working directory.
  if (!cache.empty()) cache_ = fs::absolute(cache, error).lexically_normal();
  if (cache_.empty() || error || !file::make_private_directory(cache_)) return;
  sources_ = cache_ + "/sources";
  const std::string code_objects = cache_ + "/code-objects";
  if (file::make_private_directory(code_objects) && takes_code(code_objects) && keeps_mapped_files(code_objects))
    code_objects_ = code_objects;
}

namespace {
constinit std::atomic<CodeObjectFiles*> g_files{nullptr};
LANEWISE_SURVIVES_FORK constinit std::atomic<bool> g_removes_at_exit{false};
}  // namespace

CodeObjectFiles& CodeObjectFiles::instance() {
  static CodeObjectFiles& files = *[] {
    auto* made = new CodeObjectFiles(config().cache ? cache_directory() : "", config().cache_size / 4, local_bases());
    g_files.store(made);
    return made;  // leaked: code objects may be opened and closed while the process exits
  }();
  if (!g_removes_at_exit.exchange(true)) {
    std::atexit([] {
      if (CodeObjectFiles* made = g_files.load()) made->folder_.remove();
    });
  }
  return files;
}

void CodeObjectFiles::count_store() {
  if (stores_.fetch_add(1, std::memory_order_relaxed) % kStoresPerTrim != 0) return;
  if (!code_objects_.empty()) trim(code_objects_, ".so", limit_);
  if (!sources_.empty()) trim(sources_, "", limit_ / 4);
}

std::optional<std::string> CodeObjectFiles::keep(std::span<const std::uint8_t> elf, const Hash128& hash) {
  if (code_objects_.empty()) return std::nullopt;
  const std::string name = hash.text() + ".so";
  std::string path = code_objects_ + "/" + name;
  if (holds(path, elf)) {
    stamp(path);
    return path;
  }
  // The user may have emptied the cache in the meantime.
  if (!file::write_atomically(code_objects_, name, elf) &&
      !(file::make_private_directory(code_objects_) && file::write_atomically(code_objects_, name, elf)))
    return std::nullopt;
  count_store();
  return path;
}

std::optional<std::string> CodeObjectFiles::make_private(std::span<const std::uint8_t> elf) {
  const auto folder = folder_.path();
  if (!folder) return std::nullopt;
  const std::string name = "kernel-" + std::to_string(number_.fetch_add(1, std::memory_order_relaxed)) + ".so";
  if (!file::write_atomically(*folder, name, elf)) return std::nullopt;
  return *folder + "/" + name;
}

std::string CodeObjectFiles::source_folder(const Hash128& hash) {
  if (!sources_.empty() && file::make_private_directory(sources_ + "/" + hash.text()))
    return sources_ + "/" + hash.text();
  const auto folder = folder_.path();
  return folder ? *folder + "/source-" + hash.text() : "";
}

std::string CodeObjectFiles::publish_sources(const abi::Source& source) {
  ByteWriter all;
  all.text(source.text);
  for (const abi::NamedText& header : source.headers) {
    all.text(header.name);
    all.text(header.text);
  }
  std::string folder = source_folder(hash_bytes(all.bytes()));
  if (folder.empty() || !write_below(folder, abi::kSourceName, source.text)) return {};
  for (const abi::NamedText& header : source.headers) {
    const std::string name = relative_name(header.name);
    if (!name.empty() && name != abi::kSourceName) (void)write_below(folder, name, header.text);
  }
  stamp(folder);
  count_store();
  return folder;
}

}  // namespace lanewise
