// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries of a kernel's sub-groups (API 5.9.4, table 48). They agree with what a launch does: a sub-group is
/// `KernelInfo::sub_group_size` work-items of the group with consecutive linear local ids.
#include <algorithm>
#include <array>
#include <vector>

#include "icd/cast.h"
#include "icd/info/program_info.h"

using namespace lanewise;

namespace {

constexpr std::size_t kMostDimensions = 3;

/// The input of a query, and how large an answer the caller has room for.
struct Input {
  const std::size_t* values;
  std::size_t bytes;
  std::size_t answer_bytes;
};

/// Number of dimensions of a local size that is `bytes` bytes long.
std::size_t dimensions(std::size_t bytes) {
  const std::size_t count = bytes / sizeof(std::size_t);
  require(bytes % sizeof(std::size_t) == 0 && count >= 1 && count <= kMostDimensions, CL_INVALID_VALUE,
          "the size is not that of 1 to 3 numbers");
  return count;
}

/// Work-items of the local size in `input`.
std::size_t work_items(const Input& input) {
  require(input.values != nullptr, CL_INVALID_VALUE, "input_value is NULL");
  std::size_t product = 1;
  for (std::size_t i = 0; i < dimensions(input.bytes); ++i) {
    if (__builtin_mul_overflow(product, input.values[i], &product)) return ~std::size_t{0};
  }
  return product;
}

std::size_t sub_groups(std::size_t items, std::size_t size) {
  return items / size + (items % size != 0 ? 1 : 0);
}

/// A one-dimensional local size of exactly as many full sub-groups as asked for; zeros if the kernel cannot have it.
std::vector<std::size_t> local_size_for(const KernelOnDevice& q, const Input& input) {
  require(input.values != nullptr && input.bytes == sizeof(std::size_t), CL_INVALID_VALUE, "not a sub-group count");
  const std::size_t room = input.answer_bytes == 0 ? kMostDimensions * sizeof(std::size_t) : input.answer_bytes;
  std::vector<std::size_t> local(std::min(room / sizeof(std::size_t), kMostDimensions), 0);
  require(!local.empty(), CL_INVALID_VALUE, "param_value_size is too small");
  const std::size_t count = *input.values;
  const std::size_t size = q.with_code().info().sub_group_size;
  const auto& required = q.kernel.info().reqd_work_group_size;
  const std::size_t most = q.kernel.max_work_group_size(q.device) / size;
  const std::size_t groups = q.kernel.info().reqd_sub_groups;
  const bool fits = groups == 0 || groups == count;
  const bool allowed =
      fits && (required[0] == 0 || (required[0] == count * size && required[1] == 1 && required[2] == 1));
  if (count == 0 || count > most || !allowed) return local;
  std::fill(local.begin(), local.end(), 1);
  local[0] = count * size;
  return local;
}

}  // namespace

std::span<const Row<KernelOnDevice, Input>> sub_group_rows() {
  using Q = KernelOnDevice;
  static constexpr Row<Q, Input> rows[] = {
      {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, type<std::size_t>,
       [](const Q& q, const Input& input) {
         work_items(input);
         return std::size_t{q.with_code().info().sub_group_size};
       }},
      {CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, type<std::size_t>,
       [](const Q& q, const Input& input) {
         return sub_groups(work_items(input), q.with_code().info().sub_group_size);
       }},
      {CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, type<std::size_t[]>,
       [](const Q& q, const Input& input) { return local_size_for(q, input); }},
      {CL_KERNEL_MAX_NUM_SUB_GROUPS, type<std::size_t>,
       [](const Q& q, const Input&) {
         return sub_groups(q.with_code().max_work_group_size(q.device), q.kernel.info().sub_group_size);
       }},
      // Only SPIR-V can require a number of sub-groups.
      {CL_KERNEL_COMPILE_NUM_SUB_GROUPS, type<std::size_t>,
       [](const Q& q, const Input&) { return std::size_t{q.kernel.info().reqd_sub_groups}; }},
      {CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, type<std::size_t>,
       [](const Q& q, const Input&) { return std::size_t{q.kernel.info().reqd_sub_group_size}; }},
  };
  return rows;
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                                        cl_kernel_sub_group_info param_name, size_t input_value_size,
                                                        const void* input_value, size_t param_value_size,
                                                        void* param_value, size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    const auto& object = as<Kernel>(kernel);
    const KernelOnDevice on{object, device_of(object, device)};
    const Input input{static_cast<const std::size_t*>(input_value), input_value_size, param_value_size};
    answer(sub_group_rows(), param_name, on, input, InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}
