// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries of memory objects (spec 5.5.6).
#include "icd/cast.h"
#include "icd/info.h"
#include "icd/property_list.h"
#include "include/lanewise/cl_compat.h"
#include "runtime/core/context.h"
#include "runtime/memory/mem_object.h"

using namespace lanewise;

namespace {

/// cl_ext_buffer_device_address: one address for each device of the context; all of them see the host's memory.
std::vector<cl_mem_device_address_ext> device_addresses(const MemObject& memory) {
  const auto& list = memory.root().properties();
  const bool fixed = property_in<cl_mem_properties>(list, CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT) == CL_TRUE;
  require(fixed, CL_INVALID_OPERATION, "the buffer was not made with CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT");
  return std::vector<cl_mem_device_address_ext>(memory.context().devices().size(),
                                                reinterpret_cast<std::uintptr_t>(memory.data()));
}

}  // namespace

namespace lanewise {

std::span<const Row<MemObject>> memory_info_table() {
  static constexpr Row<MemObject> rows[] = {
      {CL_MEM_TYPE, type<cl_mem_object_type>, [](const MemObject& m) { return m.type(); }},
      {CL_MEM_FLAGS, type<cl_mem_flags>, [](const MemObject& m) { return m.flags(); }},
      {CL_MEM_SIZE, type<std::size_t>, [](const MemObject& m) { return m.size(); }},
      {CL_MEM_HOST_PTR, type<void*>, [](const MemObject& m) { return m.host_ptr(); }},
      {CL_MEM_MAP_COUNT, type<cl_uint>, [](const MemObject& m) { return m.maps().count(m); }},
      {CL_MEM_REFERENCE_COUNT, type<cl_uint>, [](const MemObject& m) { return m.reference_count(); }},
      {CL_MEM_CONTEXT, type<cl_context>, [](const MemObject& m) { return m.context().handle(); }},
      {CL_MEM_ASSOCIATED_MEMOBJECT, type<cl_mem>,
       [](const MemObject& m) { return m.parent() != nullptr ? m.parent()->handle() : cl_mem{nullptr}; }},
      {CL_MEM_OFFSET, type<std::size_t>, [](const MemObject& m) { return m.origin(); }},
      {CL_MEM_USES_SVM_POINTER, type<cl_bool>, [](const MemObject& m) { return m.uses_svm_pointer(); }},
      {CL_MEM_DEVICE_ADDRESS_EXT, type<cl_mem_device_address_ext[]>,
       [](const MemObject& m) { return device_addresses(m); }},
      {CL_MEM_PROPERTIES, type<cl_mem_properties[]>, [](const MemObject& m) { return m.properties(); }},
  };
  return rows;
}

}  // namespace lanewise

CL_API_ENTRY cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memobj, cl_mem_info param_name, size_t param_value_size,
                                                   void* param_value, size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    answer(memory_info_table(), param_name, as<MemObject>(memobj),
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}
