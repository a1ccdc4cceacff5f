// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tools/shared/compiler_library.h"

#include <CL/cl.h>
#include <dlfcn.h>

#include <utility>

namespace lanewise {

abi::Reply run_in_library(const std::string& private_directory, const abi::Request& request) {
  abi::Reply reply;
  reply.status = CL_COMPILER_NOT_AVAILABLE;
  void* library = dlopen((private_directory + "/liblanewise-compiler.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    reply.log = reason == nullptr ? "the compiler cannot be loaded" : reason;
    return reply;
  }
  const auto run = reinterpret_cast<abi::RunFunction>(dlsym(library, abi::kRunSymbol));
  if (run == nullptr) {
    reply.log = "the library is no compiler of this driver";
    return reply;
  }
  const Bytes encoded = abi::encode(request);
  const abi::Host host{private_directory.c_str(), 0};
  const auto sink = [](void* into, const std::uint8_t* bytes, std::uint64_t size) {
    if (auto decoded = abi::decode<abi::Reply>({bytes, size})) *static_cast<abi::Reply*>(into) = std::move(*decoded);
  };
  run(&host, encoded.data(), encoded.size(), sink, &reply);
  return reply;
}

}  // namespace lanewise
