// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/tier/tiers.h"

#include <CL/cl.h>

#include <exception>
#include <utility>

#include "include/lanewise/build_flags.h"
#include "runtime/code/build_cache.h"
#include "runtime/code/build_tasks.h"
#include "runtime/code/description.h"
#include "runtime/process/fork_guard.h"
#include "runtime/tier/executable.h"
#include "runtime/tier/launch_class.h"
#include "runtime/trace/trace.h"
#include "src/config/config.h"
#include "src/file/scarce.h"
#include "src/host/cancellation.h"
#include "src/log/log.h"

namespace lanewise {

namespace {

/// Processor time that a compile takes for an instruction of a work-item, which inlining and the vectoriser see, and
/// for one of the first code, which the passes after them do: together within half and twice of what most of the
/// kernels of six programs took, four of twenty outside. (The code alone says little: a hash function that is half of a
/// second's compile becomes 1,000 instructions or 27,000.) A kernel is not hot before its launches have taken as long
/// as its compile will: an application that ends soon loses little by waiting, and one that runs on loses as little.
/// Launches during a compile take up to 1.4 times their time, because the system takes a thread its processor away for
/// some milliseconds.
constexpr std::uint64_t kItemNanoseconds = 100'000;
constexpr std::uint64_t kCodeNanoseconds = 50'000;

/// So many times as long where a kernel's own vectors fill registers: code of such hash functions gained a thirtieth at
/// most (SHA-1, SHA-256 and SHA-512 of hashcat, three rounds each).
constexpr std::uint64_t kNextToNothing = 32;

/// Debug modes, and programs built with -cl-opt-disable, keep the code that they were built with.
bool is_wanted(const Artifact& artifact) {
  return config().tier != Tier::first && config().check.kinds == 0 && !log_enabled(Channel::barriers) &&
         artifact.options.find(text_of(BuildFlag::opt_disable)) == std::string::npos && !artifact.reply.ir.empty();
}

/// The generic code has a constant local size already.
bool knows_local_size(const abi::KernelInfo& info) {
  return info.reqd_work_group_size[0] != 0;
}

// CodeSettings::vector_width.
constexpr unsigned kScalar = 1;

/// Without the program's IR.
abi::Specialise request_for(const Tiers::Place& place, unsigned width, bool private_copies) {
  const Artifact& artifact = *place.executable->artifact;
  const abi::KernelInfo& info = place.executable->info(place.kernel);
  return {.program = {},
          .launches = {.kernel = info.name,
                       .local_size = place.local,
                       .known_arguments = known_arguments_of(info, place.launch_class.arguments),
                       .private_copies = private_copies,
                       .first_dimension = info.shape.first_dimension,
                       .team_groups = width == kScalar ? 0 : place.launch_class.team_groups,
                       .iteration_lanes = config().vectorize ? 1U : 0U,
                       .distinct_buffers = place.launch_class.distinct_buffers},
          .code = {.isa = artifact.isa,
                   .vector_width = width,
                   .report_vectors = log_enabled(Channel::vectorize) || trace::on(),
                   .zero_private = artifact.zero_private}};
}

}  // namespace

std::uint64_t Tiers::take_identities(std::size_t kernels) {
  static constinit std::atomic<std::uint64_t> next{1};
  return next.fetch_add(kernels, std::memory_order_relaxed);
}

std::uint64_t Tiers::key_of(const Sizes& local) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 21U;
  if (local[0] >= kMost || local[1] >= kMost || local[2] >= kMost) return 0;
  return local[0] | local[1] << 21U | local[2] << 42U;
}

/// Two threads that come first at once may take two slots for the same; the second then stays without code.
Tiers::Slot* Tiers::slot_of(Slots& slots, std::uint64_t key, const LaunchClass& launch_class) {
  for (Slot& slot : slots) {
    std::uint64_t found = slot.key.load(std::memory_order_acquire);
    if (found == kFree && slot.key.compare_exchange_strong(found, kTaken, std::memory_order_acquire)) {
      slot.launch_class = launch_class;
      slot.key.store(key, std::memory_order_release);
      return &slot;
    }
    if (found == key && slot.launch_class == launch_class) return &slot;
  }
  return nullptr;
}

unsigned Tiers::width_of(Kind kind) {
  return kind == Kind::scalar || !config().vectorize ? kScalar : config().width.items;
}

