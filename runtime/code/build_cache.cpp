// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/build_cache.h"

#include <CL/cl.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <new>

#include "include/lanewise/kernel_abi.h"
#include "runtime/code/compiler_client.h"
#include "runtime/code/location.h"
#include "runtime/exec/fork_guard.h"
#include "src/config/config.h"
#include "src/file/file.h"
#include "src/log/log.h"

namespace lanewise {

namespace {

constexpr std::uint64_t kMagic = 0x3165686361635741;  // "AWcache1"
constexpr const char* kSuffix = ".lwc";
constexpr std::time_t kStampInterval = 3600;  ///< seconds: an entry's last use is written at most this often
constexpr unsigned kStoresPerScan = 32;

bool has_suffix(const std::string& name, const std::string& suffix) {
  return name.size() >= suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
}

/// Marks the entry as used now. The modification time serves, because access times are often switched off.
void stamp(int descriptor) {
  struct stat info{};
  if (fstat(descriptor, &info) != 0 || std::time(nullptr) - info.st_mtim.tv_sec < kStampInterval) return;
  futimens(descriptor, nullptr);
}

bool unchanged(const abi::Dependency& dependency) {
  const auto text = file::read_all(dependency.path);
  return text && hash_bytes(*text) == Hash128{dependency.hash_low, dependency.hash_high};
}

std::string cache_directory() {
  if (!config().cache_dir.empty()) return config().cache_dir;
  if (const char* base = secure_getenv("XDG_CACHE_HOME"); base != nullptr && base[0] == '/')
    return std::string(base) + "/lanewise";
  const char* home = secure_getenv("HOME");
  if (home != nullptr && home[0] == '/') return std::string(home) + "/.cache/lanewise";
  return {};
}

}  // namespace

bool CacheStore::usable() {
  const std::lock_guard lock(mutex_);
  if (!usable_) {
    usable_ = !directory_.empty() && file::make_private_directory(directory_);
    if (!*usable_) log_line(Channel::cache, "%s is not a private directory: not used", directory_.c_str());
  }
  return *usable_;
}

std::optional<abi::Reply> CacheStore::load(const Hash128& key) {
  if (!usable()) return std::nullopt;
  const auto opened = file::open_read(directory_ + "/" + key.text() + kSuffix, true);
  if (!opened) return std::nullopt;
  const auto mapping = file::Mapping::of(opened.get());
  if (!mapping) return std::nullopt;
  ByteReader reader(mapping->bytes());
  const bool ours = reader.number<std::uint64_t>() == kMagic;
  const Hash128 stored{reader.number<std::uint64_t>(), reader.number<std::uint64_t>()};
  const Hash128 checksum{reader.number<std::uint64_t>(), reader.number<std::uint64_t>()};
  const auto payload = reader.blob_view();
  if (!reader.ok() || !ours || !(stored == key) || !(hash_bytes(payload) == checksum)) return std::nullopt;
  auto reply = abi::decode_reply(payload);
  if (!reply || !std::all_of(reply->dependencies.begin(), reply->dependencies.end(), unchanged)) return std::nullopt;
  stamp(opened.get());
  log_line(Channel::cache, "hit %s", key.text().c_str());
  return reply;
}

void CacheStore::store(const Hash128& key, const abi::Reply& reply) {
  if (!usable()) return;
  const Bytes payload = abi::encode(reply);
  const Hash128 checksum = hash_bytes(payload);
  ByteWriter writer;
  writer.number(kMagic);
  for (const auto& hash : {key, checksum}) {
    writer.number(hash.low);
    writer.number(hash.high);
  }
  writer.blob(payload);
  const bool kept = file::write_atomically(directory_, key.text() + kSuffix, writer.bytes());
  log_line(Channel::cache, "%s %s", kept ? "kept" : "could not keep", key.text().c_str());
  bool scan = false;
  {
    const std::lock_guard lock(mutex_);
    scan = stores_until_scan_ == 0;
    stores_until_scan_ = scan ? kStoresPerScan : stores_until_scan_ - 1;
  }
  if (scan || !kept) evict();
}

void CacheStore::evict() {
  struct Entry {
    std::string name;
    std::uint64_t bytes;
    timespec used;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  DIR* directory = opendir(directory_.c_str());
  if (directory == nullptr) return;
  const int base = dirfd(directory);
  while (const dirent* item = readdir(directory)) {
    const std::string name = item->d_name;
    const bool temporary = has_suffix(name, ".tmp");
    struct stat info{};
    if ((!temporary && !has_suffix(name, kSuffix)) || fstatat(base, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    // A writer that died leaves its temporary file; one that is alive needs seconds, not an hour.
    if (temporary) {
      if (std::time(nullptr) - info.st_mtim.tv_sec > kStampInterval) unlinkat(base, name.c_str(), 0);
      continue;
    }
    total += static_cast<std::uint64_t>(info.st_size);
    entries.push_back({name, static_cast<std::uint64_t>(info.st_size), info.st_mtim});
  }
  if (total > limit_) {
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
    });
    // Down to three quarters, so that a full cache is not scanned and cut at every store.
    for (const Entry& entry : entries) {
      if (total <= limit_ / 4 * 3) break;
      if (unlinkat(base, entry.name.c_str(), 0) == 0) total -= entry.bytes;
    }
  }
  closedir(directory);
}

Hash128 cache_key(const abi::Request& request) {
  ByteWriter writer;
  writer.number(LANEWISE_KERNEL_ABI_VERSION);
  writer.text(compiler_identity(request.isa_level));
  writer.blob(abi::encode(request));
  return hash_bytes(writer.bytes());
}

namespace {

struct KeyOrder {
  bool operator()(const Hash128& a, const Hash128& b) const {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
  }
};

/// One compile that several threads may be waiting for.
struct Flight {
  std::mutex mutex;  ///< guards reply
  std::condition_variable landed;
  std::optional<Result<abi::Reply>> reply;
};

class BuildCache {
 public:
  static BuildCache& instance() {
    static BuildCache& cache = *new BuildCache;  // leaked: a build may outlive main()
    return cache;
  }

  Result<abi::Reply> run(const abi::Request& request) {
    const Hash128 key = cache_key(request);
    auto [flight, leader] = board(key);
    if (!leader) {
      std::unique_lock lock(flight->mutex);
      flight->landed.wait(lock, [&flight = flight] { return flight->reply.has_value(); });
      return *flight->reply;
    }
    Result<abi::Reply> reply = answer(key, request);
    {
      const std::lock_guard lock(mutex_);
      flights_.erase(key);
    }
    const std::lock_guard lock(flight->mutex);
    flight->reply = reply;
    flight->landed.notify_all();
    return reply;
  }

 private:
  BuildCache() : store_(cache_directory(), config().cache_size) {}

  std::pair<std::shared_ptr<Flight>, bool> board(const Hash128& key) {
    const std::lock_guard lock(mutex_);
    auto& flight = flights_[key];
    const bool leader = flight == nullptr;
    if (leader) flight = std::make_shared<Flight>();
    return {flight, leader};
  }

  /// Never throws: whoever waits for this flight would wait for ever.
  Result<abi::Reply> answer(const Hash128& key, const abi::Request& request) noexcept try {
    if (config().cache) {
      if (auto reply = store_.load(key)) return std::move(*reply);
    }
    abi::Reply reply = CompilerClient::instance().run(request);
    if (config().cache && reply.status == CL_SUCCESS) store_.store(key, reply);
    return reply;
  } catch (const std::bad_alloc&) {
    return Error{CL_OUT_OF_HOST_MEMORY, "no memory for the build"};
  }

  CacheStore store_;
  std::mutex mutex_;  ///< guards flights_; never held while waiting
  std::map<Hash128, std::shared_ptr<Flight>, KeyOrder> flights_;
};

}  // namespace

Result<abi::Reply> cached_run(const abi::Request& request) {
  if (in_forked_child()) return Error{CL_OUT_OF_RESOURCES, "the process was forked after it had used the driver"};
  watch_for_fork();
  return BuildCache::instance().run(request);
}

}  // namespace lanewise
