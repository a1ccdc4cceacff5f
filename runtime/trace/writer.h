// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The trace file: all records as JSON in the Trace Event Format, with what `lanewise-report` needs beside it.
///
/// A command is an asynchronous event of its queue, from the enqueue to its end, with its wait and its run inside. The
/// chunks that a thread runs, enqueues and builds are events of the thread. A flow leads from an enqueue to the first
/// chunk. The member "lanewise" has the machine and the programs.
///
/// Source: "Trace Event Format", Google, 2016 (phases X, M, i, b, e, s, f).
#pragma once

#include <string>

namespace lanewise::trace {

/// The whole text of the file.
[[nodiscard]] std::string file_text();

/// Writes the file, or a line to stderr that says why it cannot. Under its name there is the whole file or none.
void write_file(const std::string& path);

}  // namespace lanewise::trace
