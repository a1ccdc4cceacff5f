// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The vectoriser's report on each work-item loop: a part of the compiler's reply, and its text for people.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace lanewise::abi {

/// A memory access that is slow in vectors because its lanes do not access consecutive memory.
struct AccessReport {
  std::uint32_t line = 0;  ///< line of the source; 0: not known
  std::string kind;        ///< text such as "gather" or "store with a stride of 12 bytes"

  friend auto operator<=>(const AccessReport&, const AccessReport&) = default;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.line, self.kind);
  }
};

/// How a vectorised loop treats work-items that do not fill a vector.
enum class TailForm : std::uint8_t {
  scalar,      ///< one at a time, after the vectors
  masked,      ///< together, as one vector under a mask after the others
  all_masked,  ///< every vector is under a mask
  either,      ///< few of them one at a time, more as one vector under a mask
};

/// The report on one work-item loop.
struct LoopReport {
  std::string kernel{};
  std::string loop{};       ///< name of the loop's header block: "region.0.items"; empty: the whole kernel
  std::uint32_t width = 1;  ///< work-items in a vector; 1: scalar
  TailForm tail = TailForm::scalar;
  std::string reason{};       ///< why the loop is scalar; empty: it is not
  std::uint32_t rows = 1;     ///< rows of work-items in one iteration
  std::uint32_t columns = 1;  ///< vectors (work-items if scalar) of each row in one iteration
  std::uint32_t line = 0;     ///< line of the source where the loop begins; 0: not known
  double cost = 0;            ///< estimated cost of a vector / cost of its work-items in scalar code; 0: not known
  std::vector<AccessReport> accesses{};

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.kernel, self.loop, self.width, self.tail, self.reason, self.rows, self.columns, self.line, self.cost,
           self.accesses);
  }
};

/// What the text of a report says after the width.
constexpr const char* text_of(TailForm tail) {
  switch (tail) {
    case TailForm::scalar:
      break;
    case TailForm::masked:
      return ", masked tail";
    case TailForm::all_masked:
      return ", all masked";
    case TailForm::either:
      return ", masked tail unless it is short";
  }
  return "";
}

/// The text of a report: one line for the loop, then one for each access.
inline std::vector<std::string> lines(const LoopReport& r) {
  std::string head = r.kernel + (r.loop.empty() ? "" : " " + r.loop) + ": ";
  if (r.width > 1) {
    head += "width " + std::to_string(r.width);
    head += text_of(r.tail);
  } else {
    head += "scalar, " + r.reason;
  }
  if (r.rows * r.columns > 1)
    head += ", blocks of " + std::to_string(r.rows) + " x " + std::to_string(r.columns) +
            (r.width > 1 ? " vectors" : " work-items");
  if (r.line != 0) head += ", from line " + std::to_string(r.line);
  if (r.cost > 0) head += ", estimated at " + std::to_string(std::lround(100 * r.cost)) + "% of the scalar cost";
  std::vector<std::string> all{std::move(head)};
  for (const AccessReport& access : r.accesses)
    all.push_back(r.kernel + "   " + (access.line == 0 ? "" : "line " + std::to_string(access.line) + ": ") +
                  access.kind);
  return all;
}

/// The text of all reports in the form of a build log.
inline std::string log_text(const std::vector<LoopReport>& loops) {
  std::string text;
  for (const LoopReport& loop : loops)
    for (const std::string& line : lines(loop)) text += "vectorise: " + line + '\n';
  return text;
}

}  // namespace lanewise::abi
