// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics: counters, places in an array, histograms of few and many bins, sums of floats.
#include <algorithm>
#include <atomic>

#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kCounters = R"(
kernel void counter(global uint* count) { atomic_inc(count); }
kernel void counter_if(global const uint* in, global uint* count) {
  if (in[get_global_id(0)] < 300) atomic_inc(count);
}
kernel void counter_local(global const uint* in, global uint* count) {
  local uint mine;
  if (get_local_id(0) == 0) mine = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (in[get_global_id(0)] < 300) atomic_inc(&mine);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_add(count, mine);
}
kernel void maximum(global const uint* in, global uint* most) { atomic_max(most, in[get_global_id(0)]); }
kernel void compaction(global const uint* in, global uint* out, global uint* count) {
  uint x = in[get_global_id(0)];
  if (x < 300) out[atomic_inc(count)] = x;
}
kernel void clear(global uint* count) { *count = 0; }
)";

const char* const kHistograms = R"(
kernel void global_bins(global const uint* in, global uint* bins, local uint* unused, uint count) {
  atomic_inc(&bins[in[get_global_id(0)]]);
}
kernel void local_bins(global const uint* in, global uint* bins, local uint* mine, uint count) {
  for (uint b = get_local_id(0); b < count; b += get_local_size(0)) mine[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint first = get_group_id(0) * PART;
  for (uint k = get_local_id(0); k < PART; k += get_local_size(0)) atomic_inc(&mine[in[first + k]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint b = get_local_id(0); b < count; b += get_local_size(0)) if (mine[b]) atomic_add(&bins[b], mine[b]);
}
)";

const char* const kFloats = R"(
kernel void add_by_exchange(global const float* in, global float* sums) {
  float v = in[get_global_id(0)];
  volatile global uint* p = (volatile global uint*)(sums + get_global_id(0) / 1024 % 64);
  uint old, seen = *p;
  do {
    old = seen;
    seen = atomic_cmpxchg(p, old, as_uint(as_float(old) + v));
  } while (seen != old);
}
)";
const char* const kFloatAtomics = R"(
kernel void add_atomically(global const float* in, global atomic_float* sums) {
  atomic_fetch_add_explicit(sums + get_global_id(0) / 1024 % 64, in[get_global_id(0)], memory_order_relaxed);
}
)";

void count_of(Run& r, const char* kernel, bool all, std::size_t n) {
  const auto a = integers(n, 1, 1000);
  std::vector<std::uint32_t> out(1), want(1);
  r.plain([&] {
    std::atomic<std::uint32_t> count = 0;
    parallel(n, [&](std::size_t i, std::size_t end) {
      std::uint32_t mine = 0;
      for (; i < end; ++i) mine += all || a[i] < 300 ? 1 : 0;
      count += mine;
    });
    want[0] = count;
  });
  r.source(kCounters);
  if (all)
    r.launch(kernel, {{n}, {256}, {}}, updated(out));
  else
    r.launch(kernel, {{n}, {256}, {}}, in(a), updated(out));
  r.work(static_cast<double>(n), "item");
  if (r.go()) r.check(out, want);
}
void counter(Run& r) {
  count_of(r, "counter", true, r.size(1'048'576, 8192));
}
void counter_if(Run& r) {
  count_of(r, "counter_if", false, r.size(4'194'304, 8192));
}
void counter_local(Run& r) {
  count_of(r, "counter_local", false, r.size(4'194'304, 8192));
}

void maximum(Run& r) {
  const std::size_t n = r.size(4'194'304, 8192);
  const auto a = integers(n, 1, 1U << 30U);
  std::vector<std::uint32_t> out(1), want(1);
  r.plain([&] {
    std::atomic<std::uint32_t> most = 0;
    parallel(n, [&](std::size_t i, std::size_t end) {
      std::uint32_t mine = 0;
      for (; i < end; ++i) mine = std::max(mine, a[i]);
      for (std::uint32_t seen = most; seen < mine && !most.compare_exchange_weak(seen, mine);) {
      }
    });
    want[0] = most;
  });
  r.source(kCounters);
  r.launch("maximum", {{n}, {256}, {}}, in(a), updated(out));
  r.work(static_cast<double>(n), "item");
  if (r.go()) r.check(out, want);
}

