// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Why a loop stays scalar. A check returns a `Refusal`, which is empty if the check found nothing wrong.
#pragma once

#include <cstdint>
#include <string>

namespace lanewise::spmd {

enum class Reason : std::uint8_t {
  none,
  marked,  ///< the loop's own metadata says so; the text is in `Refusal::details`
#define LANEWISE_REFUSAL(name, text) name,
#include "compiler/lanes/analysis/refusal.def"
#undef LANEWISE_REFUSAL
};

/// The reason as it stands in the build log; empty for `none` and `marked`.
[[nodiscard]] const char* text_of(Reason reason);

struct Refusal {
  Reason reason = Reason::none;
  std::string details{};  ///< numbers that belong to the reason, or the text of a marked loop

  [[nodiscard]] bool refused() const { return reason != Reason::none; }
  [[nodiscard]] std::string text() const;
};

}  // namespace lanewise::spmd
