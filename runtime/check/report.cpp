// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/report.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include "runtime/trace/json.h"
#include "src/base/mutex.h"
#include "src/config/config.h"
#include "src/file/chosen_file.h"

namespace lanewise::check {

namespace {

std::string sizes_text(const Sizes& sizes) {
  return "(" + std::to_string(sizes[0]) + "," + std::to_string(sizes[1]) + "," + std::to_string(sizes[2]) + ")";
}

std::string place_text(const Spot& spot) {
  if (spot.line == 0) return "?";
  return (spot.file.empty() ? "?" : spot.file) + ":" + std::to_string(spot.line) + ":" + std::to_string(spot.column);
}

std::string who_text(const Spot& spot) {
  if (!spot.one_group) return "work-items of several groups";
  const std::string group = " of group " + sizes_text(spot.group);
  return (spot.one_item ? "work-item " + sizes_text(spot.item) : "several work-items") + group;
}

std::string access_text(const Spot& spot) {
  if (spot.bytes == 0) return spot.access;
  return spot.access + " of " + std::to_string(spot.bytes) + (spot.bytes == 1 ? " byte" : " bytes");
}

std::string texel_text(const std::array<std::int32_t, 3>& at) {
  return "(" + std::to_string(at[0]) + "," + std::to_string(at[1]) + "," + std::to_string(at[2]) + ")";
}

std::string target_text(const FaultTarget& target) {
  if (target.kind == "memory") {
    char text[32];
    std::snprintf(text, sizeof text, "address 0x%llx", static_cast<unsigned long long>(target.offset.value_or(0)));
    return text;
  }
  std::string text = target.offset ? "offset " + std::to_string(*target.offset) + " of " : std::string();
  if (target.texel) text = "texel " + texel_text(*target.texel) + " of ";
  if (target.kind == "argument") {
    text += "argument " + std::to_string(target.number);
    if (!target.name.empty()) text += " '" + target.name + "'";
  } else {
    const std::string kind = target.kind == "variable" ? "program" : target.kind;
    text += kind + (kind == "image" ? "" : " variable") + (target.name.empty() ? "" : " '" + target.name + "'");
  }
  return target.bytes == 0 ? text : text + " (" + std::to_string(target.bytes) + " bytes)";
}

/// Members of a JSON object, one after the other.
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += "{"; }
  void end() { out_ += "}"; }
  std::string& name(const char* name) {
    out_ += std::exchange(first_, false) ? "\"" : ", \"";
    return (out_ += name) += "\": ";
  }
  void text(const char* member, const std::string& value) { trace::append_quoted(name(member), value); }
  void number(const char* member, std::uint64_t value) { name(member) += std::to_string(value); }
  void sizes(const char* member, const Sizes& sizes) {
    name(member) +=
        "[" + std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]) + ", " + std::to_string(sizes[2]) + "]";
  }

 private:
  std::string& out_;
  bool first_ = true;
};

void append_spot(JsonObject& object, const Spot& spot) {
  object.text("file", spot.file);
  object.number("line", spot.line);
  object.number("column", spot.column);
  if (!spot.access.empty()) {
    object.text("access", spot.access);
    object.number("bytes", spot.bytes);
  }
  if (spot.one_item && spot.one_group) object.sizes("work_item", spot.item);
  if (spot.one_group) object.sizes("group", spot.group);
}

/// What tells one place from another.
std::string key_of(const FaultReport& report) {
  const auto spot = [](const Spot& s) { return place_text(s) + s.access; };
  return report.check + "\n" + report.kernel + "\n" + report.reason + "\n" + spot(report.spot) + "\n" +
         (report.other ? spot(*report.other) : "") + "\n" +
         (report.target ? report.target->kind + report.target->name : "");
}

