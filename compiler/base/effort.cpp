// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/effort.h"

namespace lanewise {

Effort effort_for(unsigned instructions, bool large_program) {
  if (large_program && instructions <= kBriefInstructions) return Effort::cold;
  if (instructions <= kNormalInstructions) return Effort::normal;
  if (instructions <= kBriefInstructions) return Effort::brief;
  return instructions <= kReducedInstructions ? Effort::reduced : Effort::least;
}

}  // namespace lanewise
