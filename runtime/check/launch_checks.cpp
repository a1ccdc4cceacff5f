// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/launch_checks.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/check/known_memory.h"
#include "src/config/config.h"
#include "src/host/topology.h"

namespace lanewise::check {

namespace {

/// Addresses below are those of null pointers with an index.
constexpr std::uint64_t kNullBytes = 4096;

enum FaultReason {
  read_only,
  write_only,
  before_begin,
  beyond_end,
  null_pointer,
  misaligned,
  released,
  unmapped,
  crossing,
  no_order,
  operation,
  outside_image,
  unwritten,
  other_copy,
  other_events,
  no_copy
};
constexpr std::array kReasons{"memory that kernels only read",
                              "memory that kernels only write",
                              "before the begin",
                              "beyond the end",
                              "a null pointer",
                              "not aligned for its type",
                              "released memory",
                              "memory that nobody has",
                              "beyond the end",
                              "no order",
                              "operation",
                              "outside of the image",
                              "memory that nobody has written",
                              "the work-items of the group make different copies",
                              "the work-items of the group wait for different events",
                              "a wait for an event that no copy has made"};

/// The fields of a place (check_abi.h).
class PlaceText {
 public:
  explicit PlaceText(const char* text) : rest_(text) {
    for (std::string_view& field : fields_) {
      const std::size_t end = std::min(rest_.find(kFieldEnd), rest_.size());
      field = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
    }
  }
  [[nodiscard]] std::string_view file() const { return fields_[0]; }
  [[nodiscard]] std::uint64_t line() const { return number(1); }
  [[nodiscard]] std::uint64_t column() const { return number(2); }
  [[nodiscard]] std::string_view kind() const { return fields_[3]; }
  [[nodiscard]] std::string_view name() const { return fields_[4]; }
  [[nodiscard]] std::uint64_t number(std::size_t field) const {
    std::uint64_t value = 0;
    std::from_chars(fields_[field].data(), fields_[field].data() + fields_[field].size(), value);
    return value;
  }
  [[nodiscard]] std::uint64_t bytes() const { return number(5); }

 private:
  std::array<std::string_view, kFields> fields_{};
  std::string_view rest_;
};

bool is_within(std::uint64_t address, std::uint64_t bytes, std::uint64_t begin, std::uint64_t size) {
  return address - begin < size && bytes <= size - (address - begin);
}
bool is_within(std::uint64_t address, std::uint64_t bytes, const void* begin, std::uint64_t size) {
  return begin != nullptr && is_within(address, bytes, reinterpret_cast<std::uintptr_t>(begin), size);
}

std::uint64_t size_of(const lanewise_bounds& bounds) {
  return std::max(bounds.readable, bounds.writable);
}

/// Whether the address is on the stack of this thread, where private variables may be.
bool is_on_stack(std::uint64_t address) {
  static constinit thread_local std::pair<std::uint64_t, std::uint64_t> stack{0, 0};
  if (stack.second == 0) {
    pthread_attr_t attributes;
    void* begin = nullptr;
    std::size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      pthread_attr_getstack(&attributes, &begin, &bytes);
      pthread_attr_destroy(&attributes);
    }
    stack = {reinterpret_cast<std::uintptr_t>(begin), std::max<std::size_t>(bytes, 1)};
  }
  return address - stack.first < stack.second;
}

bool is_mapped(std::uint64_t address) {
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(address & ~(host::page_bytes() - 1)), 1, &resident) == 0;
}

/// What a group knows of others: after an atomic operation on global memory and a fence it has seen what they wrote
/// before theirs.
struct GroupOrder {
  const void* launch = nullptr;
  std::uint64_t group = 0;  ///< bits of a record: epoch and group
  bool used_atomic = false;
  bool ordered = false;
};
constinit thread_local GroupOrder t_order;

GroupOrder& order_of(const void* launch, std::uint64_t record) {
  const std::uint64_t group = record >> race_record::kGroupShift;
  if (t_order.launch != launch || t_order.group != group) t_order = {launch, group};
  return t_order;
}

