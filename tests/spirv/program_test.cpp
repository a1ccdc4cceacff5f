// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs from SPIR-V: creation, builds, links with other programs, specialisation constants, queries.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>
#include <thread>

#include "include/lanewise/cl_compat.h"
#include "tests/spirv/fixture.h"

namespace lanewise::test {
namespace {

using Il = IlFixture;
using Words = std::vector<std::uint64_t>;

TEST_F(Il, KernelsRunInVectors) {
  const auto program = built_il("saxpy", "-cl-lanewise-report-vectors");
  EXPECT_NE(log(program).find("saxpy"), std::string::npos) << log(program);
  constexpr size_t kCount = 1003;
  std::vector<float> x(kCount);
  std::vector<float> y(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    x[i] = static_cast<float>(i);
    y[i] = static_cast<float>(2 * i);
  }
  const auto made = kernel(program, "saxpy");
  const auto in = filled(x);
  const auto out = filled(y);
  set(made, 0, out);
  set(made, 1, in);
  set(made, 2, 3.0F);
  run(made, kCount);
  const auto got = read<float>(out, kCount);
  for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(got[i], 5.0F * static_cast<float>(i)) << i;
}

TEST_F(Il, BothByteOrdersAreRead) {
  Module module = module_named("constants");
  for (size_t i = 0; i + 3 < module.size(); i += 4) std::reverse(&module[i], &module[i] + 4);
  const auto program = from_il(module);
  build(program);
  EXPECT_EQ(result_of(program, "values", Words(8))[3], 3333u);
}

TEST_F(Il, TheModuleComesBackAsItWasGiven) {
  const Module module = module_named("saxpy");
  const auto program = from_il(module);
  size_t size = 0;
  ASSERT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_IL, 0, nullptr, &size), CL_SUCCESS);
  ASSERT_EQ(size, module.size());
  Module back(size);
  ASSERT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_IL, size, back.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(back, module);
  // Other programs have none, and their query does not write to memory.
  const auto other = source("");
  Module untouched(4, 7);
  ASSERT_EQ(clGetProgramInfo(other.get(), CL_PROGRAM_IL, 4, untouched.data(), &size), CL_SUCCESS);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(untouched, Module(4, 7));
}

TEST_F(Il, ConstantsHaveTheModulesValuesUntilTheyAreSet) {
  const auto program = built_il("constants");
  const Words expected{
      1, 11, 222, 3333, 44444444444, std::bit_cast<std::uint32_t>(1.5F), std::bit_cast<std::uint64_t>(2.5), 6666};
  EXPECT_EQ(result_of(program, "values", Words(8)), expected);
}

TEST_F(Il, ConstantsOfEverySizeAreSetAndTheLastValueWins) {
  const auto program = from_il(module_named("constants"));
  const auto give = [&](cl_uint id, auto value) {
    return clSetProgramSpecializationConstant(program.get(), id, sizeof value, &value);
  };
  ASSERT_EQ(give(1, cl_uchar{0}), CL_SUCCESS);
  ASSERT_EQ(give(2, cl_uchar{0xfe}), CL_SUCCESS);
  ASSERT_EQ(give(3, cl_ushort{0xfffd}), CL_SUCCESS);
  ASSERT_EQ(give(4, cl_uint{5}), CL_SUCCESS);
  ASSERT_EQ(give(4, cl_uint{0xfffffffc}), CL_SUCCESS);
  ASSERT_EQ(give(5, cl_ulong{0xfffffffffffffffb}), CL_SUCCESS);
  ASSERT_EQ(give(6, -0.25F), CL_SUCCESS);
  ASSERT_EQ(give(700, 1e300), CL_SUCCESS);
  build(program);
  const Words expected{0,
                       0xfe,
                       0xfffd,
                       0xfffffffc,
                       0xfffffffffffffffb,
                       std::bit_cast<std::uint32_t>(-0.25F),
                       std::bit_cast<std::uint64_t>(1e300),
                       0xfffffff8};
  EXPECT_EQ(result_of(program, "values", Words(8)), expected);
  // The values are kept for the next build, before which some may be changed.
  ASSERT_EQ(give(1, cl_uchar{200}), CL_SUCCESS);  // true
  build(program);
  const auto again = result_of(program, "values", Words(8));
  EXPECT_EQ(again[0], 1u);
  EXPECT_EQ(again[1], 0xfeu);
}