bool Tiers::pays_early(const Place& place, Kind kind) {
  if (kind == Kind::copies) return true;
  if (width_of(kind) == kScalar) return false;
  return place.launch_class.gains_much() || place.executable->info(place.kernel).has_barrier;
}

std::uint64_t Tiers::hot_after(const Place& place, Kind kind) {
  const abi::KernelInfo& info = place.executable->info(place.kernel);
  const std::uint64_t compile = info.instructions.item * kItemNanoseconds + info.instructions.code * kCodeNanoseconds;
  if (kind == Kind::copies || place.launch_class.gains_much()) return std::max(kSoonHotNanoseconds, compile / 2);
  if (info.own_vectors) return std::max(kHotNanoseconds, kNextToNothing * compile);
  if (knows_local_size(info)) return std::max(kHotNanoseconds, kLittleGain * compile);
  return std::max(pays_early(place, kind) ? kSoonHotNanoseconds : kHotNanoseconds, compile);
}

SecondTierForms Tiers::Place::forms(std::uint64_t ns, LaunchTraits launch) const {
  return executable->tiers->forms_for(*this, ns, launch);
}

SecondTierForms Tiers::forms_for(Place place, std::uint64_t ns, LaunchTraits launch) {
  OfKernel& kernel = kernels_[place.kernel];
  if (!kernel.forms_teams.load(std::memory_order_acquire)) place.launch_class.team_groups = 0;
  const std::uint64_t key = key_of(place.local);
  Slot* slot = key == 0 ? nullptr : slot_of(kernel.slots, key, place.launch_class);
  if (slot == nullptr) return {};
  if (launch.may_use_copies)
    if (const SecondTierCode* copies = book(place, slot->copies, Kind::copies, ns)) return {.copies = copies};
  SecondTierForms forms{.best = book(place, slot->best, Kind::best, ns)};
  if (launch.lanes == LaneUse::few) {
    forms.scalar = book(place, slot->scalar, Kind::scalar, ns);
  } else if (launch.lanes == LaneUse::all && forms.best != nullptr) {
    forms.scalar = book(place, slot->scalar, Kind::scalar, ns / kStaysHot);
    if (forms.scalar == nullptr) return forms;
    const Contest::Verdict verdict = forms.scalar->rivalry->contest.verdict();
    if (verdict == Contest::Verdict::scalar) return {.best = forms.scalar};
    if (verdict == Contest::Verdict::lanes) return {.best = forms.best};
  }
  return forms;
}

const SecondTierCode* Tiers::book(const Place& place, CodeRecord& order, Kind kind, std::uint64_t ns) {
  if (const SecondTierCode* code = order.code.load(std::memory_order_acquire)) return code;
  if (order.asked.load(std::memory_order_relaxed)) return nullptr;
  const std::uint64_t spent = order.ns.load(std::memory_order_relaxed) + ns;
  const std::uint32_t launches = order.launches.load(std::memory_order_relaxed) + 1;
  order.ns.store(spent, std::memory_order_relaxed);
  order.launches.store(launches, std::memory_order_relaxed);
  const bool early = pays_early(place, kind);
  const bool hot = launches >= kHotLaunches && spent >= hot_after(place, kind);
  CodeSource effort = CodeSource::compiler;
  if (!hot && config().tier != Tier::second) {
    // What an earlier process has found hot is there from the first launch on.
    if (!early || !config().cache || order.asked_cache.exchange(true, std::memory_order_relaxed)) return nullptr;
    effort = CodeSource::cache;
  } else if (order.asked.exchange(true, std::memory_order_relaxed)) {
    return nullptr;
  }
  make(place, order, kind, effort);
  return order.code.load(std::memory_order_acquire);
}

void Tiers::make(const Place& place, CodeRecord& order, Kind kind, CodeSource effort) {
  if (!is_wanted(*place.executable->artifact) || in_forked_child()) return;
  if (config().tier == Tier::second) return specialise(place, order, kind, effort);
  try {
    // The task keeps the executable, and with it this object and the order.
    auto task = [this, executable = place.executable, kernel = place.kernel, local = place.local,
                 launch_class = place.launch_class, &order, kind,
                 effort] { specialise({executable, kernel, local, launch_class}, order, kind, effort); };
    (void)run_in_background(std::move(task), effort == CodeSource::cache ? Urgency::awaited : Urgency::hidden);
  } catch (const std::exception& error) {  // no memory or thread: the kernel stays as it is
    log_line(Channel::build, "no second tier: %s", error.what());
  }
}

