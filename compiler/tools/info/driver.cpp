// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tools/info/driver.h"

#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

#include "compiler/tools/shared/compiler_library.h"
#include "include/lanewise/api_names.h"
#include "include/lanewise/builtin_library.h"
#include "src/config/config.h"
#include "src/file/file.h"

namespace lanewise::info {

namespace {

std::string resolved(const std::string& path) {
  char buffer[PATH_MAX];
  return realpath(path.c_str(), buffer) == nullptr ? std::string() : buffer;
}

/// "CL_INVALID_VALUE (-30)".
std::string code_text(cl_int code) {
  return std::string(error_name(code)) + " (" + std::to_string(code) + ")";
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

/// A function of a driver: exported, or by the function for extensions.
template <class Function>
Function function_of(void* library, const char* name) {
  if (void* exported = dlsym(library, name)) return reinterpret_cast<Function>(exported);
  const auto find =
      reinterpret_cast<decltype(&clGetExtensionFunctionAddress)>(dlsym(library, "clGetExtensionFunctionAddress"));
  return find == nullptr ? nullptr : reinterpret_cast<Function>(find(name));
}

void* load(const std::string& library, Facts& facts) {
  void* loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded != nullptr) return loaded;
  const char* reason = dlerror();
  facts.add("error", reason == nullptr ? "it cannot be loaded" : reason);
  return nullptr;
}

std::string text_of(decltype(&clGetPlatformInfo) get, cl_platform_id platform, cl_platform_info what) {
  std::size_t size = 0;
  if (get == nullptr || get(platform, what, 0, nullptr, &size) != CL_SUCCESS) return {};
  std::string text(size, '\0');
  if (get(platform, what, size, text.data(), nullptr) != CL_SUCCESS) return {};
  return text.substr(0, text.find('\0'));
}

/// The functions of the driver that a kernel needs.
struct Calls {
  explicit Calls(void* library) {
#define FIND(name) name = function_of<decltype(&cl##name)>(library, "cl" #name)
    FIND(GetPlatformIDs);
    FIND(GetDeviceIDs);
    FIND(GetDeviceInfo);
    FIND(CreateContext);
    FIND(CreateCommandQueueWithProperties);
    FIND(CreateProgramWithSource);
    FIND(BuildProgram);
    FIND(GetProgramBuildInfo);
    FIND(CreateKernel);
    FIND(CreateBuffer);
    FIND(SetKernelArg);
    FIND(EnqueueNDRangeKernel);
    FIND(EnqueueReadBuffer);
#undef FIND
  }
#define MEMBER(name) decltype(&cl##name) name;
  MEMBER(GetPlatformIDs)
  MEMBER(GetDeviceIDs)
  MEMBER(GetDeviceInfo)
  MEMBER(CreateContext)
  MEMBER(CreateCommandQueueWithProperties)
  MEMBER(CreateProgramWithSource)
  MEMBER(BuildProgram)
  MEMBER(GetProgramBuildInfo)
  MEMBER(CreateKernel)
  MEMBER(CreateBuffer)
  MEMBER(SetKernelArg)
  MEMBER(EnqueueNDRangeKernel)
  MEMBER(EnqueueReadBuffer)
#undef MEMBER

  [[nodiscard]] std::string text(cl_device_id device, cl_device_info what) const {
    std::size_t size = 0;
    if (GetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS) return {};
    std::string text(size, '\0');
    GetDeviceInfo(device, what, size, text.data(), nullptr);
    return text.substr(0, text.find('\0'));
  }
  template <class Number>
  [[nodiscard]] std::string number(cl_device_id device, cl_device_info what) const {
    Number number{};
    GetDeviceInfo(device, what, sizeof number, &number, nullptr);
    return std::to_string(number);
  }
};

/// Builds and runs a kernel. Empty: its results are right; else what went wrong. The process ends afterwards, so
/// nothing is released.
std::string run_kernel(const Calls& cl, cl_device_id device) {
  constexpr std::size_t kItems = 1000;
  const auto failed = [](const char* call, cl_int code) { return std::string(call) + " gives " + code_text(code); };
  cl_int code = CL_SUCCESS;
  cl_context context = cl.CreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  if (code != CL_SUCCESS) return failed("clCreateContext", code);
  cl_command_queue queue = cl.CreateCommandQueueWithProperties(context, device, nullptr, &code);
  if (code != CL_SUCCESS) return failed("clCreateCommandQueueWithProperties", code);
  const char* source = "kernel void square(global int *x) { size_t i = get_global_id(0); x[i] = (int)(i * i); }";
  cl_program program = cl.CreateProgramWithSource(context, 1, &source, nullptr, &code);
  if (code != CL_SUCCESS) return failed("clCreateProgramWithSource", code);
  if (code = cl.BuildProgram(program, 1, &device, "", nullptr, nullptr); code != CL_SUCCESS) {
    std::array<char, 2000> log{};
    cl.GetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    return failed("clBuildProgram", code) + ": " + log.data();
  }
  cl_kernel kernel = cl.CreateKernel(program, "square", &code);
  cl_mem buffer = cl.CreateBuffer(context, CL_MEM_READ_WRITE, kItems * sizeof(cl_int), nullptr, &code);
  if (code != CL_SUCCESS) return failed("clCreateBuffer", code);
  cl.SetKernelArg(kernel, 0, sizeof buffer, &buffer);
  code = cl.EnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr);
  if (code != CL_SUCCESS) return failed("clEnqueueNDRangeKernel", code);
  std::vector<cl_int> got(kItems);
  code = cl.EnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kItems * sizeof(cl_int), got.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) return failed("clEnqueueReadBuffer", code);
  for (std::size_t i = 0; i < kItems; ++i)
    if (std::cmp_not_equal(got[i], i * i)) return "a kernel gives wrong results";
  return {};
}