TEST_F(Il, ConstantsThatAreWrongAreRefused) {
  const auto program = from_il(module_named("constants"));
  const std::uint64_t value = 1;
  const auto give = [&](cl_program to, cl_uint id, size_t size, const void* at) {
    return clSetProgramSpecializationConstant(to, id, size, at);
  };
  EXPECT_EQ(give(program.get(), 8, 4, &value), CL_INVALID_SPEC_ID);
  EXPECT_EQ(give(program.get(), 0, 4, &value), CL_INVALID_SPEC_ID);
  EXPECT_EQ(give(program.get(), 4, 8, &value), CL_INVALID_VALUE);
  EXPECT_EQ(give(program.get(), 4, 0, &value), CL_INVALID_VALUE);
  EXPECT_EQ(give(program.get(), 1, 4, &value), CL_INVALID_VALUE);
  EXPECT_EQ(give(program.get(), 4, 4, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(give(source("").get(), 4, 4, &value), CL_INVALID_PROGRAM);
  EXPECT_EQ(give(nullptr, 4, 4, &value), CL_INVALID_PROGRAM);
}

TEST_F(Il, SpirvAndSourceCallEachOther) {
  const auto module = compiled_il("caller");
  const auto text = compiled("uint to_source(uint); uint from_source(uint x) { return 10 * to_source(x); }");
  EXPECT_EQ(binary_type(module), static_cast<cl_program_binary_type>(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT));
  const auto program = linked({module.get(), text.get()});
  EXPECT_EQ(result_of(program, "caller", std::vector<cl_uint>{4}), std::vector<cl_uint>{50});
  // The program's binary in place of the module.
  const auto loaded = from_binary(binary(module));
  const auto again = linked({text.get(), loaded.get()});
  EXPECT_EQ(result_of(again, "caller", std::vector<cl_uint>{6}), std::vector<cl_uint>{70});
}

TEST_F(Il, DefinitionsLinkedOnceMayRepeat) {
  const auto once = compiled_il("once");
  const auto twice = compiled_il("twice");
  const auto program = linked({once.get(), twice.get()});
  EXPECT_EQ(result_of(program, "once", std::vector<cl_uint>{4}), std::vector<cl_uint>{11});
  EXPECT_EQ(result_of(program, "twice", std::vector<cl_uint>{5}), std::vector<cl_uint>{12});
}

/// `module` with the conversions of SPV_INTEL_bfloat16_conversion in place of those between float and unsigned integers.
Module with_bfloat16(const Module& module) {
  constexpr size_t kHeader = 20;
  std::vector<std::uint32_t> words(module.size() / 4);
  std::memcpy(words.data(), module.data(), module.size());
  for (size_t at = kHeader / 4; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xffff) == 109) words[at] += 6116 - 109;
    if ((words[at] & 0xffff) == 112) words[at] += 6117 - 112;
  }
  constexpr std::string_view kName = "SPV_INTEL_bfloat16_conversion";
  std::vector<std::uint32_t> extension(1 + kName.size() / 4 + 1);
  extension[0] = static_cast<std::uint32_t>(extension.size() << 16 | 10);
  std::memcpy(&extension[1], kName.data(), kName.size());
  size_t memory_model = kHeader / 4;
  while ((words[memory_model] & 0xffff) != 14) memory_model += words[memory_model] >> 16;
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(memory_model), extension.begin(), extension.end());
  words.insert(words.begin() + kHeader / 4, {2U << 16 | 17, 6115});
  Module made(words.size() * 4);
  std::memcpy(made.data(), words.data(), made.size());
  return made;
}