void Tiers::specialise(const Place& place, CodeRecord& order, Kind kind, CodeSource effort) try {
  const host::CancellationHeld held;  // a launch that waits for its code holds nothing off itself
  const abi::Request request = request_for(place, width_of(kind), kind == Kind::copies);
  const ProgramIr& ir = place.executable->ir;
  const std::string& kernel = place.executable->info(place.kernel).name;
  if (effort == CodeSource::cache) {
    if (const auto reply = cached_reply(cache_key(request, &ir))) (void)publish(place, order, kind, *reply);
    return;
  }
  const auto made = [&](const Result<abi::Reply>& answer) {
    if (answer) return publish(place, order, kind, answer.value());
    log_line(Channel::build, "no second tier for kernel %s: %s", kernel.c_str(), answer.error().message.c_str());
    return true;
  };
  if (!made(cached_run(request, &ir))) (void)made(run_anew(request, &ir));
} catch (const std::exception& error) {
  log_line(Channel::build, "no second tier: %s", error.what());
}

bool Tiers::publish(const Place& place, CodeRecord& order, Kind kind, const abi::Reply& reply) {
  const abi::KernelInfo& generic = place.executable->info(place.kernel);
  const auto give_up = [&](const char* why) {
    log_line(Channel::build, "no second tier for kernel %s: %s", generic.name.c_str(), why);
    return reply.status != CL_SUCCESS;
  };
  if (reply.status != CL_SUCCESS || reply.kernels.size() != 1) return give_up(reply.log.c_str());
  if (const auto checked = check_description(reply); !checked) return give_up(checked.error().message.c_str());
  show_vectors(reply.loops);
  const abi::KernelInfo& info = reply.kernels.front();
  // Argument blocks, local memory and variables have the layout of the generic code.
  if (info.name != generic.name || info.args_bytes != generic.args_bytes || info.local_bytes != generic.local_bytes ||
      info.uses_print != generic.uses_print || info.enqueues != generic.enqueues ||
      reply.variables != place.executable->artifact->reply.variables)
    return give_up("its description differs");
  auto code_object = file::retry_when_scarce([&] { return CodeObject::open(reply.code_object); });
  if (!code_object) return give_up(code_object.error().message.c_str());
  auto code = std::make_unique<SecondTierCode>();
  code->code_object = std::move(code_object).value();
  code->run = code->code_object->symbol(info.symbol);
  code->item_bytes = info.item_bytes;
  code->group_bytes = info.group_bytes;
  code->row_items = info.shape.row_items;
  code->team_groups = info.shape.team_groups;
  if (kind == Kind::scalar) code->rivalry = std::make_unique<SecondTierCode::Rivalry>();
  if (code->run == nullptr) return give_up("its code object has no code");
  const SecondTierCode* published = code.get();
  {
    const MutexLock lock(mutex_);
    made_.push_back(std::move(code));
  }
  order.asked.store(true, std::memory_order_relaxed);
  order.code.store(published, std::memory_order_release);
  if (kind == Kind::best && place.launch_class.team_groups != 0 && info.shape.team_groups == 0)
    share(place, *published);
  if (trace::on()) [[unlikely]]
    trace::add_task(0, "tier", "second tier of " + generic.name + " is ready");
  const auto size = [&](unsigned i) { return static_cast<unsigned long long>(place.local[i]); };
  log_line(Channel::build, "second tier of kernel %s for groups of %llu x %llu x %llu%s%s%s", generic.name.c_str(),
           size(0), size(1), size(2), place.launch_class.arguments != 0 ? ", for its formats" : "",
           width_of(kind) == kScalar     ? ", one work-item at a time"
           : info.shape.team_groups != 0 ? ", in teams"
                                         : "",
           kind == Kind::copies ? ", for private copies" : "");
  return true;
}

void Tiers::share(const Place& place, const SecondTierCode& code) {
  OfKernel& kernel = kernels_[place.kernel];
  LaunchClass few_groups = place.launch_class;
  few_groups.team_groups = 0;
  if (Slot* slot = slot_of(kernel.slots, key_of(place.local), few_groups)) {
    slot->best.asked.store(true, std::memory_order_relaxed);
    slot->best.code.store(&code, std::memory_order_release);
  }
  kernel.forms_teams.store(false, std::memory_order_release);
}

}  // namespace lanewise
