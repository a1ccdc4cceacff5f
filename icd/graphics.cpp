// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/graphics.h"

#include <CL/cl_egl.h>
#include <CL/cl_gl.h>

#include <utility>
#include <vector>

#include "icd/cast.h"
#include "icd/image_check.h"

namespace lanewise {

namespace {

/// The memory of a found object that the driver has to have itself. Throws CL_OUT_OF_RESOURCES.
Storage own_storage(const Context& context, std::size_t bytes) {
  require(bytes <= image_facts(context).max_alloc_size, CL_OUT_OF_RESOURCES,
          "larger than CL_DEVICE_MAX_MEM_ALLOC_SIZE");
  auto own = Storage::allocate(bytes);
  require(own.has_value(), CL_OUT_OF_RESOURCES, "no memory for a copy of the object");
  return std::move(*own);
}

bool is_of_egl(cl_command_type type) {
  return type == CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR || type == CL_COMMAND_RELEASE_EGL_OBJECTS_KHR;
}
bool acquires(cl_command_type type) {
  return type == CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR || type == CL_COMMAND_ACQUIRE_GL_OBJECTS;
}

/// API 5.5.14, 5.5.15: the objects of a command.
std::vector<Ref<MemObject>> objects_of(const Queue& queue, cl_command_type type, ObjectList list) {
  require((list.count == 0) == (list.objects == nullptr), CL_INVALID_VALUE, "num_objects and mem_objects disagree");
  std::vector<Ref<MemObject>> objects;
  objects.reserve(list.count);
  for (cl_uint i = 0; i < list.count; ++i) {
    auto& object = as<MemObject>(list.objects[i]);
    require(&object.context() == &queue.context(), is_of_egl(type) ? CL_INVALID_MEM_OBJECT : CL_INVALID_CONTEXT,
            "queue and memory object are of different contexts");
    const gl::SharedObject* shared = object.parent() == nullptr ? gl::shared_object(object) : nullptr;
    require(shared != nullptr && shared->is_egl_image() == is_of_egl(type),
            is_of_egl(type) ? CL_INVALID_EGL_OBJECT_KHR : CL_INVALID_GL_OBJECT,
            "not made from an object of this interface");
    objects.emplace_back(object);
  }
  return objects;
}

/// Marks the objects, and leaves those that are acquired, or released, already: such a command has nothing to do.
std::vector<Ref<MemObject>> mark(std::vector<Ref<MemObject>> objects, bool acquired) {
  std::erase_if(objects, [&](const auto& object) { return object->graphics()->set_acquired(acquired) == acquired; });
  return objects;
}

Ref<Event> submit_transfer(Queue& queue, cl_command_type type, std::vector<Ref<MemObject>> objects, WaitList waits) {
  const auto direction = acquires(type) ? gl::Direction::acquire : gl::Direction::release;
  auto moving = mark(std::move(objects), direction == gl::Direction::acquire);
  if (moving.empty()) return submit(queue, type, nullptr, waits);
  try {
    auto commands = unwrap(gl::make_transfer(queue.context(), direction, moving));
    submit(queue, type, std::move(commands.begin), waits);
    std::vector<cl_event> all(waits.events, waits.events + waits.count);
    all.push_back(commands.moved->handle());
    return submit(queue, type, std::move(commands.end), {static_cast<cl_uint>(all.size()), all.data()});
  } catch (...) {
    for (const auto& object : moving) object->graphics()->set_acquired(direction != gl::Direction::acquire);
    throw;
  }
}

}  // namespace

gl::ShareGroup& share_group(const Context& context) {
  require(context.sharing() != nullptr, CL_INVALID_CONTEXT, "the context was not made with one of OpenGL");
  return static_cast<gl::ShareGroup&>(*context.sharing());
}

void check_graphics_flags(cl_mem_flags flags, cl_mem_flags allowed) {
  require((flags & ~allowed) == 0, CL_INVALID_VALUE, "flags that shared objects do not have");
  check_memory_flags(flags);
}

cl_mem make_graphics_buffer(Context& context, cl_mem_flags flags, gl::Found found) {
  Storage storage = found.memory != nullptr ? Storage::wrap(found.memory) : own_storage(context, found.bytes);
  auto made =
      unwrap(MemObject::create(context, with_default_access(flags), found.bytes, nullptr, {}, std::move(storage)));
  made->set_graphics(std::move(found.object));
  return made.detach()->handle();
}

cl_mem make_graphics_image(Context& context, cl_mem_flags flags, gl::Found found) {
  const std::size_t bytes = found.layout.bytes;
  Storage storage = found.memory != nullptr ? Storage::wrap(found.memory) : own_storage(context, bytes);
  auto made = unwrap(MemObject::create_image(context, with_default_access(flags), std::move(found.layout), nullptr,
                                             nullptr, {}, std::move(storage)));
  made->set_graphics(std::move(found.object));
  return made.detach()->handle();
}

void enqueue_transfer(cl_command_queue handle, cl_command_type type, ObjectList list, WaitList waits, cl_event* event) {
  auto& queue = as<Queue>(handle);
  auto& context = queue.context();
  const auto* group = is_of_egl(type) ? nullptr : &share_group(context);
  auto objects = objects_of(queue, type, list);
  check_wait_list(context, waits);
  const bool in_order_with_gl = group != nullptr && group->has_current_context();
  // API 5.5.15, cl_khr_gl_event: what the calling thread has given its context of OpenGL before is done first.
  if (in_order_with_gl && acquires(type)) group->finish_current_context();
  Ref<Event> submitted = submit_transfer(queue, type, std::move(objects), waits);
  // And what it gives to it later waits for this command. OpenGL cannot wait for OpenCL, so the call does, unless the
  // command may need something that the thread does afterwards: then the application waits, as in API 5.5.15.1.4.
  if (in_order_with_gl && !acquires(type) && !context.has_open_user_events()) static_cast<void>(submitted->wait());
  if (event != nullptr) *event = submitted.detach()->handle();
}

}  // namespace lanewise