TEST_F(Il, FloatIsRoundedToBfloat16AndComesBack) {
  const auto program = from_il(with_bfloat16(module_named("bfloat16")));
  build(program);
  const auto converted = [&](std::uint32_t first, std::uint32_t second) {
    return result_of(program, "convert", std::vector<cl_uint>{first, second});
  };
  using Pair = std::vector<cl_uint>;
  EXPECT_EQ(converted(0x3f808000, std::bit_cast<std::uint32_t>(1.5F)), (Pair{0x3f80, 0x40400000}));  // tie, to even
  EXPECT_EQ(converted(0x3f818000, 0x3f808001), (Pair{0x3f82, 0x40010000}));                          // 0x3f81 twice
  EXPECT_EQ(converted(0x7f7fffff, 0x80000000), (Pair{0x7f80, 0x80000000}));  // too large; negative zero
  EXPECT_EQ(converted(0x7f800001, 0xff7fffff), (Pair{0x7fc0, 0xff800000}));  // NaN
  EXPECT_EQ(converted(0x00008001, 0x00017fff), (Pair{0x0001, 0x00020000}));  // denormal
}

TEST_F(Il, ConversionsToBfloat16OfOtherWidthsAreRefused) {
  Module bad = with_bfloat16(module_named("bfloat16"));
  std::vector<std::uint32_t> words(bad.size() / 4);
  std::memcpy(words.data(), bad.data(), bad.size());
  std::uint32_t uint_type = 0;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xffff) == 21 && words[at + 2] == 32) uint_type = words[at + 1];
    if ((words[at] & 0xffff) == 6116) words[at + 1] = uint_type;
  }
  std::memcpy(bad.data(), words.data(), bad.size());
  from_il(bad, CL_INVALID_VALUE);
}

TEST_F(Il, HintsOfDpcppAreTaken) {
  const auto program = built_il("hints");
  EXPECT_EQ(result_of(program, "hints", std::vector<float>{2, 5}), (std::vector<float>{11, 5}));
}

/// The device has all that OpenCL 3.1 asks for, and programs in its language.
TEST_F(Il, MakesADeviceOf31) {
  cl_version version = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_NUMERIC_VERSION, sizeof version, &version, nullptr), CL_SUCCESS);
  EXPECT_EQ(version, static_cast<cl_version>(CL_MAKE_VERSION(3, 1, 0)));
  const std::string source = R"(
#if __OPENCL_VERSION__ != 310 || CL_VERSION_3_1 != 310 || defined(CL_VERSION_3_2)
#error the device is one of OpenCL 3.1
#endif
#if !defined(__opencl_c_integer_dot_product_input_4x8bit_packed) && __OPENCL_C_VERSION__ >= CL_VERSION_3_0
#error a mandatory feature is missing
#endif
kernel void k(global uint* v, local uint* none) {
  v[0] = bitfield_insert(v[0], 5u, 4u, 8u) + bit_reverse(1u) + dot_4x8packed_uu_uint(0x01020304u, 0x01010101u);
  v[1] = sub_group_rotate(v[1], 0) + sub_group_shuffle_xor((uchar)3, 0u) + sub_group_broadcast((ushort)4, 0);
  v[2] = __OPENCL_C_VERSION__;
})";
  for (const auto& [standard, number] : {std::pair("-cl-std=CL3.1", 310U), std::pair("-cl-std=CL3.0", 300U)}) {
    SCOPED_TRACE(standard);
    const auto made = kernel(built(source, standard), "k");
    const auto memory = filled(std::vector<cl_uint>{0, 7, 0});
    set(made, 0, memory);
    ASSERT_EQ(clSetKernelArg(made.get(), 1, 0, nullptr), CL_SUCCESS);  // local memory of size 0
    run(made, 1);
    EXPECT_EQ(read<cl_uint>(memory, 3), (std::vector<cl_uint>{0x50U + 0x80000000U + 10, 14, number}));
  }
}

