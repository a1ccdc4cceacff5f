// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/description.h"

#include <CL/cl.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "src/base/fields.h"
#include "src/base/rounding.h"

namespace lanewise {

namespace {

/// Every number within its bound.
template <class Description>
bool in_bounds(const Description& description) {
  FieldChecker fields;
  fields(description);
  return fields.ok();
}

/// The qualifiers follow from the kind. Those of handles are what their metadata says, but no handle is local memory,
/// nor has a type that ends as pointers do.
bool fits_kind(const abi::ArgInfo& arg) {
  using Kind = abi::ArgKind;
  const std::uint32_t space = arg.address_qualifier;
  const bool of_memory = arg.kind == Kind::image || arg.kind == Kind::pipe;
  if (arg.access_qualifier != CL_KERNEL_ARG_ACCESS_NONE && !of_memory) return false;
  if ((arg.type_qualifier & CL_KERNEL_ARG_TYPE_PIPE) != 0 && arg.kind != Kind::pipe) return false;
  switch (arg.kind) {
    case Kind::value:
      return space == CL_KERNEL_ARG_ADDRESS_PRIVATE;
    case Kind::global_pointer:  // also those that name no address space
      return space == CL_KERNEL_ARG_ADDRESS_GLOBAL || space == CL_KERNEL_ARG_ADDRESS_PRIVATE;
    case Kind::constant_pointer:
      return space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case Kind::local_pointer:
      return space == CL_KERNEL_ARG_ADDRESS_LOCAL;
    case Kind::image:
    case Kind::sampler:
    case Kind::pipe:
    case Kind::queue:
      return space != CL_KERNEL_ARG_ADDRESS_LOCAL && !arg.type_name.ends_with('*');
  }
  return false;
}

/// Elements whose memory is collected by one operation.
bool accumulates_well(const abi::ArgInfo& arg) {
  if (arg.accumulation == abi::Accumulation::none) return true;
  return arg.kind == abi::ArgKind::global_pointer && arg.accumulated_bytes != 0;
}

/// Arguments lie one behind the other, each at its alignment, and behind them the address of the program's variables.
bool is_laid_out(const abi::KernelInfo& kernel) {
  constexpr std::uint64_t kWord = sizeof(std::uint64_t);
  std::uint64_t end = 0;
  for (const abi::ArgInfo& arg : kernel.args) {
    if (arg.offset != round_up(end, arg.align)) return false;
    if (arg.kind != abi::ArgKind::value && (arg.size != kWord || arg.align != kWord)) return false;
    end = std::uint64_t{arg.offset} + arg.size;
  }
  end = round_up(end, kWord);
  if (kernel.has_variables) {
    if (kernel.variables_offset != end) return false;
    end += kWord;
  }
  return kernel.args_bytes == end;
}

/// Three sizes, or none.
bool names_sizes(const std::array<std::uint64_t, 3>& sizes) {
  return std::count(sizes.begin(), sizes.end(), 0) % 3 == 0;
}

bool agrees(const abi::KernelInfo& kernel) {
  const auto accumulates = [](const abi::ArgInfo& arg) { return arg.accumulation != abi::Accumulation::none; };
  return !kernel.name.empty() && kernel.symbol == kernel.name + ".range" && is_laid_out(kernel) &&
         std::all_of(kernel.args.begin(), kernel.args.end(), fits_kind) &&
         std::all_of(kernel.args.begin(), kernel.args.end(), accumulates_well) &&
         kernel.accumulates == std::any_of(kernel.args.begin(), kernel.args.end(), accumulates) &&
         names_sizes(kernel.reqd_work_group_size) && names_sizes(kernel.work_group_size_hint) &&
         (kernel.reqd_sub_group_size == 0 || kernel.reqd_sub_group_size == kernel.sub_group_size);
}

bool are_distinct(const std::vector<abi::KernelInfo>& kernels) {
  std::vector<std::string_view> names;
  names.reserve(kernels.size());
  for (const abi::KernelInfo& kernel : kernels) names.push_back(kernel.name);
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

}  // namespace

bool is_plausible(const abi::VariableStorage& storage) {
  constexpr std::uint64_t kWord = sizeof(std::uint64_t);
  if (!in_bounds(storage) || storage.largest > storage.bytes || storage.initial.size() > storage.bytes) return false;
  const auto is_inside = [&](const abi::VariableStorage::Name& name) {
    return name.at <= storage.bytes && name.bytes <= storage.bytes - name.at;
  };
  if (!std::all_of(storage.names.begin(), storage.names.end(), is_inside)) return false;
  return std::all_of(storage.pointers.begin(), storage.pointers.end(), [&](const auto& pointer) {
    return storage.bytes >= kWord && pointer.at <= storage.bytes - kWord;
  });
}

Result<void> check_description(const abi::Reply& reply) {
  if (!is_plausible(reply.variables))
    return Error{CL_INVALID_BINARY, "the description of the program's variables is damaged"};
  const bool has_variables = reply.variables.bytes != 0;
  for (const abi::KernelInfo& kernel : reply.kernels)
    if (!in_bounds(kernel) || !agrees(kernel) || kernel.has_variables != has_variables)
      return Error{CL_INVALID_BINARY, "the description of kernel " + kernel.name + " is damaged"};
  if (!are_distinct(reply.kernels)) return Error{CL_INVALID_BINARY, "two kernels have one name"};
  return {};
}

}  // namespace lanewise
