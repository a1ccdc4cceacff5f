// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/refusal.h"

namespace lanewise::spmd {

const char* text_of(Reason reason) {
  switch (reason) {
#define LANEWISE_REFUSAL(name, text) \
  case Reason::name:                 \
    return text;
#include "compiler/lanes/analysis/refusal.def"
#undef LANEWISE_REFUSAL
    case Reason::none:
    case Reason::marked:
      break;
  }
  return "";
}

std::string Refusal::text() const {
  if (reason == Reason::marked) return details;
  return details.empty() ? text_of(reason) : std::string(text_of(reason)) + ": " + details;
}

}  // namespace lanewise::spmd