TEST_F(Il, FunctionsMayHaveTheLinkageOfTheTranslator) {
  const auto program = built_il("private_linkage");
  EXPECT_EQ(result_of(program, "private_linkage", std::vector<cl_uint>{14}), std::vector<cl_uint>{7});
}

TEST_F(Il, ExpectAndAssumeAreFunctionsOfOpenClC) {
  const auto program = built(R"(
#ifndef cl_khr_expect_assume
#error the extension is not there
#endif
kernel void k(global uint* v) {
  const uint x = v[0];
  __builtin_assume(x != 0);
  v[0] = __builtin_expect(x == 4, 1) ? 10 / x : 11;
})");
  EXPECT_EQ(result_of(program, "k", std::vector<cl_uint>{4}), std::vector<cl_uint>{2});
  EXPECT_EQ(result_of(program, "k", std::vector<cl_uint>{5}), std::vector<cl_uint>{11});
}

TEST_F(Il, GroupInstructionsHaveTheirFunctions) {
  const auto made = kernel(built_il("groups"), "groups");
  constexpr size_t kItems = 8;
  std::vector<cl_uint> values(16 * kItems);
  for (size_t i = 0; i < kItems; ++i) values[i] = static_cast<cl_uint>(i + 1);
  const auto memory = filled(values);
  set(made, 0, memory);
  run(made, kItems, kItems);
  const auto got = read<cl_uint>(memory, values.size());
  cl_uint running_or = 0;
  cl_uint product = 1;
  for (size_t i = 0; i < kItems; ++i) {
    SCOPED_TRACE(i);
    const auto row = [&](size_t number) { return got[number * kItems + i]; };
    EXPECT_EQ(row(1), 40320u);  // the product of all
    EXPECT_EQ(row(2), running_or |= static_cast<cl_uint>(i + 1));
    EXPECT_EQ(row(3), product);  // of those before
    product *= static_cast<cl_uint>(i + 1);
    EXPECT_EQ(row(4), 0u);  // 1 ^ 2 ^ ... ^ 8 ^ 8
    EXPECT_EQ(row(5), 4u);  // of the work-item with local id 3, in 32 bits
    EXPECT_EQ(row(6), 4u);  // by an id of three components
    EXPECT_EQ(row(7), 36u);
    EXPECT_EQ(row(8), 8u);
  }
}

TEST_F(Il, RemaindersAreThoseOfTheLibrary) {
  const auto made = kernel(built_il("remainder"), "remainder");
  const std::vector<float> x{5.5F, -5.5F, 5.5F, -5.5F, 1e30F, 3.0F, -3.0F, 0.25F};
  const std::vector<float> y{2.0F, 2.0F, -2.0F, -2.0F, 7.0F, 3.0F, 3.0F, 1.0F};
  const auto a = filled(x);
  const auto b = filled(y);
  const auto rem = filled(std::vector<float>(8));
  const auto mod = filled(std::vector<float>(8));
  set(made, 0, a);
  set(made, 1, b);
  set(made, 2, rem);
  set(made, 3, mod);
  run(made, 2);  // four components each
  const auto got_rem = read<float>(rem, 8);
  const auto got_mod = read<float>(mod, 8);
  for (size_t i = 0; i < x.size(); ++i) {
    SCOPED_TRACE(i);
    const float expected = std::fmod(x[i], y[i]);
    EXPECT_EQ(got_rem[i], expected);
    // OpFMod has the sign of the second operand.
    const bool other_sign = expected != 0 && std::signbit(expected) != std::signbit(y[i]);
    EXPECT_EQ(got_mod[i], other_sign ? expected + y[i] : expected);
  }
}

