// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/writer.h"

#include <CL/cl.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "include/lanewise/version.h"
#include "runtime/trace/buffers.h"
#include "runtime/trace/json.h"
#include "runtime/trace/programs.h"
#include "src/config/config.h"
#include "src/file/chosen_file.h"
#include "src/host/cpu.h"
#include "src/host/thread_limits.h"
#include "src/host/topology.h"

namespace lanewise::trace {

namespace {

/// Queues are shown as processes beside the real one. Linux gives no process such a number.
constexpr std::uint64_t kFirstQueue = std::uint64_t{1} << 30U;

/// A record with its text and its thread.
struct Item {
  Record record;
  std::string_view text;
  pid_t thread = 0;
  std::size_t number = 0;  ///< position in the order of reading
};

/// What is known of a command.
struct TracedCommand {
  std::string_view name;
  std::string_view details;
  std::uint64_t queue = 0;
  std::uint32_t type = 0;  ///< CL_COMMAND_*
  std::uint64_t begin = 0;
  std::uint64_t ready = 0;
  std::uint64_t first_run = 0;  ///< when the first chunk began; 0: none did
  std::uint64_t last_run = 0;   ///< when the last chunk ended
  std::uint64_t end = 0;        ///< 0: it had not ended
  int status = CL_COMPLETE;
  std::vector<std::uint64_t> waits;
};

/// The part of a text before the next line end, which goes.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

class Writer {
 public:
  std::string text() {
    collect();
    out_ = R"({"displayTimeUnit":"ns","traceEvents":[)";
    name_threads();
    for (const Item& item : items_) emit(item);
    for (const auto& [number, command] : commands_) emit_command(number, command);
    name_queues();
    out_ += "\n],\n\"lanewise\":{";
    describe_machine();
    describe_programs();
    out_ += "}}\n";
    return std::move(out_);
  }

 private:
  void collect() {
    for (const ThreadBuffer* buffer = all_buffers(); buffer != nullptr; buffer = buffer->next)
      for_each_record(*buffer, [&](const Record& record, std::string_view text) {
        items_.push_back({record, text, buffer->thread, items_.size()});
      });
    // Records that begin at the same time stay in the order in which they were read.
    std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
      return a.record.begin != b.record.begin ? a.record.begin < b.record.begin : a.number < b.number;
    });
    for (const Item& item : items_) note(item);
    for (const Item& item : items_) last_ = std::max(last_, item.record.end);
  }

  /// Adds what a record says about its command.
  void note(const Item& item) {
    const Record& record = item.record;
    if (record.kind == RecordKind::task || record.kind == RecordKind::note) return;
    TracedCommand& command = commands_[record.id];
    if (record.kind == RecordKind::enqueue) {
      std::string_view rest = item.text;
      command.name = take_line(rest);
      command.details = rest;
      // The address of a queue stands for it, until another one gets the address.
      command.queue = queues_.try_emplace(record.value, queues_.size() + 1).first->second;
      command.type = record.extra;
      command.begin = record.begin;
    } else if (record.kind == RecordKind::wait) {
      command.waits.push_back(record.value);
    } else if (record.kind == RecordKind::ready) {
      command.ready = record.begin;
    } else if (record.kind == RecordKind::run) {
      if (command.first_run == 0) command.first_run = record.begin;
      command.last_run = std::max(command.last_run, record.end);
    } else {
      command.end = record.begin;
      command.status = static_cast<int>(static_cast<std::int64_t>(record.value));
    }
  }

  void separate() { out_ += std::exchange(first_, false) ? "\n" : ",\n"; }

