// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries of devices (API 4.2, table 5).
#include <CL/cl_ext.h>

#include <algorithm>

#include "icd/extensions.h"
#include "icd/fission.h"
#include "icd/info.h"
#include "icd/selection.h"
#include "include/lanewise/cl_compat.h"
#include "include/lanewise/command_buffer.h"
#include "include/lanewise/compiler_abi.h"
#include "include/lanewise/external_memory.h"
#include "include/lanewise/version.h"
#include "runtime/core/partition.h"
#include "runtime/exec/device_queue.h"
#include "runtime/launch/device_events.h"
#include "runtime/memory/pipe.h"
#include "runtime/program/build.h"
#include "runtime/program/il.h"
#include "src/host/cpu.h"

using namespace lanewise;

namespace {

using D = const Device&;

/// Elements of `bytes` bytes in a vector register.
cl_uint lanes(D d, std::uint32_t bytes) {
  return d.facts().isa.vector_bytes() / bytes;
}

/// API table 5: x86 arithmetic has denormals, infinities, NaNs and every rounding mode, and rounds division and square
/// root correctly; whether there is a fused multiply-add depends on the instruction set level.
cl_device_fp_config single_config(const DeviceFacts& facts) {
  return CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF |
         CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT | (facts.isa.has_fused_multiply_add() ? CL_FP_FMA : 0);
}

/// For double precision the whole set is mandatory, FMA included; without hardware support the built-in function is
/// exact as well.
constexpr cl_device_fp_config kDoubleConfig =
    CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;

/// All threads and the host see one coherent memory. The scope of a single work-item is defined for fences only.
constexpr cl_device_atomic_capabilities kAtomics = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
                                                   CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
                                                   CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;

/// cl_ext_float_atomics, for half, float and double.
constexpr cl_device_fp_atomic_capabilities_ext kFloatAtomics =
    CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT |
    CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT |
    CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT;

/// One clock serves all scopes.
constexpr cl_bitfield kClocks = CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR | CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR |
                                CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR;

/// cl_intel_unified_shared_memory: all memory is host memory, and its atomics are those of the processor.
constexpr cl_device_unified_shared_memory_capabilities_intel kUsm =
    CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
    CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;

/// cl_khr_fp16: half arithmetic is done in float and then rounded; divide and square root have no flag here.
constexpr cl_device_fp_config kHalfConfig = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA;

/// cl_khr_integer_dot_product: both forms.
constexpr cl_device_integer_dot_product_capabilities_khr kDotProducts =
    CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR | CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR;

/// With instructions for some signs every combination is faster than what a program could write itself.
cl_device_integer_dot_product_acceleration_properties_khr dot_acceleration(const DeviceFacts& facts) {
  const cl_bool has = facts.isa.has_dot_products() ? CL_TRUE : CL_FALSE;
  return {has, has, has, has, has, has};
}

/// Every version of SPIR-V that the reader takes, oldest first; none where there is no translator.
std::vector<cl_name_version> il_versions() {
  std::vector<cl_name_version> out;
  for (unsigned minor = 0; il_available() && minor <= kHighestSpirvMinor; ++minor)
    out.push_back(name_version("SPIR-V", CL_MAKE_VERSION(1, minor, 0)));
  return out;
}

/// cl_khr_spirv_queries: what modules may declare.
std::span<const char* const> spirv_instruction_sets() {
  static constexpr const char* names[] = {
#define SPIRV_INSTRUCTION_SET(name) #name,
#include "include/lanewise/spirv_surface.def"
  };
  return il_available() ? std::span<const char* const>(names) : std::span<const char* const>();
}
std::span<const char* const> spirv_extensions() {
  static constexpr const char* names[] = {
#define SPIRV_EXTENSION(name) #name,
#include "include/lanewise/spirv_surface.def"
  };
  return il_available() ? std::span<const char* const>(names) : std::span<const char* const>();
}
std::span<const cl_uint> spirv_capabilities() {
  static constexpr cl_uint numbers[] = {
#define SPIRV_CAPABILITY(name, number) number,
#include "include/lanewise/spirv_surface.def"
  };
  return il_available() ? std::span<const cl_uint>(numbers) : std::span<const cl_uint>();
}

std::string il_names() {
  std::string names;
  for (const cl_name_version& il : il_versions()) {
    if (!names.empty()) names += ' ';
    names += std::string(il.name) + "_" + std::to_string(CL_VERSION_MAJOR(il.version)) + "." +
             std::to_string(CL_VERSION_MINOR(il.version));
  }
  return names;
}

cl_version number_of(const LanguageVersion& version) {
  return CL_MAKE_VERSION(static_cast<cl_version>(version.major), static_cast<cl_version>(version.minor), 0);
}

std::vector<cl_name_version> language_versions() {
  std::vector<cl_name_version> out;
  for (const LanguageVersion& version : option_rules().versions)
    out.push_back(name_version("OpenCL C", number_of(version)));
  return out;
}

/// API table 5: a version above 1.2 if and only if every feature that was optional is supported. Programs make
/// -cl-std= of this one, or ask for "at least" (docs/decisions/D22-newest-opencl-c-version.md).
cl_version newest_language() {
  return number_of(option_rules().versions.back());
}

std::string newest_language_text() {
  const cl_version newest = newest_language();
  return "OpenCL C " + std::to_string(CL_VERSION_MAJOR(newest)) + "." + std::to_string(CL_VERSION_MINOR(newest)) +
         " Lanewise " LANEWISE_VERSION;
}

/// With build metadata (Semantic Versioning) where an option changes what a build makes: programs that keep binaries
/// for this version of the driver then build again.
std::string driver_version_text() {
  const std::string variant = variant_of_builds();
  return variant.empty() ? LANEWISE_VERSION : LANEWISE_VERSION "+" + variant;
}

/// Identity and versions.
constexpr Row<Device> kIdentity[] = {
    {CL_DEVICE_TYPE, type<cl_device_type>, [](D d) { return d.type(); }},
    {CL_DEVICE_VENDOR_ID, type<cl_uint>, [](D d) { return d.facts().vendor_id; }},
    {CL_DEVICE_NAME, type<char[]>, [](D d) { return d.facts().name; }},
    {CL_DEVICE_VENDOR, type<char[]>, [](D d) { return d.facts().vendor; }},
    {CL_DRIVER_VERSION, type<char[]>, [](D) { return driver_version_text(); }},
    {CL_DEVICE_PROFILE, type<char[]>, [](D) { return "FULL_PROFILE"; }},
    {CL_DEVICE_VERSION, type<char[]>, [](D) { return opencl_version_text(); }},
    {CL_DEVICE_NUMERIC_VERSION, type<cl_version>, [](D) { return opencl_version(); }},
    {CL_DEVICE_OPENCL_C_VERSION, type<char[]>, [](D) { return newest_language_text(); }},
    {CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, type<cl_version>, [](D) { return newest_language(); }},
    {CL_DEVICE_OPENCL_C_ALL_VERSIONS, type<cl_name_version[]>, [](D) { return language_versions(); }},
    {CL_DEVICE_OPENCL_C_FEATURES, type<cl_name_version[]>, [](D d) { return feature_versions(d.facts()); }},
    {CL_DEVICE_EXTENSIONS, type<char[]>, [](D d) { return extension_names(d.facts(), false); }},
    {CL_DEVICE_EXTENSIONS_WITH_VERSION, type<cl_name_version[]>,
     [](D d) { return extension_versions(d.facts(), false); }},
    // The format is prescribed; no conformance submission has been made, so all numbers are the lowest legal ones.
    {CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, type<char[]>, [](D) { return "v0000-01-01-00"; }},
    {CL_DEVICE_PLATFORM, type<cl_platform_id>, [](D d) { return d.platform().handle(); }},
    {CL_DEVICE_UUID, type<cl_uchar[CL_UUID_SIZE]>, [](D d) { return d.facts().device_uuid; }},
    {CL_DRIVER_UUID, type<cl_uchar[CL_UUID_SIZE]>, [](D d) { return d.facts().driver_uuid; }},
    {CL_DEVICE_LUID_VALID, type<cl_bool>, [](D) { return false; }},
    {CL_DEVICE_LUID, type<cl_uchar[CL_LUID_SIZE]>, [](D) { return std::array<cl_uchar, CL_LUID_SIZE>{}; }},
    {CL_DEVICE_NODE_MASK, type<cl_uint>, [](D) -> cl_uint { return 0; }},
    {CL_DEVICE_REFERENCE_COUNT, type<cl_uint>, [](D d) { return d.parent() == nullptr ? 1 : d.reference_count(); }},
    {CL_DEVICE_PARENT_DEVICE, type<cl_device_id>,
     [](D d) { return d.parent() == nullptr ? nullptr : d.parent()->handle(); }},
};

/// Computing.
constexpr Row<Device> kCompute[] = {
    {CL_DEVICE_AVAILABLE, type<cl_bool>, [](D d) { return d.facts().available; }},
    {CL_DEVICE_COMPILER_AVAILABLE, type<cl_bool>, [](D) { return true; }},
    {CL_DEVICE_LINKER_AVAILABLE, type<cl_bool>, [](D) { return true; }},
    {CL_DEVICE_EXECUTION_CAPABILITIES, type<cl_device_exec_capabilities>,
     [](D) -> cl_device_exec_capabilities { return CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL; }},
    {CL_DEVICE_TERMINATE_CAPABILITY_KHR, type<cl_bitfield>,
     [](D) -> cl_bitfield { return CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR; }},
    // The value of the same name in the headers of OpenCL 1.2, which programs such as clinfo still query.
    {0x200F, type<cl_bitfield>, [](D) -> cl_bitfield { return CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR; }},
    {CL_DEVICE_ADDRESS_BITS, type<cl_uint>, [](D) -> cl_uint { return 8 * sizeof(void*); }},
    {CL_DEVICE_ENDIAN_LITTLE, type<cl_bool>, [](D) { return true; }},
    {CL_DEVICE_MAX_COMPUTE_UNITS, type<cl_uint>, [](D d) { return d.facts().compute_units; }},
    {CL_DEVICE_MAX_CLOCK_FREQUENCY, type<cl_uint>, [](D d) { return d.facts().max_clock_mhz; }},
    {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, type<cl_uint>, [](D) -> cl_uint { return 3; }},
    {CL_DEVICE_MAX_WORK_ITEM_SIZES, type<std::size_t[]>, [](D d) { return d.facts().max_work_item_sizes; }},
    {CL_DEVICE_MAX_WORK_GROUP_SIZE, type<std::size_t>, [](D d) { return d.facts().max_work_group_size; }},
    {CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, type<std::size_t>,
     [](D d) { return d.facts().preferred_work_group_multiple; }},
    {CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, type<cl_bool>, [](D d) { return d.facts().non_uniform_work_groups; }},
    {CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, type<cl_bool>, [](D) { return true; }},
    // A kernel that cannot be vectorised has sub-groups of one work-item.
    {CL_DEVICE_MAX_NUM_SUB_GROUPS, type<cl_uint>,
     [](D d) { return static_cast<cl_uint>(d.facts().max_work_group_size); }},
    // Each takes twelve bytes of local memory.
    {CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR, type<cl_uint>, [](D) -> cl_uint { return 1024; }},
    {CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, type<cl_bool>, [](D) { return true; }},
    {CL_DEVICE_SUB_GROUP_SIZES_INTEL, type<std::size_t[]>,
     [](D) { return std::array<std::size_t, 5>{4, 8, 16, 32, 64}; }},
    {CL_DEVICE_SINGLE_FP_CONFIG, type<cl_device_fp_config>, [](D d) { return single_config(d.facts()); }},
    {CL_DEVICE_DOUBLE_FP_CONFIG, type<cl_device_fp_config>, [](D) { return kDoubleConfig; }},
    {CL_DEVICE_HALF_FP_CONFIG, type<cl_device_fp_config>, [](D) { return kHalfConfig; }},
    {CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, type<cl_device_integer_dot_product_capabilities_khr>,
     [](D) { return kDotProducts; }},
    {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
     type<cl_device_integer_dot_product_acceleration_properties_khr>, [](D d) { return dot_acceleration(d.facts()); }},
    {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
     type<cl_device_integer_dot_product_acceleration_properties_khr>, [](D d) { return dot_acceleration(d.facts()); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, type<cl_uint>, [](D d) { return lanes(d, 1); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, type<cl_uint>, [](D d) { return lanes(d, 2); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, type<cl_uint>, [](D d) { return lanes(d, 4); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, type<cl_uint>, [](D d) { return lanes(d, 8); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, type<cl_uint>, [](D d) { return lanes(d, 4); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, type<cl_uint>, [](D d) { return lanes(d, 8); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, type<cl_uint>, [](D d) { return lanes(d, 2); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, type<cl_uint>, [](D d) { return lanes(d, 1); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, type<cl_uint>, [](D d) { return lanes(d, 2); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, type<cl_uint>, [](D d) { return lanes(d, 4); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, type<cl_uint>, [](D d) { return lanes(d, 8); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, type<cl_uint>, [](D d) { return lanes(d, 4); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, type<cl_uint>, [](D d) { return lanes(d, 8); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, type<cl_uint>, [](D d) { return lanes(d, 2); }},
    {CL_DEVICE_IL_VERSION, type<char[]>, [](D) { return il_names(); }},
    {CL_DEVICE_ILS_WITH_VERSION, type<cl_name_version[]>, [](D) { return il_versions(); }},
    {CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, type<const char*[]>, [](D) { return spirv_instruction_sets(); }},
    {CL_DEVICE_SPIRV_EXTENSIONS_KHR, type<const char*[]>, [](D) { return spirv_extensions(); }},
    {CL_DEVICE_SPIRV_CAPABILITIES_KHR, type<cl_uint[]>, [](D) { return spirv_capabilities(); }},
    {CL_DEVICE_BUILT_IN_KERNELS, type<char[]>, [](D) { return ""; }},
    {CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, type<cl_name_version[]>,
     [](D) { return std::vector<cl_name_version>{}; }},
    {CL_DEVICE_PRINTF_BUFFER_SIZE, type<std::size_t>, [](D d) { return d.facts().printf_buffer_size; }},
};

/// Memory.
constexpr Row<Device> kMemory[] = {
    {CL_DEVICE_GLOBAL_MEM_SIZE, type<cl_ulong>, [](D d) { return d.facts().global_mem_size; }},
    {CL_DEVICE_MAX_MEM_ALLOC_SIZE, type<cl_ulong>, [](D d) { return d.facts().max_alloc_size; }},
    {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, type<cl_device_mem_cache_type>,
     [](D d) -> cl_device_mem_cache_type { return d.facts().global_cache_size != 0 ? CL_READ_WRITE_CACHE : CL_NONE; }},
    {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, type<cl_ulong>, [](D d) -> cl_ulong { return d.facts().global_cache_size; }},
    {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, type<cl_uint>, [](D d) { return d.facts().cache_line_size; }},
    {CL_DEVICE_LOCAL_MEM_TYPE, type<cl_device_local_mem_type>, [](D) -> cl_device_local_mem_type { return CL_GLOBAL; }},
    {CL_DEVICE_LOCAL_MEM_SIZE, type<cl_ulong>, [](D d) { return d.facts().local_mem_size; }},
    {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, type<cl_ulong>, [](D d) { return d.facts().max_constant_buffer_size; }},
    {CL_DEVICE_MAX_CONSTANT_ARGS, type<cl_uint>, [](D d) { return static_cast<cl_uint>(d.facts().max_constant_args); }},
    {CL_DEVICE_MAX_PARAMETER_SIZE, type<std::size_t>, [](D d) { return d.facts().max_parameter_size; }},
    {CL_DEVICE_MEM_BASE_ADDR_ALIGN, type<cl_uint>, [](D d) { return d.facts().mem_base_align_bits; }},
    {CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, type<cl_uint>, [](D d) { return d.facts().mem_base_align_bits / 8; }},
    // What -cl-std=CLC++ means; 2021 is there besides.
    {CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, type<cl_version>,
     [](D) -> cl_version { return CL_MAKE_VERSION(1, 0, 0); }},
    {CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, type<std::size_t>, [](D d) { return d.facts().max_variable_size; }},
    // No location is faster than another, so the preferred total is the largest size of one variable.
    {CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, type<std::size_t>,
     [](D d) { return d.facts().max_variable_size; }},
    {CL_DEVICE_ERROR_CORRECTION_SUPPORT, type<cl_bool>, [](D) { return false; }},
    {CL_DEVICE_HOST_UNIFIED_MEMORY, type<cl_bool>, [](D) { return true; }},
    {CL_DEVICE_SVM_CAPABILITIES, type<cl_device_svm_capabilities>, [](D d) { return d.facts().svm; }},
    {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, type<cl_device_unified_shared_memory_capabilities_intel>,
     [](D) { return kUsm; }},
    {CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, type<cl_device_unified_shared_memory_capabilities_intel>,
     [](D) { return kUsm; }},
    {CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, type<cl_device_unified_shared_memory_capabilities_intel>,
     [](D) { return kUsm; }},
    {CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, type<cl_device_unified_shared_memory_capabilities_intel>,
     [](D) { return kUsm; }},
    {CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, type<cl_device_unified_shared_memory_capabilities_intel>,
     [](D) { return kUsm; }},
    {CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, type<cl_uint>,
     [](D) -> cl_uint { return 0; }},  // 0: the natural one
    {CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, type<cl_uint>, [](D) -> cl_uint { return 0; }},
    {CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, type<cl_uint>, [](D) -> cl_uint { return 0; }},
    {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, type<cl_device_atomic_capabilities>, [](D) { return kAtomics; }},
    {CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, type<cl_device_atomic_capabilities>,
     [](D) -> cl_device_atomic_capabilities { return kAtomics | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM; }},
    {CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, type<cl_device_fp_atomic_capabilities_ext>,
     [](D) { return kFloatAtomics; }},
    {CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, type<cl_device_fp_atomic_capabilities_ext>,
     [](D) { return kFloatAtomics; }},
    {CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT, type<cl_device_fp_atomic_capabilities_ext>,
     [](D) { return kFloatAtomics; }},
    {CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, type<cl_bitfield>,
     [](D) { return host::has_steady_time_stamps() ? kClocks : 0; }},
    {CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, type<cl_bool>, [](D) { return true; }},
};

/// Queues and optional features; API table 5 and appendix H give the values for those that are not supported.
constexpr Row<Device> kQueuesAndOptions[] = {
    {CL_DEVICE_QUEUE_ON_HOST_PROPERTIES,
     type<cl_command_queue_properties>,  // the same number as CL_DEVICE_QUEUE_PROPERTIES
     [](D) -> cl_command_queue_properties {
       return CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
     }},
    {CL_DEVICE_PROFILING_TIMER_RESOLUTION, type<std::size_t>, [](D d) { return d.facts().profiling_resolution_ns; }},
    {CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, type<cl_bool>, [](D) { return true; }},
    {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, type<cl_device_device_enqueue_capabilities>,
     [](D) -> cl_device_device_enqueue_capabilities {
       return CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT;
     }},
    {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, type<cl_command_queue_properties>,
     [](D) -> cl_command_queue_properties {
       return CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
     }},
    {CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, type<cl_uint>,
     [](D) -> cl_uint { return DeviceQueue::kPreferredBytes; }},
    {CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, type<cl_uint>, [](D) -> cl_uint { return DeviceQueue::kMostBytes; }},
    {CL_DEVICE_MAX_ON_DEVICE_QUEUES, type<cl_uint>, [](D) -> cl_uint { return DeviceQueue::kMostQueues; }},
    {CL_DEVICE_MAX_ON_DEVICE_EVENTS, type<cl_uint>, [](D) -> cl_uint { return DeviceEvents::kMost; }},
    {CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, type<cl_device_command_buffer_capabilities_khr>,
     [](D) -> cl_device_command_buffer_capabilities_khr {
       return CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR | CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
              CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR | CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR;
     }},
    {CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR, type<cl_command_queue_properties>,
     [](D) -> cl_command_queue_properties {
       return CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
     }},
    {CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, type<cl_command_queue_properties>,
     [](D) -> cl_command_queue_properties { return 0; }},
    // Sub-devices are not listed, because their root device stands for them.
    {CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, type<cl_uint>, [](D) -> cl_uint { return 1; }},
    {CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR, type<cl_device_id[]>,
     [](D d) { return std::vector<cl_device_id>{d.platform().device().handle()}; }},
    {CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, type<cl_mutable_dispatch_fields_khr>,
     [](D) -> cl_mutable_dispatch_fields_khr {
       return CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
              CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |
              CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;
     }},
    {CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, type<cl_external_memory_handle_type_khr[]>,
     [](D) { return std::array<cl_external_memory_handle_type_khr, 1>{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR}; }},
    {CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR, type<cl_external_memory_handle_type_khr[]>,
     [](D) { return std::array<cl_external_memory_handle_type_khr, 1>{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR}; }},
    {CL_DEVICE_SEMAPHORE_TYPES_KHR, type<cl_semaphore_type_khr[]>,
     [](D) { return std::array<cl_semaphore_type_khr, 1>{CL_SEMAPHORE_TYPE_BINARY_KHR}; }},
    {CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, type<cl_external_semaphore_handle_type_khr[]>,
     [](D) { return std::array<cl_external_semaphore_handle_type_khr, 1>{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR}; }},
    {CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, type<cl_external_semaphore_handle_type_khr[]>,
     [](D) { return std::array<cl_external_semaphore_handle_type_khr, 1>{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR}; }},
    {CL_DEVICE_PIPE_SUPPORT, type<cl_bool>, [](D) { return true; }},
    {CL_DEVICE_MAX_PIPE_ARGS, type<cl_uint>, [](D) -> cl_uint { return 16; }},
    // A reservation is a mere number, so a kernel may have any number of them; the query needs some value.
    {CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, type<cl_uint>, [](D) -> cl_uint { return (1U << 17U) - 1; }},
    {CL_DEVICE_PIPE_MAX_PACKET_SIZE, type<cl_uint>, [](D) { return kMaxPacketSize; }},
    {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, type<cl_uint>, [](D d) { return d.facts().compute_units; }},
    {CL_DEVICE_PARTITION_PROPERTIES, type<cl_device_partition_property[]>,
     [](D d) { return partition_schemes(d.units()); }},
    {CL_DEVICE_PARTITION_AFFINITY_DOMAIN, type<cl_device_affinity_domain>,
     [](D d) { return affinity_domains(d.units()); }},
    {CL_DEVICE_PARTITION_TYPE, type<cl_device_partition_property[]>, [](D d) { return d.partition_type(); }},
    {CL_DEVICE_PARENT_DEVICE_EXT, type<cl_device_id>,
     [](D d) { return d.parent() == nullptr ? nullptr : d.parent()->handle(); }},
    {CL_DEVICE_REFERENCE_COUNT_EXT, type<cl_uint>, [](D d) { return d.parent() == nullptr ? 1 : d.reference_count(); }},
    {CL_DEVICE_PARTITION_TYPES_EXT, type<cl_device_partition_property_ext[]>,
     [](D d) { return fission_types(partition_schemes(d.units())); }},
    {CL_DEVICE_AFFINITY_DOMAINS_EXT, type<cl_device_partition_property_ext[]>,
     [](D d) { return fission_domains(affinity_domains(d.units())); }},
    {CL_DEVICE_PARTITION_STYLE_EXT, type<cl_device_partition_property_ext[]>,
     [](D d) { return fission_style(d.partition_type()); }},
};

/// Images, and samplers, among a kernel's arguments. CL_DEVICE_MAX_PARAMETER_SIZE has room for some more.
constexpr cl_uint kImageArguments = 480;

constexpr Row<Device> kImages[] = {
    {CL_DEVICE_IMAGE_SUPPORT, type<cl_bool>, [](D) -> cl_bool { return CL_TRUE; }},
    {CL_DEVICE_MAX_READ_IMAGE_ARGS, type<cl_uint>, [](D) -> cl_uint { return kImageArguments; }},
    {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, type<cl_uint>, [](D) -> cl_uint { return kImageArguments; }},
    {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, type<cl_uint>, [](D) -> cl_uint { return kImageArguments; }},
    {CL_DEVICE_IMAGE2D_MAX_WIDTH, type<std::size_t>, [](D d) { return d.facts().image_width; }},
    {CL_DEVICE_IMAGE2D_MAX_HEIGHT, type<std::size_t>, [](D d) { return d.facts().image_height; }},
    {CL_DEVICE_IMAGE3D_MAX_WIDTH, type<std::size_t>, [](D d) { return d.facts().image_3d; }},
    {CL_DEVICE_IMAGE3D_MAX_HEIGHT, type<std::size_t>, [](D d) { return d.facts().image_3d; }},
    {CL_DEVICE_IMAGE3D_MAX_DEPTH, type<std::size_t>, [](D d) { return d.facts().image_3d; }},
    {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, type<std::size_t>, [](D d) { return d.facts().image_buffer; }},
    {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, type<std::size_t>, [](D d) { return d.facts().image_array; }},
    {CL_DEVICE_MAX_SAMPLERS, type<cl_uint>, [](D) -> cl_uint { return kImageArguments; }},
    {CL_DEVICE_IMAGE_PITCH_ALIGNMENT, type<cl_uint>, [](D d) { return d.facts().image_pitch_align; }},
    {CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, type<cl_uint>, [](D d) { return d.facts().image_base_align; }},
};

/// The table that has `parameter`, or any table if none has it.
std::span<const Row<Device>> table_of(cl_device_info parameter) {
  using Table = std::span<const Row<Device>>;
  for (const Table table : {Table(kCompute), Table(kMemory), Table(kQueuesAndOptions), Table(kImages)}) {
    if (std::any_of(table.begin(), table.end(), [&](const auto& row) { return row.param == parameter; })) return table;
  }
  return kIdentity;
}

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size,
                                                void* param_value, size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    answer(table_of(param_name), param_name, as<Device>(device),
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}
