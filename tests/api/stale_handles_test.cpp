// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every function whose first argument is a handle, with handles that an application may pass by mistake: of an object
/// that it has released, of another driver's object, and of a live object of another kind. The result is the error of
/// the type (API 5.x: "... is not a valid ..."), and nothing behind the handle changes.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <new>
#include <thread>
#include <tuple>
#include <type_traits>

#include "include/lanewise/cl_compat.h"
#include "include/lanewise/command_buffer.h"
#include "tests/api/fixture.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

/// The part of another driver's object that may be read: the pointer to its dispatch table.
struct Foreign {
  const void* dispatch = "another driver";
};

template <class H>
constexpr cl_int error_of() {
  if constexpr (std::is_same_v<H, cl_platform_id>) return CL_INVALID_PLATFORM;
  if constexpr (std::is_same_v<H, cl_device_id>) return CL_INVALID_DEVICE;
  if constexpr (std::is_same_v<H, cl_context>) return CL_INVALID_CONTEXT;
  if constexpr (std::is_same_v<H, cl_command_queue>) return CL_INVALID_COMMAND_QUEUE;
  if constexpr (std::is_same_v<H, cl_mem>) return CL_INVALID_MEM_OBJECT;
  if constexpr (std::is_same_v<H, cl_sampler>) return CL_INVALID_SAMPLER;
  if constexpr (std::is_same_v<H, cl_program>) return CL_INVALID_PROGRAM;
  if constexpr (std::is_same_v<H, cl_kernel>) return CL_INVALID_KERNEL;
  if constexpr (std::is_same_v<H, cl_event>) return CL_INVALID_EVENT;
  if constexpr (std::is_same_v<H, cl_command_buffer_khr>) return CL_INVALID_COMMAND_BUFFER_KHR;
  if constexpr (std::is_same_v<H, cl_mutable_command_khr>) return CL_INVALID_MUTABLE_COMMAND_KHR;
  if constexpr (std::is_same_v<H, cl_semaphore_khr>) return CL_INVALID_SEMAPHORE_KHR;
  return CL_SUCCESS;  // no handle
}

