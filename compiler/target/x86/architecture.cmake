# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# LLVM's back end, the architecture in a triple, its lowest level, and the levels with lane functions for texels: an
# architecture, -march, a name for the file, lanes (compiler/frontend/embed.cmake).
set(back_end X86)
set(architecture x86_64)
set(lowest_level x86-64-v2)
list(APPEND lane_levels "x86_64 x86-64-v3 v3 8" "x86_64 x86-64-v4 v4 16")