/// What the first work-item of a group has brought to the barrier before a copy or a wait. The work-items of a group
/// come one after the other, in the same order each time.
struct GroupArrival {
  const void* launch = nullptr;
  const char* place = nullptr;
  Sizes group{};
  std::uint64_t first_item = 0;
  std::uint64_t digest = 0;
};
constinit thread_local GroupArrival t_arrival;

/// Most events of one wait that are looked at.
constexpr std::uint64_t kMostEvents = 256;

/// The events of a wait; none where they cannot be read.
std::span<const std::uint64_t> events_at(std::uint64_t address, std::uint64_t count) {
  if (address < kNullBytes || address % alignof(std::uint64_t) != 0 || !is_mapped(address)) return {};
  return {reinterpret_cast<const std::uint64_t*>(address), std::min(count, kMostEvents)};
}

std::string access_name(const CheckCall& call) {
  if ((call.flags & atomic) != 0) return (call.flags & writes) != 0 ? "atomic write" : "atomic read";
  return (call.flags & writes) != 0 ? "write" : "read";
}

}  // namespace

LaunchChecks::LaunchChecks(CheckedLaunch launch) : launch_(std::move(launch)) {
  begin_reports();
}

RunRecords* LaunchChecks::records_of(const Event* command) noexcept try {
  if ((config().check.kinds & race) == 0) return nullptr;
  const MutexLock lock(mutex_);
  return &records_.try_emplace(command, launch_.info, launch_.bounds, launch_.variables).first->second;
} catch (const std::bad_alloc&) {
  return nullptr;
}

std::uint64_t LaunchChecks::call(const lanewise_worker& worker, WorkerRecords& records, std::uint64_t what,
                                 const char* place, std::uint64_t address, std::uint64_t value, std::uint64_t item,
                                 std::uint64_t local) noexcept {
  const CheckCall call = CheckCall::of(what);
  try {
    switch (call.event) {
      case CheckEvent::outside:
        outside(call, place, address, value, item);
        return 0;
      case CheckEvent::find:
        return find(worker, call, place, address, item) ? 1 : 0;
      case CheckEvent::shared:
      case CheckEvent::recorded:
        share(worker, records, {call, place, address, value, item, local});
        return 1;
      case CheckEvent::fence: {
        GroupOrder& order = order_of(this, item);
        order.ordered = order.ordered || order.used_atomic;
        return 1;
      }
      case CheckEvent::arithmetic:
      case CheckEvent::undefined:
        note_operation(call.event == CheckEvent::arithmetic ? "arith" : "init", operation, place, item);
        return 1;
      case CheckEvent::copies:
        arrive(other_copy, address, place, item);
        return 1;
      case CheckEvent::waits: {
        std::uint64_t digest = value;
        for (const std::uint64_t event : events_at(address, value)) {
          digest = digest * 31 + event;
          if (event == 0) note_operation("barrier", no_copy, place, item);
        }
        arrive(other_events, digest, place, item);
        return 1;
      }
      case CheckEvent::texel:
        note({place, nullptr, outside_image}, [&] {
          FaultReport report{.check = "memory", .reason = kReasons[outside_image]};
          report.spot = spot_of(place, call, {.item = item, .linear = true});
          report.target = target_of(place, address);
          report.target->offset.reset();
          report.target->bytes = 0;
          report.target->texel = {static_cast<std::int32_t>(address), static_cast<std::int32_t>(address >> 32U),
                                  static_cast<std::int32_t>(value)};
          return report;
        });
        return 1;
    }
  } catch (const std::exception&) {
    return call.event == CheckEvent::outside ? 0 : 1;
  }
  return 1;
}

template <class Describe>
void LaunchChecks::note(const Key& key, const Describe& describe) {
  const MutexLock lock(mutex_);
  const auto [found, fresh] = reports_.try_emplace(key);
  if (fresh) {
    found->second = describe();
    found->second.kernel = launch_.info.name;
  }
  ++found->second.count;
  found_.store(true, std::memory_order_relaxed);
}

void LaunchChecks::note_operation(const char* check, int reason, const char* place, std::uint64_t item) {
  note({place, nullptr, reason}, [&] {
    const auto index = static_cast<std::size_t>(reason);
    return FaultReport{.check = check,
                       .reason = reason == operation ? std::string(PlaceText(place).name()) : kReasons[index],
                       .spot = spot_of(place, {.event = CheckEvent::arithmetic}, {.item = item, .linear = true})};
  });
}

