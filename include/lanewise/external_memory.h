// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_external_memory 1.0.1: constants that the system's headers (0.9.0 on Debian 12) name differently or lack.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#ifndef CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#endif
#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#endif
#ifndef CL_MEM_DEVICE_HANDLE_LIST_END_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_END_KHR 0
#endif
