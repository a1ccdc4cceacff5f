// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Images in memory that others provide by a file descriptor (cl_khr_external_memory_opaque_fd).
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "include/lanewise/cl_compat.h"
#include "include/lanewise/external_memory.h"
#include "tests/api/images/kernel_fixture.h"

namespace lanewise::test {
namespace {

constexpr cl_image_format kBytes{CL_RGBA, CL_UNSIGNED_INT8};
constexpr cl_mem_properties kFd = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR;

class ExternalImages : public WithImageKernels {
 protected:
  static int shared_memory(std::size_t size) {
    const int fd = memfd_create("external-image-test", MFD_CLOEXEC);
    EXPECT_GE(fd, 0);
    EXPECT_EQ(ftruncate(fd, static_cast<off_t>(size)), 0);
    return fd;
  }
  static cl_image_desc plane(std::size_t row_pitch) {
    cl_image_desc desc = described(CL_MEM_OBJECT_IMAGE2D);
    desc.image_row_pitch = row_pitch;
    return desc;
  }
  Mem imported(int fd, const cl_image_desc& desc, cl_int expected = CL_SUCCESS, cl_mem_flags flags = CL_MEM_READ_WRITE,
               void* host = nullptr) const {
    return with({kFd, static_cast<cl_mem_properties>(fd), 0}, desc, expected, flags, host);
  }
  Mem with(std::initializer_list<cl_mem_properties> list, const cl_image_desc& desc, cl_int expected,
           cl_mem_flags flags = CL_MEM_READ_WRITE, void* host = nullptr) const {
    cl_int code = 1;
    Mem made(clCreateImageWithProperties(context, list.begin(), flags, &kBytes, &desc, host, &code));
    EXPECT_EQ(code, expected);
    EXPECT_EQ(made != nullptr, expected == CL_SUCCESS);
    return made;
  }
};

/// Rows with padding between them: a kernel sees what the owner wrote, and the owner what the kernel writes.
TEST_F(ExternalImages, ExplicitLayout) {
  constexpr std::size_t kRow = 37 * 4 + 44;
  constexpr std::size_t kSize = kRow * 11;
  const int fd = shared_memory(kSize);
  auto* own = static_cast<unsigned char*>(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  ASSERT_NE(own, MAP_FAILED);
  for (std::size_t i = 0; i < kSize; ++i) own[i] = static_cast<unsigned char>(i * 7);
  const Bytes before(own, own + kSize);
  {
    const Mem image = imported(fd, plane(kRow));
    EXPECT_EQ(fcntl(fd, F_GETFD), -1) << "the descriptor belongs to the driver";
    EXPECT_EQ(image_value<std::size_t>(image.get(), CL_IMAGE_ROW_PITCH), kRow);
    const auto program = build(
        "kernel void flip(read_only image2d_t from, write_only image2d_t to) {\n"
        "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
        "  write_imageui(to, at, read_imageui(from, at) ^ 1);\n"
        "}\n");
    const auto flip = kernel(program, "flip");
    const cl_mem handle = image.get();
    const auto acquire = reinterpret_cast<clEnqueueAcquireExternalMemObjectsKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(first_platform(), "clEnqueueAcquireExternalMemObjectsKHR"));
    const auto release = reinterpret_cast<clEnqueueReleaseExternalMemObjectsKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(first_platform(), "clEnqueueReleaseExternalMemObjectsKHR"));
    ASSERT_EQ(acquire(queue, 1, &handle, 0, nullptr, nullptr), CL_SUCCESS);
    set(flip, handle, handle);
    run(flip, 37, 11);
    ASSERT_EQ(release(queue, 1, &handle, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  }
  for (std::size_t y = 0; y < 11; ++y)
    for (std::size_t x = 0; x < kRow; ++x) {
      const unsigned char expected = before[y * kRow + x] ^ (x < 37 * 4 ? 1 : 0);
      ASSERT_EQ(own[y * kRow + x], expected) << x << ' ' << y;
    }
  munmap(own, kSize);
}

TEST_F(ExternalImages, EveryTypeIsLinear) {
  for (const cl_mem_object_type type : kImageTypes) {
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) continue;
    const Triple extent = extent_of(type);
    Model model(extent, 4, type);
    const int fd = shared_memory(model.bytes.size());
    ASSERT_EQ(pwrite(fd, model.bytes.data(), model.bytes.size(), 0), static_cast<ssize_t>(model.bytes.size()));
    const Mem image = imported(dup(fd), described(type));
    const Part part = middle_of(extent);
    EXPECT_EQ(read(image.get(), part, 4), model.cut(part));
    const Bytes other = some_bytes(part.region[0] * part.region[1] * part.region[2] * 4, 99);
    write(image.get(), part, other);
    model.paste(part, other);
    Bytes now(model.bytes.size());
    ASSERT_EQ(pread(fd, now.data(), now.size(), 0), static_cast<ssize_t>(now.size()));
    EXPECT_EQ(now, model.bytes);
    close(fd);
  }
}

TEST_F(ExternalImages, LinearIsReported) {
  cl_external_memory_handle_type_khr type = 0;
  std::size_t size = 0;
  EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR, sizeof type,
                            &type, &size),
            CL_SUCCESS);
  EXPECT_EQ(size, sizeof type);
  EXPECT_EQ(type, cl_external_memory_handle_type_khr{CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR});
}

TEST_F(ExternalImages, Errors) {
  constexpr std::size_t kSize = 37 * 4 * 11;
  const int fd = shared_memory(kSize);
  const auto descriptor = static_cast<cl_mem_properties>(fd);
  Bytes host(kSize);
  imported(fd, plane(37 * 4 - 4), CL_INVALID_IMAGE_DESCRIPTOR);
  imported(fd, plane(37 * 4 + 1), CL_INVALID_IMAGE_DESCRIPTOR);
  imported(fd, plane(38 * 4), CL_INVALID_IMAGE_SIZE);
  imported(fd, plane(0), CL_INVALID_VALUE, CL_MEM_USE_HOST_PTR, host.data());
  imported(fd, plane(0), CL_INVALID_VALUE, CL_MEM_ALLOC_HOST_PTR);
  imported(fd, plane(0), CL_INVALID_HOST_PTR, CL_MEM_READ_WRITE, host.data());
  imported(9999, plane(0), CL_INVALID_PROPERTY);
  cl_image_desc desc = plane(0);
  desc.num_mip_levels = 2;
  imported(fd, desc, CL_INVALID_IMAGE_DESCRIPTOR);
  const Mem memory = buffer(65536);
  desc = plane(0);
  desc.mem_object = memory.get();
  imported(fd, desc, CL_INVALID_IMAGE_DESCRIPTOR);
  with({kFd, descriptor, kFd, descriptor, 0}, plane(0), CL_INVALID_PROPERTY);
  with({CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0}, plane(0), CL_INVALID_PROPERTY);
  with({kFd, descriptor, CL_MEM_DEVICE_HANDLE_LIST_KHR, 0, 0}, plane(0), CL_INVALID_DEVICE);
  EXPECT_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC) << "a call that fails takes nothing";
  close(fd);
}

}  // namespace
}  // namespace lanewise::test
