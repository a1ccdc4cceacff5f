// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The dispatch table that every object points to, generated from icd/entry_points.def, and the look-up by name.
#pragma once

#include <CL/cl.h>
#include <CL/cl_egl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>
#include <CL/cl_icd.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "include/lanewise/cl_compat.h"
#include "include/lanewise/command_buffer.h"
#include "runtime/core/platform.h"

namespace lanewise {

/// The dispatch table, with the layout of `cl_icd_dispatch`, which loaders index by offset.
///
/// The table has no tag of loader-managed dispatch (cl_khr_icd 2.0): with that tag, a loader stores its own table in
/// each object, and an object has room for one table only. A process can have several loaders that see the same objects
/// (a Python package brings one, the system another); all of them can call through this table.
struct DispatchTable {
#define ENTRY(name, since) decltype(&::name) name;
#define ALIAS(name, function) cl_api_##name name;
#define EMPTY(name) void* name;
#include "icd/entry_points.def"
};

#define ENTRY(name, since)                                                         \
  static_assert(offsetof(DispatchTable, name) == offsetof(cl_icd_dispatch, name)); \
  static_assert(sizeof(DispatchTable::name) == sizeof(void*));
#define APPENDED(name, since) static_assert(offsetof(DispatchTable, name) >= sizeof(cl_icd_dispatch) - sizeof(void*));
#define ALIAS(name, function) ENTRY(name, )
#define EMPTY(name) ENTRY(name, )
#include "icd/entry_points.def"

const DispatchTable& dispatch();

/// The platform. The first call gives the runtime the dispatch table and the language surface, so it must precede the
/// creation of any other object.
Platform& platform();

/// The address of the function with this name, among the functions of cl_khr_icd and of reported extensions. Null:
/// there is none.
void* find_extension_function(std::string_view name);

}  // namespace lanewise
