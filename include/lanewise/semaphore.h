// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_semaphore and cl_khr_external_semaphore 1.0.0: constants that the system's headers (0.9.0 on Debian 12) name
/// differently or lack.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#endif
#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif
#ifndef CL_SEMAPHORE_EXPORTABLE_KHR
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
#endif