/// The elements that are kept may be in any order, so sums are compared.
void compaction(Run& r) {
  const std::size_t n = r.size(2'097'152, 8192);
  const auto a = integers(n, 1, 1000);
  std::vector<std::uint32_t> kept(n), out(n), count(1), want, got;
  r.plain([&] {
    std::atomic<std::uint32_t> next = 0;
    parallel(n, [&](std::size_t i, std::size_t end) {
      std::vector<std::uint32_t> mine(end - i);
      std::size_t k = 0;
      for (; i < end; ++i) {
        mine[k] = a[i];
        k += a[i] < 300 ? 1 : 0;
      }
      std::copy_n(mine.begin(), k, kept.begin() + next.fetch_add(static_cast<std::uint32_t>(k)));
    });
    want = {next, 0};
    for (std::size_t i = 0; i < next; ++i) want[1] += kept[i] * kept[i];
  });
  r.source(kCounters);
  r.launch("clear", {{1}, {1}, {}}, updated(count));
  r.launch("compaction", {{n}, {256}, {}}, in(a), updated(out), updated(count));
  r.work(static_cast<double>(n), "item");
  if (!r.go()) return;
  got = {count[0], 0};
  for (std::size_t i = 0; i < std::min<std::size_t>(count[0], n); ++i) got[1] += out[i] * out[i];
  r.check(got, want);
}

/// Work-groups of the local form take `kPart` items each, so that their bins are worth clearing.
void histogram_of(Run& r, bool in_local, std::uint32_t bins, std::size_t n) {
  constexpr std::size_t kPart = 65536;
  const auto a = integers(n, 1, bins);
  std::vector<std::uint32_t> out(bins), want(bins);
  r.plain([&] {
    std::fill(want.begin(), want.end(), 0);
    std::vector<std::atomic<std::uint32_t>> total(bins);
    parallel(
        16,
        [&](std::size_t p, std::size_t end) {
          std::vector<std::uint32_t> mine(bins);
          for (std::size_t i = n * p / 16; i < n * end / 16; ++i) ++mine[a[i]];
          for (std::uint32_t b = 0; b < bins; ++b) total[b].fetch_add(mine[b], std::memory_order_relaxed);
        },
        16);
    for (std::uint32_t b = 0; b < bins; ++b) want[b] = total[b];
  });
  r.source(kHistograms, "-DPART=65536");
  if (in_local)
    r.launch("local_bins", {{n / kPart * 256}, {256}, {}}, in(a), updated(out), local(bins * 4ULL), bins);
  else
    r.launch("global_bins", {{n}, {256}, {}}, in(a), updated(out), local(4), bins);
  r.work(static_cast<double>(n), "item");
  if (r.go()) r.check(out, want);
}
template <bool kLocal, std::uint32_t kBins>
void histogram(Run& r) {
  histogram_of(r, kLocal, kBins, r.size(kLocal ? 8'388'608 : 1'048'576, 65536));
}

/// Sums in any order, which the options of the program allow as those of the plain form do.
void sums_of(Run& r, const char* source, const char* options, const char* kernel) {
  const std::size_t n = r.size(1'048'576, 65536);
  auto a = floats(n, 1);
  for (float& x : a) x = static_cast<float>(static_cast<int>(x * 8));  // sums are exact in any order
  std::vector<float> out(64), want(64);
  r.plain([&] {
    parallel(64, [&](std::size_t sum, std::size_t end) {
      for (; sum < end; ++sum) {
        float total = 0;
        for (std::size_t block = sum; block < n / 1024; block += 64)
          for (std::size_t i = block * 1024; i < (block + 1) * 1024; ++i) total += a[i];
        want[sum] = total;
      }
    });
  });
  r.source(source, options);
  r.launch(kernel, {{n}, {256}, {}}, in(a), updated(out));
  r.work(static_cast<double>(n), "item");
  if (r.go()) r.check(out, want);
}
void add_by_exchange(Run& r) {
  sums_of(r, kFloats, "-cl-fast-relaxed-math", "add_by_exchange");
}
void add_atomically(Run& r) {
  if (!r.needs_extension("cl_ext_float_atomics")) return;
  sums_of(r, kFloatAtomics, "-cl-std=CL3.0 -cl-fast-relaxed-math", "add_atomically");
}

}  // namespace

void add_atomics(Suite& suite) {
  suite.insert(suite.end(), {{"atomics/counter", counter},
                             {"atomics/counter_if", counter_if},
                             {"atomics/counter_local", counter_local},
                             {"atomics/maximum", maximum},
                             {"atomics/compaction", compaction},
                             {"atomics/global_16", histogram<false, 16>},
                             {"atomics/global_256", histogram<false, 256>},
                             {"atomics/global_65536", histogram<false, 65536>},
                             {"atomics/local_16", histogram<true, 16>},
                             {"atomics/local_256", histogram<true, 256>},
                             {"atomics/local_65536", histogram<true, 65536>},
                             {"atomics/add_by_exchange", add_by_exchange},
                             {"atomics/add_atomically", add_atomically}});
}

}  // namespace lanewise::bench
