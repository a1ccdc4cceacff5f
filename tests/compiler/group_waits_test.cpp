// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which kernels have groups that may wait for others (KernelInfo::waits): those are begun in order, all others may be
/// divided among threads in any order.
#include "tests/compiler/requests.h"

namespace lanewise::test {
namespace {

/// Whether the only kernel of the program waits.
bool waits(const std::string& source, std::vector<std::string> options = {"-cl-std=CL3.0"}) {
  abi::Build q = build_of(source, std::move(options));
  for (const char* feature : {"atomic_order_acq_rel", "atomic_order_seq_cst", "atomic_scope_device",
                              "generic_address_space", "work_group_collective_functions", "subgroups"})
    q.source.macros.push_back("__opencl_c_" + std::string(feature) + "=1");
  const abi::Reply reply = run_request(q);
  EXPECT_EQ(reply.status, 0) << source << reply.log;
  return reply.kernels.size() == 1 && reply.kernels[0].waits;
}

/// A kernel with this body, in which `i` is the global id, `l` the local one and `g` the group.
std::string kernel(const std::string& body) {
  return "kernel void k(global volatile int* flags, global int* p, global float* f, global const float* in,"
         " volatile global atomic_int* a, int n, int v) {"
         " const int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0); " +
         body + " }";
}

// NOLINTBEGIN(bugprone-suspicious-missing-comma): long bodies are several literals.
constexpr const char* kWaiting[] = {
    // The predecessor's flag, in the forms that programs use.
    "if (g > 0) while (flags[g - 1] == 0); p[i] = v;",
    "if (l == 0 && g > 0) while (atomic_load_explicit(a + g - 1, memory_order_acquire, memory_scope_device) == 0);"
    " barrier(CLK_GLOBAL_MEM_FENCE); p[i] = p[i + 1];",
    "if (g > 0) while (atomic_add(p + g - 1, 0) == 0);",
    "if (g > 0) while (atomic_or(p + g - 1, 0) == 0);",
    "if (g > 0) while (atomic_cmpxchg(p + g - 1, 1, 2) != 1);",
    "if (g > 0) while (atomic_xchg(p + g - 1, 0) == 0);",
    "if (g > 0) while (p[g - 1] == 0) mem_fence(CLK_GLOBAL_MEM_FENCE);",
    "if (g > 0) while (p[g - 1] == 0) barrier(CLK_GLOBAL_MEM_FENCE);",
    "bool go = false; while (!go) { if (flags[g] == 2) go = true; }",
    "int seen; do { seen = flags[g]; } while (seen < n); p[i] = seen;",
    "for (int k = 0; k < n; ++k) { if (flags[k] != 0) { p[0] = k; break; } }",
    // A scan that looks back at several groups.
    "int sum = 0; for (int k = g - 1; k >= 0;) { const int s = flags[k]; if (s == 0) continue; sum += s & 0xffff;"
    " if (s & 0x10000) break; --k; } p[i] = sum;",
    // A barrier of all groups.
    "if (l == 0) { atomic_inc(p); while (atomic_or(p, 0) < n); } barrier(CLK_GLOBAL_MEM_FENCE);",
    // One work-item looks, the others see it in local memory.
    "local int seen; do { if (l == 0) seen = flags[g]; barrier(CLK_LOCAL_MEM_FENCE); } while (seen == 0);",
    "while (!work_group_any(flags[g + l] != 0)); p[i] = v;",
    // Only who has what a lock word says may go on.
    "for (;;) { const int old = flags[0]; if (old & 1) continue; if (atomic_cmpxchg(p, old, old | 1) == old) break; }",
    "int old; do { old = flags[0]; } while (old != g || atomic_cmpxchg(flags, old, old + 1) != old);",
    // The turn of a group comes when another one passes it on.
    "while (atomic_cmpxchg(p, g, -1) != g); f[0] += in[i]; atomic_xchg(p, g + 1);",
    "const int mine = atomic_inc(p); while (flags[0] != mine); flags[0] = mine + 1;",
};

constexpr const char* kNotWaiting[] = {
    "p[i] = v;",
    "for (int k = 0; k < n; ++k) f[i] += in[k];",
    "for (int k = 0; k < n && in[k] != 1.0f; ++k) p[i] = k;",
    "if (flags[g] != 0) p[i] = v;",
    "for (int k = 0; k < n; ++k) p[i] += flags[k];",
    "atomic_add(p, v); if (atomic_inc(p + 1) == n - 1) for (int k = 0; k < n; ++k) f[0] += in[k];",
    // Sums of floats, minima and the like: a round follows where another thread has changed the number.
    "union { int i; float f; } old, new; do { old.f = f[0]; new.f = old.f + in[i]; }"
    " while (atomic_cmpxchg((volatile global int*)f, old.i, new.i) != old.i);",
    "union { uint u; float f; } expected, next, current; current.f = f[v]; do { expected.f = current.f;"
    " next.f = expected.f * in[i] + 1.0f; current.u = atomic_cmpxchg((volatile global uint*)(f + v), expected.u, "
    "next.u); }"
    " while (current.u != expected.u);",
    "for (int k = 0; k < n; ++k) { int old, now = p[k]; do { old = now; now = atomic_cmpxchg(p + k, old, old * 3 + v); "
    "}"
    " while (now != old); }",
    "int old = flags[0]; while (old < v) { const int now = atomic_cmpxchg(flags, old, v); if (now == old) break; old = "
    "now; }",
    "int old = atomic_load_explicit(a, memory_order_relaxed, memory_scope_device);"
    " while (!atomic_compare_exchange_strong_explicit(a, &old, old * v + 1, memory_order_relaxed, memory_order_relaxed,"
    " memory_scope_device));",
    // The first half of a number, whose other half nobody compares.
    "union { uint2 u; float2 f; } old, now; now.f = ((global float2*)f)[v]; do { old.u = now.u; now.u.s0 ="
    " atomic_cmpxchg((global uint*)f + v * 2, old.u.s0, as_uint(old.f.s0 + in[i])); } while (now.u.s0 != old.u.s0);",
    // Work that groups take as they come.
    "for (int k = atomic_inc(p); k < n; k = atomic_inc(p)) f[k] = in[k] * 2;",
    "int k; while ((k = atomic_add(p, 4)) < n) f[k] = in[k];",
    // Local memory is that of one group.
    "local int done; if (l == 0) done = 0; barrier(CLK_LOCAL_MEM_FENCE);"
    " while (done < n) { barrier(CLK_LOCAL_MEM_FENCE); if (l == 0) done += v; barrier(CLK_LOCAL_MEM_FENCE); } p[i] = "
    "done;",
    "local int tile[64]; int sum = 0; for (int k = 0; k < n; k += 64) { tile[l] = p[k + l]; "
    "barrier(CLK_LOCAL_MEM_FENCE);"
    " for (int m = 0; m < 64; ++m) sum += tile[m]; barrier(CLK_LOCAL_MEM_FENCE); } f[i] = sum;",
    "for (int k = 0; k < n; ++k) { barrier(CLK_GLOBAL_MEM_FENCE); f[i] = cos(f[i + 1]); }",
    "int x = i; while (x != 0) { atomic_xchg(p + x, v); x = x / 2; }",
};

// NOLINTEND(bugprone-suspicious-missing-comma)

TEST(GroupWaits, AreFound) {
  for (const char* body : kWaiting) EXPECT_TRUE(waits(kernel(body))) << body;
}

TEST(GroupWaits, AreNotSeenEverywhere) {
  for (const char* body : kNotWaiting) EXPECT_FALSE(waits(kernel(body))) << body;
}

/// Variables stay in memory there.
TEST(GroupWaits, AreFoundWithoutOptimisation) {
  for (const char* body : kWaiting)
    EXPECT_TRUE(waits(kernel(body), {"-cl-std=CL3.0", "-g", "-cl-opt-disable"})) << body;
  for (const char* body : kWaiting) EXPECT_TRUE(waits(kernel(body), {"-cl-std=CL3.0", "-cl-opt-disable"})) << body;
}

TEST(GroupWaits, MayBeInFunctions) {
  EXPECT_TRUE(
      waits("__attribute__((noinline)) int status(volatile global int* p) { return *p; }"
            "kernel void k(global int* p, global int* q) { while (status(p) == 0); *q = 1; }"));
  EXPECT_TRUE(
      waits("__attribute__((noinline)) void wait(volatile global int* p) { while (*p == 0); }"
            "kernel void k(global int* p, global int* q) { wait(p); *q = 1; }"));
  EXPECT_FALSE(
      waits("__attribute__((noinline)) int half_of(int n) { while (n > 100) n /= 3; return n / 2; }"
            "kernel void k(global int* p, int n) { while (n > 3) { n = half_of(n); atomic_xchg(p, n); } }"));
}

TEST(GroupWaits, MayGoThroughGenericPointers) {
  EXPECT_TRUE(
      waits("kernel void k(global int* p, global int* q, int n) { local int l;"
            " volatile int* x = n > 3 ? (volatile int*)p : (volatile int*)&l; while (*x == 0) {} *q = 1; }"));
}

}  // namespace
}  // namespace lanewise::test
