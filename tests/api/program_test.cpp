// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Programs through the API: every entry point of API 5.8 and every error that it names.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "tests/api/program_fixture.h"
#include "tests/time_limits.h"

namespace lanewise::test {
namespace {

constexpr const char* kSet = "kernel void set(global int* out) { out[get_global_id(0)] = VALUE; }";
constexpr const char* kTwo = "kernel void first(int a) {} kernel void second(global float* b) {}";
constexpr const char* kBroken = "kernel void broken( { this is not OpenCL C }";

class Program : public ProgramFixture {
 protected:
  cl_int create_source(cl_uint count, const char** strings, const size_t* lengths = nullptr) const {
    cl_int code = 1;
    ProgramPtr program(clCreateProgramWithSource(context_.get(), count, strings, lengths, &code));
    EXPECT_EQ(program != nullptr, code == CL_SUCCESS);
    return code;
  }
  std::string source_of(const ProgramPtr& program) const {
    size_t size = 0;
    EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_SOURCE, 0, nullptr, &size), CL_SUCCESS);
    std::string text(size, '?');
    EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_SOURCE, size, text.data(), nullptr), CL_SUCCESS);
    text.pop_back();
    return text;
  }
  cl_int build(const ProgramPtr& program, const char* options = nullptr) const {
    return clBuildProgram(program.get(), 0, nullptr, options, nullptr, nullptr);
  }
  cl_int compile(const ProgramPtr& program, const char* options = nullptr) const {
    return clCompileProgram(program.get(), 0, nullptr, options, 0, nullptr, nullptr, nullptr, nullptr);
  }
  cl_int link_code(const char* options, std::vector<cl_program> inputs) const {
    cl_int code = 1;
    ProgramPtr program(clLinkProgram(context_.get(), 0, nullptr, options, static_cast<cl_uint>(inputs.size()),
                                     inputs.empty() ? nullptr : inputs.data(), nullptr, nullptr, &code));
    return code;
  }
  /// The value that kernel `set` of an executable writes.
  int value_of(const ProgramPtr& program) const {
    const auto set = kernel(program, "set");
    const auto out = buffer(4 * sizeof(int));
    cl_mem handle = out.get();
    EXPECT_EQ(clSetKernelArg(set.get(), 0, sizeof handle, &handle), CL_SUCCESS);
    run(set, 4);
    return read<int>(out, 4)[3];
  }
};

/// Counts callbacks and lets a test wait for them.
struct Notified {
  std::mutex mutex;
  std::condition_variable changed;
  int calls = 0;
  cl_program program = nullptr;

  static void CL_CALLBACK call(cl_program program, void* data) {
    auto& self = *static_cast<Notified*>(data);
    const std::lock_guard lock(self.mutex);
    ++self.calls;
    self.program = program;
    self.changed.notify_all();
  }
  bool wait() {
    std::unique_lock lock(mutex);
    return changed.wait_until(lock, time_limit(std::chrono::seconds(60)), [&] { return calls == 1; });
  }
};

