// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/gl/functions.h"

namespace lanewise::gl {

namespace {
template <class Function>
bool find_into(Function& out, const char* name, void* (*find)(const char*, void*), void* data) {
  out = reinterpret_cast<Function>(find(name, data));
  return out != nullptr;
}
}  // namespace

bool Functions::load(void* (*find)(const char*, void*), void* data) {
  bool complete = true;
#define GL_FUNCTION(type, name) complete = find_into(name, "gl" #name, find, data) && complete;
#define GL_OPTIONAL(type, name) static_cast<void>(find_into(name, "gl" #name, find, data));
#include "runtime/gl/functions.def"
  return complete;
}

}  // namespace lanewise::gl