void LaunchChecks::arrive(int reason, std::uint64_t digest, const char* place, std::uint64_t item) {
  Spot spot;
  locate(spot, {.item = item, .linear = true});
  GroupArrival& first = t_arrival;
  if (first.launch != this || first.place != place || first.group != spot.group || first.first_item == item)
    first = {this, place, spot.group, item, digest};
  if (digest != first.digest) note_operation("barrier", reason, place, item);
}

void LaunchChecks::outside(const CheckCall& call, const char* place, std::uint64_t address, std::uint64_t begin,
                           std::uint64_t item) {
  const PlaceText fields(place);
  std::uint64_t size = fields.bytes();
  const bool is_argument = fields.kind() == "argument";
  if (is_argument && fields.number(4) < launch_.bounds.size()) size = size_of(launch_.bounds[fields.number(4)]);
  FaultReason reason = misaligned;
  const bool is_forbidden = is_argument && fields.number(4) < launch_.bounds.size() &&
                            ((call.flags & writes) != 0 ? launch_.bounds[fields.number(4)].writable
                                                        : launch_.bounds[fields.number(4)].readable) == 0;
  if (!is_within(address, call.bytes, begin, size)) {
    reason = static_cast<std::int64_t>(address - begin) < 0 ? before_begin : beyond_end;
    if (is_argument && begin == 0 && size == 0) reason = null_pointer;
  } else if (is_forbidden) {
    reason = (call.flags & writes) != 0                           ? read_only
             : is_unwritten(reinterpret_cast<const void*>(begin)) ? unwritten
                                                                  : write_only;
  } else if ((address & ((std::uint64_t{1} << call.align_log2) - 1)) == 0) {
    return;  // the other operand of a copy is outside
  }
  note({place, nullptr, reason}, [&] {
    FaultReport report{.check = reason == unwritten ? "init" : "memory", .reason = kReasons[reason]};
    report.spot = spot_of(place, call, {.item = item, .linear = true});
    report.target = target_of(place, address);
    report.target->offset = static_cast<std::int64_t>(address - begin);
    report.target->bytes = size;
    return report;
  });
}

bool LaunchChecks::find(const lanewise_worker& worker, const CheckCall& call, const char* place, std::uint64_t address,
                        std::uint64_t item) {
  std::optional<FaultReason> reason;
  std::optional<KnownMemory> memory;
  const auto is_in = [&](const lanewise_bounds& range) {
    return is_within(address, call.bytes, range.begin, range.readable);
  };
  if (address < kNullBytes) {
    reason = null_pointer;
  } else if ((address & ((std::uint64_t{1} << call.align_log2) - 1)) != 0) {
    reason = misaligned;
  } else if (is_within(address, call.bytes, worker.local_memory, launch_.local_bytes) ||
             is_within(address, call.bytes, worker.item_scratch, worker.item_bytes) ||
             is_within(address, call.bytes, worker.group_scratch, worker.group_bytes) || is_on_stack(address) ||
             std::any_of(launch_.variables.begin(), launch_.variables.end(), is_in)) {
    return true;
  } else {
    memory = find_memory(address);
    if (!memory) {
      // It may be the application's: every pointer works in a kernel.
      if (!is_mapped(address)) reason = unmapped;
    } else if (memory->released) {
      reason = released;
    } else if (!is_within(address, call.bytes, memory->begin, memory->bytes)) {
      reason = crossing;
    }
  }
  if (!reason) return true;
  note({place, nullptr, *reason}, [&] {
    return FaultReport{.check = "memory",
                       .reason = kReasons[*reason],
                       .spot = spot_of(place, call, {.item = item, .linear = true}),
                       .target = FaultTarget{.kind = "memory", .offset = static_cast<std::int64_t>(address)}};
  });
  return false;
}

