// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// lanewise-cc: OpenCL C -> SPIR-V, or OpenCL C or SPIR-V -> program binary, ahead of time. docs/lanewise-cc.1
///
///     lanewise-cc [--mode=spir-v|binary] [-o FILE] [OpenCL options] FILE
///
/// The OpenCL conformance tests give their offline compiler --source, --output, --cl-device-info and options behind
/// "--". The device's extensions come from the file of device information (`CL_DEVICE_EXTENSIONS="..."`), or from the
/// driver. Diagnostics go to standard error and name the file as it was given. Exit code: 0, 1 if the build failed, 2
/// on wrong usage.
///
/// Uses the driver's compiler library, so it is small and starts as fast as that.
#include <CL/cl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/translator.h"
#include "compiler/tools/shared/compiler_library.h"
#include "include/lanewise/compiler_abi.h"
#include "include/lanewise/version.h"
#include "src/config/config.h"
#include "src/file/file.h"

namespace {

using lanewise::Bytes;

constexpr const char* kUsage =
    "usage: lanewise-cc [--mode=spir-v|binary] [-o FILE] [OPTION]... FILE\n"
    "\n"
    "Compiles OpenCL C to SPIR-V, or OpenCL C or SPIR-V to a program binary of this driver.\n"
    "\n"
    "  FILE                   the program; - is standard input\n"
    "  -o FILE                the file to write; - is standard output. Without it, the name of the program with .spv "
    "or\n"
    "                         .bin in place of its ending, in the current folder\n"
    "  --mode=spir-v          writes SPIR-V (default)\n"
    "  --mode=binary          writes a program binary\n"
    "  --cl-device-info=FILE  takes CL_DEVICE_EXTENSIONS=\"...\" from this file instead of the device\n"
    "  --source=FILE          the same as FILE\n"
    "  --output=FILE          the same as -o FILE\n"
    "  -DNAME=VALUE, -IDIR, -cl-..., -W..., -g, -O0, -w\n"
    "                         options of clBuildProgram\n"
    "  -- OPTION...           more such options\n"
    "  --help, --version      write this text, or the version\n";

struct CcArguments {
  std::string mode = "spir-v";
  std::string source;
  std::string output;
  std::string device_info;
  std::vector<std::string> options;  ///< one each: "-DX=1"
  std::string wrong;                 ///< what is wrong with the arguments; empty: nothing
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Reads the arguments one after the other.
class ArgumentReader {
 public:
  ArgumentReader(int count, char** values) : words_(values + 1, values + count) {}

  CcArguments read() {
    while (at_ < words_.size() && found_.wrong.empty()) take(words_[at_++]);
    if (found_.mode != "spir-v" && found_.mode != "binary") complain("unknown mode '" + found_.mode + "'");
    if (found_.source.empty()) complain("no input file");
    if (found_.output.empty()) found_.output = usual_output();
    return found_;
  }

 private:
  void complain(std::string wrong) {
    if (found_.wrong.empty()) found_.wrong = std::move(wrong);
  }

  static bool take_value(const std::string& word, std::string_view prefix, std::string& value) {
    if (!word.starts_with(prefix)) return false;
    value = word.substr(prefix.size());
    return true;
  }

  /// The word behind an option that needs one.
  std::string next(const std::string& option) {
    if (at_ < words_.size()) return words_[at_++];
    complain("'" + option + "' needs a value behind it");
    return {};
  }

  void take(const std::string& word) {
    if (word == "--") return take_rest();
    if (word == "-o") {
      found_.output = next(word);
    } else if (word == "-D" || word == "-I" || word == "-U") {
      found_.options.push_back(word + next(word));
    } else if (word.starts_with("--")) {
      const bool known = take_value(word, "--mode=", found_.mode) || take_value(word, "--source=", found_.source) ||
                         take_value(word, "--output=", found_.output) ||
                         take_value(word, "--cl-device-info=", found_.device_info);
      if (!known) complain("unknown argument '" + word + "'");
    } else if (word.starts_with('-') && word != "-") {
      found_.options.push_back(word);
    } else if (found_.source.empty()) {
      found_.source = word;
    } else {
      complain("more than one input file: '" + word + "'");
    }
  }

