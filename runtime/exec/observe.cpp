// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/observe.h"

#include <sched.h>

#include <array>
#include <cstdio>
#include <exception>

#include "include/lanewise/api_names.h"
#include "runtime/exec/command.h"
#include "runtime/exec/described.h"
#include "runtime/trace/trace.h"
#include "src/base/clock.h"
#include "src/config/config.h"
#include "src/host/thread_limits.h"
#include "src/host/topology.h"
#include "src/log/log.h"

namespace lanewise::observe {

constinit std::atomic<bool> g_on{false};

namespace {

using Number = unsigned long long;

/// "0-3,8"
std::string text_of(const host::CpuList& cpus) {
  std::string text;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(cpus[first]);
    if (last > first) text += "-" + std::to_string(cpus[last]);
    first = last + 1;
  }
  return text;
}

WorkFacts facts_of(const Command& command) noexcept {
  const auto* described = dynamic_cast<const Described*>(command.execution.work());
  return described == nullptr ? WorkFacts() : described->facts();
}

/// The name of the kernel, or the type of the command in words.
std::string name_of(const Command& command, const WorkFacts& facts) {
  return std::string(facts.name.empty() ? std::string_view(command_words(command.type())) : facts.name);
}

std::string sizes_text(const Sizes& sizes) {
  return "[" + std::to_string(sizes[0]) + "," + std::to_string(sizes[1]) + "," + std::to_string(sizes[2]) + "]";
}

/// The details of the trace: members of a JSON object.
std::string members_of(const WorkFacts& facts) {
  std::string members;
  const auto add = [&](const char* name, const std::string& value) {
    members += std::string(members.empty() ? "\"" : ",\"") + name + "\":" + value;
  };
  if (facts.global[0] != 0) {
    add("global", sizes_text(facts.global));
    add("local", sizes_text(facts.local));
  }
  if (facts.bytes != 0) add("bytes", std::to_string(facts.bytes));
  if (facts.operations != 0) add("operations", std::to_string(facts.operations));
  return members;
}

/// The command at the begin of a line: "command 5 (kernel add)".
std::string title_of(const Command& command) {
  return "command " + std::to_string(command.order.number) + " (" + name_of(command, facts_of(command)) + ")";
}

}  // namespace

void begin(unsigned threads, unsigned nodes, const host::CpuList& cpus, bool confined) {
  g_on.store(trace::on() || log_enabled(Channel::scheduler), std::memory_order_relaxed);
  if (!log_enabled(Channel::scheduler)) return;
  host::ThreadLimits limits = host::thread_limits();
  limits.allowed = static_cast<unsigned>(cpus.size());  // when the device was found; this thread may be bound since
  const std::string why = confined ? std::string("a sub-device") : limits.text();
  log_line(Channel::scheduler,
           "%u compute units: %s; workers run on processors %s, waiting threads %s; %u %s of processors", threads,
           why.c_str(), text_of(cpus).c_str(), confined ? "too" : "wherever the application lets them", nodes,
           nodes == 1 ? "node" : "nodes");
  if (const std::string hint = limits.hint(); !hint.empty()) log_line(Channel::scheduler, "%s", hint.c_str());
}

Enqueue::Enqueue(Command& command, std::span<Event* const> waits)
    : begin_(now_ns()), queue_(reinterpret_cast<std::uintptr_t>(&command.owner())), type_(command.type()) {
  command.order.number = trace::next_number();
  command_ = command.order.number;
  if (!trace::on()) return;
  const WorkFacts facts = facts_of(command);
  text_ = name_of(command, facts) + '\n' + members_of(facts);
  for (const Event* before : waits) {
    const auto* other = dynamic_cast<const Command*>(before);
    if (other != nullptr && other->order.number != 0)
      trace::add({.begin = begin_, .id = command_, .value = other->order.number, .kind = trace::RecordKind::wait});
  }
}

Enqueue::~Enqueue() {
  if (!trace::on()) return;
  trace::add({.begin = begin_,
              .end = now_ns(),
              .id = command_,
              .value = queue_,
              .extra = type_,
              .kind = trace::RecordKind::enqueue},
             text_);
}

void ready(const Command& command) noexcept {
  if (trace::on()) trace::add({.begin = now_ns(), .id = command.order.number, .kind = trace::RecordKind::ready});
}

void divided(const Command& command, unsigned threads) noexcept try {
  if (!log_enabled(Channel::scheduler)) return;
  const WorkDivision& division = command.execution.division();
  const std::uint64_t cost = command.execution.cost_ns();
  std::array<char, 64> known{};
  std::snprintf(known.data(), known.size(), cost == 0 ? "cost not known" : "about %.1f us on one thread",
                static_cast<double>(cost) / 1000);
  const bool groups = facts_of(command).global[0] != 0;
  log_line(Channel::scheduler, "%s: %llu %s, %s; %s%llu at once, in multiples of %llu", title_of(command).c_str(),
           static_cast<Number>(division.count()), groups ? "groups" : "pieces", known.data(),
           division.one_chunk() || threads == 1 ? "one thread begins with " : "threads take first ",
           static_cast<Number>(std::min(division.chunk(), division.count())), static_cast<Number>(division.grain()));
} catch (const std::exception&) {
  return;  // no memory: the line is lost
}

void ran(const Command& command, const Pieces& pieces, std::uint64_t begin) noexcept try {
  const std::uint64_t end = now_ns();
  if (trace::on()) {
    const char* code = trace::take_code();
    trace::add({.begin = begin,
                .end = end,
                .id = command.order.number,
                .value = pieces.first,
                .extra = static_cast<std::uint32_t>(std::min<std::uint64_t>(pieces.count(), ~0U)),
                .kind = trace::RecordKind::run},
               code == nullptr ? "" : code);
  }
  if (!log_enabled(Channel::scheduler)) return;
  log_line(Channel::scheduler, "%s: [%llu, %llu) on processor %d took %.1f us", title_of(command).c_str(),
           static_cast<Number>(pieces.first), static_cast<Number>(pieces.last), sched_getcpu(),
           static_cast<double>(end - begin) / 1000);
} catch (const std::exception&) {
  return;  // no memory: the line is lost
}

void ended(const Command& command, std::int32_t status) noexcept try {
  if (trace::on())
    trace::add({.begin = now_ns(),
                .id = command.order.number,
                .value = static_cast<std::uint64_t>(std::int64_t{status}),
                .kind = trace::RecordKind::end});
  if (status < 0 && log_enabled(Channel::scheduler))
    log_line(Channel::scheduler, "command %u (%s) ended with %s (%d)", command.order.number,
             command_words(command.type()), error_name(status), status);
} catch (const std::exception&) {
  return;  // no memory: the line is lost
}

}  // namespace lanewise::observe
