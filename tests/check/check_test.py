#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LANEWISE_CHECK: kernels with one fault each, and near misses that must not be reported.

check_test.py APP CASES    CASES: memory, race, init, arith, overflow, buffers, barrier, patterns or log
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from race_patterns import PATTERNS


class Failure(Exception):
    pass


def run(app, source, arguments, global_size="8", local_size="8", checks="all", **environment):
    """Returns (reports, lines on stderr, standard output, exit code)."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "kernel.cl")
        log = os.path.join(folder, "log.json")
        with open(program, "w", encoding="utf-8") as out:
            out.write(source)
        env = dict(os.environ, LANEWISE_CHECK=checks, **{"LANEWISE_CHECK_LOG": log, **environment})
        done = subprocess.run([app, program, "k", global_size, local_size, *arguments], env=env, text=True,
                              capture_output=True, check=False, timeout=300)
        reports = []
        if os.path.exists(log):
            with open(log, encoding="utf-8") as text:
                reports = json.load(text)["reports"]
        lines = [line for line in done.stderr.splitlines() if line.startswith("lanewise check: ")]
        return reports, lines, done.stdout, done.returncode


def holds(report, expected):
    """Whether all members of `expected` are those of `report`; ("object", name) is a member of a member."""
    for name, value in expected.items():
        at = report
        for part in name.split("."):
            at = at.get(part) if isinstance(at, dict) else None
        if at != value:
            return False
    return True


def expect(app, title, source, arguments, expected, **how):
    reports, lines, _, code = run(app, source, arguments, **how)
    if code != 0:
        raise Failure(f"{title}: exit code {code}, {lines}")
    if len(lines) != len(reports):
        raise Failure(f"{title}: {len(lines)} lines and {len(reports)} reports: {lines} {reports}")
    if len(reports) != len(expected):
        raise Failure(f"{title}: {len(expected)} reports expected: {lines}")
    for want in expected:
        if not any(holds(report, want) for report in reports):
            raise Failure(f"{title}: no report {want}: {reports}")


# Title, body of the kernel with its parameters, arguments, expected reports.
MEMORY = [
    ("write beyond the end", "kernel void k(global int* a) {\n  a[get_global_id(0)] = 1;\n}", ["buffer:28"],
     [{"check": "memory", "reason": "beyond the end", "line": 2, "column": 23, "access": "write", "bytes": 4,
       "object.kind": "argument", "object.argument": 0, "object.name": "a", "object.bytes": 28, "object.offset": 28,
       "work_item": [7, 0, 0], "group": [0, 0, 0], "count": 1}]),
    ("the whole buffer", "kernel void k(global int* a) { a[get_global_id(0)] = 1; }", ["buffer:32"], []),
    ("read before the begin", "kernel void k(global int* a) {\n  int i = get_global_id(0);\n  a[i] = a[i - 1];\n}",
     ["buffer:32"], [{"reason": "before the begin", "access": "read", "object.offset": -4, "line": 3, "count": 1}]),
    ("guarded read", "kernel void k(global int* a) { int i = get_global_id(0); if (i > 0) a[i] = a[i - 1]; }",
     ["buffer:32"], []),
    ("half of a vector outside", "kernel void k(global float4* a) { a[get_global_id(0)] = 1; }", ["buffer:120"],
     [{"bytes": 16, "object.offset": 112, "count": 1}]),
    ("vload", "kernel void k(global float* a) { vstore4(vload4(get_global_id(0), a), get_global_id(0), a); }",
     ["buffer:124"], [{"access": "read", "object.offset": 112}, {"access": "write", "object.offset": 112}]),
    ("null", "kernel void k(global int* a) { if (get_global_id(0) == 0) a[3] = 1; }", ["null"],
     [{"reason": "a null pointer", "count": 1}]),
    ("null that is not used", "kernel void k(global int* a) { if (a) a[0] = 1; }", ["null"], []),
    ("sub-buffer", "kernel void k(global int* a) { a[get_global_id(0)] = 1; }", ["part:1024:28"],
     [{"object.bytes": 28, "object.offset": 28}]),
    ("memory of the application", "kernel void k(global int* a) { a[get_global_id(0)] = 1; }", ["host:28"],
     [{"object.bytes": 28, "object.offset": 28}]),
    ("shared virtual memory", "kernel void k(global int* a) { a[get_global_id(0)] = 1; }", ["svm:28"],
     [{"object.bytes": 28, "object.offset": 28}]),
    ("image", "kernel void k(write_only image2d_t a) {\n  int i = get_global_id(0);\n"
     "  write_imagef(a, (int2)(i, i + 1), (float4)(i));\n}", ["image:8:4"],
     [{"check": "memory", "reason": "outside of the image", "line": 3, "access": "write", "object.kind": "argument",
       "object.argument": 0, "object.name": "a", "object.texel": [3, 4, 0], "work_item": [3, 0, 0], "count": 5}]),
    ("all of an image", "kernel void k(write_only image2d_t a) { int i = get_global_id(0);"
     " write_imagef(a, (int2)(i, i / 2), (float4)(i)); }", ["image:8:4"], []),
    ("read of an image", "kernel void k(read_only image2d_t a, global float4* b) { int i = get_global_id(0);"
     " b[i] = read_imagef(a, (int2)(i - 1, 0)); }", ["image:7:4", "buffer:128"],
     [{"reason": "outside of the image", "access": "read", "object.texel": [-1, 0, 0], "count": 1}]),
    ("read with a sampler", "kernel void k(read_only image2d_t a, global float4* b) { int i = get_global_id(0);"
     " b[i] = read_imagef(a, CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST, (int2)(i - 1, 0)); }", ["image:4:4", "buffer:128"],
     []),
    ("image in a function", "void f(write_only image2d_t image, int2 at) { write_imagef(image, at, (float4)(1)); }\n"
     "kernel void k(write_only image2d_t a) { f(a, (int2)(get_global_id(0), -1)); }", ["image:8:4"],
     [{"reason": "outside of the image", "object.kind": "image", "count": 8}]),
    ("only read", "kernel void k(global int* a) { a[get_global_id(0)] += 1; }", ["only_read:32"],
     [{"reason": "memory that kernels only read", "access": "write", "count": 8}]),
    ("only written", "kernel void k(global int* a) { a[get_global_id(0)] += 1; }", ["only_write:32"],
     [{"reason": "memory that kernels only write", "access": "read", "count": 8}]),
    ("component of what is only written", "kernel void k(global int4* a) { a[get_global_id(0)].y = 1; }",
     ["only_write:128"], []),
    ("array in a structure", "typedef struct { int x[2]; int y[2]; } S; kernel void k(global int* a, int n) {"
     " S s = {{1, 2}, {3, 4}}; a[get_global_id(0)] = s.x[n]; }", ["buffer:32", "int:2"],
     [{"object.kind": "private", "object.name": "s", "object.bytes": 8, "object.offset": 8, "count": 8}]),
    ("pointer in a buffer", "kernel void k(global int* global* a) { (*a)[get_global_id(0)] = 1; }", ["inside:32"], []),
    ("pointer in a buffer, released", "kernel void k(global int* global* a) { (*a)[get_global_id(0)] = 1; }",
     ["freed:32"], [{"reason": "released memory", "object.kind": "memory", "count": 8}]),
    ("pointer to the application's memory", "kernel void k(global int* global* a) { (*a)[get_global_id(0)] = 1; }",
     ["outer"], []),
    ("null in a buffer", "kernel void k(global int* global* a) { (*a)[get_global_id(0)] = 1; }", ["buffer:8"],
     [{"reason": "a null pointer", "count": 8}]),
    ("local argument", "kernel void k(local int* l, global int* a) {\n  l[get_local_id(0)] = 1;\n  a[0] = l[0];\n}",
     ["local:28", "buffer:4"], [{"object.argument": 0, "object.offset": 28, "object.bytes": 28, "line": 2}]),
    ("local variable", "kernel void k(global int* a, int n) {\n  local int t[7];\n  t[get_local_id(0)] = n;\n"
     "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (get_local_id(0) == 0) a[0] = t[6];\n}", ["buffer:4", "int:3"],
     [{"object.kind": "local", "object.name": "t", "object.bytes": 28, "object.offset": 28, "line": 3}]),
    ("private array", "kernel void k(global int* a, int n) {\n  int t[4] = {1, 2, 3, 4};\n"
     "  a[get_global_id(0)] = t[n];\n}", ["buffer:32", "int:4"],
     [{"object.kind": "private", "object.name": "t", "object.bytes": 16, "object.offset": 16, "count": 8}]),
    ("private array, last element", "kernel void k(global int* a, int n) { int t[4] = {1, 2, 3, 4};"
     " a[get_global_id(0)] = t[n]; }", ["buffer:32", "int:3"], []),
    ("constant table", "constant int t[] = {1, 2, 3};\nkernel void k(global int* a, int n) {"
     " a[get_global_id(0)] = t[n]; }", ["buffer:32", "int:-1"],
     [{"object.kind": "constant", "object.name": "t", "object.bytes": 12, "object.offset": -4, "count": 8}]),
    ("program variable", "global int t[3];\nkernel void k(int n) { if (get_global_id(0) == 0) t[n] = 1; }", ["int:3"],
     [{"object.kind": "variable", "object.name": "t", "object.offset": 12, "count": 1}]),
    ("misaligned", "kernel void k(global char* a) { if (get_global_id(0) == 0) *(global int*)(a + 2) = 1; }",
     ["buffer:32"], [{"reason": "not aligned for its type", "object.offset": 2}]),
    ("aligned after a cast", "kernel void k(global char* a) { if (get_global_id(0) == 0) *(global int*)(a + 4) = 1; }",
     ["buffer:32"], []),
    ("in a function", "void set(global int* p, int i) {\n  p[i] = 1;\n}\nkernel void k(global int* a) {\n"
     "  set(a, get_global_id(0));\n}", ["buffer:28"], [{"line": 2, "object.name": "a"}]),
    ("pointer that walks", "kernel void k(global int* a) { if (get_global_id(0) == 0) {"
     " for (global int* p = a; p <= a + 8; ++p) *p = 1; } }", ["buffer:32"], [{"object.offset": 32, "count": 1}]),
    ("one of two buffers", "kernel void k(global int* a, global int* b, int n) {"
     " if (get_global_id(0) == 0) { global int* p = n > 3 ? a : b; p[n] = 1; } }", ["buffer:16", "buffer:64", "int:3"],
     []),
    ("copy of a structure", "typedef struct { int x[4]; } S;\nkernel void k(global S* a) {"
     " int i = get_global_id(0); if (i < 2) a[i] = a[i + 1]; }", ["buffer:32"],
     [{"object.offset": 32, "access": "read", "bytes": 16, "count": 1}]),
    ("atomic", "kernel void k(global int* a) { atomic_add(a + get_global_id(0), 1); }", ["buffer:28"],
     [{"access": "atomic write", "object.offset": 28}]),
    ("two dimensions", "kernel void k(global int* a) { a[get_global_id(1) * 4 + get_global_id(0)] = 1; }",
     ["buffer:28"], [{"work_item": [3, 1, 0], "group": [1, 0, 0]}], {"global_size": "4x2", "local_size": "2x2"}),
]

RACE = [
    ("neighbours without a barrier", "kernel void k(global int* a) {\n  local int t[8];\n  int l = get_local_id(0);\n"
     "  t[l] = l;\n  a[l] = t[7 - l];\n}", ["buffer:32"],
     [{"check": "race", "line": 5, "access": "read", "other.line": 4, "other.access": "write", "object.kind": "local",
       "object.name": "t", "count": 4}, {"check": "race", "line": 4, "other.line": 5, "count": 4}],
     {"LANEWISE_WIDTH": "1"}),
    ("lanes without a barrier", "kernel void k(global int* a) {\n  local int t[8];\n  int l = get_local_id(0);\n"
     "  t[l] = l;\n  a[l] = t[7 - l];\n}", ["buffer:32"],
     [{"line": 5, "access": "read", "other.line": 4, "other.access": "write", "count": 8}], {"LANEWISE_WIDTH": "8"}),
    ("lanes write one place", "kernel void k(global int* a) { local int t; t = get_local_id(0);"
     " barrier(CLK_LOCAL_MEM_FENCE); a[get_local_id(0)] = t; }", ["buffer:32"],
     [{"access": "write", "other.access": "write", "object.name": "t", "count": 7}], {"LANEWISE_WIDTH": "8"}),
    ("lanes write one value", "kernel void k(global int* a) { local int t; t = 5; barrier(CLK_LOCAL_MEM_FENCE);"
     " a[get_local_id(0)] = t; }", ["buffer:32"], [], {"LANEWISE_WIDTH": "8"}),
    ("lanes write one vector of three", "kernel void k(global const uchar* in, global uchar* out, int n) {"
     " local uchar3 t[20][20]; int x = get_local_id(0), y = get_local_id(1), i = min(x * 16 + y, 199);"
     " int r = i / 20, c = clamp(i % 20 - 2, 0, n - 1); t[r][i % 20] = vload3(0, in + (r * n + c) * 3);"
     " barrier(CLK_LOCAL_MEM_FENCE); vstore3(t[y / 2][x], 0, out + (y * 16 + x) * 3); }",
     ["counted:1200", "buffer:768", "int:17"], [], {"global_size": "16x16", "local_size": "16x16"}),
    ("one writes what all lanes have read", "kernel void k(global int* a, global int* b) { int l = get_global_id(0);"
     " a[l] = b[0]; if (l == 7) b[0] = 3; }", ["buffer:32", "buffer:4"],
     [{"access": "write", "other.access": "read", "object.argument": 1, "count": 1}]),
    ("barrier in a function", "void wait() { barrier(CLK_LOCAL_MEM_FENCE); }\nkernel void k(global int* a) {"
     " local int t[8]; int l = get_local_id(0); t[l] = l; wait(); a[l] = t[7 - l]; }", ["buffer:32"], []),
    ("one buffer for two arguments", "kernel void k(global const int* a, global int* b) { int i = get_global_id(0);"
     " b[i] = a[(i + 1) % 8] + 1; }", ["buffer:32", "same:0"],
     [{"access": "read", "other.access": "write"}, {"access": "write", "other.access": "read"}],
     {"LANEWISE_WIDTH": "1"}),
    ("two buffers", "kernel void k(global const int* a, global int* b) { int i = get_global_id(0);"
     " b[i] = a[(i + 1) % 8] + 1; }", ["buffer:32", "buffer:32"], []),
    ("pointer in a buffer", "kernel void k(global int* global* a) { (*a)[get_global_id(0) / 2] = get_global_id(0); }",
     ["inside:32"], [{"access": "write", "count": 4}]),
    ("memory of the application", "kernel void k(global int* global* a) { (*a)[get_global_id(0) / 2] ="
     " get_global_id(0); }", ["outer"], [{"access": "write", "count": 4}]),
    ("vectors", "kernel void k(global int4* a, global int* b) { int i = get_global_id(0); a[i] = (int4)(i);"
     " b[8 * i + 4] = i; }", ["buffer:256", "same:0"], [{"check": "race", "bytes": 16, "count": 3}],
     {"global_size": "7", "local_size": "1", "LANEWISE_WIDTH": "1", "LANEWISE_THREADS": "1"}),
    ("more items than a group has", "kernel void k(global int* a) { int i = get_global_id(0); a[i % 64] = i; }",
     ["buffer:256"], [{"check": "race", "count": 64}],
     {"global_size": "128", "local_size": "64", "LANEWISE_THREADS": "1"}),
    ("with a barrier", "kernel void k(global int* a) { local int t[8]; int l = get_local_id(0); t[l] = l;"
     " barrier(CLK_LOCAL_MEM_FENCE); a[l] = t[7 - l]; }", ["buffer:32"], []),
    ("barrier for other memory", "kernel void k(global int* a) { local int t[8]; int l = get_local_id(0); t[l] = l;"
     " barrier(CLK_GLOBAL_MEM_FENCE); if (l == 0) a[l] = t[7]; }", ["buffer:32"], [{"check": "race"}]),
    ("groups write one place", "kernel void k(global int* a) { a[0] = get_global_id(0); }", ["buffer:4"],
     [{"access": "write", "other.access": "write", "object.argument": 0, "object.offset": 0}],
     {"global_size": "4", "local_size": "1"}),
    ("one value", "kernel void k(global int* a) { a[0] = 5; }", ["buffer:4"], [],
     {"global_size": "4", "local_size": "1"}),
    ("group reads what another writes", "kernel void k(global int* a) { int g = get_group_id(0); a[g] = a[3 - g]; }",
     ["buffer:16"], [{"check": "race"}, {"check": "race"}], {"global_size": "4", "local_size": "1",
                                                            "LANEWISE_THREADS": "1"}),
    ("atomics", "kernel void k(global int* a) { atomic_inc(a); }", ["buffer:4"], [],
     {"global_size": "64", "local_size": "8"}),
    ("atomic and plain", "kernel void k(global int* a) { if (get_global_id(0) == 3) a[0] = 9; else atomic_inc(a); }",
     ["buffer:4"], [{"check": "race"}, {"check": "race"}], {"LANEWISE_WIDTH": "1"}),
    ("bytes of one word", "kernel void k(global char* a) { a[get_global_id(0)] = get_global_id(0); }", ["buffer:8"],
     []),
    ("one byte", "kernel void k(global char* a) { a[get_global_id(0) / 2] = get_global_id(0); }", ["buffer:8"],
     [{"check": "race", "bytes": 1, "count": 4}]),
    ("last group sums", "kernel void k(global int* p, global atomic_int* n, global int* sum) {\n"
     "  local int last;\n  int g = get_group_id(0);\n  if (get_local_id(0) == 0) {\n    p[g] = g + 1;\n"
     "    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);\n"
     "    last = atomic_fetch_add_explicit(n, 1, memory_order_relaxed, memory_scope_device) == get_num_groups(0) - 1;\n"
     "    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);\n  }\n"
     "  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
     "  if (last && get_local_id(0) == 0) { int s = 0; for (int i = 0; i < get_num_groups(0); ++i) s += p[i];"
     " *sum = s; }\n}", ["buffer:32", "buffer:4", "buffer:4"], [], {"global_size": "16", "local_size": "2"}),
    ("a loop of barriers", "kernel void k(global int* a) { local int t[8]; int l = get_local_id(0); t[l] = l;"
     " for (int s = 4; s > 0; s /= 2) { barrier(CLK_LOCAL_MEM_FENCE); if (l < s) t[l] += t[l + s]; }"
     " if (l == 0) a[0] = t[0]; }", ["buffer:4"], []),
    ("a barrier that is missing in a loop", "kernel void k(global int* a) { local int t[8]; int l = get_local_id(0);"
     " t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); for (int s = 4; s > 0; s /= 2) { if (l < s) t[l] += t[l + s]; }"
     " if (l == 0) a[0] = t[0]; }", ["buffer:4"], [{"check": "race", "object.name": "t"}]),
]

ARITH = [
    ("division by zero", "kernel void k(global int* a, int n) {\n  a[get_global_id(0)] = 5 / n;\n}",
     ["buffer:32", "int:0"], [{"check": "arith", "reason": "division by zero", "line": 2, "count": 8}]),
    ("division", "kernel void k(global int* a, int n) { a[get_global_id(0)] = 5 / n; }", ["buffer:32", "int:-1"], []),
    ("the smallest number by -1", "kernel void k(global int* a, int n) { if (get_global_id(0) == 0)"
     " a[0] = (INT_MIN + n - n) / (n - 4); }", ["buffer:32", "int:3"],
     [{"reason": "division of the smallest number by -1", "count": 1}]),
    ("remainder of vectors", "kernel void k(global int4* a, int n) { if (get_global_id(0) == 0)"
     " a[0] = (int4)(5) % (int4)(1, 2, n, 4); }", ["buffer:32", "int:0"], [{"reason": "division by zero"}]),
    ("shift by the width", "kernel void k(global int* a, int n) { a[get_global_id(0)] = 1 << n; }",
     ["buffer:32", "int:32"], [{"reason": "shift by the width of the type or more", "count": 8}]),
    ("shift by the width less 1", "kernel void k(global int* a, int n) { a[get_global_id(0)] = 1 << n; }",
     ["buffer:32", "int:31"], []),
    ("shift by a negative number", "kernel void k(global int* a, int n) { a[get_global_id(0)] = 1 >> n; }",
     ["buffer:32", "int:-1"], [{"count": 8}]),
    ("conversion", "kernel void k(global int* a, float x) { a[get_global_id(0)] = (int)x; }",
     ["buffer:32", "float:3e9"], [{"reason": "conversion to an integer type that does not have the value"}]),
    ("conversion of the largest", "kernel void k(global int* a, float x) { a[get_global_id(0)] = (int)x; }",
     ["buffer:32", "float:2147483520"], []),
    ("conversion of the smallest", "kernel void k(global int* a, float x) { a[get_global_id(0)] = (int)x; }",
     ["buffer:32", "float:-2147483648"], []),
    ("conversion of NaN", "kernel void k(global int* a, float x) { a[get_global_id(0)] = convert_int_rte(x); }",
     ["buffer:32", "float:nan"], [{"count": 8}]),
    ("saturated conversion", "kernel void k(global int* a, float x) { a[get_global_id(0)] = convert_int_sat(x); }",
     ["buffer:32", "float:3e9"], []),
    ("conversion to unsigned", "kernel void k(global uchar* a, float x) { a[get_global_id(0)] = convert_uchar(x); }",
     ["buffer:32", "float:-1"], [{"count": 8}]),
    ("cut to zero", "kernel void k(global uchar* a, float x) { a[get_global_id(0)] = convert_uchar(x); }",
     ["buffer:32", "float:-0.9"], []),
]

NAN = "a result that is NaN, which the build options exclude"
FAST = {"APP_OPTIONS": "-cl-fast-relaxed-math"}
ARITH += [
    ("NaN", "kernel void k(global float* a, float x) {\n  a[get_global_id(0)] = x / (x - 3) * 0;\n}",
     ["buffer:32", "float:0"], [], FAST),
    ("NaN of a division", "kernel void k(global float* a, float x) {\n  a[get_global_id(0)] = x / (x * 2);\n}",
     ["buffer:32", "float:0"], [{"check": "arith", "reason": NAN, "line": 2, "count": 8}], FAST),
    ("NaN of a function", "kernel void k(global float* a, float x) {\n  a[get_global_id(0)] = sqrt(x);\n}",
     ["buffer:32", "float:-1"], [{"reason": NAN, "line": 2, "count": 8}], FAST),
    ("NaN of a component", "kernel void k(global float2* a, float x) {"
     " a[get_global_id(0)] = (float2)(x, 1) / (float2)(x, 2); }", ["buffer:64", "float:0"],
     [{"reason": NAN, "count": 8}], FAST),
    ("NaN that is allowed", "kernel void k(global float* a, float x) { a[get_global_id(0)] = x / (x * 2); }",
     ["buffer:32", "float:0"], []),
]

WRAPS = "overflow of a signed number"
OVERFLOW = [
    ("sum", "kernel void k(global int* a, int n) {\n  a[get_global_id(0)] = n + 1;\n}", ["buffer:32", "int:2147483647"],
     [{"check": "arith", "reason": WRAPS, "line": 2, "count": 8}]),
    ("largest sum", "kernel void k(global int* a, int n) { a[get_global_id(0)] = n + 1; }",
     ["buffer:32", "int:2147483646"], []),
    ("unsigned sum", "kernel void k(global uint* a, int n) { a[get_global_id(0)] = (uint)n + 0x80000001u; }",
     ["buffer:32", "int:2147483647"], []),
    ("difference", "kernel void k(global int* a, int n) { a[get_global_id(0)] = n - 2; }",
     ["buffer:32", "int:-2147483647"], [{"reason": WRAPS, "count": 8}]),
    ("negation", "kernel void k(global int* a, int n) { a[get_global_id(0)] = -n; }", ["buffer:32", "int:-2147483648"],
     [{"reason": WRAPS, "count": 8}]),
    ("product", "kernel void k(global int* a, int n) { a[get_global_id(0)] = n * (int)get_global_id(0); }",
     ["buffer:32", "int:700000000"], [{"reason": WRAPS, "count": 4}]),
    ("product of 64 bits", "kernel void k(global long* a, int n) { long m = n; a[get_global_id(0)] = m * m * m * m; }",
     ["buffer:64", "int:100000"], [{"reason": WRAPS, "count": 8}]),
    ("product in 64 bits", "kernel void k(global long* a, int n) { a[get_global_id(0)] = (long)n * n; }",
     ["buffer:64", "int:2147483647"], []),
    ("small type", "kernel void k(global char* a, int n) { char c = n; c += 100; a[get_global_id(0)] = c; }",
     ["buffer:32", "int:100"], []),
    ("an index", "kernel void k(global int* a, int n) { a[(n + 1) & 7] = 1; }", ["buffer:32", "int:2147483647"],
     [{"reason": WRAPS, "count": 8}]),
]

UNWRITTEN = "memory that nobody has written"
BUFFERS = [
    ("read", "kernel void k(global const int* a, global int* b) {\n  int i = get_global_id(0);\n  b[i] = a[i];\n}",
     ["fresh:32", "fresh:32"],
     [{"check": "init", "reason": UNWRITTEN, "line": 3, "access": "read", "object.argument": 0, "object.name": "a",
       "object.bytes": 32, "work_item": [0, 0, 0], "count": 8}]),
    ("written by the host", "kernel void k(global const int* a, global int* b) { b[get_global_id(0)] = a[0]; }",
     ["buffer:32", "fresh:32"], []),
    ("filled", "kernel void k(global const int* a, global int* b) { b[get_global_id(0)] = a[0]; }",
     ["filled:32", "fresh:32"], []),
    ("mapped", "kernel void k(global const int* a, global int* b) { b[get_global_id(0)] = a[0]; }",
     ["mapped:32", "fresh:32"], []),
    ("written by the kernel", "kernel void k(global int* a) { int i = get_global_id(0); a[i] = i; a[i] += 1; }",
     ["fresh:32"], []),
    ("written by another pointer", "kernel void k(global int* a, global int* b, int n) { int i = get_global_id(0);"
     " global int* to = n > 0 ? a : b; to[i] = i; b[i] = a[i]; }", ["fresh:32", "fresh:32", "int:1"], []),
    ("not read", "kernel void k(global int* a, global int* b, int n) { if (n > 4) b[0] = a[0]; }",
     ["fresh:32", "fresh:32", "int:1"], []),
]

BRANCH = "a branch depends on a value that nobody has written"
ADDRESS = "an address depends on a value that nobody has written"
OUTPUT = "a value that nobody has written goes to global memory"

INIT = [
    # What stands for this local memory is accessed by instructions that need it aligned.
    ("vectors of 128 bytes in local memory", "kernel void k(global const long16* in, global long16* out, local long16* t,"
     " int n) { int l = get_local_id(0), g = get_global_id(0); for (int i = 0; i < n; i++) t[l * n + i] = 0;"
     " barrier(CLK_LOCAL_MEM_FENCE); for (int i = 0; i < n; i++) t[l * n + i] = in[g * n + i];"
     " barrier(CLK_LOCAL_MEM_FENCE); for (int i = 0; i < n; i++) out[g * n + i] = t[l * n + i]; }",
     ["buffer:259584", "buffer:259584", "local:129792", "int:13"], [], {"global_size": "156", "local_size": "78"}),
    ("private variable", "kernel void k(global int* a) {\n  int x;\n  a[get_global_id(0)] = x;\n}", ["buffer:32"],
     [{"check": "init", "reason": OUTPUT, "line": 3, "count": 8}]),
    ("on one path", "kernel void k(global int* a) { int x; int i = get_global_id(0); if (i > 2) x = i; a[i] = x; }",
     ["buffer:32"], [{"reason": OUTPUT, "count": 3}]),
    ("on both paths", "kernel void k(global int* a) { int x; int i = get_global_id(0); if (i > 2) x = i; else x = 1;"
     " a[i] = x; }", ["buffer:32"], []),
    ("branch", "kernel void k(global int* a) { int x; if (x > 3) a[get_global_id(0)] = 1; }", ["buffer:32"],
     [{"reason": BRANCH}]),
    ("address", "kernel void k(global int* a) { int x; a[x & 7] = 1; }", ["buffer:32"], [{"reason": ADDRESS}]),
    ("value that is not used", "kernel void k(global int* a) { int x; int y = x + 1; a[get_global_id(0)] = 5; }",
     ["buffer:32"], []),
    ("element of an array", "kernel void k(global int* a, int n) { int t[4]; t[0] = t[1] = t[3] = 1;"
     " a[get_global_id(0)] = t[n]; }", ["buffer:32", "int:2"], [{"reason": OUTPUT, "count": 8}]),
    ("other element of an array", "kernel void k(global int* a, int n) { int t[4]; t[0] = t[1] = t[3] = 1;"
     " a[get_global_id(0)] = t[n]; }", ["buffer:32", "int:3"], []),
    ("local memory", "kernel void k(global int* a) { local int t[8]; int l = get_local_id(0); if (l < 7) t[l] = l;"
     " barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t[7 - l]; }", ["buffer:64"],
     [{"reason": OUTPUT, "count": 2}], {"global_size": "16"}),
    ("all of local memory", "kernel void k(global int* a) { local int t[8]; int l = get_local_id(0); t[l] = l;"
     " barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t[7 - l]; }", ["buffer:64"], [], {"global_size": "16"}),
    ("local argument", "kernel void k(global int* a, local int* t) { a[get_global_id(0)] = t[get_local_id(0)]; }",
     ["buffer:32", "local:32"], [{"reason": OUTPUT, "count": 8}]),
    ("bits that are masked", "kernel void k(global int* a) { int x; x = (x & ~7) | 5; a[get_global_id(0)] = x & 7; }",
     ["buffer:32"], []),
    ("bits that are not masked", "kernel void k(global int* a) { int x; x = (x & ~7) | 5;"
     " a[get_global_id(0)] = x & 15; }", ["buffer:32"], [{"reason": OUTPUT}]),
    ("padding", "typedef struct { char c; int i; } S; kernel void k(global S* a) { S s; s.c = 1; s.i = 2;"
     " a[get_global_id(0)] = s; }", ["buffer:64"], []),
    ("vectors of three", "kernel void k(global float3* a, global float* b) { float3 v; v.x = 1; v.y = 2; v.z = 3;"
     " a[get_global_id(0)] = v * 2.0f; b[get_global_id(0)] = v.z; }", ["buffer:128", "buffer:32"], []),
    ("one component", "kernel void k(global float* a) { float4 v; v.x = 1; a[get_global_id(0)] = v.x + v.w; }",
     ["buffer:32"], [{"reason": OUTPUT}]),
    ("in a function", "int f(int x) { return x * 2; }\nkernel void k(global int* a) { int x;"
     " a[get_global_id(0)] = f(x); }", ["buffer:32"], [{"reason": OUTPUT}]),
    ("written in a function", "void f(int* x, int v) { *x = v; }\nkernel void k(global int* a) { int x;"
     " f(&x, 3); a[get_global_id(0)] = x; }", ["buffer:32"], []),
    ("written by the library", "kernel void k(global float* a) { float c; float s = sincos(1.0f, &c); int e;"
     " float m = frexp(s, &e); a[get_global_id(0)] = s + c + m + e; }", ["buffer:32"], []),
    ("a loop", "kernel void k(global int* a) { int s; for (int i = 0; i < 4; ++i) { int x = i; s = i ? s + x : x; }"
     " a[get_global_id(0)] = s; }", ["buffer:32"], []),
    ("group function", "kernel void k(global int* a) { int x = get_local_id(0);"
     " a[get_global_id(0)] = work_group_reduce_add(x); }", ["buffer:32"], []),
    ("copy into local memory", "kernel void k(global int* a, global int* b) { local int t[8];"
     " event_t e = async_work_group_copy(t, a, 8, 0); wait_group_events(1, &e); b[get_global_id(0)] = t[3]; }",
     ["buffer:32", "buffer:32"], []),
]

BARRIER = [
    ("not all work-items", "kernel void k(global int* a) {\n  if (get_local_id(0) < 4)\n"
     "    barrier(CLK_LOCAL_MEM_FENCE);\n  a[get_local_id(0)] = 1;\n}", ["buffer:32"],
     [{"check": "barrier", "line": 3, "group": [0, 0, 0]}]),
    ("all work-items", "kernel void k(global int* a) { if (get_group_id(0) < 4) barrier(CLK_LOCAL_MEM_FENCE);"
     " a[get_local_id(0)] = 1; }", ["buffer:32"], []),
]


OTHER_COPY = "the work-items of the group make different copies"
BARRIER += [
    ("copies", "kernel void k(global int* a) { local int t[8]; event_t e = async_work_group_copy(t, a, 8, 0);"
     " wait_group_events(1, &e); a[get_local_id(0)] = t[7 - get_local_id(0)]; }", ["buffer:32"], []),
    ("not all work-items copy", "kernel void k(global int* a) {\n  local int t[8];\n  event_t e = 0;\n"
     "  if (get_local_id(0) < 4)\n    e = async_work_group_copy(t, a, 8, 0);\n  a[get_local_id(0)] = 1;\n}",
     ["buffer:32"], [{"check": "barrier", "line": 5, "group": [0, 0, 0]}]),
    ("another size", "kernel void k(global int* a) {\n  local int t[8];\n"
     "  event_t e = async_work_group_copy(t, a, get_local_id(0) == 3 ? 1 : 8, 0);\n  wait_group_events(1, &e);\n}",
     ["buffer:32"], [{"check": "barrier", "reason": OTHER_COPY, "line": 3, "work_item": [3, 0, 0], "count": 1}]),
    ("another place in a loop", "kernel void k(global int* a) { local int t[8]; event_t e = 0;"
     " for (int i = 0; i < 8; ++i) { int at = get_local_id(0) == 5 && i == 5 ? 0 : i;"
     " e = async_work_group_copy(t + at, a + at, 1, e); } wait_group_events(1, &e); }", ["buffer:64"],
     [{"reason": OTHER_COPY, "work_item": [5, 0, 0], "count": 2}],
     {"global_size": "16", "LANEWISE_THREADS": "1"}),
    ("a place for each group", "kernel void k(global int* a) { local int t[8]; event_t e = 0;"
     " for (int i = 0; i < 8; i += 2) e = async_work_group_strided_copy(t + i, a + get_group_id(0) + i, 2, 2, e);"
     " wait_group_events(1, &e); }", ["buffer:256"], [], {"global_size": "8x8", "local_size": "4x2"}),
    ("other events", "kernel void k(global int* a) {\n  local int t[8];\n  event_t e[2];\n"
     "  e[0] = async_work_group_copy(t, a, 4, 0);\n  e[1] = async_work_group_copy(t + 4, a + 4, 4, 0);\n"
     "  wait_group_events(1, e + (get_local_id(0) & 1));\n}", ["buffer:32"],
     [{"reason": "the work-items of the group wait for different events", "line": 6, "work_item": [1, 0, 0],
       "count": 4}]),
    ("all events", "kernel void k(global int* a) { local int t[8]; event_t e[2]; e[0] = async_work_group_copy(t, a, 4, 0);"
     " e[1] = async_work_group_copy(t + 4, a + 4, 4, 0); wait_group_events(2, e); }", ["buffer:32"], []),
    ("no event", "kernel void k(global int* a) { event_t e = 0; wait_group_events(1, &e); }", ["buffer:32"],
     [{"reason": "a wait for an event that no copy has made", "count": 8}]),
]


def each(app, cases, checks):
    for title, source, arguments, expected, *how in cases:
        options = dict(how[0]) if how else {}
        expect(app, title, source, arguments, expected, checks=checks, **options)


def races_of_patterns(app):
    for title, source, arguments, has_race, *how in PATTERNS:
        reports, lines, _, code = run(app, source, arguments, checks="race", **(dict(how[0]) if how else {}))
        if code != 0 or any(report["check"] != "race" for report in reports) or bool(reports) != has_race:
            raise Failure(f"{title}: exit code {code}, a race is {'there' if has_race else 'not there'}: {lines}")


def example(app):
    """The kernel of docs/checker.md reports what stands there."""
    document = pathlib.Path(__file__).resolve().parents[2] / "docs" / "checker.md"
    text = document.read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w+\n(.*?)^```", text, re.M | re.S)
    source = next(block for block in blocks if block.startswith("kernel void differ"))
    said = next(block for block in blocks if block.startswith("lanewise check")).splitlines()
    logged = next(block for block in blocks if block.startswith('{"reports"')).splitlines()[1].rstrip(",")
    reports, lines, _, _ = run(app, source.replace("differ", "k"), ["buffer:500", "buffer:500"], "128", "64",
                               "memory,race", LANEWISE_THREADS="1")
    if lines != [line.replace("differ", "k") for line in said]:
        raise Failure(f"the example: {lines}")
    if reports[0] != json.loads(logged.replace("differ", "k")):
        raise Failure(f"the example: {reports[0]}")


def log(app):
    source = "kernel void k(global int* a, int n) {\n  a[get_global_id(0)] = 7;\n}"
    # What is outside is not written, what is inside is.
    _, lines, out, code = run(app, source, ["host:8", "int:0"])
    if code != 0 or "7 7 0 0" not in out:
        raise Failure(f"the kernel does not go on: {code} {out}")
    if lines != ["lanewise check: memory: program.cl:2:23 in kernel k: write of 4 bytes at offset 8 of argument 0 'a' "
                 "(8 bytes), beyond the end, by work-item (2,0,0) of group (0,0,0); 6 times"]:
        raise Failure(f"the line: {lines}")
    example(app)
    reports, _, _, code = run(app, source, ["buffer:8", "int:0"], checks="memory,fatal")
    if code != 5 or len(reports) != 1:
        raise Failure(f"fatal: {code} {reports}")
    # A run in which nothing is found has a file too; %p is the process.
    with tempfile.TemporaryDirectory() as folder:
        run(app, source, ["buffer:32", "int:0"], LANEWISE_CHECK_LOG=os.path.join(folder, "log-%p.json"))
        made = list(pathlib.Path(folder).glob("log-[0-9]*.json"))
        if len(made) != 1 or json.loads(made[0].read_text())["reports"] != []:
            raise Failure(f"the log of no report: {made}")
    for buffer, expected in (("buffer:8", 5), ("buffer:32", 0)):
        _, _, _, code = run(app, source, [buffer, "int:0"], checks="memory,fatal", APP_FINISH="1")
        if code != expected:
            raise Failure(f"fatal for who waits for all, {buffer}: {code}")
    _, _, _, code = run(app, source, ["buffer:8", "int:0"], checks="memory", APP_FINISH="1")
    if code != 0:
        raise Failure(f"not fatal: {code}")
    _, _, _, code = run(app, source, ["buffer:32", "int:0"], checks="memory,fatal")
    if code != 0:
        raise Failure(f"fatal without a fault: {code}")
    # The builds' logs and the programs without the option are as before.
    _, _, checked, _ = run(app, source, ["buffer:32", "int:0"])
    _, lines, plain, _ = run(app, source, ["buffer:32", "int:0"], checks="")
    if checked != plain or lines:
        raise Failure(f"another log: {checked} {plain}")


def main():
    app, what = sys.argv[1:]
    tables = {"memory": MEMORY, "race": RACE, "init": INIT, "arith": ARITH, "barrier": BARRIER,
              "overflow": OVERFLOW, "buffers": BUFFERS}
    try:
        if what == "log":
            log(app)
        elif what == "patterns":
            races_of_patterns(app)
        else:
            each(app, tables[what], what)
    except Failure as failure:
        print(failure)
        return 1
    return 0


sys.exit(main())
