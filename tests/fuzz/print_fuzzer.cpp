// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// printf: any format with any records. The first bytes are the format, the rest the records; strings and other
/// pointers are left out, because those that the compiler writes are always valid.
#include <cstring>
#include <string>
#include <vector>

#include "runtime/printf/format.h"

using namespace lanewise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t length = std::min<std::size_t>(data[0], size - 2);
  const std::uint32_t count = data[1] % 8;
  const std::string format(reinterpret_cast<const char*>(data + 2), length);
  std::vector<std::uint8_t> records(data + 2 + length, data + size);
  // Records of strings would be dereferenced, so they are turned into numbers.
  for (std::uint8_t& byte : records) byte = byte == 's' ? 'i' : byte;
  // A width or precision of a thousand million characters is legal, but slow.
  if (format.find_first_of("0123456789*") != std::string::npos && format.size() > 24) return 0;
  std::string out;
  format_print(out, format.c_str(), records, count);
  return 0;
}
