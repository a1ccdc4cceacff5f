// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Objects of types that the application may hold, made for the driver's own use.
#pragma once

#include "runtime/object/object.h"

namespace lanewise {

/// Drops the application's reference of `fresh`, an object that has just been made.
template <class T>
Ref<T> without_application(Ref<T> fresh) {
  Ref<T> kept(*fresh);
  fresh.detach()->release_api();
  return kept;
}

}  // namespace lanewise
