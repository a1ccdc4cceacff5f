// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shared virtual memory (API 5.6). The kernel functions for SVM are in icd/api/kernel.cpp.
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "icd/cast.h"
#include "icd/memory_flags.h"
#include "icd/pointer_commands.h"
#include "icd/selection.h"
#include "runtime/core/allocations.h"
#include "runtime/core/context.h"
#include "runtime/memory/transfer.h"

using namespace lanewise;

namespace {

using FreeFunction = void(CL_CALLBACK*)(cl_command_queue, cl_uint, void*[], void*);

/// API 5.6.1, table 40.
void check_flags(cl_svm_mem_flags flags, cl_device_svm_capabilities has) {
  constexpr cl_svm_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  const bool fine = (flags & CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0;
  const bool atomics = (flags & CL_MEM_SVM_ATOMICS) != 0;
  require((flags & ~(kAccess | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS)) == 0 &&
              std::popcount(flags & kAccess) <= 1,
          CL_INVALID_VALUE, "flags that do not exist or exclude each other");
  require(!atomics || fine, CL_INVALID_VALUE, "CL_MEM_SVM_ATOMICS without CL_MEM_SVM_FINE_GRAIN_BUFFER");
  require(!fine || (has & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) != 0, CL_INVALID_VALUE,
          "a device has no fine-grained SVM buffers");
  require(!atomics || (has & CL_DEVICE_SVM_ATOMICS) != 0, CL_INVALID_VALUE, "a device has no SVM atomics");
}

/// The work of clEnqueueSVMFree: calls the application's function, or releases the memory if there is none.
class FreeWork final : public Work {
 public:
  FreeWork(Queue& queue, std::vector<void*> pointers, FreeFunction function, void* user_data)
      : queue_(queue), pointers_(std::move(pointers)), function_(function), user_data_(user_data) {}
  std::uint64_t pieces() const override { return 1; }
  cl_int run(Worker&, std::uint64_t, std::uint64_t) const noexcept override {
    if (function_ != nullptr) {
      function_(queue_.handle(), static_cast<cl_uint>(pointers_.size()), pointers_.data(), user_data_);
    } else {
      for (const void* pointer : pointers_) queue_.context().allocations().release(pointer, true);
    }
    return CL_SUCCESS;
  }

 private:
  Queue& queue_;                         // stays alive: the command holds a reference to it
  mutable std::vector<void*> pointers_;  // the application may write into the list that it gets
  FreeFunction function_;
  void* user_data_;
};

}  // namespace

CL_API_ENTRY void* CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  return entry_create(__func__, nullptr, [&]() -> void* {
    auto& owner = live_context(context);
    for (const auto& device : owner.devices()) {
      check_flags(flags, device->facts().svm);
      require(size != 0 && size <= device->facts().max_alloc_size, CL_INVALID_BUFFER_SIZE, "size");
    }
    require(alignment == 0 || (std::has_single_bit(alignment) && alignment <= Allocations::kAlignment),
            CL_INVALID_VALUE, "alignment");
    if ((flags & (CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)) == 0) flags |= CL_MEM_READ_WRITE;
    return unwrap(owner.allocations().allocate({nullptr, size, AllocationKind::svm, flags, nullptr}));
  });
}

CL_API_ENTRY void CL_API_CALL clSVMFree(cl_context context, void* svm_pointer) {
  entry(__func__, [&] { as<Context>(context).allocations().release(svm_pointer, true); });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                                 void* svm_pointers[], FreeFunction pfn_free_func, void* user_data,
                                                 cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                 cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    require((num_svm_pointers == 0) == (svm_pointers == nullptr), CL_INVALID_VALUE,
            "pointers and their count disagree");
    std::vector<void*> pointers(svm_pointers, svm_pointers + num_svm_pointers);
    enqueue(queue, CL_COMMAND_SVM_FREE,
            std::make_unique<FreeWork>(queue, std::move(pointers), pfn_free_func, user_data),
            {num_events_in_wait_list, event_wait_list}, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking_copy, void* dst_ptr,
                                                   const void* src_ptr, size_t size, cl_uint num_events_in_wait_list,
                                                   const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    enqueue_pointer_copy(as<Queue>(command_queue), CL_COMMAND_SVM_MEMCPY, dst_ptr, src_ptr, size,
                         {num_events_in_wait_list, event_wait_list}, event, blocking_copy != CL_FALSE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue command_queue, void* svm_ptr, const void* pattern,
                                                    size_t pattern_size, size_t size, cl_uint num_events_in_wait_list,
                                                    const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    enqueue_pointer_fill(as<Queue>(command_queue), CL_COMMAND_SVM_MEMFILL, svm_ptr, pattern, pattern_size, size,
                         {num_events_in_wait_list, event_wait_list}, event);
  });
}

// Maps, unmaps and migrations only synchronise: host and device see the same memory.
CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking_map,
                                                cl_map_flags flags, void* svm_ptr, size_t size,
                                                cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    const std::uint64_t begun = queue.time_of_call();
    require(svm_ptr != nullptr && size != 0, CL_INVALID_VALUE, "no region");
    check_map_flags(flags);
    check_pointer_range(queue, svm_ptr, size);
    enqueue(queue, CL_COMMAND_SVM_MAP, nullptr, {num_events_in_wait_list, event_wait_list}, event,
            blocking_map != CL_FALSE, SubmitKind::normal, begun);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue command_queue, void* svm_ptr,
                                                  cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                  cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    const std::uint64_t begun = queue.time_of_call();
    require(svm_ptr != nullptr, CL_INVALID_VALUE, "svm_ptr is NULL");
    enqueue(queue, CL_COMMAND_SVM_UNMAP, nullptr, {num_events_in_wait_list, event_wait_list}, event, false,
            SubmitKind::normal, begun);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint num_svm_pointers,
                                                       const void** svm_pointers, const size_t* sizes,
                                                       cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
                                                       const cl_event* event_wait_list, cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    require(num_svm_pointers != 0 && svm_pointers != nullptr, CL_INVALID_VALUE, "no pointers");
    check_migration_flags(flags);
    for (cl_uint i = 0; i < num_svm_pointers; ++i) {
      const auto found = queue.context().allocations().find(svm_pointers[i]);
      const std::size_t size = sizes != nullptr ? sizes[i] : 0;
      require(found && found->kind == AllocationKind::svm && size <= found->left(svm_pointers[i]), CL_INVALID_VALUE,
              "a range outside of every SVM allocation");
    }
    enqueue(queue, CL_COMMAND_SVM_MIGRATE_MEM, nullptr, {num_events_in_wait_list, event_wait_list}, event);
  });
}
