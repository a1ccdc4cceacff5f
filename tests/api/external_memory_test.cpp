// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_external_memory with file descriptors of shared memory: between contexts, and between processes.
#include "include/lanewise/external_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

class ExternalMemory : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    acquire_ = reinterpret_cast<clEnqueueAcquireExternalMemObjectsKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(platform_, "clEnqueueAcquireExternalMemObjectsKHR"));
    release_ = reinterpret_cast<clEnqueueReleaseExternalMemObjectsKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(platform_, "clEnqueueReleaseExternalMemObjectsKHR"));
    ASSERT_NE(acquire_, nullptr);
    ASSERT_NE(release_, nullptr);
  }

  static int shared_memory(size_t size) {
    const int fd = memfd_create("external-memory-test", MFD_CLOEXEC);
    EXPECT_GE(fd, 0);
    EXPECT_EQ(ftruncate(fd, static_cast<off_t>(size)), 0);
    return fd;
  }
  /// Imports a descriptor, which belongs to the driver then.
  MemPtr imported(cl_context context, int fd, size_t size, cl_int expected = CL_SUCCESS,
                  cl_mem_flags flags = CL_MEM_READ_WRITE, void* host_ptr = nullptr) const {
    const cl_mem_properties list[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, static_cast<cl_mem_properties>(fd), 0};
    return create(context, list, size, expected, flags, host_ptr);
  }
  MemPtr create(cl_context context, const cl_mem_properties* list, size_t size, cl_int expected,
                cl_mem_flags flags = CL_MEM_READ_WRITE, void* host_ptr = nullptr) const {
    cl_int code = 1;
    MemPtr made(clCreateBufferWithProperties(context, list, flags, size, host_ptr, &code));
    EXPECT_EQ(code, expected);
    EXPECT_EQ(made != nullptr, expected == CL_SUCCESS);
    return made;
  }

  clEnqueueAcquireExternalMemObjectsKHR_fn acquire_ = nullptr;
  clEnqueueReleaseExternalMemObjectsKHR_fn release_ = nullptr;
};