TEST_F(Il, CallsStayBetweenBranches) {
  const auto made = kernel(built_il("between_branches"), "count_group");
  const auto memory = filled(std::vector<cl_uint>(5));
  set(made, 0, memory);
  run(made, 120, 24);
  EXPECT_EQ(read<cl_uint>(memory, 5), std::vector<cl_uint>(5, 24));
}

TEST_F(Il, WhatNobodyDefinesIsNamed) {
  const auto program = from_il(module_named("caller"));
  EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(log(program).find("from_source"), std::string::npos) << log(program);
}

TEST_F(Il, KernelsDescribeTheirArguments) {
  const auto made = kernel(built_il("saxpy", "-cl-kernel-arg-info"), "saxpy");
  const auto text = [&](cl_uint index, cl_kernel_arg_info what) {
    std::array<char, 64> name{};
    EXPECT_EQ(clGetKernelArgInfo(made.get(), index, what, name.size(), name.data(), nullptr), CL_SUCCESS);
    return std::string(name.data());
  };
  cl_kernel_arg_address_qualifier space = 0;
  ASSERT_EQ(clGetKernelArgInfo(made.get(), 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(space, static_cast<cl_kernel_arg_address_qualifier>(CL_KERNEL_ARG_ADDRESS_GLOBAL));
  EXPECT_EQ(text(0, CL_KERNEL_ARG_TYPE_NAME), "float*");
  EXPECT_EQ(text(2, CL_KERNEL_ARG_TYPE_NAME), "float");
  size_t size = 0;
  ASSERT_EQ(clGetKernelInfo(made.get(), CL_KERNEL_ATTRIBUTES, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, 1u);  // only OpenCL C has attributes as text
}

TEST_F(Il, BinariesOfExecutablesRun) {
  const auto first = built_il("constants");
  EXPECT_EQ(binary_type(first), static_cast<cl_program_binary_type>(CL_PROGRAM_BINARY_TYPE_EXECUTABLE));
  const auto second = from_binary(binary(first));
  build(second);
  EXPECT_EQ(result_of(second, "values", Words(8))[3], 3333u);
}

TEST_F(Il, OptionsOfLanguagesHaveNoSay) {
  for (const char* options : {"", "-cl-std=CL2.0", "-cl-std=CL1.1 -DX=1", "-cl-opt-disable", "-g", "-cl-mad-enable"}) {
    SCOPED_TRACE(options);
    EXPECT_EQ(result_of(built_il("constants", options), "values", Words(8))[3], 3333u);
  }
  const auto program = from_il(module_named("constants"));
  EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, "-no-such-option", nullptr, nullptr), CL_INVALID_BUILD_OPTIONS);
}

/// OpenCL SPIR-V Environment 5.2.21: cl_khr_spirv_extended_debug_info.
TEST_F(Il, ModulesMayCarryInformationForDebuggers) {
  // Of a module of Fortran, LLVM's translator writes the line before the parent, and the assembler the other way round.
  const Module module = changed(module_named("debug_info"), [](std::vector<std::uint32_t>& i) {
    constexpr std::uint32_t kExtInst = 12, kDebugModule = 36;
    if ((i[0] & 0xffff) == kExtInst && i[4] == kDebugModule) std::swap(i[7], i[8]);
  });
  for (const char* options : {"", "-g", "-g -cl-opt-disable"}) {
    SCOPED_TRACE(options);
    const auto program = from_il(module);
    build(program, options);
    EXPECT_EQ(result_of(program, "numbers", std::vector<cl_uint>(8), 8)[7], 21u);
  }
}

TEST_F(Il, NonUniformGroupsNeedNoOption) {
  const auto made = kernel(built_il("saxpy"), "saxpy");
  const auto memory = filled(std::vector<float>(10));
  set(made, 0, memory);
  set(made, 1, memory);
  set(made, 2, 1.0F);
  run(made, 10, 4);
  const auto strict = kernel(built_il("saxpy", "-cl-uniform-work-group-size"), "saxpy");
  set(strict, 0, memory);
  set(strict, 1, memory);
  set(strict, 2, 1.0F);
  const size_t items = 10;
  const size_t local = 4;
  EXPECT_EQ(clEnqueueNDRangeKernel(queue().get(), strict.get(), 1, nullptr, &items, &local, 0, nullptr, nullptr),
            CL_INVALID_WORK_GROUP_SIZE);
}

TEST_F(Il, BuiltInVariablesAreThoseOfTheWorkItem) {
  constexpr size_t kItems = 40;
  constexpr size_t kLocal = 16;
  constexpr size_t kOffset = 100;
  constexpr size_t kValues = 17;
  const auto made = kernel(built_il("work_items"), "items");
  const auto memory = filled(Words(kValues * 64));
  set(made, 0, memory);
  const auto on = queue();
  ASSERT_EQ(clEnqueueNDRangeKernel(on.get(), made.get(), 1, &kOffset, &kItems, &kLocal, 0, nullptr, nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clFinish(on.get()), CL_SUCCESS);
  const auto got = read<std::uint64_t>(memory, kValues * 64);
  for (size_t item = 0; item < kItems; ++item) {
    SCOPED_TRACE(item);
    const size_t group = item / kLocal;
    const size_t size = group == 2 ? kItems % kLocal : kLocal;
    const auto row = [&](size_t number) { return got[number * 64 + item]; };
    EXPECT_EQ(row(0), kItems);
    EXPECT_EQ(row(1), item + kOffset);
    EXPECT_EQ(row(2), size);
    EXPECT_EQ(row(3), kLocal);
    EXPECT_EQ(row(4), 3u);
    EXPECT_EQ(row(5), group);
    EXPECT_EQ(row(6), item % kLocal);
    EXPECT_EQ(row(7), kOffset);
    EXPECT_EQ(row(8), item);
    EXPECT_EQ(row(9), item % kLocal);
    EXPECT_EQ(row(10), 1u);
    // Sub-groups follow one another in the group; only the last may be smaller than the others.
    const size_t largest = row(12);
    const size_t sub_group = item % kLocal / largest;
    EXPECT_EQ(row(11), std::min(largest, size - sub_group * largest));
    EXPECT_EQ(row(13), (size + largest - 1) / largest);
    EXPECT_EQ(row(14), (kLocal + largest - 1) / largest);
    EXPECT_EQ(row(15), sub_group);
    EXPECT_EQ(row(16), item % kLocal % largest);
  }
}

TEST_F(Il, ManyThreadsBuildAtOnce) {
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([this, i] {
      const auto program = from_il(module_named("constants"));
      const auto value = static_cast<cl_uint>(1000 + i);
      EXPECT_EQ(clSetProgramSpecializationConstant(program.get(), 4, sizeof value, &value), CL_SUCCESS);
      build(program);
      EXPECT_EQ(result_of(program, "values", Words(8))[3], value);
    });
  for (auto& thread : threads) thread.join();
}

/// cl_intel_subgroup_local_block_io.
TEST_F(Il, BlocksOfLocalMemory) {
  const auto program = built_il("local_blocks");
  std::vector<cl_uint> values(16);
  for (cl_uint i = 0; i < 16; ++i) values[i] = 10 + i;
  // As many as a sub-group has are moved through the blocks of the first one, which each sub-group does.
  const auto got = result_of<cl_uint>(program, "move", values, 16);
  EXPECT_EQ(got[0], 12U);
  EXPECT_EQ(got[1], 13U);
}

TEST_F(Il, QueriesNameTheVersions) {
  size_t size = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_ILS_WITH_VERSION, 0, nullptr, &size), CL_SUCCESS);
  std::vector<cl_name_version> versions(size / sizeof(cl_name_version));
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_ILS_WITH_VERSION, size, versions.data(), nullptr), CL_SUCCESS);
  std::string names;
  for (size_t i = 0; i < versions.size(); ++i) {
    EXPECT_STREQ(versions[i].name, "SPIR-V");
    EXPECT_EQ(versions[i].version, static_cast<cl_version>(CL_MAKE_VERSION(1, i, 0)));
    names += (i == 0 ? "SPIR-V_1." : " SPIR-V_1.") + std::to_string(i);
  }
  EXPECT_GE(versions.size(), 5u);
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_IL_VERSION, 0, nullptr, &size), CL_SUCCESS);
  std::string text(size, ' ');
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_IL_VERSION, size, text.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(text, names + '\0');
}

