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
#include <numeric>
#include <string_view>
#include <utility>

#include "include/lanewise/kernel_abi.h"
#include "runtime/code/code_object_folder.h"
#include "runtime/code/compiler_client.h"
#include "runtime/code/location.h"
#include "runtime/process/fork_guard.h"
#include "runtime/trace/trace.h"
#include "src/base/clock.h"
#include "src/base/fields.h"
#include "src/config/config.h"
#include "src/file/cache_place.h"
#include "src/file/file.h"
#include "src/log/log.h"

namespace lanewise {

namespace {

constexpr std::uint64_t kMagic = 0x3165686361635741;  // "AWcache1"

/// The contents of a cache file.
struct StoredReply {
  std::uint64_t magic = kMagic;
  Hash128 key;
  Hash128 checksum;  ///< of the reply
  std::span<const std::uint8_t> reply{};

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.magic, self.key.low, self.key.high, self.checksum.low, self.checksum.high, self.reply);
  }
};

constexpr std::string_view kSuffix = ".lwc";
constexpr std::time_t kStampInterval = 3600;  ///< seconds: an entry's last use is written at most this often
constexpr unsigned kStoresPerScan = 32;

std::string entry_name(const Hash128& key) {
  return key.text() + std::string(kSuffix);
}

/// What its name says about a file in the directory, which may also contain files of other programs.
enum class Named { foreign, entry, temporary, lock };

/// Entries are `<key>.lwc`, and `<key>.lwc.<process>.<number>.tmp` while they are written (`file::write_atomically`).
/// `<key>.lwc.<digit>.lock` is there while they are compiled (compile_turn.h).
Named kind_of(std::string_view name) {
  const auto skip = [&name](auto is_part, std::size_t fewest, std::size_t most) {
    std::size_t count = 0;
    while (count < name.size() && is_part(name[count])) ++count;
    name.remove_prefix(count);
    return count >= fewest && count <= most;
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_hex = [&](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
  const auto is_dot = [](char c) { return c == '.'; };
  constexpr std::size_t kKeyDigits = 2 * sizeof(Hash128);
  if (!skip(is_hex, kKeyDigits, kKeyDigits) || !name.starts_with(kSuffix)) return Named::foreign;
  name.remove_prefix(kSuffix.size());
  if (name.empty()) return Named::entry;
  if (!skip(is_dot, 1, 1) || !skip(is_digit, 1, 10)) return Named::foreign;
  if (name == CompileTurn::kSuffix) return Named::lock;
  const bool numbered = skip(is_dot, 1, 1) && skip(is_digit, 1, 10);
  return numbered && name == ".tmp" ? Named::temporary : Named::foreign;
}

/// Whether the file begins like an entry of this cache. The name alone is not enough to remove a file.
bool has_magic(int directory, const std::string& name) {
  const file::Descriptor opened(
      openat(directory, name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY));
  std::uint64_t magic = 0;
  return opened && read(opened.get(), &magic, sizeof magic) == sizeof magic && magic == kMagic;
}

/// Marks the entry as used now, by its modification time, because access times are often switched off.
void stamp(int descriptor) {
  struct stat info{};
  if (fstat(descriptor, &info) != 0 || std::time(nullptr) - info.st_mtim.tv_sec < kStampInterval) return;
  futimens(descriptor, nullptr);
}

/// Whether a new search for headers would find the same at this path. Reads only files whose text was used.
bool unchanged(const abi::Dependency& dependency) {
  using State = abi::Dependency::State;
  if (dependency.state == State::text) {
    const auto text = file::read_all(dependency.path);
    return text && hash_bytes(*text) == Hash128{dependency.hash_low, dependency.hash_high};
  }
  struct stat info{};
  const bool exists = stat(dependency.path.c_str(), &info) == 0;
  const bool regular = exists && S_ISREG(info.st_mode);
  switch (dependency.state) {
    case State::present:
      return regular;
    case State::no_file:
      return !regular;
    case State::nothing:
      return !regular && !(exists && S_ISDIR(info.st_mode));
    case State::text:
      break;
  }
  return false;
}

struct Entry {
  std::string name;
  std::uint64_t bytes;
  timespec used;
};

std::uint64_t bytes_of(const std::vector<Entry>& entries) {
  return std::accumulate(entries.begin(), entries.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Entry& entry) { return sum + entry.bytes; });
}

/// Removes the oldest entries down to three quarters of the limit, so that a full cache is not scanned at every store.
void remove_oldest(int directory, std::vector<Entry> entries, std::uint64_t limit) {
  std::uint64_t total = bytes_of(entries);
  if (total <= limit) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
  });
  for (const Entry& entry : entries) {
    if (total <= limit / 4 * 3) break;
    if (unlinkat(directory, entry.name.c_str(), 0) == 0) total -= entry.bytes;
  }
}

}  // namespace

