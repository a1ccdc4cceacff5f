// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group collectives and sub-groups, where the device reports them.
#include "tests/bench/suite/suite.h"

namespace lanewise::bench {
namespace {

const char* const kWorkGroup = R"(
kernel void group_reduce(global const float* in, global float* out) {
  float sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == 0) out[get_group_id(0)] = sum;
}
kernel void group_scan(global const uint* in, global uint* out) {
  out[get_global_id(0)] = work_group_scan_inclusive_add(in[get_global_id(0)]);
}
kernel void group_any(global const uint* in, global uint* out) {
  // As in a search: whole groups in which nobody has found anything do nothing further.
  uint x = in[get_global_id(0)];
  if (work_group_any(x == 0)) x = x * 2654435761u + 1;
  out[get_global_id(0)] = x;
}
kernel void group_broadcast(global const float* in, global float* out) {
  out[get_global_id(0)] = in[get_global_id(0)] - work_group_broadcast(in[get_global_id(0)], 5);
}
)";

// Sums within a sub-group, then over the sub-groups: right for every size of sub-groups.
const char* const kSubGroup = R"(
#ifdef KHR
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
kernel void sub_reduce(global const float* in, global float* out) {
  local float part[128];
  float sum = sub_group_reduce_add(in[get_global_id(0)]);
  if (get_sub_group_local_id() == 0) part[get_sub_group_id()] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    float total = 0;
    for (uint k = 0; k < get_num_sub_groups(); ++k) total += part[k];
    out[get_group_id(0)] = total;
  }
}
kernel void sub_scan(global const uint* in, global uint* out) {
  local uint part[128];
  uint x = in[get_global_id(0)];
  uint before = sub_group_scan_inclusive_add(x);
  if (get_sub_group_local_id() == get_sub_group_size() - 1) part[get_sub_group_id()] = before;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < get_sub_group_id(); ++k) before += part[k];
  // Ids of sub-groups are consecutive runs of local ids in a one-dimensional work-group here.
  out[get_global_id(0)] = before;
}
)";
const char* const kShuffle = R"(
kernel void sub_shuffle(global const float* in, global float* out) {
  float x = in[get_global_id(0)];
  for (int n = 0; n < 16; ++n) x = 0.5f * (x + sub_group_shuffle_xor(x, 1u)) + 0.25f;
  out[get_global_id(0)] = x;
}
)";

constexpr std::size_t kWidth = 128;

void reduce_of(Run& r, const char* source, const char* kernel) {
  const std::size_t n = r.size(8'388'608, 8192), groups = n / kWidth;
  const auto a = floats(n, 1);
  std::vector<float> out(groups), want(groups);
  r.plain([&] {
    parallel(groups, [&](std::size_t g, std::size_t end) {
      for (; g < end; ++g) {
        float sum = 0;
        for (std::size_t k = 0; k < kWidth; ++k) sum += a[g * kWidth + k];
        want[g] = sum;
      }
    });
  });
  r.source(source, "-cl-std=CL3.0");
  r.launch(kernel, {{n}, {kWidth}, {}}, in(a), out_of(out));
  r.work(4.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-4);
}

void scan_of(Run& r, const char* source, const char* kernel) {
  const std::size_t n = r.size(4'194'304, 8192);
  const auto a = integers(n, 1, 1000);
  std::vector<std::uint32_t> out(n), want(n);
  r.plain([&] {
    parallel(n / kWidth, [&](std::size_t g, std::size_t end) {
      for (; g < end; ++g) {
        std::uint32_t sum = 0;
        for (std::size_t i = g * kWidth; i < (g + 1) * kWidth; ++i) want[i] = sum += a[i];
      }
    });
  });
  r.source(source, "-cl-std=CL3.0");
  r.launch(kernel, {{n}, {kWidth}, {}}, in(a), out_of(out));
  r.work(8.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

void group_reduce(Run& r) {
  if (r.needs_feature("__opencl_c_work_group_collective_functions")) reduce_of(r, kWorkGroup, "group_reduce");
}
void group_scan(Run& r) {
  if (r.needs_feature("__opencl_c_work_group_collective_functions")) scan_of(r, kWorkGroup, "group_scan");
}
void group_broadcast(Run& r) {
  if (!r.needs_feature("__opencl_c_work_group_collective_functions")) return;
  const std::size_t n = r.size(4'194'304, 8192);
  const auto a = floats(n, 1);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n, [&](std::size_t i, std::size_t end) {
      for (; i < end; ++i) want[i] = a[i] - a[i / kWidth * kWidth + 5];
    });
  });
  r.source(kWorkGroup, "-cl-std=CL3.0");
  r.launch("group_broadcast", {{n}, {kWidth}, {}}, in(a), out_of(out));
  r.work(8.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-6);
}

void group_any(Run& r) {
  if (!r.needs_feature("__opencl_c_work_group_collective_functions")) return;
  const std::size_t n = r.size(4'194'304, 8192);
  const auto a = integers(n, 1, 512);  // about every fifth group has a zero
  std::vector<std::uint32_t> out(n), want(n);
  r.plain([&] {
    parallel(n / kWidth, [&](std::size_t g, std::size_t end) {
      for (; g < end; ++g) {
        const std::uint32_t* from = &a[g * kWidth];
        std::uint32_t zeros = 0;
        for (std::size_t k = 0; k < kWidth; ++k) zeros |= static_cast<std::uint32_t>(from[k] == 0);
        for (std::size_t k = 0; k < kWidth; ++k)
          want[g * kWidth + k] = zeros != 0 ? from[k] * 2654435761U + 1 : from[k];
      }
    });
  });
  r.source(kWorkGroup, "-cl-std=CL3.0");
  r.launch("group_any", {{n}, {kWidth}, {}}, in(a), out_of(out));
  r.work(8.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want);
}

