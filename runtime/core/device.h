// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The CPU as an OpenCL device: the facts about it, and a pointer to what runs its commands.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "runtime/object/object.h"
#include "src/base/isa.h"
#include "src/host/domains.h"

namespace lanewise {

class Platform;

/// What runs the commands of a device; the scheduler of `exec` derives from it, because `core` cannot use `exec`.
class Executor {
 public:
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

 protected:
  Executor() = default;
  ~Executor() = default;
};

/// The facts that queries, validation and the compiler need. Computed once from the host, then constant.
struct DeviceFacts {
  std::string name;           ///< the processor's own name, without padding
  std::string vendor;         ///< as the processor names it, for example "AuthenticAMD"
  cl_uint vendor_id = 0;      ///< PCI number of the vendor where it has one
  cl_uint compute_units = 1;  ///< threads that may run at once: affinity ∩ cgroup quota ∩ LANEWISE_THREADS
  cl_uint max_clock_mhz = 0;  ///< highest frequency that the system reports, MHz
  Isa isa;                    ///< what code is generated for
  bool available = true;      ///< the processor can run the code that the compiler generates

  std::size_t max_work_group_size = 4096;  ///< work-items
  std::array<std::size_t, 3> max_work_item_sizes{4096, 4096, 4096};
  std::size_t preferred_work_group_multiple = 16;
  bool non_uniform_work_groups = true;  ///< the last group of a dimension may be smaller (OpenCL C 2.0 and above)

  cl_ulong global_mem_size = 0;           ///< bytes: RAM ∩ cgroup limit
  cl_ulong max_alloc_size = 0;            ///< bytes, of one memory object
  cl_ulong max_variable_size = 0;         ///< bytes, of one program variable in global memory
  cl_ulong local_mem_size = 0;            ///< bytes per work-group, static and dynamic together
  cl_ulong max_constant_buffer_size = 0;  ///< bytes
  std::size_t global_cache_size = 0;      ///< bytes, of the last-level cache that the device sees
  cl_uint cache_line_size = 64;           ///< bytes
  cl_uint mem_base_align_bits = 1024;     ///< CL_DEVICE_MEM_BASE_ADDR_ALIGN: of double16, in bits
  std::size_t max_parameter_size = 4096;  ///< bytes of one kernel's arguments
  std::size_t max_constant_args = 128;
  std::size_t image_width = 16384;  ///< elements: 1D and 2D images, and their arrays
  std::size_t image_height = 16384;
  std::size_t image_3d = 2048;          ///< elements, in each direction
  std::size_t image_array = 2048;       ///< images
  std::size_t image_buffer = 1u << 27;  ///< elements of a 1D image from a buffer
  cl_uint image_pitch_align = 1;        ///< elements: row pitch of a 2D image from a buffer
  cl_uint image_base_align = 1;         ///< elements: host_ptr of such a buffer

  /// Host memory is device memory, so every pointer works in a kernel, and host and kernels use the same atomics.
  cl_device_svm_capabilities svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                   CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
  std::size_t printf_buffer_size = 1u << 20;  ///< bytes; launches may print more
  std::size_t profiling_resolution_ns = 1;

  std::array<cl_uchar, CL_UUID_SIZE_KHR> device_uuid{};  ///< the same on every run on this host
  std::array<cl_uchar, CL_UUID_SIZE_KHR> driver_uuid{};  ///< changes with the driver's version
};

/// A root device lives as long as the process: its counts never reach zero. A sub-device (API 4.3) has some of its
/// parent's compute units; contexts, queues and programs that use it keep it alive.
class Device final : public Object<_cl_device_id, Tag::device> {
 public:
  explicit Device(Platform& platform) : platform_(&platform) {}
  /// A sub-device of `units`, a subset of the parent's. `type`: what CL_DEVICE_PARTITION_TYPE shows.
  static Ref<Device> create_part(Device& parent, host::CpuList units, std::vector<cl_device_partition_property> type);

  [[nodiscard]] Platform& platform() const { return *platform_; }
  [[nodiscard]] Device* parent() const { return parent_.get(); }  ///< null: a root device
  [[nodiscard]] const std::vector<cl_device_partition_property>& partition_type() const { return partition_type_; }
  /// The processors that are the compute units, one for each unit. Work of a sub-device runs on these only; work of a
  /// root device runs wherever the process may run.
  [[nodiscard]] const host::CpuList& units() const;
  /// The processors on which its own threads run: its units, or all that the process could use when a root device was
  /// first looked at.
  [[nodiscard]] const host::CpuList& processors() const;
  [[nodiscard]] cl_device_type type() const { return CL_DEVICE_TYPE_CPU; }

  /// Reads them from the host at the first call, which takes tens of microseconds. Thread-safe.
  [[nodiscard]] const DeviceFacts& facts() const;

  /// In a child that has begun anew: the facts stay, and what belongs to the parent's threads is made again.
  void carry_over() noexcept;

  /// The executor, which `make` creates at the first call, so that listing devices creates none. Thread-safe. For the
  /// one folder that derives from Executor (Scheduler::of); it always passes the same function.
  [[nodiscard]] Executor& executor(Executor& (*make)(Device&)) {
    std::call_once(executor_once_, [&] { executor_ = &make(*this); });
    return *executor_;
  }

  /// Names for `-cl-ext` (`abi::Source::extensions`) and predefined macros (`abi::Source::macros`): the enabled rows of
  /// icd/extensions.def.
  [[nodiscard]] std::span<const std::string> compiler_extensions() const;
  [[nodiscard]] std::span<const std::string> compiler_macros() const;

 private:
  Device(Device& parent, host::CpuList units, std::vector<cl_device_partition_property> type);
  ~Device() override = default;
  void read_surface() const;

  Platform* platform_;
  Ref<Device> parent_;
  std::vector<cl_device_partition_property> partition_type_;
  mutable host::CpuList units_;       ///< written with facts_
  mutable host::CpuList processors_;  ///< the same
  mutable std::once_flag facts_once_;
  mutable std::atomic<bool> has_facts_{false};
  mutable DeviceFacts facts_;
  mutable std::once_flag surface_once_;
  mutable std::vector<std::string> compiler_extensions_;
  mutable std::vector<std::string> compiler_macros_;
  std::once_flag executor_once_;
  Executor* executor_ = nullptr;  ///< never destroyed: exit must not wait for threads
};

}  // namespace lanewise