class StaleHandles : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    queue_ = queue();
    live_ = buffer(64);  // before the others are released, whose memory is used again
    cl_int code = 1;
    const char* source = "kernel void f() {}";
    std::get<cl_context>(stale_) = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code);
    std::get<cl_command_queue>(stale_) = clCreateCommandQueueWithProperties(context_.get(), device_, nullptr, &code);
    std::get<cl_mem>(stale_) = clCreateBuffer(context_.get(), 0, 64, nullptr, &code);
    std::get<cl_event>(stale_) = clCreateUserEvent(context_.get(), &code);
    std::get<cl_program>(stale_) = clCreateProgramWithSource(context_.get(), 1, &source, nullptr, &code);
    ASSERT_EQ(clBuildProgram(std::get<cl_program>(stale_), 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
    std::get<cl_kernel>(stale_) = clCreateKernel(std::get<cl_program>(stale_), "f", &code);
    ASSERT_EQ(code, CL_SUCCESS);
    const cl_device_partition_property by_one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    std::vector<cl_device_id> parts(256);
    cl_uint count = 0;
    // A device of one compute unit has no parts; then this handle stays null.
    if (clCreateSubDevices(device_, by_one, 256, parts.data(), &count) == CL_SUCCESS) {
      std::get<cl_device_id>(stale_) = parts[0];
      for (cl_uint i = 0; i < count; ++i) EXPECT_EQ(clReleaseDevice(parts[i]), CL_SUCCESS);
    }
    make_extension_objects();
    EXPECT_EQ(clReleaseKernel(std::get<cl_kernel>(stale_)), CL_SUCCESS);
    EXPECT_EQ(clReleaseProgram(std::get<cl_program>(stale_)), CL_SUCCESS);
    EXPECT_EQ(clReleaseEvent(std::get<cl_event>(stale_)), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(std::get<cl_mem>(stale_)), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(std::get<cl_command_queue>(stale_)), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(std::get<cl_context>(stale_)), CL_SUCCESS);
  }

  /// Objects of extensions, released again.
  void make_extension_objects() {
#define LANEWISE_FOUND(space, name) \
  reinterpret_cast<decltype(&space::name)>(clGetExtensionFunctionAddressForPlatform(platform_, #name))
    cl_int code = 1;
    cl_command_queue queue = queue_.get();
    auto& buffer = std::get<cl_command_buffer_khr>(stale_);
    buffer = LANEWISE_FOUND(api, clCreateCommandBufferKHR)(1, &queue, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    const size_t one = 1;
    ASSERT_EQ(LANEWISE_FOUND(api, clCommandNDRangeKernelKHR)(buffer, nullptr, nullptr, std::get<cl_kernel>(stale_), 1,
                                                             nullptr, &one, nullptr, 0, nullptr, nullptr,
                                                             &std::get<cl_mutable_command_khr>(stale_)),
              CL_SUCCESS);
    EXPECT_EQ(LANEWISE_FOUND(api, clReleaseCommandBufferKHR)(buffer), CL_SUCCESS);
    const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    auto& semaphore = std::get<cl_semaphore_khr>(stale_);
    semaphore = LANEWISE_FOUND(, clCreateSemaphoreWithPropertiesKHR)(context_.get(), binary, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(LANEWISE_FOUND(, clReleaseSemaphoreKHR)(semaphore), CL_SUCCESS);
#undef LANEWISE_FOUND
  }

  template <class Return, class First, class... Rest>
  void refuse(const char* name, Return(CL_API_CALL* function)(First, Rest...)) {
    if constexpr (error_of<First>() != CL_SUCCESS) {
      SCOPED_TRACE(name);
      if (const First stale = std::get<First>(stale_); stale != nullptr) expect_error(function, stale, "released");
      expect_error(function, reinterpret_cast<First>(&foreign_), "of another driver");
      void* const other =
          std::is_same_v<First, cl_context> ? static_cast<void*>(device_) : static_cast<void*>(context_.get());
      expect_error(function, static_cast<First>(other), "of another kind");
      ++functions_;
    }
  }
  template <class Return>
  void refuse(const char*, Return(CL_API_CALL*)()) {}

  std::tuple<cl_platform_id, cl_device_id, cl_context, cl_command_queue, cl_mem, cl_sampler, cl_program, cl_kernel,
             cl_event, cl_command_buffer_khr, cl_mutable_command_khr, cl_semaphore_khr>
      stale_{};
  QueuePtr queue_;
  MemPtr live_;
  Foreign foreign_;
  int functions_ = 0;

 private:
  template <class Return, class First, class... Rest>
  static void expect_error(Return(CL_API_CALL* function)(First, Rest...), First handle, const char* what) {
    std::tuple<First, Rest...> arguments{handle, Rest{}...};
    if constexpr (std::is_same_v<Return, cl_int>) {
      EXPECT_EQ(std::apply(function, arguments), error_of<First>()) << what;
    } else if constexpr (std::is_pointer_v<Return>) {
      cl_int code = CL_SUCCESS;
      constexpr bool kTells = std::is_same_v<std::tuple_element_t<sizeof...(Rest), decltype(arguments)>, cl_int*>;
      if constexpr (kTells) std::get<sizeof...(Rest)>(arguments) = &code;
      EXPECT_EQ(std::apply(function, arguments), nullptr) << what;
      if constexpr (kTells) {
        EXPECT_EQ(code, error_of<First>()) << what;
      }
    } else {
      std::apply(function, arguments);
    }
  }
};

TEST_F(StaleHandles, FirstArgumentOfEveryFunction) {
#define ENTRY(name, since) refuse(#name, &::name);
#include "icd/entry_points.def"
  EXPECT_GT(functions_, 90);
}

TEST_F(StaleHandles, FirstArgumentOfEveryExtensionFunction) {
  const std::string reported = device_text(device_, CL_DEVICE_EXTENSIONS) + ' ';
#define EXTENSION(name, extension, function)                                                            \
  if (void* address = clGetExtensionFunctionAddressForPlatform(platform_, #name); address != nullptr) { \
    refuse(#name, reinterpret_cast<decltype(&::function)>(address));                                    \
  } else {                                                                                              \
    EXPECT_EQ(reported.find(#extension " "), std::string::npos) << #name;                               \
  }
#include "icd/entry_points.def"
  EXPECT_GT(functions_, 10);
}

TEST_F(StaleHandles, ArgumentsOfCommands) {
  const cl_mem memory = std::get<cl_mem>(stale_);
  const cl_event event = std::get<cl_event>(stale_);
  const cl_kernel kernel = std::get<cl_kernel>(stale_);
  cl_command_queue queue = queue_.get();
  char bytes[64] = {};
  const std::size_t one[3] = {1, 1, 1};
  const std::size_t zero[3] = {0, 0, 0};
  EXPECT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 1, bytes, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 1, bytes, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, memory, live_.get(), 0, 0, 1, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, live_.get(), memory, 0, 0, 1, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillBuffer(queue, memory, bytes, 1, 0, 1, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueReadBufferRect(queue, memory, CL_TRUE, zero, zero, one, 0, 0, 0, 0, bytes, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBufferRect(queue, live_.get(), memory, zero, zero, one, 0, 0, 0, 0, 0, nullptr, nullptr),
            CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, memory, bytes, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueMigrateMemObjects(queue, 1, &memory, 0, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  cl_int code = 0;
  EXPECT_EQ(clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, 1, 0, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, one, nullptr, 0, nullptr, nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(clEnqueueTask(queue, kernel, 0, nullptr, nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(clEnqueueMarkerWithWaitList(queue, 1, &event, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueBarrierWithWaitList(queue, 1, &event, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueWaitForEvents(queue, 1, &event), CL_INVALID_EVENT);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_INVALID_EVENT);
}

TEST_F(StaleHandles, ArgumentsOfKernels) {
  const ProgramPtr program = built("kernel void g(global int* p) { *p = 1; }");
  const KernelPtr g = kernel(program, "g");
  // Nothing but the first word of another driver's object may be read, so it lies at the end of the readable memory.
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(static_cast<char*>(pages) + page, page, PROT_NONE), 0);
  auto* const foreign = new (static_cast<char*>(pages) + page - sizeof(Foreign)) Foreign;
  for (void* handle : {static_cast<void*>(std::get<cl_mem>(stale_)), static_cast<void*>(foreign)})
    EXPECT_EQ(clSetKernelArg(g.get(), 0, sizeof handle, &handle), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clRetainMemObject(reinterpret_cast<cl_mem>(foreign)), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(munmap(pages, 2 * page), 0);
}

TEST_F(StaleHandles, ArgumentsOfCreators) {
  cl_int code = 0;
  const cl_device_id device = reinterpret_cast<cl_device_id>(&foreign_);
  EXPECT_EQ(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_DEVICE);
  EXPECT_EQ(clCreateCommandQueue(context_.get(), device, 0, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_DEVICE);
  EXPECT_EQ(clCreateCommandQueueWithProperties(context_.get(), device, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_DEVICE);
  const cl_context_properties platform[] = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(&foreign_), 0};
  EXPECT_EQ(clCreateContext(platform, 1, &device_, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PLATFORM);
  const cl_program program = std::get<cl_program>(stale_);
  EXPECT_EQ(clLinkProgram(context_.get(), 0, nullptr, nullptr, 1, &program, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_PROGRAM);
}

/// An object that only the driver still holds no longer belongs to the application.
TEST_F(StaleHandles, ReleasedTwiceWhileTheDriverHoldsIt) {
  cl_int code = 0;
  cl_event gate = clCreateUserEvent(context_.get(), &code);
  cl_mem buffer = clCreateBuffer(context_.get(), 0, 64, nullptr, &code);
  cl_event event = nullptr;
  const char byte = 1;
  ASSERT_EQ(clEnqueueFillBuffer(queue_.get(), buffer, &byte, 1, 0, 64, 1, &gate, &event), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(buffer), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(buffer), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_.get()), CL_SUCCESS);
}

/// An event that nothing but its callback still holds may be retained by that callback.
TEST_F(StaleHandles, EventIsRetainedInItsCallback) {
  cl_int code = 0;
  cl_event gate = clCreateUserEvent(context_.get(), &code);
  cl_event event = nullptr;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(queue_.get(), 1, &gate, &event), CL_SUCCESS);
  std::atomic<cl_event> kept{nullptr};
  ASSERT_EQ(clSetEventCallback(
                event, CL_COMPLETE,
                [](cl_event e, cl_int, void* out) {
                  EXPECT_EQ(clRetainEvent(e), CL_SUCCESS);
                  *static_cast<std::atomic<cl_event>*>(out) = e;
                },
                &kept),
            CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  while (kept == nullptr) std::this_thread::yield();
  for (int i = 0; i < 100; ++i) {  // if it was freed, other events use its memory
    cl_event other = clCreateUserEvent(context_.get(), &code);
    EXPECT_EQ(clReleaseEvent(other), CL_SUCCESS);
  }
  cl_int status = 1;
  EXPECT_EQ(clGetEventInfo(kept, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), CL_SUCCESS);
  EXPECT_EQ(status, CL_COMPLETE);
  EXPECT_EQ(clReleaseEvent(kept), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