std::string beside(const std::string& driver) {
  const std::string here = folder_of(resolved(driver));
  const std::string folder = here + "/lanewise";
  return access(folder.c_str(), F_OK) == 0 ? folder : here + "/../lib/lanewise";
}

}  // namespace

Installation find_installation(const std::string& named) {
  Installation found;
  const std::string here = folder_of(resolved("/proc/self/exe"));
  // By its name for programs: the one without a number belongs to packages for developers.
  std::vector<std::string> candidates{here + "/../" LANEWISE_LIBRARY_FOLDER "/" LANEWISE_LIBRARY_NAME,
                                      here + "/../lib/" LANEWISE_LIBRARY_NAME};
  if (!named.empty()) candidates = {named};
  for (const std::string& candidate : candidates)
    if (found.driver.empty()) found.driver = resolved(candidate);
  found.private_directory = config().compiler_dir;
  if (found.private_directory.empty() && !found.driver.empty()) found.private_directory = beside(found.driver);
  return found;
}

void ask_platforms(const std::string& library, Facts& facts) {
  void* loaded = load(library, facts);
  if (loaded == nullptr) return;
  auto list = function_of<decltype(&clGetPlatformIDs)>(loaded, "clIcdGetPlatformIDsKHR");
  if (list == nullptr) list = function_of<decltype(&clGetPlatformIDs)>(loaded, "clGetPlatformIDs");
  if (list == nullptr) return facts.add("error", "it is no OpenCL driver: it has no clIcdGetPlatformIDsKHR");
  std::array<cl_platform_id, 16> platforms{};
  cl_uint count = 0;
  if (const cl_int code = list(platforms.size(), platforms.data(), &count); code != CL_SUCCESS || count == 0)
    return facts.add("error", "it has no platform: " + code_text(code));
  auto get = function_of<decltype(&clGetPlatformInfo)>(loaded, "clGetPlatformInfo");
  for (cl_uint i = 0; i < count && i < platforms.size(); ++i)
    facts.add("platform",
              text_of(get, platforms[i], CL_PLATFORM_NAME) + ", " + text_of(get, platforms[i], CL_PLATFORM_VERSION));
}

void ask_device(const std::string& driver, Facts& facts) {
  void* loaded = load(driver, facts);
  if (loaded == nullptr) return;
  const Calls cl(loaded);
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (cl.GetPlatformIDs == nullptr) return facts.add("error", "it is no OpenCL driver");
  cl.GetPlatformIDs(1, &platform, nullptr);
  if (const cl_int code = cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr); code != CL_SUCCESS)
    return facts.add("error", "it has no device: " + code_text(code));
  facts.add("name", cl.text(device, CL_DEVICE_NAME));
  facts.add("version", cl.text(device, CL_DEVICE_VERSION));
  facts.add("driver version", cl.text(device, CL_DRIVER_VERSION));
  facts.add("units", cl.number<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS));
  facts.add("global memory", cl.number<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE));
  facts.add("local memory", cl.number<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE));
  facts.add("il", cl.text(device, CL_DEVICE_IL_VERSION));
  const auto begin = std::chrono::steady_clock::now();
  const std::string wrong = run_kernel(cl, device);
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "a kernel was built and ran in %.1f ms", time.count());
  facts.add(wrong.empty() ? "ran" : "error", wrong.empty() ? text.data() : wrong);
}

void ask_compiler(const std::string& private_directory, Facts& facts) {
  const abi::Reply reply = run_in_library(private_directory, abi::Ping{});
  facts.add(reply.status == CL_SUCCESS ? "version" : "error", reply.log);
}

std::string remedy_for_parts() {
  return config().compiler_dir.empty()
             ? "install the package again"
             : "unset LANEWISE_COMPILER_DIR, or let it name the folder that has all of these files";
}

Value describe_files(const Installation& installation, Problems& problems) {
  struct Part {
    std::string name;
    int access;
    const char* without;
  };
  const std::vector<Part> parts{{"lanewise-compiler", X_OK, "programs are compiled inside of the application"},
                                {"liblanewise-compiler.so", R_OK, "no program can be compiled"},
                                {kBuiltinLibrary, R_OK, "no program can be compiled"}};
  const std::string again = remedy_for_parts();
  Value files;
  for (const Part& part : parts) {
    const std::string path = installation.private_directory + "/" + part.name;
    const bool good = access(path.c_str(), part.access) == 0;
    files.add(part.name, good ? "present" : "missing or not readable");
    if (!good) problems.push_back({path + " is missing or cannot be read: " + part.without, again});
  }
  const std::string translator = installation.private_directory + "/lanewise-spirv";
  if (access(translator.c_str(), X_OK) != 0) {
    files.add("lanewise-spirv", "missing: the device takes no SPIR-V");
    problems.push_back({translator + " is missing: the device takes no SPIR-V",
                        again + "; a driver that was built without the SPIR-V translator has none"});
    return files;
  }
  files.add("lanewise-spirv", "present");
  const auto list = file::read_all(translator + ".libraries");
  std::istringstream lines(list ? std::string(list->begin(), list->end()) : std::string());
  for (std::string library; std::getline(lines, library);) {
    const std::string path = library.starts_with('/') ? library : installation.private_directory + "/" + library;
    if (library.empty() || access(path.c_str(), R_OK) == 0) continue;
    problems.push_back(
        {"lanewise-spirv needs " + path + ", which is missing: the device takes no SPIR-V",
         "install the package that has this library, or a build of the driver for the LLVM of this system"});
  }
  return files;
}

}  // namespace lanewise::info