bool CacheStore::usable() {
  const MutexLock lock(mutex_);
  if (!usable_) {
    usable_ = !directory_.empty() && file::make_private_directory(directory_);
    if (!*usable_) log_line(Channel::cache, "%s is not a private directory: not used", directory_.c_str());
  }
  return *usable_;
}

std::optional<abi::Reply> CacheStore::load(const Hash128& key) {
  if (!usable()) return std::nullopt;
  const auto opened = file::open_read(directory_ + "/" + entry_name(key), true);
  if (!opened) return std::nullopt;
  const auto mapping = file::Mapping::of(opened.get());
  if (!mapping) return std::nullopt;
  FieldReader fields(mapping->bytes());
  StoredReply stored;
  fields(stored);
  if (!fields.ok() || stored.magic != kMagic || stored.key != key || hash_bytes(stored.reply) != stored.checksum)
    return std::nullopt;
  auto reply = abi::decode<abi::Reply>(stored.reply);
  // Only what succeeded is stored.
  if (!reply || reply->status != CL_SUCCESS) return std::nullopt;
  if (!std::all_of(reply->dependencies.begin(), reply->dependencies.end(), unchanged)) return std::nullopt;
  stamp(opened.get());
  log_line(Channel::cache, "hit %s", key.text().c_str());
  return reply;
}

bool CacheStore::has(const Hash128& key) {
  return usable() && access((directory_ + "/" + entry_name(key)).c_str(), R_OK) == 0;
}

void CacheStore::store(const Hash128& key, const abi::Reply& reply) {
  if (!usable()) return;
  const Bytes payload = abi::encode(reply);
  FieldWriter fields;
  fields(StoredReply{.key = key, .checksum = hash_bytes(payload), .reply = payload});
  const bool kept = file::write_atomically(directory_, entry_name(key), fields.bytes());
  log_line(Channel::cache, "%s %s", kept ? "kept" : "could not keep", key.text().c_str());
  bool scan = false;
  {
    const MutexLock lock(mutex_);
    scan = stores_until_scan_ == 0;
    stores_until_scan_ = scan ? kStoresPerScan : stores_until_scan_ - 1;
  }
  if (scan || !kept) evict();
}

void CacheStore::count(bool found) {
  if (usable()) count_lookup(directory_, found);
}

CompileTurn CacheStore::turn(const Hash128& key) {
  if (!usable()) return {std::string(), std::string()};
  // A lock in a network file system may be refused, or wait for another machine.
  return {keeps_mapped_files(directory_) ? directory_ : local_folder_of_user(), entry_name(key)};
}

