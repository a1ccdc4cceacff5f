// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a file of its own, so that no caller has one form inlined too early.
#include "clock_steps.h"

void load_fence(void) __asm("llvm.x86.sse2.lfence");
void __lw_step_complete_loads(void) { load_fence(); }

#define FULL_SYSTEM 15
void instruction_barrier(uint) __asm("llvm.aarch64.isb");
void __lw_step_complete_loads_arm(void) { instruction_barrier(FULL_SYSTEM); }