void LaunchChecks::share(const lanewise_worker& worker, WorkerRecords& records, const SharedCall& made) {
  const CheckCall& call = made.call;
  const bool in_local = is_within(made.address, call.bytes, worker.local_memory, worker.local_bytes);
  if (!in_local && (is_within(made.address, 1, worker.item_scratch, worker.item_bytes) ||
                    is_within(made.address, 1, worker.group_scratch, worker.group_bytes) || is_on_stack(made.address)))
    return;
  GroupOrder& order = order_of(this, made.global_record);
  const auto has = [&](unsigned flags) { return (call.flags & flags) == flags; };
  // Only who uses what an atomic operation has read can know that others are done.
  if (has(atomic | reads) && !in_local) {
    order.used_atomic = true;
    order.ordered = order.ordered || has(acquires);
  }
  SharedAccess access{.address = made.address,
                      .bytes = call.bytes,
                      .record = (in_local ? made.local_record : made.global_record) | call.place,
                      .writes = has(writes),
                      .ordered = order.ordered};
  if (has(atomic)) access.record |= race_record::kAtomic;
  if (has(any_item)) access.record |= race_record::kSeveralItems;
  if (in_local)
    access.meeting = Meeting::in_group;
  else if (has(linear))
    access.meeting = Meeting::without_groups;
  if (call.event == CheckEvent::recorded)
    access.step = AccessStep::recorded;
  else if (has(after))
    access.step = AccessStep::made;
  else if (has(writes | has_value) && !has(atomic))
    access.step = AccessStep::announced;
  const std::uint64_t before = records.touch(access, in_local ? call.local_granule : call.global_granule);
  if (before != 0) report_race(made, access, before);
}

LaunchChecks::Who LaunchChecks::who_of(std::uint64_t record, bool is_linear) {
  using namespace race_record;
  if (is_linear)
    return {.item = (record & kSeveralIds) >> kItemShift,
            .linear = true,
            .one_item = (record & kSeveralIds) != kSeveralIds,
            .one_group = (record & kSeveralIds) != kSeveralIds};
  return {.item = (record & kSeveralItems) >> kItemShift,
          .group = (record & kSeveralGroups) >> kGroupShift,
          .one_item = (record & kSeveralItems) != kSeveralItems,
          .one_group = (record & kSeveralGroups) != kSeveralGroups};
}

const std::vector<LaunchChecks::RacePlace>& LaunchChecks::race_places(const char* texts) {
  std::call_once(read_places_, [&] {
    for (const char* text = texts; *text != 0;) {
      const char* end = text;
      for (unsigned field = 0; field < kFields; ++field) end = std::strchr(end, kFieldEnd) + 1;
      std::uint64_t packed = 0;
      const char* next = std::strchr(end, kFieldEnd);
      std::from_chars(end, next, packed);
      race_places_.push_back({text, CheckCall::of(packed)});
      text = next + 1;
    }
  });
  return race_places_;
}

void LaunchChecks::report_race(const SharedCall& made, const SharedAccess& access, std::uint64_t before) {
  const std::vector<RacePlace>& all = race_places(made.places);
  const std::uint64_t number = before & race_record::kPlaces;
  if (number >= all.size() || made.call.place >= all.size()) return;
  const RacePlace& other = all[number];
  const RacePlace& place = all[made.call.place];
  // Who writes what is there already changes nothing.
  const void* written = made.call.bytes <= sizeof made.value ? &made.value : reinterpret_cast<const void*>(made.value);
  if ((made.call.flags & other.call.flags & has_value) != 0 &&
      std::memcmp(reinterpret_cast<const void*>(made.address), written, made.call.bytes) == 0)
    return;
  const bool is_linear = access.meeting == Meeting::without_groups;
  note({place.text, other.text, no_order}, [&] {
    FaultReport report{.check = "race", .reason = kReasons[no_order]};
    report.spot = spot_of(place.text, made.call, who_of(access.record, is_linear));
    report.other = spot_of(other.text, other.call, who_of(before, is_linear));
    report.target = target_of(place.text, made.address);
    return report;
  });
}