void CacheStore::evict() {
  std::vector<Entry> entries;
  DIR* directory = opendir(directory_.c_str());
  if (directory == nullptr) return;
  const int base = dirfd(directory);
  while (const dirent* item = readdir(directory)) {
    const std::string name = item->d_name;
    const Named kind = kind_of(name);
    struct stat info{};
    if (kind == Named::foreign || fstatat(base, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(info.st_mode)) continue;
    if (kind == Named::entry) {
      entries.push_back({name, static_cast<std::uint64_t>(info.st_size), info.st_mtim});
      continue;
    }
    // A file of this age belongs to a process that died: one that lives needs seconds, not an hour.
    if (std::time(nullptr) - info.st_mtim.tv_sec <= kStampInterval) continue;
    if (kind == Named::lock ? info.st_size == 0 : has_magic(base, name)) unlinkat(base, name.c_str(), 0);
  }
  if (bytes_of(entries) > limit_) {
    std::erase_if(entries, [base](const Entry& entry) { return !has_magic(base, entry.name); });
    remove_oldest(base, std::move(entries), limit_);
  }
  closedir(directory);
}

Hash128 cache_key(const abi::Request& request, const ProgramIr* ir) {
  FieldWriter fields;
  fields(LANEWISE_KERNEL_ABI_VERSION, compiler_identity(), abi::encode(request));
  if (ir != nullptr) fields(ir->hash.low, ir->hash.high);
  return hash_bytes(fields.bytes());
}

namespace {

struct KeyOrder {
  bool operator()(const Hash128& a, const Hash128& b) const {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
  }
};

/// The request of a job for one kernel, with the program's IR.
abi::Request completed(abi::Request request, const ProgramIr& ir) {
  const auto complete = [&](auto& job) {
    if constexpr (requires { job.program; }) job.program.assign(ir.bytes.begin(), ir.bytes.end());
  };
  std::visit(complete, request);
  return request;
}

/// Where a reply may come from.
enum class ReplySource { cache_or_compiler, compiler };

/// A compile in progress, for which several threads of this process may be waiting.
struct CacheFlight {
  CacheFlight(ReplySource from, std::shared_ptr<AskedJob> job) : source(from), asked(std::move(job)) {}
  const ReplySource source;
  const std::shared_ptr<AskedJob> asked;  ///< null: the leader waits for it
  Mutex mutex;
  ConditionVariable landed;
  std::optional<Result<abi::Reply>> reply GUARDED_BY(mutex);
};

class BuildCache {
 public:
  static BuildCache& instance() {
    static BuildCache& cache = *new BuildCache;  // leaked: a build may outlive main()
    return cache;
  }

  /// What is asked for.
  struct Wanted {
    Wanted(const abi::Request& what, const ProgramIr* of, const std::shared_ptr<AskedJob>& job)
        : request(what), ir(of), asked(job), key(cache_key(what, of)) {}
    const abi::Request& request;
    const ProgramIr* ir;
    const std::shared_ptr<AskedJob>& asked;
    const Hash128 key;
  };

  Result<abi::Reply> run(const Wanted& wanted, ReplySource source) {
    for (;;) {
      auto [flight, leader] = board(wanted, source);
      if (leader) return lead(*flight, wanted);
      Result<abi::Reply> shared = wait_for(*flight, wanted.asked.get());
      // One that may have come from the cache is not what who wants the compiler's waits for.
      if (source == ReplySource::compiler && flight->source != source) continue;
      // Threads may have different rights, so this one must find the same files.
      if (!shared || std::ranges::all_of(shared.value().dependencies, unchanged)) return shared;
      return answer(wanted, source);
    }
  }

  std::optional<abi::Reply> find(const Hash128& key) {
    auto stored = answers() ? store_.load(key) : std::nullopt;
    if (stored) store_.count(true);
    return stored;
  }

  bool has(const Hash128& key) { return answers() && store_.has(key); }

 private:
  /// A quarter of the space is for code objects, a sixteenth for sources (code_object_files.h).
  BuildCache() : store_(cache_directory(), config().cache_size / 16 * 11) {}

  /// Whether the cache answers builds: whoever wants the files of builds wants them made.
  static bool answers() { return config().cache && config().dump.empty(); }

  std::pair<std::shared_ptr<CacheFlight>, bool> board(const Wanted& wanted, ReplySource source) {
    const MutexLock lock(mutex_);
    auto& flight = flights_[wanted.key];
    const bool leader = flight == nullptr;
    if (leader) {
      flight = std::make_shared<CacheFlight>(source, wanted.asked);
    }
    return {flight, leader};
  }

  /// @param asked  this thread's own job: what it waits for is wanted as soon as that is
  static Result<abi::Reply> wait_for(CacheFlight& flight, const AskedJob* asked) {
    MutexLock lock(flight.mutex);
    while (!flight.reply) {
      if (flight.asked == nullptr || flight.asked->is_wanted()) {
        flight.landed.wait(flight.mutex);
      } else if (asked == nullptr || asked->is_wanted()) {
        lock.unlock();
        CompilerClient::instance().want(*flight.asked);
        lock.lock();
      } else {
        flight.landed.wait_until(flight.mutex, std::chrono::steady_clock::now() + AskedJob::kLook);
      }
    }
    return *flight.reply;
  }

  Result<abi::Reply> lead(CacheFlight& flight, const Wanted& wanted) {
    Result<abi::Reply> reply = answer(wanted, flight.source);
    {
      const MutexLock lock(mutex_);
      flights_.erase(wanted.key);
    }
    const MutexLock lock(flight.mutex);
    flight.reply = reply;
    flight.landed.notify_all();
    return reply;
  }

  /// Does not throw, because threads that wait for this flight would then wait forever.
  Result<abi::Reply> answer(const Wanted& wanted, ReplySource source) noexcept try {
    std::optional<CompileTurn> turn;
    if (answers() && source == ReplySource::cache_or_compiler) {
      auto stored = store_.load(wanted.key);
      if (!stored) {
        turn.emplace(store_.turn(wanted.key));
        stored = store_.load(wanted.key);  // another process may have stored it
      }
      store_.count(stored.has_value());
      if (stored) {
        if (trace::on()) [[unlikely]]
          trace::add_task(0, "compile", "found in the cache");
        return std::move(*stored);
      }
    }
    CompilerClient& compiler = CompilerClient::instance();
    abi::Reply reply =
        compiler.run(wanted.ir != nullptr ? completed(wanted.request, *wanted.ir) : wanted.request, wanted.asked.get());
    if (config().cache && reply.status == CL_SUCCESS) store_.store(wanted.key, reply);
    return reply;
  } catch (const std::bad_alloc&) {
    return Error{CL_OUT_OF_HOST_MEMORY, "no memory for the build"};
  }

  CacheStore store_;
  Mutex mutex_;  ///< never held while waiting
  std::map<Hash128, std::shared_ptr<CacheFlight>, KeyOrder> flights_ GUARDED_BY(mutex_);
};

/// The job in words, for traces.
std::string name_of(const abi::Request& request) {
  if (const auto* job = std::get_if<abi::Specialise>(&request)) return "second tier of " + job->launches.kernel;
  if (const auto* job = std::get_if<abi::FirstCode>(&request)) return "code of " + job->kernel;
  return abi::job_name(request);
}

Result<abi::Reply> run(const abi::Request& request, const ProgramIr* ir, const std::shared_ptr<AskedJob>& asked,
                       ReplySource source) {
  if (in_forked_child()) return Error{CL_OUT_OF_RESOURCES, "the process was forked after it had used the driver"};
  watch_for_fork();
  const std::uint64_t begin = trace::on() ? now_ns() : 0;
  Result<abi::Reply> reply = BuildCache::instance().run({request, ir, asked}, source);
  if (begin != 0) [[unlikely]]
    trace::add_task(begin, "compile", name_of(request));
  return reply;
}

}  // namespace

Result<abi::Reply> cached_run(const abi::Request& request, const ProgramIr* ir,
                              const std::shared_ptr<AskedJob>& asked) {
  return run(request, ir, asked, ReplySource::cache_or_compiler);
}

Result<abi::Reply> run_anew(const abi::Request& request, const ProgramIr* ir, const std::shared_ptr<AskedJob>& asked) {
  log_line(Channel::cache, "refused %s", cache_key(request, ir).text().c_str());
  return run(request, ir, asked, ReplySource::compiler);
}

bool is_cached(const Hash128& key) {
  return !in_forked_child() && BuildCache::instance().has(key);
}

std::optional<abi::Reply> cached_reply(const Hash128& key) {
  if (in_forked_child()) return std::nullopt;
  return BuildCache::instance().find(key);
}

}  // namespace lanewise
