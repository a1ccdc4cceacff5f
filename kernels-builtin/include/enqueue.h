// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions of device queues tell the runtime.
#pragma once

#include "define.h"
#include "include/lanewise/enqueue_abi.h"
