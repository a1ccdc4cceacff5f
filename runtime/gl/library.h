// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <dlfcn.h>

#include <initializer_list>

namespace lanewise::gl {

/// A library that the process has loaded already. It is never closed again: the driver has no time for that.
class Library {
 public:
  /// Finds the first of these that is loaded; if none is, `find` finds nothing.
  template <class... Names>
  explicit Library(Names... names) {
    for (const char* name : {names...})
      if (handle_ == nullptr) handle_ = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
  }

  /// The function with this name; null: there is none.
  template <class Function>
  [[nodiscard]] Function find(const char* name) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(handle_, name));
  }

 private:
  void* handle_ = nullptr;
};

}  // namespace lanewise::gl