class Reports {
 public:
  /// A run in which nothing is found has a file too, and a file that cannot be written is named at the begin.
  Reports() : path_(config().check_log.empty() ? "" : file::chosen_path(config().check_log)) {
    const MutexLock lock(mutex_);
    if (!path_.empty()) write_log(file_text());
  }
  void add(std::vector<FaultReport> fresh) {
    std::string lines;
    std::string file;
    {
      const MutexLock lock(mutex_);
      for (FaultReport& report : fresh) {
        const auto [found, is_new] = by_key_.try_emplace(key_of(report), all_.size());
        if (is_new) {
          lines += to_text(report) + "\n";
          all_.push_back(std::move(report));
        } else {
          all_[found->second].count += report.count;
        }
      }
      if (!path_.empty()) file = file_text();
      if (!file.empty()) write_log(file);
    }
    if (!lines.empty()) static_cast<void>(!write(STDERR_FILENO, lines.data(), lines.size()));
  }

 private:
  std::string file_text() REQUIRES(mutex_) {
    std::string text = "{\"reports\": [";
    for (std::size_t i = 0; i < all_.size(); ++i) text += (i == 0 ? "\n" : ",\n") + to_json(all_[i]);
    return text + "\n]}\n";
  }
  void write_log(const std::string& text) REQUIRES(mutex_) {
    const bool written = file::write_chosen(path_, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    if (written || std::exchange(complained_, true)) return;
    const std::string line = "lanewise: reports cannot be written to " + path_ + ": " + std::strerror(errno) + "\n";
    static_cast<void>(!write(STDERR_FILENO, line.data(), line.size()));
  }

  const std::string path_;  ///< of the file; empty: none
  Mutex mutex_;             ///< innermost; files are written in the order of the reports
  std::vector<FaultReport> all_ GUARDED_BY(mutex_);
  std::map<std::string, std::size_t> by_key_ GUARDED_BY(mutex_);
  bool complained_ GUARDED_BY(mutex_) = false;
};

}  // namespace

std::string to_text(const FaultReport& report) {
  std::string text =
      "lanewise check: " + report.check + ": " + place_text(report.spot) + " in kernel " + report.kernel + ": ";
  if (report.spot.access.empty()) {
    text += report.reason;
  } else {
    text += access_text(report.spot);
    if (report.target) text += " at " + target_text(*report.target);
    if (report.check != "race") text += ", " + report.reason;
  }
  if (report.check != "barrier") text += ", by " + who_text(report.spot);
  if (report.check == "barrier") text += ", in group " + sizes_text(report.spot.group);
  if (report.other)
    text += "; " + access_text(*report.other) + " at " + place_text(*report.other) + ", by " + who_text(*report.other) +
            ", has no order with it";
  return text + (report.count == 1 ? "; once" : "; " + std::to_string(report.count) + " times");
}

std::string to_json(const FaultReport& report) {
  std::string text;
  JsonObject object(text);
  object.text("check", report.check);
  object.text("kernel", report.kernel);
  object.text("reason", report.reason);
  append_spot(object, report.spot);
  if (report.target) {
    JsonObject target(object.name("object"));
    target.text("kind", report.target->kind);
    if (report.target->kind == "argument") target.number("argument", report.target->number);
    if (!report.target->name.empty()) target.text("name", report.target->name);
    if (report.target->bytes != 0) target.number("bytes", report.target->bytes);
    if (report.target->offset) target.name("offset") += std::to_string(*report.target->offset);
    if (report.target->texel) {
      const auto& [x, y, z] = *report.target->texel;
      target.name("texel") += "[" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + "]";
    }
    target.end();
  }
  if (report.other) {
    JsonObject other(object.name("other"));
    append_spot(other, *report.other);
    other.end();
  }
  object.number("count", report.count);
  object.end();
  return text;
}

namespace {

Reports& reports_of_process() {
  static auto* const all = new Reports;  // never destroyed: threads may use it while the process exits
  return *all;
}

}  // namespace

void begin_reports() {
  reports_of_process();
}

void publish(std::vector<FaultReport> reports) {
  if (!reports.empty()) reports_of_process().add(std::move(reports));
}

}  // namespace lanewise::check