template <class T>
std::vector<T> listed(cl_device_id device, cl_device_info what) {
  size_t size = 0;
  EXPECT_EQ(clGetDeviceInfo(device, what, 0, nullptr, &size), CL_SUCCESS);
  std::vector<T> list(size / sizeof(T));
  EXPECT_EQ(clGetDeviceInfo(device, what, size, list.data(), nullptr), CL_SUCCESS);
  return list;
}

using Words32 = std::vector<std::uint32_t>;
constexpr std::uint32_t kExtension = 10;
constexpr std::uint32_t kCapability = 17;
constexpr std::uint32_t kMemoryModelHead = 3U << 16 | 14;

Words32 words_of(const Module& module) {
  Words32 words(module.size() / 4);
  std::memcpy(words.data(), module.data(), module.size());
  return words;
}
Module bytes_of(const Words32& words) {
  Module module(words.size() * 4);
  std::memcpy(module.data(), words.data(), module.size());
  return module;
}
/// An instruction whose only operand is text.
void append_text(Words32& words, std::uint32_t op, std::string_view text) {
  Words32 operand(text.size() / 4 + 1);
  std::memcpy(operand.data(), text.data(), text.size());
  words.push_back(static_cast<std::uint32_t>(operand.size() + 1) << 16 | op);
  words.insert(words.end(), operand.begin(), operand.end());
}

