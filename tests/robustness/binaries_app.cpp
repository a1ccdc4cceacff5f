// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An application that keeps its program's binary, and one whose binaries, or whose cache, somebody has edited: every field
/// of every description in turn, with the checksum repaired.
///
///     binaries_app binaries FIRST PROGRESS   from the edit of that number on; the file names the one that is tried
///     binaries_app cache DIRECTORY           each entry of the cache once for each field
///     binaries_app ir                        with other IR, for another processor
///     binaries_app save FILE                 writes a binary, and prints the level that its code is for
///     binaries_app load FILE                 uses it, and prints the level that its code is for then
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "include/lanewise/compiler_abi.h"
#include "src/base/hash.h"
#include "tests/robustness/description_editor.h"
#include "tests/robustness/driver.h"

namespace lanewise::robustness {
namespace {

constexpr std::size_t kItems = 64;
constexpr unsigned kSecondsPerEdit = 60;
constexpr long kMostKilobytes = 1L << 20;

constexpr const char* kSource = R"(
struct Pair { int a; float b; };
__global int counter = 3;
__global int* __global where = &counter;
__kernel void plain(__global int* out, __constant int* in, __local int* scratch, int n, struct Pair pair, float4 v) {
  __local int shared[64];
  const int i = get_local_id(0);
  const int g = get_global_id(0);
  shared[i & 63] = in[g & 63] + pair.a + (int)v.x;
  scratch[i & 15] = n + counter + (where == &counter);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g & 63] = shared[(i + 1) & 63] + scratch[(i + 1) & 15];
}
__kernel void texture(read_only image2d_t image, sampler_t sampler, __global float4* out) {
  out[get_global_id(0) & 15] = read_imagef(image, sampler, (float2)(0.5f, 0.5f));
}
__kernel void sums(__global int* bins, __global const int* values) {
  atomic_add(&bins[values[get_global_id(0) & 63] & 15], 1);
}
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void sized(__global int* out) {
  out[get_global_id(0) & 63] = get_local_id(0);
}
__kernel __attribute__((intel_reqd_sub_group_size(8))) void groups(__global int* out) {
  out[get_global_id(0) & 63] = sub_group_reduce_add((int)get_local_id(0));
}
__kernel void columns(__global int* out, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < 4 && y < 16) out[x * 16 + y] = n + x;
}
)";

/// Compiled again for each edit of a cache entry.
constexpr const char* kSmallSource = R"(
__global int counter = 3;
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void sized(__global int* out) {
  out[get_global_id(0) & 63] = get_local_id(0) + counter - 3;
}
)";

struct Pair {
  cl_int a = 1;
  cl_float b = 2;
};

/// A program binary in full (runtime/code/artifact.cpp).
struct Container {
  std::uint64_t magic = 0;
  Hash128 checksum;
  std::array<std::uint32_t, 5> numbers{};  // format, kernel ABI, level, features, type
  std::array<bool, 2> traits{};
  std::string options;
  Bytes reply;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.magic, self.checksum.low, self.checksum.high, self.numbers, self.traits, self.options, self.reply);
  }
};

/// A file of the cache (runtime/code/build_cache.cpp).
struct Entry {
  std::uint64_t magic = 0;
  Hash128 key;
  Hash128 checksum;
  Bytes reply;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.magic, self.key.low, self.key.high, self.checksum.low, self.checksum.high, self.reply);
  }
};

template <class T>
T decoded(std::span<const std::uint8_t> bytes) {
  T out;
  FieldReader fields(bytes);
  fields(out);
  expect(fields.complete(), "a file of the driver in another form");
  return out;
}
template <class T>
Bytes encoded(const T& value) {
  FieldWriter fields;
  fields(value);
  return fields.take();
}

abi::Reply reply_in(const Bytes& bytes) {
  auto reply = abi::decode<abi::Reply>(bytes);
  expect(reply.has_value(), "a reply in another form");
  return std::move(*reply);
}

enum class Edited { nothing, same, changed };

/// The fields of all descriptions.
Edited edit(abi::Reply& reply, std::size_t place, std::size_t what) {
  DescriptionEditor editor(place, what);
  editor(reply.kernels, reply.variables);
  if (!editor.found()) return Edited::nothing;
  return editor.changed() ? Edited::changed : Edited::same;
}

