# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Patterns of DataRaceBench as kernels, each with a race and as it should be: title, kernel, arguments, whether there
is a race, and how to run it."""

GROUPS = {"global_size": "16", "local_size": "4", "LANEWISE_THREADS": "1"}
PATTERNS = [
    ("antidependence", "kernel void k(global int* a) { int i = get_global_id(0); if (i < 15) a[i] = a[i + 1] + 1; }",
     ["counted:64"], True, GROUPS),
    ("antidependence into another buffer", "kernel void k(global const int* a, global int* b) {"
     " int i = get_global_id(0); if (i < 15) b[i] = a[i + 1] + 1; }", ["counted:64", "buffer:64"], False, GROUPS),
    ("true dependence", "kernel void k(global int* a) { int i = get_global_id(0); if (i < 15) a[i + 1] = a[i] + 1; }",
     ["counted:64"], True, GROUPS),
    ("distance of a group", "kernel void k(global int* a) { int i = get_global_id(0); if (i < 12) a[i + 4] = a[i] + 1; }",
     ["counted:64"], True, GROUPS),
    ("output dependence", "kernel void k(global const int* at, global int* a) { int i = get_global_id(0);"
     " a[at[i] / 2] = i; }", ["counted:64", "buffer:64"], True, GROUPS),
    ("indirect without duplicates", "kernel void k(global const int* at, global int* a) { int i = get_global_id(0);"
     " a[at[15 - i]] = i; }", ["counted:64", "buffer:64"], False, GROUPS),
    ("last value", "kernel void k(global const int* a, global int* x) { *x = a[get_global_id(0)]; }",
     ["counted:64", "buffer:4"], True, GROUPS),
    ("last value of the last", "kernel void k(global const int* a, global int* x) { int i = get_global_id(0);"
     " if (i == 15) *x = a[i]; }", ["counted:64", "buffer:4"], False, GROUPS),
    ("sum", "kernel void k(global const int* a, global int* s) { *s += a[get_global_id(0)]; }",
     ["counted:64", "buffer:4"], True, GROUPS),
    ("sum by atomics", "kernel void k(global const int* a, global int* s) { atomic_add(s, a[get_global_id(0)]); }",
     ["counted:64", "buffer:4"], False, GROUPS),
    ("sum of groups", "kernel void k(global const int* a, global int* s) {"
     " int sum = work_group_reduce_add(a[get_global_id(0)]); if (get_local_id(0) == 0) s[get_group_id(0)] = sum; }",
     ["counted:64", "buffer:64"], False, GROUPS),
    ("counter", "kernel void k(global int* n, global int* a) { a[(*n)++ & 15] = get_global_id(0); }",
     ["buffer:4", "buffer:64"], True, GROUPS),
    ("counter by atomics", "kernel void k(global int* n, global int* a) { a[atomic_inc(n)] = get_global_id(0); }",
     ["buffer:4", "buffer:64"], False, GROUPS),
    ("shared instead of private", "kernel void k(global int* a) { local int t; int l = get_local_id(0);"
     " t = a[get_global_id(0)] + l; a[get_global_id(0)] = t; }", ["counted:64"], True, GROUPS),
    ("private", "kernel void k(global int* a) { int t = a[get_global_id(0)] + 1; a[get_global_id(0)] = t; }",
     ["counted:64"], False, GROUPS),
    ("histogram", "kernel void k(global const int* a, global int* h) { h[a[get_global_id(0)] & 3] += 1; }",
     ["counted:64", "buffer:16"], True, GROUPS),
    ("histogram by atomics", "kernel void k(global const int* a, global int* h) { local int t[4];"
     " t[get_local_id(0)] = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(t + (a[get_global_id(0)] & 3));"
     " barrier(CLK_LOCAL_MEM_FENCE); atomic_add(h + get_local_id(0), t[get_local_id(0)]); }",
     ["counted:64", "buffer:16"], False, GROUPS),
    ("histogram without the first barrier", "kernel void k(global const int* a, global int* h) { local int t[4];"
     " t[get_local_id(0)] = 0; atomic_inc(t + (a[get_global_id(0)] & 1)); barrier(CLK_LOCAL_MEM_FENCE);"
     " atomic_add(h + get_local_id(0), t[get_local_id(0)]); }", ["counted:64", "buffer:16"], True, GROUPS),
    ("stencil in place", "kernel void k(global int* a) { int x = get_global_id(0), y = get_global_id(1);"
     " if (x > 0 && y > 0) a[4 * y + x] = a[4 * y + x - 1] + a[4 * y + x - 4] + 1; }", ["counted:64"], True,
     {"global_size": "4x4", "local_size": "2x2", "LANEWISE_THREADS": "1"}),
    ("stencil", "kernel void k(global const int* a, global int* b) { int x = get_global_id(0), y = get_global_id(1);"
     " if (x > 0 && y > 0) b[4 * y + x] = a[4 * y + x - 1] + a[4 * y + x - 4] + 1; }", ["counted:64", "buffer:64"],
     False, {"global_size": "4x4", "local_size": "2x2", "LANEWISE_THREADS": "1"}),
    ("transposition of a tile without a barrier", "kernel void k(global int* a) { local int t[4][4];"
     " int x = get_local_id(0), y = get_local_id(1); t[y][x] = a[4 * y + x]; a[4 * y + x] = t[x][y]; }",
     ["counted:64"], True, {"global_size": "4x4", "local_size": "4x4"}),
    ("transposition of a tile", "kernel void k(global int* a) { local int t[4][4];"
     " int x = get_local_id(0), y = get_local_id(1); t[y][x] = a[4 * y + x]; barrier(CLK_LOCAL_MEM_FENCE);"
     " a[4 * y + x] = t[x][y]; }", ["counted:64"], False, {"global_size": "4x4", "local_size": "4x4"}),
    ("scan with one barrier", "kernel void k(global int* a) { local int t[8]; int l = get_local_id(0); t[l] = a[l];"
     " for (int d = 1; d < 8; d *= 2) { barrier(CLK_LOCAL_MEM_FENCE); int v = l >= d ? t[l - d] : 0; t[l] += v; }"
     " a[l] = t[l]; }", ["counted:32"], True),
    ("scan", "kernel void k(global int* a) { local int t[8]; int l = get_local_id(0); t[l] = a[l];"
     " for (int d = 1; d < 8; d *= 2) { barrier(CLK_LOCAL_MEM_FENCE); int v = l >= d ? t[l - d] : 0;"
     " barrier(CLK_LOCAL_MEM_FENCE); t[l] += v; } a[l] = t[l]; }", ["counted:32"], False),
    ("tile that is loaded again without a barrier", "kernel void k(global const int* a, global int* b) {"
     " local int t[8]; int l = get_local_id(0), s = 0; for (int r = 0; r < 2; ++r) { t[l] = a[8 * r + l];"
     " barrier(CLK_LOCAL_MEM_FENCE); s += t[7 - l]; } b[l] = s; }", ["counted:64", "buffer:32"], True),
    ("tile that is loaded again", "kernel void k(global const int* a, global int* b) {"
     " local int t[8]; int l = get_local_id(0), s = 0; for (int r = 0; r < 2; ++r) { t[l] = a[8 * r + l];"
     " barrier(CLK_LOCAL_MEM_FENCE); s += t[7 - l]; barrier(CLK_LOCAL_MEM_FENCE); } b[l] = s; }",
     ["counted:64", "buffer:32"], False),
    ("groups that exchange", "kernel void k(global int* a) { a[get_global_id(0)] += 1;"
     " barrier(CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] += a[15 - get_global_id(0)]; }", ["counted:64"], True, GROUPS),
    ("lock", "kernel void k(global atomic_int* lock, global int* s) { int free = 0;"
     " while (!atomic_compare_exchange_strong_explicit(lock, &free, 1, memory_order_acquire, memory_order_relaxed,"
     " memory_scope_device)) free = 0; *s += 1; atomic_store_explicit(lock, 0, memory_order_release,"
     " memory_scope_device); }", ["buffer:4", "buffer:4"], False, {"global_size": "8", "local_size": "1"}),
]
