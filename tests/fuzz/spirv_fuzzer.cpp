// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Modules of SPIR-V: any bytes are read or rejected with a reason, alone and behind a valid header and beginning; what
/// is read stays the same when it is read again, in either byte order.
#include <cstdlib>
#include <cstring>

#include "runtime/code/spirv_module.h"

using namespace lanewise;

namespace {

void check(const Bytes& bytes) {
  const auto once = read_spirv(bytes);
  if (!once) {
    if (once.error().message.empty()) std::abort();
    return;
  }
  for (const auto& [id, size] : once.value().constants)
    if (size != 1 && size != 2 && size != 4 && size != 8) std::abort();
  Bytes other = once.value().words;
  for (std::size_t i = 0; i + 3 < other.size(); i += 4) {
    std::swap(other[i], other[i + 3]);
    std::swap(other[i + 1], other[i + 2]);
  }
  const auto twice = read_spirv(other);
  if (!twice || twice.value().words != once.value().words || twice.value().constants != once.value().constants)
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check(Bytes(data, data + size));
  // Header of SPIR-V 1.2, OpCapability Kernel, OpMemoryModel Physical64 OpenCL.
  static constexpr std::uint32_t kBegin[] = {0x07230203, 0x00010200, 0, 1000, 0, 2u << 16 | 17, 6, 3u << 16 | 14, 2, 2};
  Bytes module(sizeof kBegin);
  std::memcpy(module.data(), kBegin, sizeof kBegin);
  module.insert(module.end(), data, data + size / 4 * 4);
  check(module);
  return 0;
}
