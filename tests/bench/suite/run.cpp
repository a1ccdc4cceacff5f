// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One case on one device: builds, launches, reads back, measures.
#include <cstring>
#include <ctime>
#include <set>

#include "tests/bench/bench.h"
#include "tests/bench/suite/suite.h"
#include "tests/spirv_of.h"

namespace lanewise::bench {
namespace {

struct Failure {
  std::string what;
};

void must(cl_int code, const char* what) {
  if (code != CL_SUCCESS) throw Failure{std::string(what) + " gave " + std::to_string(code)};
}

double processor_seconds() {
  timespec t = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec)) / cores();
}

const char* name_of(Limit limit) {
  switch (limit) {
    case Limit::kBandwidth:
      return "bandwidth";
    case Limit::kFloat:
      return "float";
    case Limit::kDouble:
      return "double";
    case Limit::kNone:
      break;
  }
  return "-";
}

std::string text_of(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  if (clGetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS) return {};
  std::string text(size, '\0');
  clGetDeviceInfo(device, what, size, text.data(), nullptr);
  return text;
}

/// Extents as commands want them: 1 where there is none. Those of a level are half of those of the one before.
std::array<std::size_t, 3> region_of(const Picture& picture, cl_uint level) {
  std::array<std::size_t, 3> region = picture.extent;
  for (std::size_t& extent : region) extent = std::max<std::size_t>(extent >> level, 1);
  return region;
}

cl_mem make_image(cl_context context, const Picture& picture, cl_int* code) {
  cl_image_desc desc = {};
  desc.image_type = picture.extent[2] != 0   ? CL_MEM_OBJECT_IMAGE3D
                    : picture.extent[1] != 0 ? CL_MEM_OBJECT_IMAGE2D
                                             : CL_MEM_OBJECT_IMAGE1D;
  desc.image_width = picture.extent[0];
  desc.image_height = picture.extent[1];
  desc.image_depth = picture.extent[2];
  desc.num_mip_levels = picture.levels > 1 ? picture.levels : 0;
  return clCreateImage(context, CL_MEM_READ_WRITE, &picture.format, &desc, nullptr, code);
}

/// All levels of an image, which `bytes` bytes at `data` are. Images with levels are two-dimensional.
cl_int transfer_image(cl_command_queue queue, cl_mem image, const Picture& picture, std::size_t bytes, void* data,
                      bool write) {
  std::size_t texels = 0;
  for (cl_uint level = 0; level < picture.levels; ++level) {
    const auto region = region_of(picture, level);
    texels += region[0] * region[1] * region[2];
  }
  auto* at = static_cast<unsigned char*>(data);
  for (cl_uint level = 0; level < picture.levels; ++level) {
    const auto region = region_of(picture, level);
    const std::size_t origin[3] = {0, 0, level};
    const cl_int code =
        write ? clEnqueueWriteImage(queue, image, CL_TRUE, origin, region.data(), 0, 0, at, 0, nullptr, nullptr)
              : clEnqueueReadImage(queue, image, CL_TRUE, origin, region.data(), 0, 0, at, 0, nullptr, nullptr);
    if (code != CL_SUCCESS) return code;
    at += region[0] * region[1] * region[2] * (bytes / texels);
  }
  return CL_SUCCESS;
}

}  // namespace

/// Context, queue and everything made in them; released together.
struct Run::Device {
  struct Launch {
    std::string name;
    Sizes sizes;
    std::vector<Argument> arguments;
    cl_kernel kernel = nullptr;
  };

  explicit Device(const std::string& platform) : session(platform), queue(session.queue(0)) {}
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() {
    for (Launch& l : launches)
      if (l.kernel != nullptr) clReleaseKernel(l.kernel);
    for (auto& [data, memory] : memories) clReleaseMemObject(memory);
    for (cl_sampler sampler : samplers) clReleaseSampler(sampler);
    if (program != nullptr) clReleaseProgram(program);
    clReleaseCommandQueue(queue);
  }

