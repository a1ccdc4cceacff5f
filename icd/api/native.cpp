// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Native kernels (API 5.10, clEnqueueNativeKernel).
#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "icd/cast.h"
#include "icd/enqueue.h"
#include "runtime/check/known_memory.h"
#include "runtime/exec/queue.h"
#include "runtime/memory/mem_object.h"

using namespace lanewise;

namespace {

using NativeFunction = void(CL_CALLBACK*)(void*);

class NativeWork final : public Work {
 public:
  NativeWork(NativeFunction function, const void* args, std::size_t bytes, std::vector<Ref<MemObject>> objects)
      : function_(function), objects_(std::move(objects)) {
    for (const Ref<MemObject>& object : objects_) check::note_written(object->data());
    if (bytes == 0) return;
    args_ = std::make_unique<std::max_align_t[]>(bytes / sizeof(std::max_align_t) + 1);
    std::memcpy(args_.get(), args, bytes);
  }
  [[nodiscard]] std::byte* args() { return reinterpret_cast<std::byte*>(args_.get()); }

  [[nodiscard]] std::uint64_t pieces() const override { return 1; }
  [[nodiscard]] Imported imported() const noexcept override {
    Imported worst = Imported::none;
    for (const auto& object : objects_) worst = worse(worst, imported_at(object->data()));
    return worst;
  }
  cl_int run(Worker&, std::uint64_t, std::uint64_t) const noexcept override {
    function_(args_.get());
    return CL_SUCCESS;
  }

 private:
  NativeFunction function_;
  std::unique_ptr<std::max_align_t[]> args_;
  std::vector<Ref<MemObject>> objects_;
};

/// Offset in the argument block of the place that a handle's address is written to.
std::size_t place_in(const void* args, std::size_t bytes, const void* place) {
  const auto* begin = static_cast<const std::byte*>(args);
  const auto* at = static_cast<const std::byte*>(place);
  const std::less_equal<> before;
  require(
      place != nullptr && bytes >= sizeof(void*) && before(begin, at) && before(at, begin + (bytes - sizeof(void*))),
      CL_INVALID_VALUE, "args_mem_loc points outside args");
  return static_cast<std::size_t>(at - begin);
}

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue command_queue, NativeFunction user_func,
                                                      void* args, size_t cb_args, cl_uint num_mem_objects,
                                                      const cl_mem* mem_list, const void** args_mem_loc,
                                                      cl_uint num_events_in_wait_list, const cl_event* event_wait_list,
                                                      cl_event* event) {
  return entry(__func__, [&] {
    auto& queue = as<Queue>(command_queue);
    require(user_func != nullptr, CL_INVALID_VALUE, "user_func is NULL");
    require((args == nullptr) == (cb_args == 0), CL_INVALID_VALUE, "args and cb_args disagree");
    require(args != nullptr || num_mem_objects == 0, CL_INVALID_VALUE, "memory objects without args");
    require((num_mem_objects == 0) == (mem_list == nullptr) && (num_mem_objects == 0) == (args_mem_loc == nullptr),
            CL_INVALID_VALUE, "num_mem_objects, mem_list and args_mem_loc disagree");
    std::vector<Ref<MemObject>> objects;
    std::vector<std::pair<std::size_t, std::byte*>> addresses;
    for (cl_uint i = 0; i < num_mem_objects; ++i) {
      const std::size_t place = place_in(args, cb_args, args_mem_loc[i]);
      std::byte* address = nullptr;  // a NULL handle becomes a NULL pointer
      if (mem_list[i] != nullptr) {
        auto& object = as<MemObject>(mem_list[i]);
        require(is_buffer(object), CL_INVALID_MEM_OBJECT, "not a buffer");
        require(&object.context() == &queue.context(), CL_INVALID_CONTEXT, "memory object of another context");
        require_acquired(object);
        objects.emplace_back(object);
        address = object.data();
      }
      addresses.emplace_back(place, address);
    }
    auto work = std::make_unique<NativeWork>(user_func, args, cb_args, std::move(objects));
    for (const auto& [place, address] : addresses) std::memcpy(work->args() + place, &address, sizeof address);
    enqueue(queue, CL_COMMAND_NATIVE_KERNEL, std::move(work), {num_events_in_wait_list, event_wait_list}, event);
  });
}
