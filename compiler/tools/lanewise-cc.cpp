// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// lanewise-cc: OpenCL C -> SPIR-V, or OpenCL C or SPIR-V -> program binary, ahead of time. docs/lanewise-cc.1
///
///     lanewise-cc [--mode=spir-v|binary] --source=FILE --output=FILE [--cl-device-info=FILE] [-- OpenCL options]
///
/// The arguments are those that the OpenCL conformance tests give their offline compiler. The device's extensions come
/// from the file of device information (`CL_DEVICE_EXTENSIONS="..."`), or from the driver. The log goes to standard
/// error. Exit code: 0, 1 if the build failed, 2 on wrong usage.
///
/// Uses the driver's compiler library, so it is small and starts as fast as that.
#include <CL/cl.h>
#include <dlfcn.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/translator.h"
#include "include/lanewise/compiler_abi.h"
#include "src/config/config.h"

namespace {

using lanewise::Bytes;

struct Arguments {
  std::string mode = "spir-v";
  std::string source;
  std::string output;
  std::string device_info;
  std::string options;
  bool good = true;
};

Arguments parse(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = values[i];
    const auto take = [&](std::string_view prefix, std::string& value) {
      if (!argument.starts_with(prefix)) return false;
      value = argument.substr(prefix.size());
      return true;
    };
    if (argument == "--") {
      for (++i; i < count; ++i) arguments.options += (arguments.options.empty() ? "" : " ") + std::string(values[i]);
    } else {
      arguments.good &= take("--mode=", arguments.mode) || take("--source=", arguments.source) ||
                        take("--output=", arguments.output) || take("--cl-device-info=", arguments.device_info);
    }
  }
  const bool mode = arguments.mode == "spir-v" || arguments.mode == "binary";
  arguments.good &= mode && !arguments.source.empty() && !arguments.output.empty();
  return arguments;
}

bool read(const std::string& path, std::string& text) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  text.assign(std::istreambuf_iterator<char>(file), {});
  return true;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

int fail(const std::string& log) {
  std::fprintf(stderr, "%s\n", log.c_str());
  return 1;
}

int keep(const std::string& path, const void* data, std::size_t size) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  return file.flush() ? 0 : fail("cannot write " + path);
}

cl_device_id device() {
  cl_platform_id platform = nullptr;
  cl_device_id found = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS)
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &found, nullptr);
  return found;
}

std::string device_text(cl_device_info what) {
  std::size_t size = 0;
  clGetDeviceInfo(device(), what, 0, nullptr, &size);
  std::string text(size, '\0');
  clGetDeviceInfo(device(), what, size, text.data(), nullptr);
  return text.substr(0, text.find('\0'));
}

/// The extensions that the file names, or the driver's.
std::string extensions(const Arguments& arguments) {
  std::string text;
  if (arguments.device_info.empty() || !read(arguments.device_info, text)) return device_text(CL_DEVICE_EXTENSIONS);
  constexpr std::string_view kKey = "CL_DEVICE_EXTENSIONS=\"";
  const std::size_t begin = text.find(kKey);
  if (begin == std::string::npos) return {};
  const std::size_t first = begin + kKey.size();
  return text.substr(first, text.find('"', first) - first);
}

template <class T>
T device_value(cl_device_info what) {
  T value{};
  clGetDeviceInfo(device(), what, sizeof value, &value, nullptr);
  return value;
}