TEST_F(Program, SourceIsConcatenatedWithoutNulls) {
  const char* parts[] = {"abc", "defXXX", "gh\0ij"};
  const size_t lengths[] = {0, 3, 5};
  cl_int code = 1;
  const ProgramPtr program(clCreateProgramWithSource(context_.get(), 3, parts, lengths, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(source_of(program), "abcdefghij");
  EXPECT_EQ(source_of(source("")), "");
}

TEST_F(Program, CreateWithSourceErrors) {
  const char* strings[] = {"a", nullptr};
  EXPECT_EQ(create_source(0, strings), CL_INVALID_VALUE);
  EXPECT_EQ(create_source(1, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(create_source(2, strings), CL_INVALID_VALUE);
  cl_int code = 1;
  EXPECT_EQ(clCreateProgramWithSource(nullptr, 1, strings, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateProgramWithSource(nullptr, 1, strings, nullptr, nullptr), nullptr);
}

TEST_F(Program, BuiltInKernelsDoNotExist) {
  cl_int code = 1;
  const auto create = [&](cl_uint count, const cl_device_id* devices, const char* names) {
    EXPECT_EQ(clCreateProgramWithBuiltInKernels(context_.get(), count, devices, names, &code), nullptr);
    return code;
  };
  const cl_device_id null_device = nullptr;
  EXPECT_EQ(create(1, &device_, "anything"), CL_INVALID_VALUE);
  EXPECT_EQ(create(1, &device_, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(create(0, &device_, "a"), CL_INVALID_VALUE);
  EXPECT_EQ(create(1, nullptr, "a"), CL_INVALID_VALUE);
  EXPECT_EQ(create(1, &null_device, "a"), CL_INVALID_DEVICE);
  EXPECT_EQ(clCreateProgramWithBuiltInKernels(nullptr, 1, &device_, "a", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
}

TEST_F(Program, ReferenceCounts) {
  const auto program = source("");
  const auto count = [&] {
    cl_uint value = 0;
    clGetProgramInfo(program.get(), CL_PROGRAM_REFERENCE_COUNT, sizeof value, &value, nullptr);
    return value;
  };
  EXPECT_EQ(count(), 1u);
  EXPECT_EQ(clRetainProgram(program.get()), CL_SUCCESS);
  EXPECT_EQ(count(), 2u);
  EXPECT_EQ(clReleaseProgram(program.get()), CL_SUCCESS);
  EXPECT_EQ(count(), 1u);
  EXPECT_EQ(clRetainProgram(nullptr), CL_INVALID_PROGRAM);
  EXPECT_EQ(clReleaseProgram(nullptr), CL_INVALID_PROGRAM);
}

TEST_F(Program, ForeignHandlesAreRefused) {
  EXPECT_EQ(clRetainProgram(reinterpret_cast<cl_program>(context_.get())), CL_INVALID_PROGRAM);
  EXPECT_EQ(clBuildProgram(reinterpret_cast<cl_program>(device_), 0, nullptr, nullptr, nullptr, nullptr),
            CL_INVALID_PROGRAM);
}

TEST_F(Program, ReleaseCallbackNeedsDestructors) {
  const auto program = source("");
  EXPECT_EQ(clSetProgramReleaseCallback(program.get(), Notified::call, nullptr), CL_INVALID_OPERATION);
  EXPECT_EQ(clSetProgramReleaseCallback(program.get(), nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetProgramReleaseCallback(nullptr, Notified::call, nullptr), CL_INVALID_PROGRAM);
}

TEST_F(Program, BuildAndRun) {
  const auto program = source(kSet);
  EXPECT_EQ(status(program), CL_BUILD_NONE);
  EXPECT_EQ(binary_type(program), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_NONE});
  ASSERT_EQ(build(program, "-D VALUE=7"), CL_SUCCESS) << log(program);
  EXPECT_EQ(status(program), CL_BUILD_SUCCESS);
  EXPECT_EQ(binary_type(program), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
  EXPECT_EQ(build_text(program, CL_PROGRAM_BUILD_OPTIONS), "-D VALUE=7");
  EXPECT_EQ(value_of(program), 7);
  // The same program may be built again, with other options, once its kernels are gone.
  ASSERT_EQ(clBuildProgram(program.get(), 1, &device_, "-D VALUE=8", nullptr, nullptr), CL_SUCCESS) << log(program);
  EXPECT_EQ(value_of(program), 8);
}

TEST_F(Program, BuildErrors) {
  const auto program = source(kSet);
  const cl_device_id null_device = nullptr;
  int data = 0;
  EXPECT_EQ(clBuildProgram(nullptr, 0, nullptr, nullptr, nullptr, nullptr), CL_INVALID_PROGRAM);
  EXPECT_EQ(clBuildProgram(program.get(), 1, nullptr, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program.get(), 0, &device_, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, nullptr, &data), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program.get(), 1, &null_device, nullptr, nullptr, nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(status(program), CL_BUILD_NONE);  // none of these began
}

TEST_F(Program, FailedBuildLeavesALog) {
  const auto program = source(kBroken);
  EXPECT_EQ(build(program), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(status(program), CL_BUILD_ERROR);
  EXPECT_NE(log(program).find("error"), std::string::npos);
  EXPECT_EQ(binary_type(program), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_NONE});
  EXPECT_TRUE(binary(program).empty());
  cl_int code = 1;
  EXPECT_EQ(clCreateKernel(program.get(), "broken", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(Program, LanguageVersionIsTheDevicesAnswer) {
  size_t size = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0, nullptr, &size), CL_SUCCESS);
  std::vector<cl_name_version> versions(size / sizeof(cl_name_version));
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_OPENCL_C_ALL_VERSIONS, size, versions.data(), nullptr), CL_SUCCESS);
  const auto listed = [&](cl_uint major, cl_uint minor) {
    for (const auto& v : versions)
      if (CL_VERSION_MAJOR(v.version) == major && CL_VERSION_MINOR(v.version) == minor) return true;
    return false;
  };
  const auto program = source("kernel void k() {}");
  EXPECT_EQ(build(program, "-cl-std=CL1.1"), listed(1, 1) ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(build(program, "-cl-std=CL1.2"), listed(1, 2) ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(build(program, "-cl-std=CL2.0"), listed(2, 0) ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(build(program, "-cl-std=CL3.0"), listed(3, 0) ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(compile(program, "-cl-std=CL2.0"), listed(2, 0) ? CL_SUCCESS : CL_COMPILE_PROGRAM_FAILURE);
}

TEST_F(Program, WithoutVersionTheLanguageIsOneTwo) {
  const auto program = source("#if __OPENCL_C_VERSION__ != 120\n#error version\n#endif\nkernel void k() {}");
  EXPECT_EQ(build(program), CL_SUCCESS) << log(program);
}

TEST_F(Program, CorrectlyRoundedDivisionIsTheDevicesAnswer) {
  cl_device_fp_config config = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, nullptr), CL_SUCCESS);
  const bool supported = (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  const auto program = source("kernel void k(global float* a) { a[0] = a[1] / a[2]; }");
  EXPECT_EQ(build(program, "-cl-fp32-correctly-rounded-divide-sqrt"),
            supported ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE);
}

TEST_F(Program, AttachedKernelsForbidBuilds) {
  const auto program = built(kTwo);
  auto first = kernel(program, "first");
  EXPECT_EQ(build(program), CL_INVALID_OPERATION);
  EXPECT_EQ(compile(program), CL_INVALID_OPERATION);
  first.reset();
  EXPECT_EQ(build(program), CL_SUCCESS);
}

TEST_F(Program, KernelsKeepTheProgram) {
  KernelPtr set;
  {
    const auto program = built(kSet, "-D VALUE=3");
    set = kernel(program, "set");
  }
  cl_program owner = nullptr;
  ASSERT_EQ(clGetKernelInfo(set.get(), CL_KERNEL_PROGRAM, sizeof owner, &owner, nullptr), CL_SUCCESS);
  const auto out = buffer(sizeof(int));
  cl_mem handle = out.get();
  ASSERT_EQ(clSetKernelArg(set.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  run(set, 1);
  EXPECT_EQ(read<int>(out, 1)[0], 3);
}

TEST_F(Program, BuildWithCallback) {
  const auto program = source(kSet);
  Notified notified;
  ASSERT_EQ(clBuildProgram(program.get(), 0, nullptr, "-D VALUE=5", Notified::call, &notified), CL_SUCCESS);
  ASSERT_TRUE(notified.wait());
  EXPECT_EQ(notified.program, program.get());
  EXPECT_EQ(status(program), CL_BUILD_SUCCESS);
  EXPECT_EQ(value_of(program), 5);
}

TEST_F(Program, FailedBuildWithCallback) {
  const auto program = source(kBroken);
  Notified notified;
  ASSERT_EQ(clBuildProgram(program.get(), 0, nullptr, nullptr, Notified::call, &notified), CL_SUCCESS);
  ASSERT_TRUE(notified.wait());
  EXPECT_EQ(status(program), CL_BUILD_ERROR);
}

TEST_F(Program, CallbackMayReleaseTheProgram) {
  struct Released : Notified {
    static void CL_CALLBACK release(cl_program program, void* data) {
      EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
      call(program, static_cast<Notified*>(data));
    }
  } notified;
  auto program = source(kSet);
  cl_program handle = program.release();
  ASSERT_EQ(clBuildProgram(handle, 0, nullptr, "-D VALUE=6", Released::release, static_cast<Notified*>(&notified)),
            CL_SUCCESS);
  EXPECT_TRUE(notified.wait());
}

TEST_F(Program, BuildInProgressForbidsAnother) {
  // The callback blocks the first program's build thread, not its state: the build has completed by then. So look at
  // many builds in flight at once; each second build either comes too early or finds the first one completed.
  for (int round = 0; round < 8; ++round) {
    const auto program = source(kSet);
    Notified notified;
    const std::string options = "-D VALUE=" + std::to_string(1000 + round);
    ASSERT_EQ(clBuildProgram(program.get(), 0, nullptr, options.c_str(), Notified::call, &notified), CL_SUCCESS);
    const cl_int second = build(program, options.c_str());
    EXPECT_TRUE(second == CL_INVALID_OPERATION || second == CL_SUCCESS) << second;
    ASSERT_TRUE(notified.wait());
    EXPECT_EQ(value_of(program), 1000 + round);
  }
}

TEST_F(Program, CompileErrors) {
  const auto program = source(kSet);
  const auto header = source("#define VALUE 1");
  cl_program headers[] = {header.get()};
  const char* names[] = {"value.h"};
  const char* null_names[] = {nullptr};
  cl_program null_headers[] = {nullptr};
  const auto with = [&](cl_uint count, const cl_program* list, const char** include_names) {
    return clCompileProgram(program.get(), 0, nullptr, nullptr, count, list, include_names, nullptr, nullptr);
  };
  EXPECT_EQ(with(1, nullptr, names), CL_INVALID_VALUE);
  EXPECT_EQ(with(1, headers, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(with(0, headers, names), CL_INVALID_VALUE);
  EXPECT_EQ(with(0, nullptr, names), CL_INVALID_VALUE);
  EXPECT_EQ(with(1, headers, null_names), CL_INVALID_VALUE);
  EXPECT_EQ(with(1, null_headers, names), CL_INVALID_PROGRAM);
  EXPECT_EQ(compile(program, "-nothing"), CL_INVALID_COMPILER_OPTIONS);
  int data = 0;
  EXPECT_EQ(clCompileProgram(program.get(), 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, &data),
            CL_INVALID_VALUE);
  EXPECT_EQ(clCompileProgram(program.get(), 1, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
  const cl_device_id null_device = nullptr;
  EXPECT_EQ(clCompileProgram(program.get(), 1, &null_device, nullptr, 0, nullptr, nullptr, nullptr, nullptr),
            CL_INVALID_DEVICE);
  EXPECT_EQ(clCompileProgram(nullptr, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr), CL_INVALID_PROGRAM);
  EXPECT_EQ(compile(source(kBroken)), CL_COMPILE_PROGRAM_FAILURE);
}

TEST_F(Program, EmbeddedHeadersAndLink) {
  const auto program = source("#include \"dir/value.h\"\n#include <more.h>\n" + std::string(kSet));
  const auto value = source("#define VALUE (40 + MORE)");
  const auto more = source("#define MORE 2");
  const auto shadowed = source("#error the first header of a name counts");
  cl_program headers[] = {value.get(), more.get(), shadowed.get()};
  const char* names[] = {"dir/value.h", "more.h", "more.h"};
  ASSERT_EQ(clCompileProgram(program.get(), 0, nullptr, nullptr, 3, headers, names, nullptr, nullptr), CL_SUCCESS)
      << log(program);
  EXPECT_EQ(binary_type(program), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT});
  EXPECT_EQ(value_of(linked({program.get()})), 42);
}

TEST_F(Program, LinkOfSeveralAndOfLibraries) {
  const auto part = compiled("int part(int x) { return x + 1; }");
  const auto other = compiled("int part(int x); int other(int x) { return part(x) * 2; }");
  const auto main = compiled("int other(int x); kernel void set(global int* o) { o[get_global_id(0)] = other(20); }");
  EXPECT_EQ(value_of(linked({main.get(), part.get(), other.get()})), 42);

  const auto library = linked({part.get(), other.get()}, "-create-library");
  EXPECT_EQ(binary_type(library), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_LIBRARY});
  EXPECT_EQ(build_text(library, CL_PROGRAM_BUILD_OPTIONS), "-create-library");
  EXPECT_EQ(value_of(linked({main.get(), library.get()})), 42);
  EXPECT_EQ(value_of(linked({main.get(), from_binary(binary(library)).get()})), 42);
}

TEST_F(Program, LinkWithCallback) {
  const auto main = compiled(kSet, "-D VALUE=11");
  cl_program input = main.get();
  Notified notified;
  cl_int code = 1;
  const ProgramPtr program(
      clLinkProgram(context_.get(), 0, nullptr, nullptr, 1, &input, Notified::call, &notified, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  ASSERT_TRUE(notified.wait());
  EXPECT_EQ(notified.program, program.get());
  EXPECT_EQ(value_of(program), 11);
}

TEST_F(Program, FailedLinkReturnsAProgram) {
  const auto main = compiled("int nowhere(int x); kernel void k(global int* o) { o[0] = nowhere(1); }");
  const auto program = linked({main.get()}, nullptr, CL_LINK_PROGRAM_FAILURE);
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(status(program), CL_BUILD_ERROR);
  EXPECT_NE(log(program).find("nowhere"), std::string::npos) << log(program);
  EXPECT_EQ(build(program), CL_INVALID_OPERATION);
  EXPECT_EQ(compile(program), CL_INVALID_OPERATION);
}

TEST_F(Program, LinkErrors) {
  const auto main = compiled(kSet, "-D VALUE=1");
  const auto uncompiled = source(kSet);
  cl_program input = main.get();
  int data = 0;
  cl_int code = 1;
  EXPECT_EQ(link_code(nullptr, {}), CL_INVALID_VALUE);
  EXPECT_EQ(link_code(nullptr, {nullptr}), CL_INVALID_PROGRAM);
  EXPECT_EQ(link_code(nullptr, {main.get(), uncompiled.get()}), CL_INVALID_OPERATION);
  EXPECT_EQ(link_code(nullptr, {uncompiled.get()}), CL_INVALID_OPERATION);
  EXPECT_EQ(link_code("-w", {main.get()}), CL_INVALID_LINKER_OPTIONS);
  EXPECT_EQ(link_code("-enable-link-options", {main.get()}), CL_INVALID_LINKER_OPTIONS);
  EXPECT_EQ(clLinkProgram(context_.get(), 0, nullptr, nullptr, 0, &input, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clLinkProgram(context_.get(), 0, nullptr, nullptr, 1, &input, nullptr, &data, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clLinkProgram(context_.get(), 1, nullptr, nullptr, 1, &input, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_VALUE);
  EXPECT_EQ(clLinkProgram(nullptr, 0, nullptr, nullptr, 1, &input, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  const cl_device_id null_device = nullptr;
  EXPECT_EQ(clLinkProgram(context_.get(), 1, &null_device, nullptr, 1, &input, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_DEVICE);
}

TEST_F(Program, BinariesGoRoundTheTrip) {
  const auto original = built(kSet, "-D VALUE=21");
  const auto bytes = binary(original);
  ASSERT_FALSE(bytes.empty());
  const auto loaded = from_binary(bytes);
  EXPECT_EQ(source_of(loaded), "");
  EXPECT_EQ(binary_type(loaded), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
  cl_int code = 1;
  EXPECT_EQ(clCreateKernel(loaded.get(), "set", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROGRAM_EXECUTABLE);  // must be built first
  ASSERT_EQ(build(loaded), CL_SUCCESS) << log(loaded);
  EXPECT_EQ(build_text(loaded, CL_PROGRAM_BUILD_OPTIONS), "-D VALUE=21");
  EXPECT_EQ(value_of(loaded), 21);
  EXPECT_EQ(binary(loaded), bytes);
  EXPECT_EQ(build(loaded, "-nothing"), CL_INVALID_BUILD_OPTIONS);
  EXPECT_EQ(compile(loaded), CL_INVALID_OPERATION);
  EXPECT_EQ(build(loaded, "-D VALUE=21"), CL_SUCCESS);
}

TEST_F(Program, CompiledBinariesCanOnlyBeLinked) {
  const auto main = compiled(kSet, "-D VALUE=13");
  const auto loaded = from_binary(binary(main));
  EXPECT_EQ(binary_type(loaded), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT});
  EXPECT_EQ(build(loaded), CL_INVALID_BINARY);
  EXPECT_EQ(value_of(linked({loaded.get()})), 13);
}

TEST_F(Program, DamagedBinariesAreRefused) {
  const auto bytes = binary(built(kSet, "-D VALUE=1"));
  ASSERT_FALSE(bytes.empty());
  for (const size_t size : {size_t{1}, size_t{7}, bytes.size() / 2, bytes.size() - 1})
    from_binary({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}, CL_INVALID_BINARY);
  for (size_t at = 0; at < bytes.size(); at += bytes.size() / 97 + 1) {
    auto damaged = bytes;
    damaged[at] ^= 0x40;
    from_binary(damaged, CL_INVALID_BINARY);
  }
  from_binary(std::vector<unsigned char>(4096, 0xff), CL_INVALID_BINARY);
  auto longer = bytes;
  longer.push_back(0);
  from_binary(longer, CL_INVALID_BINARY);
}

TEST_F(Program, CreateWithBinaryErrors) {
  const auto bytes = binary(built(kSet, "-D VALUE=1"));
  const unsigned char* data = bytes.data();
  const unsigned char* null_data = nullptr;
  const size_t size = bytes.size();
  const size_t zero = 0;
  const cl_device_id null_device = nullptr;
  cl_int status = 1;
  const auto create = [&](cl_uint count, const cl_device_id* devices, const size_t* lengths,
                          const unsigned char** binaries) {
    cl_int code = 1;
    status = 1;
    ProgramPtr program(clCreateProgramWithBinary(context_.get(), count, devices, lengths, binaries, &status, &code));
    return code;
  };
  EXPECT_EQ(create(0, &device_, &size, &data), CL_INVALID_VALUE);
  EXPECT_EQ(create(1, nullptr, &size, &data), CL_INVALID_VALUE);
  EXPECT_EQ(create(1, &null_device, &size, &data), CL_INVALID_DEVICE);
  EXPECT_EQ(create(1, &device_, nullptr, &data), CL_INVALID_VALUE);
  EXPECT_EQ(create(1, &device_, &size, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(create(1, &device_, &zero, &data), CL_INVALID_VALUE);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(create(1, &device_, &size, &null_data), CL_INVALID_VALUE);
  EXPECT_EQ(status, CL_INVALID_VALUE);
  EXPECT_EQ(create(1, &device_, &size, &data), CL_SUCCESS);
  EXPECT_EQ(status, CL_SUCCESS);
  cl_int code = 1;
  EXPECT_EQ(clCreateProgramWithBinary(nullptr, 1, &device_, &size, &data, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
}

TEST_F(Program, InfoBeforeAndAfterABuild) {
  const auto program = source(kTwo);
  size_t size = 1;
  char names[64] = "untouched";
  size_t count = 0;
  for (const cl_program_info what : {CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_KERNEL_NAMES})
    EXPECT_EQ(clGetProgramInfo(program.get(), what, sizeof names, names, nullptr), CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_IL, sizeof names, names, &size), CL_SUCCESS);
  EXPECT_EQ(size, 0u);
  EXPECT_STREQ(names, "untouched");
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_BINARY_SIZES, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(count, 0u);

  ASSERT_EQ(build(program), CL_SUCCESS) << log(program);
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_KERNEL_NAMES, sizeof names, names, &size), CL_SUCCESS);
  EXPECT_STREQ(names, "first;second");
  EXPECT_EQ(size, 13u);
  cl_bool present = CL_TRUE;
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof present, &present, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(present, cl_bool{CL_FALSE});
  EXPECT_EQ(clGetProgramInfo(program.get(), 0, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_KERNEL_NAMES, 12, names, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_BINARIES, 1, names, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetProgramInfo(nullptr, CL_PROGRAM_CONTEXT, 0, nullptr, nullptr), CL_INVALID_PROGRAM);
  unsigned char* no_target = nullptr;
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_BINARIES, sizeof no_target, &no_target, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof no_target);
}

TEST_F(Program, ContextAndDevices) {
  const auto program = source("");
  cl_context context = nullptr;
  cl_uint count = 0;
  cl_device_id device = nullptr;
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_CONTEXT, sizeof context, &context, nullptr), CL_SUCCESS);
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_NUM_DEVICES, sizeof count, &count, nullptr), CL_SUCCESS);
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_DEVICES, sizeof device, &device, nullptr), CL_SUCCESS);
  EXPECT_EQ(context, context_.get());
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(device, device_);
}

TEST_F(Program, BuildInfoErrors) {
  const auto program = source("");
  size_t size = 0;
  EXPECT_EQ(clGetProgramBuildInfo(nullptr, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size), CL_INVALID_PROGRAM);
  EXPECT_EQ(clGetProgramBuildInfo(program.get(), nullptr, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size), CL_INVALID_DEVICE);
  EXPECT_EQ(clGetProgramBuildInfo(program.get(), device_, 0, 0, nullptr, &size), CL_INVALID_VALUE);
  cl_build_status status = 0;
  EXPECT_EQ(clGetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_STATUS, 1, &status, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clGetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, 1u);
  size_t globals = 1;
  EXPECT_EQ(clGetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof globals,
                                  &globals, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(globals, 0u);
}

TEST_F(Program, UnloadCompilerIsAHint) {
  EXPECT_EQ(clUnloadPlatformCompiler(platform_), CL_SUCCESS);
  EXPECT_EQ(clUnloadPlatformCompiler(nullptr), CL_INVALID_PLATFORM);
  EXPECT_EQ(clUnloadCompiler(), CL_SUCCESS);
  EXPECT_EQ(value_of(built(kSet, "-D VALUE=17")), 17);
}

TEST_F(Program, WarningsReachTheLog) {
  const auto program = source("#warning look here\nkernel void k() {}");
  ASSERT_EQ(build(program), CL_SUCCESS);
  EXPECT_NE(log(program).find("look here"), std::string::npos);
  EXPECT_EQ(build(program, "-w"), CL_SUCCESS);
  EXPECT_EQ(log(program).find("look here"), std::string::npos);
  EXPECT_EQ(build(program, "-Werror"), CL_BUILD_PROGRAM_FAILURE);
}

}  // namespace
}  // namespace lanewise::test
