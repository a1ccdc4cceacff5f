// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What differs between processors in reading a clock.
#pragma once

#include "define.h"

// Waits until loads are complete. Without it a later reading may be taken before an earlier one.
void __lw_step_complete_loads(void);
