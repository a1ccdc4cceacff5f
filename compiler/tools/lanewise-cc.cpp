// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// lanewise-cc: OpenCL C -> SPIR-V or program binary, ahead of time.
///
///     lanewise-cc [--mode=spir-v|binary] --source=FILE --output=FILE [--cl-device-info=FILE] [-- OpenCL options]
///
/// The arguments are those that the OpenCL conformance tests give their offline compiler. The device's extensions come
/// from the file of device information (`CL_DEVICE_EXTENSIONS="..."`), or from the driver. The log goes to standard
/// error. Exit code: 0, 1 if the build failed, 2 on wrong usage.
#include <CL/cl.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/translator.h"
#include "compiler/request/pipeline.h"

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

/// The features of OpenCL C 3.0 that the driver reports, as macros.
std::vector<std::string> macros() {
  std::vector<std::string> list{"__OPENCL_VERSION__=300", "__ENDIAN_LITTLE__=1"};
  std::size_t size = 0;
  clGetDeviceInfo(device(), CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &size);
  std::vector<cl_name_version> features(size / sizeof(cl_name_version));
  clGetDeviceInfo(device(), CL_DEVICE_OPENCL_C_FEATURES, size, features.data(), nullptr);
  for (const cl_name_version& feature : features) list.push_back(std::string(feature.name) + "=1");
  return list;
}

int make_module(const Arguments& arguments, const std::string& source) {
  lanewise::abi::Request request;
  request.job = lanewise::abi::Job::compile;
  request.source = source;
  request.options = words_of(arguments.options);
  std::erase(request.options, "-cl-kernel-arg-info");  // always there
  request.extensions = words_of(extensions(arguments));
  request.macros = macros();
  const auto reply = lanewise::run_request(request);
  if (reply.status != 0) return fail(reply.log);
  std::fputs(reply.log.c_str(), stderr);
  const auto answer = lanewise::Translator::instance().run(
      lanewise::compiler_directory(), {.wish = lanewise::spirv::Wish::write, .module = reply.ir, .constants = {}});
  if (!answer.good) return fail(answer.reason);
  return keep(arguments.output, answer.bytes.data(), answer.bytes.size());
}

int make_binary(const Arguments& arguments, const std::string& source) {
  const cl_device_id target = device();
  cl_int code = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &target, nullptr, nullptr, &code);
  if (context == nullptr) return fail("there is no device");
  const char* text = source.c_str();
  const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
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