  /// Begins an event; the caller adds the rest and closes it.
  void begin_event(std::string_view phase, std::string_view category, std::string_view name, std::uint64_t process,
                   pid_t thread, std::uint64_t ns) {
    separate();
    out_ += R"({"ph":")";
    out_ += phase;
    out_ += R"(","cat":")";
    out_ += category;
    out_ += R"(","name":)";
    append_quoted(out_, name);
    out_ += ",\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(thread) + ",\"ts\":";
    append_microseconds(out_, ns);
  }
  void duration(const Record& record) {
    out_ += ",\"dur\":";
    append_microseconds(out_, record.end - record.begin);
  }
  void member(std::string_view name, std::uint64_t number) {
    out_ += ",\"";
    out_ += name;
    out_ += "\":" + std::to_string(number);
  }
  void details(std::string_view members) {
    if (members.empty()) return;
    out_ += ',';
    out_ += members;
  }

  void emit(const Item& item) {
    const Record& record = item.record;
    if (record.kind == RecordKind::enqueue) emit_enqueue(item);
    if (record.kind == RecordKind::run) emit_run(item);
    if (record.kind != RecordKind::task && record.kind != RecordKind::note) return;
    std::string_view rest = item.text;
    const std::string_view category = take_line(rest);
    const std::string_view name = take_line(rest);
    const bool task = record.kind == RecordKind::task;
    begin_event(task ? "X" : "i", category, name, process_, item.thread, record.begin);
    if (task) duration(record);
    if (!task) out_ += R"(,"s":"t")";
    out_ += ",\"args\":{";
    out_ += rest;
    out_ += "}}";
  }

  void emit_enqueue(const Item& item) {
    const Record& record = item.record;
    const TracedCommand& command = commands_[record.id];
    begin_event("X", "enqueue", "enqueue " + std::string(command.name), process_, item.thread, record.begin);
    duration(record);
    out_ += R"(,"args":{"command":)" + std::to_string(record.id);
    member("queue", command.queue);
    out_ += "}}";
    if (command.first_run == 0) return;
    begin_event("s", "command", "command", process_, item.thread, record.begin);
    member("id", record.id);
    out_ += '}';
  }

  void emit_run(const Item& item) {
    const Record& record = item.record;
    TracedCommand& command = commands_[record.id];
    const bool kernel = command.type == CL_COMMAND_NDRANGE_KERNEL || command.type == CL_COMMAND_TASK ||
                        command.type == CL_COMMAND_NATIVE_KERNEL;
    begin_event("X", kernel ? "kernel" : "transfer", command.name, process_, item.thread, record.begin);
    duration(record);
    out_ += R"(,"args":{"command":)" + std::to_string(record.id);
    member("first", record.value);
    member("pieces", record.extra);
    if (!item.text.empty()) {
      out_ += ",\"code\":";
      append_quoted(out_, item.text);
    }
    out_ += "}}";
    // Commands whose enqueue was lost have no begin, and so no flow.
    if (command.begin == 0 || record.begin != command.first_run || flown_[record.id]) return;
    flown_[record.id] = true;
    begin_event("f", "command", "command", process_, item.thread, record.begin);
    member("id", record.id);
    out_ += R"(,"bp":"e"})";
  }

  void emit_pair(std::uint64_t number, const TracedCommand& command, std::string_view name, std::uint64_t begin,
                 std::uint64_t end) {
    if (begin >= end) return;
    for (const bool first : {true, false}) {
      begin_event(first ? "b" : "e", "queue", name, kFirstQueue + command.queue, 0, first ? begin : end);
      member("id", number);
      out_ += '}';
    }
  }

  void emit_command(std::uint64_t number, const TracedCommand& command) {
    if (command.begin == 0) return;
    const std::uint64_t end = command.end != 0 ? command.end : std::max(last_, command.begin);
    const std::uint64_t process = kFirstQueue + command.queue;
    begin_event("b", "queue", command.name, process, 0, command.begin);
    member("id", number);
    out_ += R"(,"args":{"command":)" + std::to_string(number);
    details(command.details);
    out_ += ",\"waits_for\":[";
    for (std::size_t i = 0; i < command.waits.size(); ++i)
      out_ += (i == 0 ? "" : ",") + std::to_string(command.waits[i]);
    out_ += "]}}";
    const std::uint64_t ready = std::max(command.ready, command.begin);  // its record may be lost
    emit_pair(number, command, "waits for other commands", command.begin, std::min(ready, end));
    if (command.first_run != 0) {
      emit_pair(number, command, "waits for a thread", ready, std::min(command.first_run, end));
      emit_pair(number, command, "runs", command.first_run, std::min(command.last_run, end));
    }
    begin_event("e", "queue", command.name, process, 0, end);
    member("id", number);
    out_ += R"(,"args":{"status":)" + std::to_string(command.status);
    out_ += command.end == 0 ? ",\"unfinished\":true}}" : "}}";
  }

  void name(std::string_view what, std::uint64_t process, pid_t thread, std::string_view text) {
    separate();
    out_ += R"({"ph":"M","name":")";
    out_ += what;
    out_ += R"(","pid":)" + std::to_string(process) + ",\"tid\":" + std::to_string(thread) + R"(,"args":{"name":)";
    append_quoted(out_, text);
    out_ += "}}";
  }

  void name_threads() {
    name("process_name", process_, 0, "threads");
    for (const ThreadBuffer* buffer = all_buffers(); buffer != nullptr; buffer = buffer->next)
      name("thread_name", process_, buffer->thread, buffer->name);
  }
  void name_queues() {
    for (const auto& [address, queue] : queues_)
      name("process_name", kFirstQueue + queue, 0, "queue " + std::to_string(queue));
  }

  void describe_machine() {
    const host::Cpu cpu = host::read_cpu();
    const auto cpus = host::allowed_cpus();
    out_ += "\"version\":\"" LANEWISE_VERSION "\",\"processor\":";
    append_quoted(out_, cpu.name);
    member("threads", host::thread_limits().usable());
    member("clock_mhz", host::max_clock_mhz(cpus.front()));
    member("vector_bits", host::limited_by_options(cpu.isa.value_or(Isa())).vector_bits());
    member("lost_records", lost_records());
  }

  void describe_programs() {
    out_ += ",\"programs\":[";
    bool first = true;
    for (const TracedProgram& program : kept_programs()) {
      out_ += std::exchange(first, false) ? "\n{\"source\":" : ",\n{\"source\":";
      append_quoted(out_, program.source);
      out_ += ",\"remarks\":";
      append_quoted(out_, program.remarks);
      out_ += '}';
    }
    out_ += ']';
  }

  const std::uint64_t process_ = static_cast<std::uint64_t>(getpid());
  std::vector<Item> items_;
  std::map<std::uint64_t, TracedCommand> commands_;
  std::unordered_map<std::uint64_t, bool> flown_;
  std::map<std::uint64_t, std::uint64_t> queues_;  ///< number of each queue, by its address
  std::uint64_t last_ = 0;
  std::string out_;
  bool first_ = true;
};

}  // namespace

std::string file_text() {
  return Writer().text();
}

void write_file(const std::string& path) {
  const std::string text = file_text();
  const bool written = file::write_chosen(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  std::string line;
  if (!written) line = "lanewise: the trace cannot be written to " + path + ": " + std::strerror(errno) + "\n";
  if (lost_records() != 0)
    line += "lanewise: the trace lacks " + std::to_string(lost_records()) + " records, for which there was no memory\n";
  if (!line.empty()) static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
}

}  // namespace lanewise::trace
