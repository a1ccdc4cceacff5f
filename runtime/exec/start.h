// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace lanewise {

/// When a command must start if the application makes no further call.
enum class Start {
  soon,     ///< now, but small commands may be collected up to ReadyList::kCollectNs of work
  on_wait,  ///< the caller waits for it next, and runs it unless a worker is faster
};

}  // namespace lanewise