  /// @param compiler  Mode::spirv
  void build(const std::string& source, const std::string& options, const std::string& compiler) {
    cl_int code = CL_SUCCESS;
    if (compiler.empty()) {
      const char* text = source.c_str();
      program = clCreateProgramWithSource(session.context, 1, &text, nullptr, &code);
      must(code, "clCreateProgramWithSource");
    } else {
      const std::string module = test::spirv_of(compiler, source, options);
      program = clCreateProgramWithIL(session.context, module.data(), module.size(), &code);
      must(code, "clCreateProgramWithIL");
    }
    if (clBuildProgram(program, 1, &session.device, options.c_str(), nullptr, nullptr) == CL_SUCCESS) return;
    std::string log(4096, '\0');
    clGetProgramBuildInfo(program, session.device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    log.resize(std::min(log.find('\0'), log.size()));
    std::replace(log.begin(), log.end(), '\n', ' ');
    throw Failure{"build: " + log.substr(0, 300)};
  }

  cl_mem memory_of(const Argument& a) {
    cl_mem& memory = memories[a.data];
    if (memory != nullptr) return memory;
    cl_int code = CL_SUCCESS;
    memory = a.picture ? make_image(session.context, *a.picture, &code)
                       : clCreateBuffer(session.context, CL_MEM_READ_WRITE, a.bytes, nullptr, &code);
    must(code, a.picture ? "clCreateImage" : "clCreateBuffer");
    transfer(a, a.data, true);
    return memory;
  }

  /// What the argument is over, from or to `data`.
  void transfer(const Argument& a, void* data, bool write) {
    const cl_mem memory = memories[a.data];
    if (a.picture) {
      must(transfer_image(queue, memory, *a.picture, a.bytes, data, write), write ? "write" : "read");
    } else if (write) {
      must(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, a.bytes, data, 0, nullptr, nullptr), "write");
    } else {
      must(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, a.bytes, data, 0, nullptr, nullptr), "read");
    }
  }

  cl_sampler sampler_of(const Filter& filter) {
    cl_int code = CL_SUCCESS;
    samplers.push_back(clCreateSampler(session.context, filter.normalised ? CL_TRUE : CL_FALSE, filter.addressing,
                                       filter.mode, &code));
    must(code, "clCreateSampler");
    return samplers.back();
  }

  void prepare(Launch& l) {
    cl_int code = CL_SUCCESS;
    l.kernel = clCreateKernel(program, l.name.c_str(), &code);
    must(code, "clCreateKernel");
    for (cl_uint i = 0; i < l.arguments.size(); ++i) {
      const Argument& a = l.arguments[i];
      const void* value = a.value.data();
      std::size_t size = a.bytes;
      cl_mem memory = nullptr;
      cl_sampler sampler = nullptr;
      if (a.kind == Argument::Kind::kLocal) {
        value = nullptr;
      } else if (a.kind == Argument::Kind::kSampler) {
        sampler = sampler_of(*a.filter);
        value = &sampler;
      } else if (a.kind != Argument::Kind::kValue) {
        memory = memory_of(a);
        value = &memory;
        size = sizeof memory;
      }
      must(clSetKernelArg(l.kernel, i, size, value), "clSetKernelArg");
    }
  }

  void enqueue(int times) {
    for (int i = 0; i < times; ++i)
      for (const Launch& l : launches)
        must(clEnqueueNDRangeKernel(queue, l.kernel, static_cast<cl_uint>(l.sizes.global.size()),
                                    l.sizes.offset.empty() ? nullptr : l.sizes.offset.data(), l.sizes.global.data(),
                                    l.sizes.local.empty() ? nullptr : l.sizes.local.data(), 0, nullptr, nullptr),
             "clEnqueueNDRangeKernel");
    must(clFinish(queue), "clFinish");
  }

  [[nodiscard]] bool has_images() const {
    for (const Launch& l : launches)
      for (const Argument& a : l.arguments)
        if (a.picture) return true;
    return false;
  }

  void read_back() {
    std::set<void*> done;
    for (const Launch& l : launches)
      for (const Argument& a : l.arguments)
        if ((a.kind == Argument::Kind::kOutput || a.kind == Argument::Kind::kUpdated) && done.insert(a.data).second)
          transfer(a, a.data, false);
  }

  /// Whether the outputs are still those of the first launch. A later launch may have run other machine code.
  bool unchanged() {
    std::set<void*> updated, done;
    for (const Launch& l : launches)
      for (const Argument& a : l.arguments)
        if (a.kind == Argument::Kind::kUpdated) updated.insert(a.data);
    std::vector<unsigned char> now;
    for (const Launch& l : launches)
      for (const Argument& a : l.arguments) {
        if (a.kind != Argument::Kind::kOutput || updated.contains(a.data) || !done.insert(a.data).second) continue;
        now.resize(a.bytes);
        transfer(a, now.data(), false);
        if (std::memcmp(now.data(), a.data, a.bytes) != 0) return false;
      }
    return true;
  }

  Session session;
  cl_command_queue queue;
  cl_program program = nullptr;
  std::vector<Launch> launches;
  std::map<void*, cl_mem> memories;
  std::vector<cl_sampler> samplers;
};

