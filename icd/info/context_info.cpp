// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Queries of contexts (API 4.4, table 15).
#include "icd/cast.h"
#include "icd/info.h"
#include "runtime/core/context.h"

using namespace lanewise;

namespace {

std::vector<cl_device_id> handles(const Context& context) {
  std::vector<cl_device_id> out;
  for (const auto& device : context.devices()) out.push_back(device->handle());
  return out;
}

constexpr Row<Context> kContextInfo[] = {
    {CL_CONTEXT_REFERENCE_COUNT, type<cl_uint>, [](const Context& c) { return c.reference_count(); }},
    {CL_CONTEXT_NUM_DEVICES, type<cl_uint>, [](const Context& c) { return static_cast<cl_uint>(c.devices().size()); }},
    {CL_CONTEXT_DEVICES, type<cl_device_id[]>, [](const Context& c) { return handles(c); }},
    {CL_CONTEXT_PROPERTIES, type<cl_context_properties[]>, [](const Context& c) { return c.properties(); }},
};

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info param_name,
                                                 size_t param_value_size, void* param_value,
                                                 size_t* param_value_size_ret) {
  return entry(__func__, [&] {
    answer(kContextInfo, param_name, as<Context>(context),
           InfoWriter(param_value_size, param_value, param_value_size_ret));
  });
}