/// The macros that the driver's own builds define (OpenCL C 6.12), from what its device reports.
std::vector<std::string> macros() {
  const auto version = device_value<cl_version>(CL_DEVICE_NUMERIC_VERSION);
  const unsigned number = CL_VERSION_MAJOR(version) * 100 + CL_VERSION_MINOR(version) * 10;
  std::vector<std::string> list{"__OPENCL_VERSION__=" + std::to_string(number), "__ENDIAN_LITTLE__=1"};
  if (version >= CL_MAKE_VERSION(3, 1, 0)) list.emplace_back("CL_VERSION_3_1=310");
  if (device_value<cl_bool>(CL_DEVICE_IMAGE_SUPPORT) != CL_FALSE) list.emplace_back("__IMAGE_SUPPORT__=1");
  if ((device_value<cl_device_fp_config>(CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_FMA) != 0)
    list.insert(list.end(), {"FP_FAST_FMAF=1", "FP_FAST_FMA=1"});
  std::size_t size = 0;
  clGetDeviceInfo(device(), CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &size);
  std::vector<cl_name_version> features(size / sizeof(cl_name_version));
  clGetDeviceInfo(device(), CL_DEVICE_OPENCL_C_FEATURES, size, features.data(), nullptr);
  for (const cl_name_version& feature : features) list.push_back(std::string(feature.name) + "=1");
  return list;
}

/// The directory with the driver's compiler.
std::string private_directory() {
  if (!lanewise::config().compiler_dir.empty()) return lanewise::config().compiler_dir;
  Dl_info driver{};
  char resolved[PATH_MAX];
  const auto* const function = reinterpret_cast<const void*>(&clGetPlatformIDs);
  if (dladdr(function, &driver) == 0 || realpath(driver.dli_fname, resolved) == nullptr) return {};
  const std::string path(resolved);
  return path.substr(0, path.rfind('/')) + "/lanewise";
}

/// The reply of the driver's compiler library. If that cannot be opened, the log of the reply says why.
lanewise::abi::Reply compiled(const lanewise::abi::Request& request, const std::string& directory) {
  lanewise::abi::Reply reply;
  reply.status = CL_COMPILER_NOT_AVAILABLE;
  void* library = dlopen((directory + "/liblanewise-compiler.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    reply.log = reason == nullptr ? "the compiler cannot be loaded" : reason;
    return reply;
  }
  const auto run = reinterpret_cast<lanewise::abi::RunFunction>(dlsym(library, lanewise::abi::kRunSymbol));
  if (run == nullptr) return reply;
  const Bytes encoded = lanewise::abi::encode(request);
  const lanewise::abi::Host host{directory.c_str(), 0};
  const auto sink = [](void* into, const std::uint8_t* bytes, std::uint64_t size) {
    if (auto decoded = lanewise::abi::decode<lanewise::abi::Reply>({bytes, size}))
      *static_cast<lanewise::abi::Reply*>(into) = std::move(*decoded);
  };
  run(&host, encoded.data(), encoded.size(), sink, &reply);
  return reply;
}

int make_module(const Arguments& arguments, const std::string& source) {
  lanewise::abi::Compile job;
  job.source.text = source;
  job.source.options = words_of(arguments.options);
  std::erase(job.source.options, "-cl-kernel-arg-info");  // always there
  job.source.extensions = words_of(extensions(arguments));
  job.source.macros = macros();
  const std::string directory = private_directory();
  const auto reply = compiled(job, directory);
  if (reply.status != 0) return fail(reply.log);
  std::fputs(reply.log.c_str(), stderr);
  const auto answer = lanewise::Translator::instance().run(
      directory, {.wish = lanewise::spirv::Wish::write, .module = reply.ir, .constants = {}});
  if (!answer.good) return fail(answer.reason);
  return keep(arguments.output, answer.bytes.data(), answer.bytes.size());
}

bool is_module(const std::string& text) {
  constexpr std::uint32_t kMagic = 0x07230203;
  std::uint32_t first = 0;
  if (text.size() >= sizeof first) std::memcpy(&first, text.data(), sizeof first);
  return first == kMagic || first == __builtin_bswap32(kMagic);
}

int make_binary(const Arguments& arguments, const std::string& source) {
  const cl_device_id target = device();
  cl_int code = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &target, nullptr, nullptr, &code);
  if (context == nullptr) return fail("there is no device");
  const char* text = source.c_str();
  const cl_program program = is_module(source) ? clCreateProgramWithIL(context, source.data(), source.size(), &code)
                                               : clCreateProgramWithSource(context, 1, &text, nullptr, &code);
  if (program == nullptr) return fail("the driver refuses the module; LANEWISE_DEBUG=api says why");
  const cl_int built = clBuildProgram(program, 0, nullptr, arguments.options.c_str(), nullptr, nullptr);
  std::size_t size = 0;
  clGetProgramBuildInfo(program, target, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, target, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  if (built != CL_SUCCESS) return fail(log);
  clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr);
  Bytes binary(size);
  unsigned char* into = binary.data();
  clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof into, &into, nullptr);
  return keep(arguments.output, binary.data(), binary.size());
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = parse(count, values);
  if (!arguments.good) {
    std::fputs(
        "usage: lanewise-cc [--mode=spir-v|binary] --source=FILE --output=FILE [--cl-device-info=FILE]\n"
        "                   [-- OpenCL options]\n",
        stderr);
    return 2;
  }
  std::string source;
  if (!read(arguments.source, source)) return fail("cannot read " + arguments.source);
  return arguments.mode == "binary" ? make_binary(arguments, source) : make_module(arguments, source);
}
