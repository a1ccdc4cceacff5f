// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The CPU as an OpenCL device: its facts, and the executor that runs its commands.
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

/// The base of the class that runs a device's commands. Scheduler (exec/scheduler.h) derives from it, because `core`
/// may not use `exec`.
class Executor {
 public:
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

 protected:
  Executor() = default;
  ~Executor() = default;
};

/// The facts that queries, validation and the compiler need. They are computed once from the host, then constant.
struct DeviceFacts {
  std::string name;           ///< the processor's own name, without padding
  std::string vendor;         ///< the processor's vendor, for example "AuthenticAMD"
  cl_uint vendor_id = 0;      ///< PCI number of the vendor; 0: it has none
  cl_uint compute_units = 1;  ///< threads that may run at once: affinity ∩ cgroup quota ∩ LANEWISE_THREADS
  cl_uint max_clock_mhz = 0;  ///< the highest frequency that the system reports, MHz
  Isa isa;                    ///< the instruction set that code is generated for
  bool available = true;      ///< the processor can run the code that the compiler generates

  std::size_t max_work_group_size = 4096;                            ///< work-items
  std::array<std::size_t, 3> max_work_item_sizes{4096, 4096, 4096};  ///< work-items of a group in each dimension
  std::size_t preferred_work_group_multiple = 16;                    ///< work-items
  bool non_uniform_work_groups = true;  ///< the last group of a dimension may be smaller (OpenCL C 2.0 and above)

  cl_ulong global_mem_size = 0;           ///< bytes: RAM ∩ cgroup limit
  cl_ulong max_alloc_size = 0;            ///< bytes of one memory object
  cl_ulong max_variable_size = 0;         ///< bytes of one program variable in global memory
  cl_ulong local_mem_size = 0;            ///< bytes per work-group, static and dynamic together
  cl_ulong max_constant_buffer_size = 0;  ///< bytes
  std::size_t global_cache_size = 0;      ///< bytes of the last-level cache that the device sees
  cl_uint cache_line_size = 64;           ///< bytes
  cl_uint mem_base_align_bits = 1024;     ///< bits (CL_DEVICE_MEM_BASE_ADDR_ALIGN): the alignment of double16
  std::size_t max_parameter_size = 4096;  ///< bytes of one kernel's arguments
  std::size_t max_constant_args = 128;
  std::size_t image_width = 32768;  ///< elements: 1D and 2D images, and their arrays
  std::size_t image_height = 32768;
  std::size_t image_3d = 2048;          ///< elements in each dimension of a 3D image
  std::size_t image_array = 2048;       ///< layers of an image array
  std::size_t image_buffer = 1u << 30;  ///< elements of a 1D image from a buffer
  cl_uint image_pitch_align = 1;        ///< elements: row pitch of a 2D image from a buffer
  cl_uint image_base_align = 1;         ///< elements: alignment of host_ptr of such a buffer

  /// All capabilities: host memory is device memory, so every pointer works in a kernel, and host and kernels use the
  /// same atomics.
  cl_device_svm_capabilities svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                   CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
  std::size_t printf_buffer_size = 16u << 20;  ///< bytes; launches may print more
  std::size_t profiling_resolution_ns = 1;

  std::array<cl_uchar, CL_UUID_SIZE_KHR> device_uuid{};  ///< the same on every run on this host
  std::array<cl_uchar, CL_UUID_SIZE_KHR> driver_uuid{};  ///< changes with the driver's version
};

/// A device. A root device lives as long as the process: its counts never reach zero. A sub-device (API 4.3) has some
/// of its parent's compute units; contexts, queues and programs that use it keep it alive.
class Device final : public Object<_cl_device_id, Tag::device> {
 public:
  explicit Device(Platform& platform) : platform_(&platform) {}
  /// Creates a sub-device.
  /// @param units  its compute units, a subset of the parent's
  /// @param type   the value of CL_DEVICE_PARTITION_TYPE
  static Ref<Device> create_part(Device& parent, host::CpuList units, std::vector<cl_device_partition_property> type);

  [[nodiscard]] Platform& platform() const { return *platform_; }
  [[nodiscard]] Device* parent() const { return parent_.get(); }  ///< null for a root device
  [[nodiscard]] const std::vector<cl_device_partition_property>& partition_type() const { return partition_type_; }
  /// The processors that are the compute units, one for each unit. Commands of a sub-device run on these only; commands
  /// of a root device run wherever the process may run.
  [[nodiscard]] const host::CpuList& units() const;
  /// The processors on which the device's own threads run: its units, or, for a root device, all that the process could
  /// use when the facts were read.
  [[nodiscard]] const host::CpuList& processors() const;
  [[nodiscard]] cl_device_type type() const { return CL_DEVICE_TYPE_CPU; }

  /// The facts of the device. The first call reads them from the host, which takes tens of microseconds. Thread-safe.
  [[nodiscard]] const DeviceFacts& facts() const {
    // A launch asks several times, and std::call_once looks for thread-local variables each time.
    if (!has_facts_.load(std::memory_order_acquire)) [[unlikely]]
      read_own_facts();
    return facts_;
  }

  /// Makes the device one of a forked child that has begun anew: the facts stay, and the state that belongs to the
  /// parent's threads is made again.
  void carry_over() noexcept;

  /// The executor. The first call creates it by `make`, so that listing devices creates none. Thread-safe. Only
  /// Scheduler::of calls this, always with the same function.
  [[nodiscard]] Executor& executor(Executor& (*make)(Device&)) {
    std::call_once(executor_once_, [&] { executor_ = &make(*this); });
    return *executor_;
  }

  /// The names for `-cl-ext` (abi::Source::extensions) and the predefined macros (abi::Source::macros): the enabled
  /// rows of icd/extensions.def.
  [[nodiscard]] std::span<const std::string> compiler_extensions() const;
  [[nodiscard]] std::span<const std::string> compiler_macros() const;

 private:
  Device(Device& parent, host::CpuList units, std::vector<cl_device_partition_property> type);
  ~Device() override = default;
  void read_own_facts() const;
  void read_surface() const;

  Platform* platform_;
  Ref<Device> parent_;
  std::vector<cl_device_partition_property> partition_type_;
  mutable host::CpuList units_;       ///< written together with `facts_`
  mutable host::CpuList processors_;  ///< written together with `facts_`
  mutable std::once_flag facts_once_;
  mutable std::atomic<bool> has_facts_{false};
  mutable DeviceFacts facts_;
  mutable std::once_flag surface_once_;
  mutable std::vector<std::string> compiler_extensions_;
  mutable std::vector<std::string> compiler_macros_;
  std::once_flag executor_once_;
  Executor* executor_ = nullptr;  ///< never destroyed: the exit of the process must not wait for threads
};

}  // namespace lanewise
