// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/compiler/direct_launch.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "include/lanewise/kernel_abi.h"
#include "src/base/rounding.h"

namespace lanewise::test {
namespace {

/// `bytes` bytes of garbage at an address aligned for scratch, with guards on both sides.
class Area {
 public:
  explicit Area(std::size_t bytes) : bytes_(bytes), storage_(bytes + std::size_t{3} * LANEWISE_SCRATCH_ALIGN, kGuard) {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data()) + LANEWISE_SCRATCH_ALIGN;
    data_ = reinterpret_cast<char*>(address / LANEWISE_SCRATCH_ALIGN * LANEWISE_SCRATCH_ALIGN);
    std::fill(data_, data_ + bytes_, static_cast<char>(0xA5));
  }
  char* data() { return data_; }
  [[nodiscard]] bool intact() const {
    const char* end = storage_.data() + storage_.size();
    return std::all_of(storage_.data(), static_cast<const char*>(data_), [](char c) { return c == kGuard; }) &&
           std::all_of(static_cast<const char*>(data_ + bytes_), end, [](char c) { return c == kGuard; });
  }

 private:
  static constexpr char kGuard = 0x5C;
  std::size_t bytes_;
  std::vector<char> storage_;
  char* data_;
};

class Image {
 public:
  explicit Image(const std::vector<std::uint8_t>& bytes) {
    char name[] = "/tmp/lanewise-test-XXXXXX";
    const int file = mkstemp(name);
    if (file < 0) return;
    if (write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()))
      handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    close(file);
    unlink(name);
  }
  ~Image() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  [[nodiscard]] lanewise_range_fn* symbol(const std::string& name) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<lanewise_range_fn*>(dlsym(handle_, name.c_str()));
  }

 private:
  void* handle_ = nullptr;
};

struct Context {
  Observed* observed = nullptr;
};

int32_t print(lanewise_worker* worker, std::uint64_t group, const char* format, const void* args, std::uint32_t bytes,
              std::uint32_t count) {
  auto* observed = static_cast<Context*>(worker->runtime)->observed;
  const auto* begin = static_cast<const std::uint8_t*>(args);
  if (observed != nullptr) observed->prints.push_back({group, format, {begin, begin + bytes}, count});
  return 0;
}

void divergent_barrier(lanewise_worker* worker, std::uint64_t group, const char* site) {
  auto* observed = static_cast<Context*>(worker->runtime)->observed;
  if (observed != nullptr) observed->divergent.push_back({group, site});
}

/// Memory for the variables of a program, with their initial values.
class Variables {
 public:
  explicit Variables(const abi::VariableStorage& storage)
      : area_(storage.bytes + storage.align), data_(area_.data() + padding(area_.data(), storage.align)) {
    std::fill(data_, data_ + storage.bytes, '\0');
    std::copy(storage.initial.begin(), storage.initial.end(), data_);
    for (const abi::VariableStorage::Pointer& pointer : storage.pointers) {
      const char* target = data_ + pointer.target;
      std::memcpy(data_ + pointer.at, &target, sizeof target);
    }
  }
  [[nodiscard]] const char* data() const { return data_; }
  [[nodiscard]] bool intact() const { return area_.intact(); }

 private:
  static std::size_t padding(const char* data, std::size_t align) {
    return (align - reinterpret_cast<std::uintptr_t>(data) % align) % align;
  }
  Area area_;
  char* data_;
};

struct Arguments {
  std::vector<std::byte> block;
  std::uint64_t local_bytes = 0;
};

Arguments pack(const abi::KernelInfo& info, const std::vector<Arg>& args) {
  Arguments result;
  result.block.resize(info.args_bytes);
  result.local_bytes = info.local_bytes;
  for (std::size_t i = 0; i < args.size(); ++i) {
    std::byte* place = result.block.data() + info.args[i].offset;
    if (args[i].kind == Arg::Kind::buffer) {
      std::memcpy(place, &args[i].data, sizeof(void*));
    } else if (args[i].kind == Arg::Kind::value) {
      std::memcpy(place, args[i].value.data(), std::min<std::size_t>(args[i].bytes, info.args[i].size));
    } else {
      result.local_bytes = round_up(result.local_bytes, LANEWISE_SCRATCH_ALIGN);
      std::memcpy(place, &result.local_bytes, sizeof(std::uint64_t));
      result.local_bytes += args[i].bytes;
    }
  }
  return result;
}

}  // namespace