Bytes binary_with(const Container& whole, const abi::Reply& reply) {
  constexpr std::size_t kHead = 24;
  Container changed = whole;
  changed.reply = abi::encode(reply);
  const Bytes bytes = encoded(changed);
  changed.checksum = hash_bytes(std::span(bytes).subspan(kHead));
  return encoded(changed);
}

/// What an application does with a program, whatever comes back.
class User {
 public:
  User() : session_(cl_) {
    cl_int code = 0;
    std::vector<cl_int> ones(1024, 1);
    for (cl_mem& buffer : buffers_) {
      buffer = cl_.CreateBuffer(session_.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                ones.size() * sizeof(cl_int), ones.data(), &code);
      expect(code == CL_SUCCESS, "clCreateBuffer", code);
    }
    const cl_image_format format{CL_RGBA, CL_FLOAT};
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = description.image_height = 4;
    image_ = get<decltype(&clCreateImage)>("clCreateImage")(session_.context, CL_MEM_READ_WRITE, &format, &description,
                                                            nullptr, &code);
    expect(code == CL_SUCCESS, "clCreateImage", code);
    sampler_ = get<decltype(&clCreateSampler)>("clCreateSampler")(session_.context, CL_FALSE, CL_ADDRESS_CLAMP,
                                                                  CL_FILTER_NEAREST, &code);
    expect(code == CL_SUCCESS, "clCreateSampler", code);
  }

  cl_program build(const char* source) {
    cl_int code = 0;
    cl_program program = cl_.CreateProgramWithSource(session_.context, 1, &source, nullptr, &code);
    if (program == nullptr) return nullptr;
    code = cl_.BuildProgram(program, 1, &session_.device, "-cl-std=CL3.0", nullptr, nullptr);
    expect(code == CL_SUCCESS, session_.log(program).c_str(), code);
    return program;
  }

  Bytes binary_of(cl_program program) {
    std::size_t size = 0;
    expect(get_program_info_(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) == CL_SUCCESS, "size");
    Bytes bytes(size);
    std::uint8_t* data = bytes.data();
    expect(get_program_info_(program, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr) == CL_SUCCESS, "binary");
    return bytes;
  }

  cl_program load(const Bytes& bytes) {
    const unsigned char* data = bytes.data();
    const std::size_t size = bytes.size();
    cl_int status = 1;
    cl_int code = 0;
    cl_program program = create_(session_.context, 1, &session_.device, &size, &data, &status, &code);
    expect(code == CL_SUCCESS && status == CL_SUCCESS, "clCreateProgramWithBinary", status);
    cl_program_binary_type type = 0;
    cl_.GetProgramBuildInfo(program, session_.device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, nullptr);
    expect(type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE, "type of the binary", static_cast<long>(type));
    expect(cl_.CreateKernel(program, "sized", &code) == nullptr && code == CL_INVALID_PROGRAM_EXECUTABLE,
           "a kernel before the build", code);
    expect(binary_of(program) == bytes, "the binary is what was loaded");
    code = cl_.BuildProgram(program, 1, &session_.device, "", nullptr, nullptr);
    expect(code == CL_SUCCESS, session_.log(program).c_str(), code);
    return program;
  }

  /// Whether the binary was taken and could be built.
  bool use_binary(const Bytes& bytes) {
    const unsigned char* data = bytes.data();
    const std::size_t size = bytes.size();
    cl_int code = 0;
    cl_program program = create_(session_.context, 1, &session_.device, &size, &data, nullptr, &code);
    if (program == nullptr) return false;
    const bool built = cl_.BuildProgram(program, 1, &session_.device, "", nullptr, nullptr) == CL_SUCCESS;
    use(program);
    cl_.ReleaseProgram(program);
    return built;
  }