TEST_F(Il, QueriesNameWhatIsTaken) {
  const auto has = [](const std::vector<const char*>& list, std::string_view name) {
    return std::any_of(list.begin(), list.end(), [&](const char* one) { return name == one; });
  };
  const auto sets = listed<const char*>(device_, CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR);
  EXPECT_TRUE(has(sets, "OpenCL.std"));
  EXPECT_FALSE(has(sets, "GLSL.std.450"));
  const auto extensions = listed<const char*>(device_, CL_DEVICE_SPIRV_EXTENSIONS_KHR);
  EXPECT_TRUE(has(extensions, "SPV_KHR_linkonce_odr"));
  const auto capabilities = listed<cl_uint>(device_, CL_DEVICE_SPIRV_CAPABILITIES_KHR);
  constexpr cl_uint kKernel = 6;
  constexpr cl_uint kShader = 1;
  EXPECT_EQ(std::count(capabilities.begin(), capabilities.end(), kKernel), 1);
  EXPECT_EQ(std::count(capabilities.begin(), capabilities.end(), kShader), 0);
  // A module may declare each of them, together with the extensions.
  Words32 names;
  for (const char* extension : extensions) append_text(names, kExtension, extension);
  for (const cl_uint capability : capabilities) {
    SCOPED_TRACE(capability);
    Words32 words = words_of(module_named("caller"));
    const auto declared = words.begin() + 5;
    const auto after = std::find_if(declared, words.end(), [](std::uint32_t word) { return word == kMemoryModelHead; });
    words.insert(after, names.begin(), names.end());
    words[1] = 0x00010600;  // some are of version 1.6
    words.insert(words.begin() + 5, {2U << 16 | kCapability, capability});
    from_il(bytes_of(words));
  }
}

}  // namespace
}  // namespace lanewise::test