void LaunchChecks::divergent_barrier(std::uint64_t group, const char* site) noexcept try {
  note({site, nullptr, operation}, [&] {
    const std::string_view text(site);
    const std::size_t colon = text.rfind(':');
    FaultReport report{.check = "barrier", .reason = "not all work-items of the group reach the barrier"};
    if (colon != std::string_view::npos) {
      report.spot.file = text.substr(0, colon);
      std::from_chars(text.data() + colon + 1, text.data() + text.size(), report.spot.line);
    }
    locate(report.spot, {.group = group, .one_item = false});
    return report;
  });
} catch (const std::exception&) {
  return;
}

FaultTarget LaunchChecks::target_of(const char* place, std::uint64_t address) const {
  const PlaceText fields(place);
  const auto absolute = static_cast<std::int64_t>(address);
  FaultTarget target{.kind = std::string(fields.kind()), .name = std::string(fields.name()), .bytes = fields.bytes()};
  std::size_t argument = launch_.bounds.size();
  if (target.kind == "argument") argument = fields.number(4);
  for (std::size_t i = 0; target.kind.empty() && i < launch_.bounds.size(); ++i) {
    const lanewise_bounds& range = launch_.bounds[i];
    if (range.begin != 0 && is_within(address, 1, range.begin, size_of(range))) argument = i;
  }
  if (argument < launch_.bounds.size()) {
    target = {.kind = "argument",
              .name = launch_.info.args[argument].name,
              .number = argument,
              .bytes = size_of(launch_.bounds[argument])};
    if (launch_.info.args[argument].kind != abi::ArgKind::local_pointer)
      target.offset = static_cast<std::int64_t>(address - launch_.bounds[argument].begin);
  } else if (target.kind.empty()) {
    target = {.kind = "memory", .offset = absolute};
  }
  return target;
}

Spot LaunchChecks::spot_of(const char* place, const CheckCall& call, const Who& who) const {
  const PlaceText fields(place);
  Spot spot{.file = std::string(fields.file()), .line = fields.line(), .column = fields.column()};
  if (call.event != CheckEvent::arithmetic && call.event != CheckEvent::undefined) {
    spot.access = access_name(call);
    spot.bytes = call.bytes;
  }
  locate(spot, who);
  return spot;
}

void LaunchChecks::locate(Spot& spot, const Who& who) const {
  lanewise_launch sizes = launch_.sizes;
  spot.one_item = who.one_item;
  spot.one_group = who.one_group;
  const auto exchange = [&](auto& of) { std::swap(of[0], of[launch_.info.shape.first_dimension]); };
  if (who.linear) {
    // Ids are in the source's order of dimensions, sizes in the code's.
    for (auto* of : {&sizes.global_offset, &sizes.global_size, &sizes.local_size}) exchange(*of);
    std::uint64_t rest = who.item;
    for (unsigned d = 0; d < 3; ++d) {
      const std::uint64_t id = rest % sizes.global_size[d];
      rest /= sizes.global_size[d];
      spot.item[d] = id + sizes.global_offset[d];
      spot.group[d] = id / sizes.local_size[d];
    }
    return;
  }
  std::uint64_t rest = who.group;
  std::uint64_t local = who.item;
  for (unsigned d = 0; d < 3; ++d) {
    spot.group[d] = rest % sizes.group_count[d];
    rest /= sizes.group_count[d];
    const std::uint64_t first = spot.group[d] * sizes.local_size[d];
    const std::uint64_t size = std::min(sizes.local_size[d], sizes.global_size[d] - first);
    spot.item[d] = sizes.global_offset[d] + first + local % size;
    local /= size;
  }
  exchange(spot.item);
  exchange(spot.group);
}

void LaunchChecks::finish(const Event* command) noexcept try {
  std::vector<FaultReport> found;
  {
    const MutexLock lock(mutex_);
    records_.erase(command);
    for (auto& [key, report] : reports_) found.push_back(std::move(report));
    reports_.clear();
  }
  // In the order of the source.
  std::sort(found.begin(), found.end(), [](const FaultReport& a, const FaultReport& b) {
    return std::tie(a.spot.line, a.spot.column, a.reason) < std::tie(b.spot.line, b.spot.column, b.reason);
  });
  publish(std::move(found));
} catch (const std::exception&) {
  return;
}

}  // namespace lanewise::check