  /// Queries everything, makes every kernel, sets its arguments and launches it.
  void use(cl_program program) {
    std::array<char, 4096> out{};
    for (cl_uint name = CL_PROGRAM_REFERENCE_COUNT; name <= 0x1170; ++name)
      if (name != CL_PROGRAM_BINARIES) get_program_info_(program, name, out.size(), out.data(), nullptr);
    for (cl_uint name = CL_PROGRAM_BUILD_STATUS; name <= CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE; ++name)
      cl_.GetProgramBuildInfo(program, session_.device, name, out.size(), out.data(), nullptr);
    for (const char* name : {"plain", "texture", "sums", "sized", "groups", "columns"}) {
      cl_int code = 0;
      cl_kernel kernel = cl_.CreateKernel(program, name, &code);
      if (kernel == nullptr) continue;
      query(kernel);
      for (const std::size_t offset : {0, 1})
        for (cl_uint argument = 0; argument < 8; ++argument) set(kernel, argument, offset);
      for (cl_uint argument = 0; argument < 8; ++argument) set_as_declared(kernel, name, argument);
      launch(kernel);
      cl_.ReleaseKernel(kernel);
    }
    expect(cl_.Finish(session_.queue) == CL_SUCCESS, "clFinish");
  }

  /// Whether the kernel `sized` does what it should.
  bool computes(cl_program program) {
    cl_int code = 0;
    cl_kernel kernel = cl_.CreateKernel(program, "sized", &code);
    if (kernel == nullptr || cl_.SetKernelArg(kernel, 0, sizeof(cl_mem), &buffers_[0]) != CL_SUCCESS) return false;
    bool right = true;
    for (int i = 0; i < 3 && right; ++i)
      right = cl_.EnqueueNDRangeKernel(session_.queue, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr) ==
              CL_SUCCESS;
    std::array<cl_int, kItems> got{};
    right = right && cl_.EnqueueReadBuffer(session_.queue, buffers_[0], CL_TRUE, 0, sizeof got, got.data(), 0, nullptr,
                                           nullptr) == CL_SUCCESS;
    for (std::size_t i = 0; i < kItems; ++i) right = right && got[i] == static_cast<cl_int>(i % 16);
    cl_.ReleaseKernel(kernel);
    return right;
  }
  void release(cl_program program) { cl_.ReleaseProgram(program); }

 private:
  template <class Function>
  Function get(const char* name) {
    auto* found = reinterpret_cast<Function>(cl_.address(name));
    expect(found != nullptr, name);
    return found;
  }

  void query(cl_kernel kernel) {
    std::array<char, 4096> out{};
    for (cl_uint name = CL_KERNEL_FUNCTION_NAME; name <= CL_KERNEL_ATTRIBUTES; ++name)
      kernel_info_(kernel, name, out.size(), out.data(), nullptr);
    for (cl_uint name = CL_KERNEL_WORK_GROUP_SIZE; name <= CL_KERNEL_GLOBAL_WORK_SIZE; ++name)
      group_info_(kernel, session_.device, name, out.size(), out.data(), nullptr);
    const std::size_t sizes[] = {64, 1, 1};
    for (const cl_uint name : {0x2033, 0x2034, 0x11B8, 0x11B9, 0x11BA, 0x4108, 0x4109, 0x410A})
      for (const std::size_t input : {sizeof(std::size_t), sizeof sizes})
        sub_group_info_(kernel, session_.device, name, input, sizes, 3 * sizeof(std::size_t), out.data(), nullptr);
    for (cl_uint argument = 0; argument < 8; ++argument)
      for (cl_uint name = CL_KERNEL_ARG_ADDRESS_QUALIFIER; name <= CL_KERNEL_ARG_NAME; ++name)
        arg_info_(kernel, argument, name, out.size(), out.data(), nullptr);
    suggest_(session_.queue, kernel, 3, nullptr, sizes, reinterpret_cast<std::size_t*>(out.data()));
  }

  /// Values of all kinds; most are refused.
  void set(cl_kernel kernel, cl_uint argument, std::size_t offset) {
    cl_.SetKernelArg(kernel, argument, sizeof(cl_mem), &buffers_[offset]);
    cl_.SetKernelArg(kernel, argument, 64, nullptr);
    cl_.SetKernelArg(kernel, argument, sizeof(cl_sampler), &sampler_);
    cl_.SetKernelArg(kernel, argument, sizeof(cl_mem), &image_);
  }

