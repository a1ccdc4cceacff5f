// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/artifact.h"

#include <gtest/gtest.h>

#include <cstring>
#include <span>

#include "runtime/program/launch_args.h"
#include "runtime/program/variables.h"
#include "src/base/hash.h"

namespace lanewise {
namespace {

constexpr Isa kVnni = Isa(IsaLevel::x86_64_v4).with(IsaFeature::avx512_vnni);

Artifact sample() {
  Artifact artifact;
  artifact.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  artifact.options = "-D A=\"b c\" -w";
  artifact.traits = {true, false};
  artifact.isa = kVnni;
  artifact.reply.ir = {1, 2, 3};
  artifact.reply.image = Bytes(100, 7);
  abi::KernelInfo kernel;
  kernel.name = "k";
  kernel.symbol = "k.range";
  kernel.args.resize(2);
  kernel.args_bytes = 16;
  artifact.reply.kernels.push_back(kernel);
  return artifact;
}

TEST(Artifact, RoundTrip) {
  const Bytes bytes = encode_artifact(sample());
  const auto decoded = decode_artifact(bytes, kVnni);
  ASSERT_TRUE(decoded.ok()) << decoded.error().message;
  const Artifact& artifact = decoded.value();
  EXPECT_EQ(artifact.type, cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
  EXPECT_EQ(artifact.options, sample().options);
  EXPECT_TRUE(artifact.traits.kernel_arg_info);
  EXPECT_FALSE(artifact.traits.uniform_work_groups);
  EXPECT_EQ(artifact.isa, kVnni);
  EXPECT_EQ(artifact.reply.image, sample().reply.image);
  EXPECT_EQ(artifact.find("k"), 0);
  EXPECT_EQ(artifact.find("k2"), -1);
  EXPECT_EQ(encode_artifact(artifact), bytes);
}

TEST(Artifact, EveryDamageIsNoticed) {
  const Bytes bytes = encode_artifact(sample());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    Bytes damaged = bytes;
    damaged[i] ^= 1;
    EXPECT_FALSE(decode_artifact(damaged, kVnni).ok()) << i;
    EXPECT_FALSE(decode_artifact(std::span(bytes).first(i), kVnni).ok()) << i;
  }
  Bytes longer = bytes;
  longer.push_back(0);
  EXPECT_FALSE(decode_artifact(longer, kVnni).ok());
}

TEST(Artifact, NewerProcessorsAreRefused) {
  const Bytes bytes = encode_artifact(sample());
  EXPECT_TRUE(decode_artifact(bytes, kVnni).ok());
  const auto refused = decode_artifact(bytes, IsaLevel::x86_64_v3);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, CL_INVALID_BINARY);
}

TEST(Artifact, FeaturesThatTheDeviceLacksAreRefused) {
  Artifact artifact = sample();
  const auto refused = decode_artifact(encode_artifact(artifact), IsaLevel::x86_64_v4);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, CL_INVALID_BINARY);
  artifact.isa = IsaLevel::x86_64_v4;
  EXPECT_TRUE(decode_artifact(encode_artifact(artifact), IsaLevel::x86_64_v4).ok());
}

/// An artifact of a newer driver, which knows more of them: its checksum is right.
TEST(Artifact, LevelsAndFeaturesThatDoNotExistYetAreRefused) {
  constexpr std::size_t kHead = 24;  // magic and checksum
  constexpr std::size_t kNumbers = kHead + 8;
  const auto changed = [](std::uint32_t number, std::uint32_t features) {
    Bytes bytes = encode_artifact(sample());
    std::memcpy(bytes.data() + kNumbers, &number, sizeof number);
    std::memcpy(bytes.data() + kNumbers + sizeof number, &features, sizeof features);
    const Hash128 checksum = hash_bytes(std::span(bytes).subspan(kHead));
    std::memcpy(bytes.data() + 8, &checksum.low, sizeof checksum.low);
    std::memcpy(bytes.data() + 16, &checksum.high, sizeof checksum.high);
    return decode_artifact(bytes, kVnni);
  };
  EXPECT_TRUE(changed(kVnni.number(), kVnni.features()).ok());
  for (const auto& refused : {changed(5, 0), changed(4, 0x101), changed(3, 1)}) {
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message, "the program binary is for a newer processor");
  }
}

