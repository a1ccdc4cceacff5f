// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel clocks (cl_khr_kernel_clock): one for all scopes, the processor's time stamp counter.
#include "clock_steps.h"

LW_INLINE ulong now(void) {
  __lw_step_complete_loads();
  return __builtin_readcyclecounter();
}
LW_INLINE uint2 now_in_halves(void) {
  const ulong time = now();
  return (uint2)((uint)time, (uint)(time >> 32));  // lo and hi
}

LW ulong clock_read_device(void) { return now(); }
LW ulong clock_read_work_group(void) { return now(); }
LW ulong clock_read_sub_group(void) { return now(); }
LW uint2 clock_read_hilo_device(void) { return now_in_halves(); }
LW uint2 clock_read_hilo_work_group(void) { return now_in_halves(); }
LW uint2 clock_read_hilo_sub_group(void) { return now_in_halves(); }