  /// As the source has them, which is what an application knows.
  void set_as_declared(cl_kernel kernel, const std::string& name, cl_uint argument) {
    const std::array<cl_float, 4> vector{1, 2, 3, 4};
    const cl_int number = 5;
    const Pair pair;
    const auto value = [&](std::size_t size, const void* data) { cl_.SetKernelArg(kernel, argument, size, data); };
    if (name == "texture" && argument == 0) return value(sizeof image_, &image_);
    if (name == "texture" && argument == 1) return value(sizeof sampler_, &sampler_);
    if (name == "columns" && argument == 1) return value(sizeof number, &number);
    if (name == "plain" && argument == 2) return value(64, nullptr);
    if (name == "plain" && argument == 3) return value(sizeof number, &number);
    if (name == "plain" && argument == 4) return value(sizeof pair, &pair);
    if (name == "plain" && argument == 5) return value(sizeof vector, vector.data());
    value(sizeof(cl_mem), &buffers_[argument % 2]);
  }

  void launch(cl_kernel kernel) {
    constexpr std::size_t kGlobal[] = {kItems, 2, 1};
    constexpr std::size_t kLocal[] = {16, 1, 1};
    for (const cl_uint dimensions : {1U, 2U, 3U})
      for (const std::size_t* local : {static_cast<const std::size_t*>(nullptr), kLocal})
        cl_.EnqueueNDRangeKernel(session_.queue, kernel, dimensions, nullptr, kGlobal, local, 0, nullptr, nullptr);
  }

  Driver cl_;
  Session session_;
  std::array<cl_mem, 2> buffers_{};
  cl_mem image_ = nullptr;
  cl_sampler sampler_ = nullptr;
  decltype(&clGetProgramInfo) get_program_info_ = get<decltype(&clGetProgramInfo)>("clGetProgramInfo");
  decltype(&clCreateProgramWithBinary) create_ = get<decltype(&clCreateProgramWithBinary)>("clCreateProgramWithBinary");
  decltype(&clGetKernelInfo) kernel_info_ = get<decltype(&clGetKernelInfo)>("clGetKernelInfo");
  decltype(&clGetKernelArgInfo) arg_info_ = get<decltype(&clGetKernelArgInfo)>("clGetKernelArgInfo");
  decltype(&clGetKernelWorkGroupInfo) group_info_ =
      get<decltype(&clGetKernelWorkGroupInfo)>("clGetKernelWorkGroupInfo");
  decltype(&clGetKernelSubGroupInfo) sub_group_info_ =
      get<decltype(&clGetKernelSubGroupInfo)>("clGetKernelSubGroupInfo");
  cl_int(CL_API_CALL* suggest_)(cl_command_queue, cl_kernel, cl_uint, const std::size_t*, const std::size_t*,
                                std::size_t*) = get<decltype(suggest_)>("clGetKernelSuggestedLocalWorkSizeKHR");
};

void expect_modest_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  expect(usage.ru_maxrss < kMostKilobytes, "kilobytes of memory", usage.ru_maxrss);
}

int edit_binaries(std::size_t first, const char* progress) {
  User user;
  cl_program program = user.build(kSource);
  const Bytes original = user.binary_of(program);
  user.release(program);
  expect(user.use_binary(original), "the binary as it was");
  const auto container = decoded<Container>(original);
  const abi::Reply described = reply_in(container.reply);
  std::size_t number = 0;
  std::size_t taken = 0;
  for (std::size_t place = 0;; ++place) {
    for (std::size_t what = 0; what < kEdits; ++what, ++number) {
      abi::Reply reply = described;
      const Edited edited = edit(reply, place, what);
      if (edited == Edited::nothing) {
        std::printf("%zu edits, %zu of them taken\n", number, taken);
        return 0;
      }
      if (edited == Edited::same || number < first) continue;
      std::ofstream(progress) << number << " (field " << place << ", edit " << what << ")";
      alarm(kSecondsPerEdit);
      if (user.use_binary(binary_with(container, reply))) ++taken;
      expect_modest_memory();
    }
  }
}