TEST(Artifact, UnknownTypesAreRefused) {
  Artifact artifact = sample();
  for (const cl_program_binary_type type : {cl_program_binary_type{0}, cl_program_binary_type{0x77}}) {
    artifact.type = type;
    EXPECT_FALSE(decode_artifact(encode_artifact(artifact), kVnni).ok());
  }
}

/// Whatever a binary says of its variables, nothing is written outside of their memory.
TEST(Artifact, VariablesThatContradictThemselvesAreNotPlausible) {
  abi::VariableStorage good;
  good.bytes = 32;
  good.align = 16;
  good.largest = 8;
  good.initial = Bytes(32, 1);
  good.pointers = {{24, 0}, {0, 31}};
  EXPECT_TRUE(is_plausible(good));
  EXPECT_TRUE(is_plausible(abi::VariableStorage()));
  const auto expect_refused = [&](void (*change)(abi::VariableStorage&)) {
    abi::VariableStorage changed = good;
    change(changed);
    EXPECT_FALSE(is_plausible(changed));
  };
  expect_refused([](abi::VariableStorage& v) { v.bytes = ~std::uint64_t{0}; });
  expect_refused([](abi::VariableStorage& v) { v.align = 0; });
  expect_refused([](abi::VariableStorage& v) { v.align = 24; });
  expect_refused([](abi::VariableStorage& v) { v.align = std::uint64_t{1} << 63U; });
  expect_refused([](abi::VariableStorage& v) { v.largest = 33; });
  expect_refused([](abi::VariableStorage& v) { v.initial.push_back(0); });
  expect_refused([](abi::VariableStorage& v) { v.pointers.push_back({25, 0}); });
  expect_refused([](abi::VariableStorage& v) { v.pointers.push_back({~std::uint64_t{0}, 0}); });
  expect_refused([](abi::VariableStorage& v) {
    v = {};
    v.bytes = 4;
    v.pointers.push_back({0, 0});
  });
}

Result<VariablesPtr> create(const abi::VariableStorage& storage) {
  auto artifact = std::make_shared<Artifact>();
  artifact->reply.variables = storage;
  return ProgramVariables::create(std::move(artifact));
}

TEST(ProgramVariables, BeginWithTheirValuesAndPointers) {
  abi::VariableStorage storage;
  storage.bytes = 8192 + 16;
  storage.align = 8192;
  storage.initial = {0, 0, 0, 0, 0, 0, 0, 0, 7};
  storage.pointers = {{8192, 8}};
  const auto made = create(storage);
  ASSERT_TRUE(made.ok()) << made.error().message;
  const ProgramVariables& variables = *made.value();
  EXPECT_EQ(variables.size(), storage.bytes);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(variables.data()) % storage.align, 0U);
  EXPECT_EQ(variables.data()[8], std::byte{7});
  const std::byte* pointer = nullptr;
  std::memcpy(&pointer, variables.data() + 8192, sizeof pointer);
  EXPECT_EQ(pointer, variables.data() + 8);
  EXPECT_EQ(variables.data()[8192 + 15], std::byte{0});
}

TEST(ProgramVariables, NeedMemory) {
  abi::VariableStorage storage;
  storage.bytes = std::uint64_t{1} << 52U;
  const auto refused = create(storage);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, CL_OUT_OF_RESOURCES);
}

TEST(Artifact, WhatIsNoImageDoesNotOpen) {
  const auto opened = open_artifact(sample());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, CL_INVALID_BINARY);
}

TEST(LaunchArgs, BlocksOfAllSizesMove) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{8}, ArgumentBlock::kInline, std::size_t{5000}}) {
    for (const std::size_t align : {std::size_t{1}, std::size_t{16}, std::size_t{128}}) {
      ArgumentBlock block;
      std::byte* data = block.reset(size, align);
      if (size != 0) std::memset(data, 0x5a, size);
      const ArgumentBlock moved(std::move(block));
      ASSERT_EQ(moved.size(), size);
      for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(moved.data()[i], std::byte{0x5a});
      if (align > 16) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(moved.data()) % align, 0u);
      }
    }
  }
}

}  // namespace
}  // namespace lanewise
