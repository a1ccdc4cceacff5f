// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers and sub-buffers, maps, and the calls that take any memory object.
#include "tests/fuzz/api/world.h"

namespace lanewise::fuzz {

namespace {

constexpr cl_mem_flags kFlags[] = {
    CL_MEM_READ_WRITE,    CL_MEM_WRITE_ONLY,      CL_MEM_READ_ONLY,      CL_MEM_USE_HOST_PTR,   CL_MEM_ALLOC_HOST_PTR,
    CL_MEM_COPY_HOST_PTR, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS, CL_MEM_IMMUTABLE_EXT,
    CL_MEM_USE_HOST_PTR,  CL_MEM_COPY_HOST_PTR,   cl_mem_flags{1} << 40};
constexpr cl_map_flags kMapFlags[] = {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION, 1U << 9};

void CL_CALLBACK on_memory_end(cl_mem, void*) {}

/// Up to World::kLargestBuffer, or more than any machine has.
std::size_t buffer_size(Draw& draw) {
  const std::size_t sizes[] = {0, 1, 3, 128, 256, 1000, World::kLargestBuffer, SIZE_MAX, std::size_t{1} << 62};
  return draw.among(sizes);
}

void create_buffer(World& world, Draw& draw) {
  if (world.memories.live() > World::kMostObjects) return;
  const auto flags = draw.some_of(kFlags);
  const bool wants_pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  void* host = wants_pointer != draw.one_in(16) ? world.host(draw) : nullptr;
  const auto context = world.context(draw);
  cl_int code = 0;
  if (draw.one_in(3)) {
    const cl_mem_properties keys[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 0, 0x2044};
    const cl_mem_properties properties[3] = {draw.among(keys), draw.one_in(2) ? 1U : draw.byte(), 0};
    world.memories.add(clCreateBufferWithProperties(context, draw.one_in(3) ? nullptr : properties, flags,
                                                    buffer_size(draw), host, &code));
  } else {
    world.memories.add(clCreateBuffer(context, flags, buffer_size(draw), host, draw.one_in(4) ? nullptr : &code));
  }
}

/// A host area, or addresses at which there may be nothing.
void import_memory(World& world, Draw& draw) {
  static const auto import = reinterpret_cast<clImportMemoryARM_fn>(
      clGetExtensionFunctionAddressForPlatform(world.platform, "clImportMemoryARM"));
  if (import == nullptr || world.memories.live() > World::kMostObjects) return;
  auto flags = draw.some_of(kFlags);
  if (!draw.one_in(8)) flags &= ~cl_mem_flags{CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR | CL_MEM_IMMUTABLE_EXT};
  const cl_import_properties_arm types[] = {CL_IMPORT_TYPE_HOST_ARM, CL_IMPORT_TYPE_DMA_BUF_ARM, draw.byte()};
  const cl_import_properties_arm properties[3] = {draw.one_in(8) ? draw.byte() : CL_IMPORT_TYPE_ARM,
                                                  draw.one_in(4) ? draw.among(types) : CL_IMPORT_TYPE_HOST_ARM, 0};
  void* memory = draw.one_in(16) ? reinterpret_cast<void*>(amount(draw, 4096)) : world.host(draw);
  cl_int code = 0;
  world.memories.add(import(world.context(draw), flags, draw.one_in(3) ? nullptr : properties, memory,
                            buffer_size(draw), draw.one_in(4) ? nullptr : &code));
}

void create_sub_buffer(World& world, Draw& draw) {
  if (world.memories.live() > World::kMostObjects) return;
  cl_buffer_region region{draw.below(8) * std::size_t{128}, draw.byte()};
  if (draw.one_in(8)) region = {amount(draw, 256), amount(draw, 256)};
  cl_int code = 0;
  world.memories.add(clCreateSubBuffer(world.memory(draw), draw.some_of(kFlags),
                                       draw.one_in(16) ? 7 : CL_BUFFER_CREATE_TYPE_REGION,
                                       draw.one_in(16) ? nullptr : &region, &code));
}

void memory_callback(World& world, Draw& draw) {
  static_cast<void>(
      clSetMemObjectDestructorCallback(world.memory(draw), draw.one_in(8) ? nullptr : on_memory_end, nullptr));
}

void map_buffer(World& world, Draw& draw) {
  const cl_bool blocks = blocking(world, draw);
  Wait wait(world, draw);
  cl_int code = 0;
  const auto memory = world.memory(draw);
  void* address = clEnqueueMapBuffer(world.queue(draw), memory, blocks, draw.some_of(kMapFlags), amount(draw, 128),
                                     amount(draw, 256), wait.count(), wait.list(), wait.event(), &code);
  if (address != nullptr) world.mappings.push_back({memory, address});
}

void map_image(World& world, Draw& draw) {
  const cl_bool blocks = blocking(world, draw);
  const auto origin = image_origin(draw);
  const auto region = triple(draw, true);
  Wait wait(world, draw);
  std::size_t row = 0;
  std::size_t slice = 0;
  cl_int code = 0;
  const auto memory = world.memory(draw);
  void* address = clEnqueueMapImage(world.queue(draw), memory, blocks, draw.some_of(kMapFlags), origin.data(),
                                    region.data(), draw.one_in(16) ? nullptr : &row, draw.one_in(4) ? nullptr : &slice,
                                    wait.count(), wait.list(), wait.event(), &code);
  if (address != nullptr) world.mappings.push_back({memory, address});
}

void unmap(World& world, Draw& draw) {
  Wait wait(world, draw);
  Mapping mapping{world.memory(draw), world.host(draw)};
  std::size_t at = 0;
  const bool known = !world.mappings.empty() && !draw.one_in(8);
  if (known) {
    at = draw.byte() % world.mappings.size();
    mapping = world.mappings[at];
    if (draw.one_in(8)) mapping.memory = world.memory(draw);
  }
  const cl_int code = clEnqueueUnmapMemObject(world.queue(draw), mapping.memory, mapping.address, wait.count(),
                                              wait.list(), wait.event());
  if (code == CL_SUCCESS && known) world.mappings.erase(world.mappings.begin() + static_cast<std::ptrdiff_t>(at));
}

void migrate(World& world, Draw& draw) {
  Wait wait(world, draw);
  cl_mem list[4] = {};
  for (auto& memory : list) memory = world.memory(draw);
  const cl_mem_migration_flags flags[] = {CL_MIGRATE_MEM_OBJECT_HOST, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 64};
  static_cast<void>(clEnqueueMigrateMemObjects(world.queue(draw), draw.below(5), draw.one_in(16) ? nullptr : list,
                                               draw.some_of(flags), wait.count(), wait.list(), wait.event()));
}

}  // namespace

std::vector<Call> memory_calls() {
  return {create_buffer,     create_buffer,   import_memory, create_sub_buffer,
          create_sub_buffer, memory_callback, map_buffer,    map_buffer,
          map_image,         unmap,           unmap,         migrate};
}

}  // namespace lanewise::fuzz