Run::Run(const Mode& mode, std::string name) : mode_(mode), name_(std::move(name)) {
  if (!mode.plain) device_ = std::make_unique<Device>(mode.platform);
}
Run::~Run() = default;

bool Run::skip(const std::string& why) {
  outcome_ = "skipped " + why;
  return false;
}

void Run::fail(const std::string& what) {
  outcome_ = what;
  good_ = false;
}

bool Run::needs_extension(const char* name) {
  return mode_.plain || text_of(device_->session.device, CL_DEVICE_EXTENSIONS).find(name) != std::string::npos ||
         skip(std::string("no ") + name);
}

bool Run::needs_feature(const char* name) {
  if (mode_.plain) return true;
  const std::string bytes = text_of(device_->session.device, CL_DEVICE_OPENCL_C_FEATURES);
  std::vector<cl_name_version> features(bytes.size() / sizeof(cl_name_version));
  if (!features.empty()) std::memcpy(features.data(), bytes.data(), features.size() * sizeof features[0]);
  for (const cl_name_version& feature : features)
    if (std::strcmp(feature.name, name) == 0) return true;
  return skip(std::string("no ") + name);
}

bool Run::needs_non_uniform() {
  if (mode_.plain) return true;
  cl_bool has = CL_FALSE;
  clGetDeviceInfo(device_->session.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof has, &has, nullptr);
  return has != CL_FALSE || skip("no non-uniform work-groups");
}

void Run::source(const char* text, const char* options) {
  source_ = text;
  options_ = options;
}

void Run::add_launch(const char* kernel, Sizes sizes, std::vector<Argument> arguments) {
  if (device_) device_->launches.push_back({kernel, std::move(sizes), std::move(arguments), nullptr});
}

void Run::work(double amount, const char* unit, Limit limit) {
  amount_ = amount;
  unit_ = unit;
  limit_ = limit;
}

void Run::reference(const std::function<void()>& body) const {
  if (!mode_.plain) body();
}

void Run::plain(const std::function<void()>& body) {
  body();
  if (mode_.plain) measure(body);
}

/// A driver may compile a kernel again for the formats of its images or the size of its groups, while launches take all
/// processors: the repetitions alone would be over before that code is there, and their best would be chance.
void Run::warm_up() {
  const double begin = seconds_now();
  while (!mode_.quick && seconds_now() - begin < 6 * mode_.budget) device_->enqueue(repeat_);
}

/// The best of the repetitions that fit into the budget, at least three.
void Run::measure(const std::function<void()>& body) {
  const double begin = seconds_now();
  double best = 1e9;
  for (int i = 0; i < 3 || seconds_now() - begin < mode_.budget; ++i) {
    const auto now = mode_.cpu_time ? processor_seconds : seconds_now;
    const double start = now();
    body();
    best = std::min(best, now() - start);
    if (mode_.quick || seconds_now() - begin > 20 * mode_.budget) break;
  }
  seconds_ = best;
}

void Run::finish_line() {
  char line[200];
  std::snprintf(line, sizeof line, "ok %.9f %.6g %s %s", seconds_ / (mode_.plain ? 1 : repeat_), amount_, unit_.c_str(),
                name_of(limit_));
  outcome_ = line;
}

bool Run::go() {
  if (mode_.plain) {
    if (seconds_ > 0) finish_line();
    return false;
  }
  try {
    device_->build(source_, options_, mode_.spirv);
    for (auto& l : device_->launches) device_->prepare(l);
    device_->enqueue(1);
    device_->read_back();
    const auto calls = [&](const char* name) { return source_.find(name) != std::string::npos; };
    if (device_->has_images() || calls("barrier(") || calls("work_group_") || calls("atomic_")) warm_up();
    measure([&] { device_->enqueue(repeat_); });
    finish_line();
    if (!device_->unchanged()) fail("wrong: a later launch gave another result than the first");
    return true;
  } catch (const Failure& failure) {
    fail("failed " + failure.what);
    return false;
  }
}

void Run::report_wrong(std::size_t wrong, std::size_t first, double got, double want) {
  char line[200];
  std::snprintf(line, sizeof line, "wrong %zu elements; [%zu] is %.9g, not %.9g", wrong, first, got, want);
  fail(line);
}

}  // namespace lanewise::bench