  /// Behind "--", a word may contain several options, as the conformance tests give them.
  void take_rest() {
    for (; at_ < words_.size(); ++at_)
      for (std::string& option : words_of(words_[at_])) found_.options.push_back(std::move(option));
    for (std::size_t i = 0; i + 1 < found_.options.size(); ++i) {
      std::string& option = found_.options[i];
      if (option != "-D" && option != "-I" && option != "-U") continue;
      option += found_.options[i + 1];
      found_.options.erase(found_.options.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }

  [[nodiscard]] std::string usual_output() const {
    if (found_.source == "-") return "-";
    std::string name = found_.source.substr(found_.source.rfind('/') + 1);
    const std::size_t dot = name.rfind('.');
    if (dot != std::string::npos && dot != 0) name.erase(dot);
    return name + (found_.mode == "binary" ? ".bin" : ".spv");
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  CcArguments found_;
};

int fail(const std::string& why) {
  std::fprintf(stderr, "lanewise-cc: error: %s\n", why.c_str());
  return 1;
}

/// The log of a build, which ends with a line end.
void print_log(const std::string& log) {
  const std::string text = log.substr(0, log.find('\0'));  // the API's null character is no part of it
  std::fprintf(stderr, "%s%s", text.c_str(), text.empty() || text.back() == '\n' ? "" : "\n");
}

/// Where it gives false, errno says why: also for what can be opened and not read, such as a folder.
bool read(const std::string& path, std::string& text) {
  const lanewise::file::Descriptor opened(path == "-" ? -1 : open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const int from = path == "-" ? STDIN_FILENO : opened.get();
  if (from < 0) return false;
  const auto bytes = lanewise::file::read_all(from);
  if (!bytes) return false;
  text.assign(bytes->begin(), bytes->end());
  return true;
}

int keep(const std::string& path, const void* data, std::size_t size) {
  const auto count = static_cast<std::streamsize>(size);
  if (path == "-") {
    std::cout.write(static_cast<const char*>(data), count);
    return std::cout.flush() ? 0 : fail("cannot write to standard output");
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(static_cast<const char*>(data), count);
  return file.flush() ? 0 : fail("cannot write '" + path + "': " + std::strerror(errno));
}

/// The source with the file's name as the name that diagnostics, __FILE__ and debuggers show. Debuggers need the whole
/// path.
std::string with_name(const CcArguments& arguments, const std::string& text) {
  char resolved[PATH_MAX];
  const bool debugs = std::find(arguments.options.begin(), arguments.options.end(), "-g") != arguments.options.end();
  std::string name = arguments.source == "-" ? "<stdin>" : arguments.source;
  if (debugs && realpath(name.c_str(), resolved) != nullptr) name = resolved;
  std::string line = "#line 1 \"";
  for (const char c : name) line += (c == '"' || c == '\\' ? std::string("\\") : std::string()) + c;
  return line + "\"\n" + text;
}

/// The options of the build. Headers beside the program are found last.
std::vector<std::string> build_options(const CcArguments& arguments) {
  std::vector<std::string> options = arguments.options;
  const std::size_t slash = arguments.source.rfind('/');
  options.push_back("-I" + (slash == std::string::npos ? "." : arguments.source.substr(0, slash + 1)));
  return options;
}

/// The options as one text, in which words that contain blanks or quotes are quoted.
std::string option_text(const std::vector<std::string>& options) {
  std::string text;
  for (const std::string& option : options) {
    std::string word;
    for (const char c : option) word += (c == '"' || c == '\\' ? std::string("\\") : std::string()) + c;
    text += (text.empty() ? "\"" : " \"") + word + "\"";
  }
  return text;
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
std::string extensions(const CcArguments& arguments) {
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

int make_module(const CcArguments& arguments, const std::string& source) {
  lanewise::abi::Compile job;
  job.source.text = with_name(arguments, source);
  job.source.options = build_options(arguments);
  std::array<char, PATH_MAX> folder{};
  if (getcwd(folder.data(), folder.size()) != nullptr) job.source.working_directory = folder.data();
  std::erase(job.source.options, "-cl-kernel-arg-info");  // always there
  job.source.extensions = words_of(extensions(arguments));
  job.source.macros = macros();
  const std::string directory = private_directory();
  const auto reply = lanewise::run_in_library(directory, job);
  print_log(reply.log);
  if (reply.status != 0) return 1;
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

int make_binary(const CcArguments& arguments, const std::string& source) {
  const cl_device_id target = device();
  cl_int code = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &target, nullptr, nullptr, &code);
  if (context == nullptr) return fail("there is no device");
  const bool module = is_module(source);
  const std::string named = module ? std::string() : with_name(arguments, source);
  const char* text = named.c_str();
  const cl_program program = module ? clCreateProgramWithIL(context, source.data(), source.size(), &code)
                                    : clCreateProgramWithSource(context, 1, &text, nullptr, &code);
  if (program == nullptr) return fail("the driver refuses the module; LANEWISE_DEBUG=api says why");
  const std::string options = option_text(module ? arguments.options : build_options(arguments));
  const cl_int built = clBuildProgram(program, 0, nullptr, options.c_str(), nullptr, nullptr);
  std::size_t size = 0;
  clGetProgramBuildInfo(program, target, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, target, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  print_log(log);
  if (built != CL_SUCCESS) return 1;
  clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr);
  Bytes binary(size);
  unsigned char* into = binary.data();
  clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof into, &into, nullptr);
  return keep(arguments.output, binary.data(), binary.size());
}

}  // namespace

int main(int count, char** values) {
  for (int i = 1; i < count && std::strcmp(values[i], "--") != 0; ++i) {
    if (std::strcmp(values[i], "--help") == 0) return std::fputs(kUsage, stdout) < 0 ? 1 : 0;
    if (std::strcmp(values[i], "--version") == 0) return std::puts("lanewise-cc " LANEWISE_VERSION) < 0 ? 1 : 0;
  }
  const CcArguments arguments = ArgumentReader(count, values).read();
  if (!arguments.wrong.empty()) {
    std::fprintf(stderr, "lanewise-cc: error: %s\n%s", arguments.wrong.c_str(), kUsage);
    return 2;
  }
  std::string source;
  if (!read(arguments.source, source)) return fail("cannot read '" + arguments.source + "': " + std::strerror(errno));
  return arguments.mode == "binary" ? make_binary(arguments, source) : make_module(arguments, source);
}
