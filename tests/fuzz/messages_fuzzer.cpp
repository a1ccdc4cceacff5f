// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Everything that is decoded from bytes from outside: requests, replies, program binaries. What can be decoded must
/// give the same bytes when it is encoded again.
#include <cstdlib>
#include <memory>

#include "include/lanewise/compiler_abi.h"
#include "runtime/tier/executable.h"

using namespace lanewise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::uint8_t> bytes(data, size);
  if (const auto request = abi::decode<abi::Request>(bytes)) {
    const Bytes again = abi::encode(*request);
    const auto twice = abi::decode<abi::Request>(again);
    if (!twice || abi::encode(*twice) != again) std::abort();
  }
  if (const auto reply = abi::decode<abi::Reply>(bytes)) {
    const Bytes again = abi::encode(*reply);
    const auto twice = abi::decode<abi::Reply>(again);
    if (!twice || abi::encode(*twice) != again) std::abort();
  }
  if (auto artifact = decode_artifact(bytes, lanewise::IsaLevel::x86_64_v3); artifact.ok())
    (void)lanewise::Executable::open(std::make_shared<const lanewise::Artifact>(std::move(artifact).value()));
  return 0;
}