TEST_F(ExternalMemory, KernelsAndTheOwnerSeeTheSameBytes) {
  constexpr size_t kItems = 5000;
  const int fd = shared_memory(kItems * sizeof(cl_int));
  auto* own = static_cast<cl_int*>(mmap(nullptr, kItems * sizeof(cl_int), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  ASSERT_NE(own, MAP_FAILED);
  for (size_t i = 0; i < kItems; ++i) own[i] = static_cast<cl_int>(i);
  {
    const auto program = built("kernel void twice(global int* a) { a[get_global_id(0)] *= 2; }");
    const auto memory = imported(context_.get(), fd, kItems * sizeof(cl_int));
    const auto twice = kernel(program, "twice");
    cl_mem handle = memory.get();
    ASSERT_EQ(clSetKernelArg(twice.get(), 0, sizeof handle, &handle), CL_SUCCESS);
    const auto on = queue();
    cl_event event = nullptr;
    ASSERT_EQ(acquire_(on.get(), 1, &handle, 0, nullptr, &event), CL_SUCCESS);
    cl_command_type type = 0;
    EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
    EXPECT_EQ(type, cl_command_type{CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR});
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    ASSERT_EQ(clEnqueueNDRangeKernel(on.get(), twice.get(), 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(release_(on.get(), 1, &handle, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clFinish(on.get()), CL_SUCCESS);
    EXPECT_EQ(fcntl(fd, F_GETFD), -1) << "the descriptor belongs to the driver";
    for (size_t i = 0; i < kItems; ++i) ASSERT_EQ(own[i], static_cast<cl_int>(2 * i));
    own[0] = 77;
    EXPECT_EQ(read<cl_int>(memory, 1)[0], 77);
  }
  EXPECT_EQ(own[0], 77) << "what outlives the buffer";
  munmap(own, kItems * sizeof(cl_int));
}

/// Another process writes, and ends before the buffer does.
TEST_F(ExternalMemory, BetweenProcesses) {
  const int fd = shared_memory(4096);
  const auto memory = imported(context_.get(), dup(fd), 4096);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    void* theirs = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (theirs == MAP_FAILED) _exit(1);
    std::memset(theirs, 5, 4096);
    _exit(0);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(read<unsigned char>(memory, 4096), std::vector<unsigned char>(4096, 5));
  close(fd);
}

TEST_F(ExternalMemory, InTwoContexts) {
  const auto other = new_context();
  const int fd = shared_memory(64);
  const auto here = imported(context_.get(), dup(fd), 64);
  const auto there = imported(other.get(), fd, 64);
  cl_int code = 1;
  const QueuePtr on(clCreateCommandQueue(other.get(), device_, 0, &code));
  const cl_int value = 42;
  ASSERT_EQ(clEnqueueWriteBuffer(on.get(), there.get(), CL_TRUE, 8, 4, &value, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(here, 4)[2], 42);
}

TEST_F(ExternalMemory, Queries) {
  cl_external_memory_handle_type_khr type = 0;
  size_t size = 0;
  EXPECT_EQ(clGetDeviceInfo(device_, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, sizeof type, &type, &size),
            CL_SUCCESS);
  EXPECT_EQ(size, sizeof type);
  EXPECT_EQ(type, cl_external_memory_handle_type_khr{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR});
  EXPECT_EQ(
      clGetPlatformInfo(platform_, CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, sizeof type, &type, &size),
      CL_SUCCESS);
  EXPECT_EQ(type, cl_external_memory_handle_type_khr{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR});
  const int fd = shared_memory(64);
  const cl_mem_properties list[] = {
      CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,      static_cast<cl_mem_properties>(fd), CL_MEM_DEVICE_HANDLE_LIST_KHR,
      reinterpret_cast<cl_mem_properties>(device_), CL_MEM_DEVICE_HANDLE_LIST_END_KHR,  0};
  const auto memory = create(context_.get(), list, 64, CL_SUCCESS);
  cl_mem_properties shown[6] = {};
  EXPECT_EQ(clGetMemObjectInfo(memory.get(), CL_MEM_PROPERTIES, sizeof shown, shown, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof list);
  EXPECT_EQ(std::memcmp(shown, list, sizeof list), 0);
}

TEST_F(ExternalMemory, ImportErrors) {
  const auto device = reinterpret_cast<cl_mem_properties>(device_);
  const int fd = shared_memory(64);
  const auto descriptor = static_cast<cl_mem_properties>(fd);
  constexpr cl_mem_properties kFd = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR;
  constexpr cl_mem_properties kDevices = CL_MEM_DEVICE_HANDLE_LIST_KHR;
  char bytes[64] = {};
  imported(context_.get(), 9999, 64, CL_INVALID_PROPERTY);
  imported(context_.get(), fd, 65536, CL_INVALID_BUFFER_SIZE);
  imported(context_.get(), fd, 0, CL_INVALID_BUFFER_SIZE);
  imported(context_.get(), fd, 64, CL_INVALID_VALUE, CL_MEM_USE_HOST_PTR, bytes);
  imported(context_.get(), fd, 64, CL_INVALID_VALUE, CL_MEM_ALLOC_HOST_PTR);
  imported(context_.get(), fd, 64, CL_INVALID_VALUE, CL_MEM_COPY_HOST_PTR, bytes);
  imported(context_.get(), fd, 64, CL_INVALID_HOST_PTR, CL_MEM_READ_WRITE, bytes);
  const auto refused = [&](std::initializer_list<cl_mem_properties> list, cl_int code) {
    create(context_.get(), list.begin(), 64, code);
  };
  refused({kFd, descriptor, kFd, descriptor, 0}, CL_INVALID_PROPERTY);
  refused({kFd, ~cl_mem_properties{0}, 0}, CL_INVALID_PROPERTY);
  refused({kDevices, device, 0, 0}, CL_INVALID_PROPERTY);
  refused({kFd, descriptor, kDevices, 0, 0}, CL_INVALID_DEVICE);
  refused({kFd, descriptor, kDevices, reinterpret_cast<cl_mem_properties>(context_.get()), 0, 0}, CL_INVALID_DEVICE);
  refused({kFd, descriptor, 12345, 1, 0}, CL_INVALID_PROPERTY);
  // Descriptors that cannot be mapped for writing.
  int ends[2] = {};
  ASSERT_EQ(pipe(ends), 0);
  imported(context_.get(), ends[0], 64, CL_INVALID_PROPERTY);
  const int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  imported(context_.get(), folder, 64, CL_INVALID_PROPERTY);
  const int read_only = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  imported(context_.get(), read_only, 64, CL_INVALID_PROPERTY);
  for (const int each : {ends[0], ends[1], folder, read_only}) close(each);
  EXPECT_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC) << "a call that fails takes nothing";
  close(fd);
}

TEST_F(ExternalMemory, CommandErrors) {
  const auto memory = imported(context_.get(), shared_memory(64), 64);
  const auto plain = buffer(64);
  const auto on = queue();
  const auto other = new_context();
  cl_int code = 1;
  const QueuePtr foreign(clCreateCommandQueue(other.get(), device_, 0, &code));
  cl_event failed = clCreateUserEvent(context_.get(), &code);
  ASSERT_EQ(clSetUserEventStatus(failed, -1), CL_SUCCESS);
  cl_mem handle = memory.get();
  cl_mem own = plain.get();
  for (const auto function : {acquire_, release_}) {
    EXPECT_EQ(function(nullptr, 1, &handle, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(function(on.get(), 0, &handle, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(function(on.get(), 1, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(function(on.get(), 0, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(function(on.get(), 1, &own, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(function(foreign.get(), 1, &handle, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(function(on.get(), 1, &handle, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(function(on.get(), 1, &handle, 1, &failed, nullptr), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  EXPECT_EQ(clReleaseEvent(failed), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