/// Damaged IR in binaries for a processor that does not exist yet: the compiler reads it, and some of it is not refused.
int damage_ir() {
  constexpr std::uint32_t kUnknownLevel = 99;
  User user;
  cl_program program = user.build(kSmallSource);
  auto container = decoded<Container>(user.binary_of(program));
  user.release(program);
  container.numbers[2] = kUnknownLevel;
  const abi::Reply whole = reply_in(container.reply);
  expect(user.use_binary(binary_with(container, whole)), "the IR as it was");
  std::size_t taken = 0;
  std::size_t edits = 0;
  const auto try_out = [&](const Bytes& ir) {
    abi::Reply reply = whole;
    reply.ir = ir;
    alarm(kSecondsPerEdit);
    ++edits;
    if (user.use_binary(binary_with(container, reply))) ++taken;
  };
  try_out({});
  try_out(Bytes(1000, 0xff));
  try_out({whole.ir.begin(), whole.ir.begin() + static_cast<std::ptrdiff_t>(whole.ir.size() / 2)});
  for (std::size_t part = 1; part < 8; ++part) {
    Bytes ir = whole.ir;
    for (std::size_t i = 0; i < 8; ++i) ir[ir.size() * part / 8 + i] ^= 0x5a;
    try_out(ir);
  }
  std::printf("%zu edits, %zu of them taken\n", edits, taken);
  return 0;
}

Bytes contents_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Each field beyond all bounds, where it has any: the program is compiled again, and its entry with it.
int edit_cache(const std::filesystem::path& directory) {
  constexpr std::size_t kLargest = 2;
  User user;
  const auto try_out = [&] {
    cl_program program = user.build(kSmallSource);
    const bool right = user.computes(program);
    user.use(program);
    user.release(program);
    return right;
  };
  expect(try_out(), "the program as it was");
  std::vector<std::filesystem::path> paths;
  for (const auto& item : std::filesystem::directory_iterator(directory))
    if (item.path().extension() == ".lwc") paths.push_back(item.path());
  expect(!paths.empty(), "no entry");
  std::size_t edits = 0;
  std::size_t kept = 0;
  for (const auto& path : paths) {
    const Bytes original = contents_of(path);
    const auto entry = decoded<Entry>(original);
    const abi::Reply described = reply_in(entry.reply);
    for (std::size_t place = 0;; ++place) {
      abi::Reply reply = described;
      const Edited edited = edit(reply, place, kLargest);
      if (edited == Edited::nothing) break;
      if (edited == Edited::same) continue;
      Entry changed = entry;
      changed.reply = abi::encode(reply);
      changed.checksum = hash_bytes(changed.reply);
      const Bytes bytes = encoded(changed);
      std::ofstream(path, std::ios::binary | std::ios::trunc)
          .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
      alarm(kSecondsPerEdit);
      const bool right = try_out();
      const bool replaced = contents_of(path) != bytes;
      expect(right || !replaced, "a wrong result", static_cast<long>(place));
      ++edits;
      if (!replaced) ++kept;
    }
  }
  std::printf("%zu edits, %zu of them taken\n", edits, kept);
  return 0;
}

void print_level(User& user, cl_program program) {
  std::printf("%u\n", decoded<Container>(user.binary_of(program)).numbers[2]);
}

int save(const char* path) {
  User user;
  cl_program program = user.build(kSource);
  const Bytes bytes = user.binary_of(program);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  print_level(user, program);
  return 0;
}

int load(const char* path) {
  User user;
  cl_program program = user.load(contents_of(path));
  user.use(program);
  expect(user.computes(program), "a wrong result");
  print_level(user, program);
  user.release(program);
  return 0;
}

}  // namespace
}  // namespace lanewise::robustness

int main(int argc, char** argv) {
  using namespace lanewise::robustness;
  if (argc == 4 && std::strcmp(argv[1], "binaries") == 0)
    return edit_binaries(std::strtoul(argv[2], nullptr, 10), argv[3]);
  if (argc == 3 && std::strcmp(argv[1], "cache") == 0) return edit_cache(argv[2]);
  if (argc == 2 && std::strcmp(argv[1], "ir") == 0) return damage_ir();
  if (argc == 3 && std::strcmp(argv[1], "save") == 0) return save(argv[2]);
  if (argc == 3 && std::strcmp(argv[1], "load") == 0) return load(argv[2]);
  return 2;
}
