// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The records of a trace.
#pragma once

#include <cstdint>

namespace lanewise::trace {

/// The kinds of records, with what `id`, `value` and `extra` are.
enum class RecordKind : std::uint8_t {
  enqueue,  ///< command; address of its queue; CL_COMMAND_*. Text: name, line end, details
  wait,     ///< command; a command that it waits for
  ready,    ///< command
  run,      ///< command; first piece; number of pieces. Text: name of the code
  end,      ///< command; status (two's complement)
  task,     ///< none; none; none. Text: category, line end, name, line end, details
  note,     ///< the same, without a duration
};

struct Record {
  std::uint64_t begin = 0;  ///< nanoseconds on the clock of `now_ns()`
  std::uint64_t end = 0;    ///< the same
  std::uint64_t id = 0;
  std::uint64_t value = 0;
  std::uint32_t extra = 0;
  RecordKind kind = RecordKind::note;
};

}  // namespace lanewise::trace