const std::vector<std::string>& device_extensions() {
  static const std::vector<std::string> extensions = {
      "cl_khr_fp16",
      "cl_khr_fp64",
      "cl_khr_int64_base_atomics",
      "cl_khr_int64_extended_atomics",
      "cl_ext_float_atomics",
      "cl_ext_cxx_for_opencl",
      "cl_khr_extended_bit_ops",
      "cl_khr_integer_dot_product",
      "__opencl_c_fp64",
      "__opencl_c_int64",
      "__opencl_c_subgroups",
      "__opencl_c_work_group_collective_functions",
      "cl_khr_work_group_uniform_arithmetic",
      "cl_khr_extended_async_copies",
      "cl_khr_async_work_group_copy_fence",
      "cl_intel_split_work_group_barrier",
      "cl_khr_kernel_clock",
      "cl_khr_subgroups",
      "cl_khr_subgroup_extended_types",
      "cl_khr_subgroup_non_uniform_vote",
      "cl_khr_subgroup_ballot",
      "cl_khr_subgroup_non_uniform_arithmetic",
      "cl_khr_subgroup_shuffle",
      "cl_khr_subgroup_shuffle_relative",
      "cl_khr_subgroup_clustered_reduce",
      "cl_khr_subgroup_rotate",
      "cl_khr_subgroup_named_barrier",
      "cl_intel_required_subgroup_size",
      "cl_intel_subgroups",
      "cl_intel_subgroups_short",
      "cl_intel_subgroups_char",
      "cl_intel_subgroups_long",
      "cl_intel_subgroup_buffer_prefetch",
      "cl_intel_subgroup_local_block_io",
      "cl_intel_bfloat16_conversions",
      "cl_intel_vec_len_hint",
      "cl_arm_integer_dot_product_int8",
      "cl_arm_integer_dot_product_accumulate_int8",
      "cl_arm_integer_dot_product_accumulate_int16",
      "cl_arm_integer_dot_product_accumulate_saturate_int8",
  };
  return extensions;
}

const std::vector<std::string>& device_macros() {
  static const std::vector<std::string> macros = {
      "__opencl_c_atomic_order_acq_rel=1",
      "__opencl_c_atomic_order_seq_cst=1",
      "__opencl_c_atomic_scope_all_devices=1",
      "__opencl_c_atomic_scope_device=1",
      "__opencl_c_ext_fp16_global_atomic_add=1",
      "__opencl_c_ext_fp16_global_atomic_min_max=1",
      "__opencl_c_ext_fp16_global_atomic_load_store=1",
      "__opencl_c_ext_fp16_local_atomic_add=1",
      "__opencl_c_ext_fp16_local_atomic_min_max=1",
      "__opencl_c_ext_fp16_local_atomic_load_store=1",
      "__opencl_c_ext_fp32_global_atomic_add=1",
      "__opencl_c_ext_fp32_global_atomic_min_max=1",
      "__opencl_c_ext_fp32_local_atomic_add=1",
      "__opencl_c_ext_fp32_local_atomic_min_max=1",
      "__opencl_c_ext_fp64_global_atomic_add=1",
      "__opencl_c_ext_fp64_global_atomic_min_max=1",
      "__opencl_c_ext_fp64_local_atomic_add=1",
      "__opencl_c_ext_fp64_local_atomic_min_max=1",
      "__opencl_c_generic_address_space=1",
      "__opencl_c_integer_dot_product_input_4x8bit=1",
      "__opencl_c_integer_dot_product_input_4x8bit_packed=1",
      "__opencl_c_program_scope_global_variables=1",
      "__opencl_c_work_group_collective_functions=1",
  };
  return macros;
}

std::string launch_direct(const abi::Reply& reply, const std::string& kernel, const Range& range,
                          const std::vector<Arg>& args, Observed* observed) {
  const auto info =
      std::find_if(reply.kernels.begin(), reply.kernels.end(), [&](const auto& k) { return k.name == kernel; });
  if (info == reply.kernels.end()) return "no kernel " + kernel;
  if (info->args.size() != args.size()) return "the kernel has " + std::to_string(info->args.size()) + " arguments";
  const Image image(reply.code_object);
  lanewise_range_fn* function = image.symbol(info->symbol);
  if (function == nullptr) return dlerror();

  lanewise_launch launch{};
  launch.work_dim = range.dims;
  std::uint64_t items = 1;
  std::uint64_t groups = 1;
  for (unsigned d = 0; d < 3; ++d) {
    launch.global_offset[d] = range.offset[d];
    launch.global_size[d] = range.global[d];
    launch.local_size[d] = range.local[d];
    launch.group_count[d] = divide_up(range.global[d], range.local[d]);
    items *= range.local[d];
    groups *= launch.group_count[d];
  }
  for (auto* sizes : {&launch.global_offset, &launch.global_size, &launch.local_size, &launch.group_count})
    std::swap((*sizes)[0], (*sizes)[info->shape.first_dimension]);
  Arguments packed = pack(*info, args);
  const Variables variables(reply.variables);
  const char* storage = variables.data();
  if (info->has_variables) std::memcpy(packed.block.data() + info->variables_offset, &storage, sizeof storage);
  packed.local_bytes *= std::max(info->shape.team_groups, 1U);
  Area local_memory(packed.local_bytes);
  Area item_scratch(info->item_bytes * items);
  Area group_scratch(info->group_bytes);
  Context context{observed};
  const lanewise_services services{print, divergent_barrier, nullptr, nullptr, nullptr};  // there are no queues
  lanewise_worker worker{local_memory.data(), item_scratch.data(),      group_scratch.data(), &services, &context,
                         packed.local_bytes,  info->item_bytes * items, info->group_bytes,    nullptr,   nullptr};
  // In three parts, the middle one empty: a range may begin anywhere.
  const std::uint64_t cut = groups / 3;
  function(&launch, packed.block.data(), &worker, 0, cut);
  function(&launch, packed.block.data(), &worker, cut, cut);
  function(&launch, packed.block.data(), &worker, cut, groups);
  if (!local_memory.intact()) return "local memory overrun";
  if (!item_scratch.intact()) return "item scratch overrun, " + std::to_string(info->item_bytes) + " bytes each";
  if (!group_scratch.intact()) return "group scratch overrun";
  if (!variables.intact()) return "overrun of the program's variables";
  return {};
}

}  // namespace lanewise::test
