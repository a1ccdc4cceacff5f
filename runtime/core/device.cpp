// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/device.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "include/lanewise/compiler_abi.h"
#include "include/lanewise/version.h"
#include "runtime/core/platform.h"
#include "src/base/mutex.h"
#include "src/config/config.h"
#include "src/host/cpu.h"
#include "src/host/identity.h"
#include "src/host/thread_limits.h"
#include "src/host/topology.h"

namespace lanewise {

namespace {

/// Held while a device forgets what it has of the parent process.
constinit Mutex g_carrying_over;

void describe_processor(DeviceFacts& facts, const host::Cpu& cpu) {
  facts.name = config().device_name.empty() ? cpu.name : config().device_name;
  facts.vendor = cpu.vendor;
  facts.vendor_id = cpu.vendor_id;
  facts.available = cpu.isa.has_value();
  facts.isa = host::limited_by_options(cpu.isa.value_or(Isa()));
  facts.preferred_work_group_multiple = facts.isa.usual_lanes();
}

void describe_memory(DeviceFacts& facts, unsigned cpu_number) {
  constexpr std::uint64_t kPage = 4096;
  constexpr std::uint64_t kLargestVariable = std::uint64_t{1} << 30U;  // more than programs are expected to use
  facts.global_mem_size = host::usable_memory(host::physical_memory()) & ~(kPage - 1);
  if (const std::uint64_t limit = config().memory; limit != 0)
    facts.global_mem_size = std::min<cl_ulong>(facts.global_mem_size, limit & ~(kPage - 1));
  // A buffer is an ordinary mapping, so one buffer may be as large as the memory, and so may a __constant argument.
  facts.max_alloc_size = facts.global_mem_size;
  facts.max_variable_size = std::min<cl_ulong>(kLargestVariable, facts.global_mem_size / 4);
  facts.max_constant_buffer_size = facts.max_alloc_size;
  // By default what fits the second-level cache of every processor of level 2 or above.
  facts.local_mem_size = config().local_memory;
  const host::Caches caches = host::read_caches(cpu_number);
  facts.global_cache_size = caches.last_level;
  facts.cache_line_size = caches.line;
}

DeviceFacts read_facts(host::CpuList& cpus) {
  DeviceFacts facts;
  cpus = host::allowed_cpus();
  describe_processor(facts, host::read_cpu());
  describe_memory(facts, cpus.front());
  if (const std::size_t limit = config().group_size; limit != 0 && limit < facts.max_work_group_size) {
    facts.max_work_group_size = limit;
    facts.max_work_item_sizes.fill(limit);
  }
  facts.compute_units = host::thread_limits().usable();
  facts.max_clock_mhz = host::max_clock_mhz(cpus.front());
  // The device's identity does not contain the driver version: with another driver it is still the same device.
  facts.device_uuid = host::uuid_of("lanewise device 0 " + host::machine_identity() + ' ' + host::read_cpu().name);
  facts.driver_uuid = host::uuid_of("lanewise driver " LANEWISE_VERSION);
  return facts;
}

}  // namespace

Device::Device(Device& parent, host::CpuList units, std::vector<cl_device_partition_property> type)
    : platform_(parent.platform_),
      parent_(parent),
      partition_type_(std::move(type)),
      units_(std::move(units)),
      processors_(units_) {
  std::call_once(facts_once_, [&] {
    facts_ = parent.facts();
    facts_.compute_units = static_cast<cl_uint>(units_.size());
    has_facts_.store(true);
  });
}

Ref<Device> Device::create_part(Device& parent, host::CpuList units, std::vector<cl_device_partition_property> type) {
  return Ref<Device>::adopt(new Device(parent, std::move(units), std::move(type)));
}

const host::CpuList& Device::units() const {
  static_cast<void>(facts());
  return units_;
}

const host::CpuList& Device::processors() const {
  static_cast<void>(facts());
  return processors_;
}

void Device::read_own_facts() const {
  std::call_once(facts_once_, [this] {
    facts_ = read_facts(processors_);
    units_ = processors_;
    units_.resize(facts_.compute_units);
    has_facts_.store(true);
  });
}

void Device::carry_over() noexcept {
  if (parent()) parent()->carry_over();
  const MutexLock lock(g_carrying_over);
  if (belongs_here()) return;
  // What a thread of the parent process may have been writing is not destroyed.
  if (!has_facts_.load()) {
    new (&facts_once_) std::once_flag;
    new (&facts_) DeviceFacts;
    new (&units_) host::CpuList;
    new (&processors_) host::CpuList;
  }
  new (&surface_once_) std::once_flag;
  new (&compiler_extensions_) std::vector<std::string>;
  new (&compiler_macros_) std::vector<std::string>;
  new (&executor_once_) std::once_flag;
  executor_ = nullptr;
  belong_here();
}

void Device::read_surface() const {
  std::call_once(surface_once_, [this] {
    LanguageSurface surface = make_language_surface(facts());
    compiler_extensions_ = std::move(surface.extensions);
    compiler_macros_ = std::move(surface.macros);
  });
}

std::span<const std::string> Device::compiler_extensions() const {
  read_surface();
  return compiler_extensions_;
}

std::span<const std::string> Device::compiler_macros() const {
  read_surface();
  return compiler_macros_;
}

}  // namespace lanewise