// The same loop through pointers whose address space the compiler cannot see, and through qualified ones. The rows are
// in global memory for half of the groups and in local memory for the others.
const char* const kPointers = R"(
float sum_generic(const float* row, int count) {
  float sum = 0;
  for (int k = 0; k < count; ++k) sum = fma(sum, 0.5f, row[k]);
  return sum;
}
float sum_global(global const float* row, int count) {
  float sum = 0;
  for (int k = 0; k < count; ++k) sum = fma(sum, 0.5f, row[k]);
  return sum;
}
float sum_local(local const float* row, int count) {
  float sum = 0;
  for (int k = 0; k < count; ++k) sum = fma(sum, 0.5f, row[k]);
  return sum;
}
kernel void generic_rows(global const float* in, global float* out, int count) {
  local float tile[512];
  for (int k = get_local_id(0); k < count; k += get_local_size(0)) tile[k] = in[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  const float* row = get_group_id(0) % 2 ? (const float*)tile : (const float*)in;
  out[get_global_id(0)] = get_local_id(0) + sum_generic(row + get_local_id(0), count - 128);
}
kernel void qualified_rows(global const float* in, global float* out, int count) {
  local float tile[512];
  for (int k = get_local_id(0); k < count; k += get_local_size(0)) tile[k] = in[k];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = get_local_id(0) + (get_group_id(0) % 2 ? sum_local(tile + get_local_id(0), count - 128)
                                                                : sum_global(in + get_local_id(0), count - 128));
}
)";

void rows_of(Run& r, const char* kernel) {
  if (!r.needs_feature("__opencl_c_generic_address_space")) return;
  constexpr int kCount = 512;
  const std::size_t n = r.size(262'144, 8192);
  const auto a = floats(kCount, 1);
  std::vector<float> out(n), want(n);
  r.plain([&] {
    parallel(n / kWidth, [&](std::size_t g, std::size_t end) {
      for (; g < end; ++g) {
        float sums[kWidth] = {};
        for (std::size_t k = 0; k < kCount - kWidth; ++k)
          for (std::size_t i = 0; i < kWidth; ++i) sums[i] = std::fma(sums[i], 0.5F, a[i + k]);
        for (std::size_t i = 0; i < kWidth; ++i) want[g * kWidth + i] = static_cast<float>(i) + sums[i];
      }
    });
  });
  r.source(kPointers, "-cl-std=CL3.0");
  r.launch(kernel, {{n}, {kWidth}, {}}, in(a), out_of(out), kCount);
  r.work(2.0 * (kCount - kWidth) * n, "FLOP");
  if (r.go()) r.check(out, want, 1e-5);
}
void generic_rows(Run& r) {
  rows_of(r, "generic_rows");
}
void qualified_rows(Run& r) {
  rows_of(r, "qualified_rows");
}

void sub_reduce(Run& r) {
  if (r.needs_feature("__opencl_c_subgroups")) reduce_of(r, kSubGroup, "sub_reduce");
}
void sub_scan(Run& r) {
  if (r.needs_feature("__opencl_c_subgroups")) scan_of(r, kSubGroup, "sub_scan");
}
void sub_shuffle(Run& r) {
  if (!r.needs_feature("__opencl_c_subgroups") || !r.needs_extension("cl_khr_subgroup_shuffle")) return;
  const std::size_t n = r.size(4'194'304, 8192);
  const auto a = floats(n, 1);
  std::vector<float> out(n), want(n);
  r.reference([&] {
    parallel(n / 2, [&](std::size_t pair, std::size_t end) {
      for (; pair < end; ++pair) {
        float x = a[pair * 2], y = a[pair * 2 + 1];
        for (int k = 0; k < 16; ++k) x = y = 0.5f * (x + y) + 0.25f;
        want[pair * 2] = x;
        want[pair * 2 + 1] = y;
      }
    });
  });
  r.source(kShuffle, "-cl-std=CL3.0");
  r.launch("sub_shuffle", {{n}, {kWidth}, {}}, in(a), out_of(out));
  r.work(8.0 * n, "B", Limit::kBandwidth);
  if (r.go()) r.check(out, want, 1e-5);
}

}  // namespace

void add_collective(Suite& suite) {
  suite.insert(suite.end(), {{"workgroup/group_reduce", group_reduce},
                             {"workgroup/group_scan", group_scan},
                             {"workgroup/group_broadcast", group_broadcast},
                             {"workgroup/group_any", group_any},
                             {"workgroup/generic_pointers", generic_rows},
                             {"workgroup/qualified_pointers", qualified_rows},
                             {"workgroup/sub_group_reduce", sub_reduce},
                             {"workgroup/sub_group_scan", sub_scan},
                             {"workgroup/sub_group_shuffle", sub_shuffle}});
}

}  // namespace lanewise::bench
