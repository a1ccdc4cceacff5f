// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/artifact.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <span>

#include "runtime/code/description.h"
#include "runtime/kernel/launch_args.h"
#include "runtime/program/variables.h"
#include "runtime/tier/executable.h"
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
  artifact.reply.code_object = Bytes(100, 7);
  abi::KernelInfo kernel;
  kernel.name = "k";
  kernel.symbol = "k.range";
  kernel.args.resize(2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    abi::ArgInfo& arg = kernel.args[i];
    arg.kind = i == 0 ? abi::ArgKind::global_pointer : abi::ArgKind::value;
    arg.size = arg.align = 8;
    arg.offset = 8 * i;
    arg.address_qualifier = i == 0 ? CL_KERNEL_ARG_ADDRESS_GLOBAL : CL_KERNEL_ARG_ADDRESS_PRIVATE;
    arg.access_qualifier = CL_KERNEL_ARG_ACCESS_NONE;
  }
  kernel.args_bytes = 16;
  artifact.reply.kernels.push_back(kernel);
  return artifact;
}

/// The description of one kernel and of variables, after a change.
Result<void> check_changed(const std::function<void(abi::Reply&, abi::KernelInfo&)>& change) {
  abi::Reply reply = sample().reply;
  change(reply, reply.kernels.front());
  return check_description(reply);
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
  EXPECT_EQ(artifact.reply.code_object, sample().reply.code_object);
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

/// Only the IR is left, and the bytes, so that the program gives back what it got.
void expect_foreign(const Result<Artifact>& decoded, const Bytes& bytes, Isa device) {
  ASSERT_TRUE(decoded.ok()) << decoded.error().message;
  const Artifact& artifact = decoded.value();
  EXPECT_EQ(artifact.foreign, bytes);
  EXPECT_EQ(artifact.isa, device);
  EXPECT_EQ(artifact.reply.ir, sample().reply.ir);
  EXPECT_TRUE(artifact.reply.code_object.empty());
  EXPECT_TRUE(artifact.reply.kernels.empty());
  EXPECT_EQ(artifact.type, cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
  EXPECT_EQ(artifact.options, sample().options);
  EXPECT_EQ(encode_artifact(artifact), bytes);
}

TEST(Artifact, CodeForNewerProcessorsIsLeftOut) {
  const Bytes bytes = encode_artifact(sample());
  expect_foreign(decode_artifact(bytes, IsaLevel::x86_64_v3), bytes, IsaLevel::x86_64_v3);
}

TEST(Artifact, CodeWithFeaturesThatTheDeviceLacksIsLeftOut) {
  Artifact artifact = sample();
  const Bytes bytes = encode_artifact(artifact);
  expect_foreign(decode_artifact(bytes, IsaLevel::x86_64_v4), bytes, IsaLevel::x86_64_v4);
  artifact.isa = IsaLevel::x86_64_v4;
  const auto decoded = decode_artifact(encode_artifact(artifact), IsaLevel::x86_64_v4);
  ASSERT_TRUE(decoded.ok());
  EXPECT_TRUE(decoded.value().foreign.empty());
}

/// An artifact of a newer driver, which knows more of them: its checksum is right.
TEST(Artifact, CodeForLevelsAndFeaturesThatDoNotExistYetIsLeftOut) {
  constexpr std::size_t kHead = 24;  // magic and checksum
  constexpr std::size_t kNumbers = kHead + 8;
  const auto changed = [](std::uint32_t number, std::uint32_t features) {
    Bytes bytes = encode_artifact(sample());
    std::memcpy(bytes.data() + kNumbers, &number, sizeof number);
    std::memcpy(bytes.data() + kNumbers + sizeof number, &features, sizeof features);
    const Hash128 checksum = hash_bytes(std::span(bytes).subspan(kHead));
    std::memcpy(bytes.data() + 8, &checksum.low, sizeof checksum.low);
    std::memcpy(bytes.data() + 16, &checksum.high, sizeof checksum.high);
    return bytes;
  };
  const auto known = decode_artifact(changed(kVnni.number(), kVnni.features()), kVnni);
  ASSERT_TRUE(known.ok());
  EXPECT_TRUE(known.value().foreign.empty());
  for (const Bytes& bytes : {changed(5, 0), changed(4, 0x101), changed(3, 1)})
    expect_foreign(decode_artifact(bytes, kVnni), bytes, kVnni);
}

TEST(Artifact, ObjectsAndLibrariesAreForAllProcessors) {
  Artifact artifact = sample();
  artifact.type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
  const auto decoded = decode_artifact(encode_artifact(artifact), IsaLevel::x86_64_v2);
  ASSERT_TRUE(decoded.ok());
  EXPECT_TRUE(decoded.value().foreign.empty());
  EXPECT_EQ(decoded.value().reply.ir, sample().reply.ir);
}

TEST(Artifact, DescriptionsThatContradictThemselvesAreRefused) {
  using Kernel = abi::KernelInfo;
  EXPECT_TRUE(check_changed([](abi::Reply&, Kernel&) {}).ok());
  const auto expect_refused = [](const char* what, const std::function<void(abi::Reply&, Kernel&)>& change) {
    const auto checked = check_changed(change);
    EXPECT_FALSE(checked.ok()) << what;
    if (!checked.ok()) EXPECT_EQ(checked.error().code, CL_INVALID_BINARY);
  };
  expect_refused("dimension", [](auto&, Kernel& k) { k.shape.first_dimension = 3; });
  expect_refused("no sub-group", [](auto&, Kernel& k) { k.sub_group_size = 0; });
  expect_refused("sub-group", [](auto&, Kernel& k) { k.sub_group_size = 24; });
  expect_refused("another sub-group", [](auto&, Kernel& k) { k.reqd_sub_group_size = 8; });
  expect_refused("arguments", [](auto&, Kernel& k) { k.args_bytes = 0xffff'fff8; });
  expect_refused("a gap", [](auto&, Kernel& k) { k.args_bytes = 24; });
  expect_refused("no room", [](auto&, Kernel& k) { k.args_bytes = 8; });
  expect_refused("offset", [](auto&, Kernel& k) { k.args[1].offset = 16; });
  expect_refused("overlap", [](auto&, Kernel& k) { k.args[1].offset = 0; });
  expect_refused("size of a pointer", [](auto&, Kernel& k) { k.args[0].size = 4; });
  expect_refused("alignment", [](auto&, Kernel& k) { k.args[1].align = 256; });
  expect_refused("kind", [](auto&, Kernel& k) { k.args[0].kind = static_cast<abi::ArgKind>(9); });
  expect_refused("a value in memory", [](auto&, Kernel& k) { k.args[0].kind = abi::ArgKind::value; });
  expect_refused("a local value", [](auto&, Kernel& k) { k.args[1].kind = abi::ArgKind::local_pointer; });
  expect_refused("space", [](auto&, Kernel& k) { k.args[0].address_qualifier = 7; });
  expect_refused("a sum of nothing", [](auto&, Kernel& k) {
    k.args[0].accumulation = abi::Accumulation::sum;
    k.accumulates = true;
  });
  expect_refused("sums nowhere", [](auto&, Kernel& k) { k.accumulates = true; });
  expect_refused("two sizes", [](auto&, Kernel& k) { k.reqd_work_group_size = {1, 0, 1}; });
  expect_refused("a huge size", [](auto&, Kernel& k) { k.reqd_work_group_size = {std::uint64_t{1} << 40, 1, 1}; });
  expect_refused("memory", [](auto&, Kernel& k) { k.item_bytes = std::uint64_t{1} << 50; });
  expect_refused("no name", [](auto&, Kernel& k) { k.name = "", k.symbol = ".range"; });
  expect_refused("half a name", [](auto&, Kernel& k) { k.name = std::string("k\0", 2), k.symbol = k.name + ".range"; });
  expect_refused("symbol", [](auto&, Kernel& k) { k.symbol = "malloc"; });
  expect_refused("variables", [](auto&, Kernel& k) { k.has_variables = true, k.args_bytes = 24; });
  expect_refused("no variables", [](abi::Reply& r, Kernel&) { r.variables.bytes = 8; });
  expect_refused("the same kernel twice", [](abi::Reply& r, Kernel&) { r.kernels.push_back(r.kernels.front()); });
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
  good.names = {{"all", 0, 32, true, true}, {"none", 32, 0, true, false}};
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
  expect_refused([](abi::VariableStorage& v) { v.align = std::uint64_t{1} << 33U; });
  expect_refused([](abi::VariableStorage& v) { v.largest = 33; });
  expect_refused([](abi::VariableStorage& v) { v.initial.push_back(0); });
  expect_refused([](abi::VariableStorage& v) { v.pointers.push_back({25, 0}); });
  expect_refused([](abi::VariableStorage& v) { v.pointers.push_back({~std::uint64_t{0}, 0}); });
  expect_refused([](abi::VariableStorage& v) { v.names.front().at = 1; });
  expect_refused([](abi::VariableStorage& v) { v.names.front().bytes = 33; });
  expect_refused([](abi::VariableStorage& v) { v.names.push_back({"outside", 33, 0, true, true}); });
  expect_refused([](abi::VariableStorage& v) { v.names.push_back({"large", 8, ~std::uint64_t{0}, true, true}); });
  expect_refused([](abi::VariableStorage& v) {
    v = {};
    v.bytes = 4;
    v.pointers.push_back({0, 0});
  });
}

Result<VariablesPtr> create(const abi::VariableStorage& storage) {
  auto artifact = std::make_shared<Artifact>();
  artifact->reply.variables = storage;
  return ProgramVariables::create(std::make_shared<const Executable>(std::move(artifact)));
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
  const auto opened = Executable::open(std::make_shared<const Artifact>(sample()));
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
