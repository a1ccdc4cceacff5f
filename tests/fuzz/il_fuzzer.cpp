// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs from damaged SPIR-V, through the whole driver. An input is a list of changes to one of the modules of
/// tests/spirv: instructions that are dropped, doubled, exchanged or taken from another module, other operands, ids,
/// opcodes and lengths. Whatever comes of it is refused with a reason, or built, and then its kernels are asked for.
/// Kernels are not run: like any machine code they may do what their module says.
#include <CL/cl.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "runtime/program/il.h"

namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t kHeaderWords = 5;
constexpr std::size_t kChangeBytes = 7;
constexpr std::size_t kMostChanges = 8;

struct Module {
  Words header;
  std::vector<Words> instructions;
};

Module split(const Words& words) {
  Module module{Words(words.begin(), words.begin() + kHeaderWords), {}};
  for (std::size_t at = kHeaderWords; at < words.size(); at += words[at] >> 16U)
    module.instructions.emplace_back(words.begin() + static_cast<std::ptrdiff_t>(at),
                                     words.begin() + static_cast<std::ptrdiff_t>(at + (words[at] >> 16U)));
  return module;
}

Words join(const Module& module) {
  Words words = module.header;
  for (const Words& instruction : module.instructions)
    words.insert(words.end(), instruction.begin(), instruction.end());
  return words;
}

const std::vector<Module>& corpus() {
  static const auto& all = *new std::vector<Module>([] {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(LANEWISE_TEST_MODULES))
      if (entry.path().extension() == ".spv") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());  // an input means the same wherever it runs
    std::vector<Module> modules;
    for (const auto& path : paths) {
      std::ifstream file(path, std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      Words words(bytes.size() / sizeof(std::uint32_t));
      std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
      modules.push_back(split(words));
    }
    if (modules.empty()) std::abort();
    return modules;
  }());
  return all;
}

struct Change {
  std::uint8_t what, of;
  std::uint16_t where;
  std::uint32_t value;  ///< 24 bits

  explicit Change(const std::uint8_t* bytes)
      : what(bytes[0]),
        of(bytes[1]),
        where(static_cast<std::uint16_t>(bytes[2] | bytes[3] << 8U)),
        value(bytes[4] | static_cast<std::uint32_t>(bytes[5]) << 8U | static_cast<std::uint32_t>(bytes[6]) << 16U) {}
};

/// Mostly an id that exists; the bound in the header may have been changed too.
std::uint32_t some_id(const Module& module, std::uint32_t value) {
  return value % std::max(module.header[3], 1U);
}

void change_words(const Module& module, Words& instruction, const Change& change) {
  std::uint32_t& word = instruction[change.of % instruction.size()];
  switch (change.what % 6) {
    case 0:
      word = change.value;
      return;
    case 1:
      if (instruction.size() > 1) instruction[1 + change.of % (instruction.size() - 1)] = some_id(module, change.value);
      return;
    case 2:  // an instruction of core SPIR-V
      instruction[0] = (instruction[0] & 0xffff0000U) | change.value % 402;
      return;
    case 3:
      instruction[0] += static_cast<std::uint32_t>(change.of % 5) << 16U;
      return;
    case 4:
      word ^= 1U << (change.value % 32);
      return;
    default:
      instruction.push_back(some_id(module, change.value));
      instruction[0] += 1U << 16U;
  }
}

void apply(Module& module, const Change& change) {
  auto& list = module.instructions;
  if (list.empty()) return;
  const std::size_t where = change.where % list.size();
  const std::size_t other = change.value % list.size();
  const auto at = [&](std::size_t index) { return list.begin() + static_cast<std::ptrdiff_t>(index); };
  switch (change.what / 6 % 8) {
    case 0:
      list.erase(at(where));
      return;
    case 1:
      list.insert(at(other), Words(list[where]));
      return;
    case 2:
      std::swap(list[where], list[other]);
      return;
    case 3: {
      const auto& from = corpus()[change.of % corpus().size()].instructions;
      list.insert(at(where), from[change.value % from.size()]);
      return;
    }
    case 4:
      module.header[1 + change.of % 4] = change.value;
      return;
    default:
      change_words(module, list[where], change);
  }
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void ask_kernels(cl_program program) {
  cl_uint count = 0;
  require(clCreateKernelsInProgram(program, 0, nullptr, &count) == CL_SUCCESS, "a built program has kernels");
  std::vector<cl_kernel> kernels(count);
  if (count != 0) clCreateKernelsInProgram(program, count, kernels.data(), nullptr);
  for (cl_kernel kernel : kernels) {
    cl_uint arguments = 0;
    clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr);
    for (cl_uint i = 0; i < arguments; ++i) {
      char name[64];
      clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, nullptr);
    }
    clReleaseKernel(kernel);
  }
}

void check(const Words& words) {
  static cl_device_id device = nullptr;
  static const cl_context context = [] {
    cl_platform_id platform = nullptr;
    clGetPlatformIDs(1, &platform, nullptr);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
    return clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  }();
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * sizeof(std::uint32_t));
  cl_int code = CL_SUCCESS;
  cl_program program = clCreateProgramWithIL(context, bytes.data(), bytes.size(), &code);
  if (program == nullptr) {
    require(code == CL_INVALID_VALUE, "a module is refused with CL_INVALID_VALUE");
    const auto refused = lanewise::checked_il(bytes);
    require(!refused && !refused.error().message.empty(), "a refusal has a reason");
    return;
  }
  if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) == CL_SUCCESS) {
    ask_kernels(program);
  } else {
    std::size_t length = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &length);
    require(length > 1, "a build that failed has a log");
  }
  clReleaseProgram(program);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  setenv("LANEWISE_CACHE", "off", 1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  Module module = corpus()[data[0] % corpus().size()];
  const std::size_t changes = std::min((size - 1) / kChangeBytes, kMostChanges);
  for (std::size_t i = 0; i < changes; ++i) apply(module, Change(data + 1 + i * kChangeBytes));
  check(join(module));
  return 0;
}
