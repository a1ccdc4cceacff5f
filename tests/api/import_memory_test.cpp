// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_arm_import_memory: memory of the application as buffers, which all commands take.
#include <CL/cl_ext.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "include/lanewise/cl_compat.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

using Bytes = std::vector<unsigned char>;
using Properties = std::vector<cl_import_properties_arm>;

class ImportMemory : public ProgramFixture {
 protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    import_ = reinterpret_cast<clImportMemoryARM_fn>(
        clGetExtensionFunctionAddressForPlatform(platform_, "clImportMemoryARM"));
    if (import_ == nullptr) GTEST_SKIP() << "Linux before 5.14";
    page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    on_ = queue();
  }
  MemPtr imported(void* memory, size_t size, cl_mem_flags flags = CL_MEM_READ_WRITE,
                  const cl_import_properties_arm* properties = nullptr) const {
    cl_int code = 1;
    MemPtr made(import_(context_.get(), flags, properties, memory, size, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    EXPECT_NE(made, nullptr);
    return made;
  }
  void refused(cl_int expected, void* memory, size_t size, cl_mem_flags flags = CL_MEM_READ_WRITE,
               const Properties& properties = {0}) const {
    cl_int code = 1;
    const MemPtr made(import_(context_.get(), flags, properties.data(), memory, size, &code));
    EXPECT_EQ(code, expected);
    EXPECT_EQ(made, nullptr);
    const MemPtr again(import_(context_.get(), flags, properties.data(), memory, size, nullptr));
    EXPECT_EQ(again, nullptr);
  }
  template <class T>
  [[nodiscard]] T info(const MemPtr& memory, cl_mem_info what) const {
    T value{};
    size_t size = 0;
    EXPECT_EQ(clGetMemObjectInfo(memory.get(), what, sizeof value, &value, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof value);
    return value;
  }
  /// a[i] = 3 * a[i] + 1 for `items` numbers.
  void run_kernel(const MemPtr& memory, size_t items) const {
    const auto k =
        kernel(built("kernel void k(global int* a) { size_t i = get_global_id(0); a[i] = 3 * a[i] + 1; }"), "k");
    cl_mem handle = memory.get();
    ASSERT_EQ(clSetKernelArg(k.get(), 0, sizeof handle, &handle), CL_SUCCESS);
    run(k, items);
  }
  [[nodiscard]] unsigned char* map_pages(size_t count, int access = PROT_READ | PROT_WRITE) const {
    void* made = mmap(nullptr, count * page_, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(made, MAP_FAILED);
    return static_cast<unsigned char*>(made);
  }

  clImportMemoryARM_fn import_ = nullptr;
  size_t page_ = 0;
  QueuePtr on_;
};

TEST_F(ImportMemory, HostMemoryIsTheOnlyTypeThatIsReported) {
  size_t size = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &size), CL_SUCCESS);
  std::vector<cl_name_version> rows(size / sizeof(cl_name_version));
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS_WITH_VERSION, size, rows.data(), nullptr), CL_SUCCESS);
  std::vector<std::pair<std::string, cl_version>> found;
  for (const auto& row : rows)
    if (std::string(row.name).starts_with("cl_arm_import")) found.emplace_back(row.name, row.version);
  const std::vector<std::pair<std::string, cl_version>> expected{
      {"cl_arm_import_memory", CL_MAKE_VERSION(1, 1, 0)}, {"cl_arm_import_memory_host", CL_MAKE_VERSION(1, 0, 0)}};
  EXPECT_EQ(found, expected);
}

/// Memory that begins in the middle of a page, aligned for its type only.
TEST_F(ImportMemory, KernelsWriteTheApplicationsOwnMemory) {
  constexpr size_t kItems = 5000;
  std::vector<cl_int> own(kItems + 3);
  std::iota(own.begin(), own.end(), 0);
  const cl_import_properties_arm named[] = {CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM, 0};
  for (const cl_import_properties_arm* properties : {static_cast<const cl_import_properties_arm*>(nullptr), named}) {
    const std::vector<cl_int> before = own;
    run_kernel(imported(own.data() + 1, kItems * sizeof(cl_int), 0, properties), kItems);
    for (size_t i = 0; i < own.size(); ++i)
      ASSERT_EQ(own[i], i == 0 || i > kItems ? before[i] : 3 * before[i] + 1) << i;
  }
}

TEST_F(ImportMemory, Queries) {
  std::vector<cl_int> own(64);
  const auto memory = imported(own.data(), 256, CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_USE_HOST_PTR);
  EXPECT_EQ(info<cl_mem_object_type>(memory, CL_MEM_TYPE), cl_mem_object_type{CL_MEM_OBJECT_BUFFER});
  EXPECT_EQ(info<size_t>(memory, CL_MEM_SIZE), 256U);
  EXPECT_EQ(info<cl_mem_flags>(memory, CL_MEM_FLAGS), cl_mem_flags{CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY})
      << "CL_MEM_USE_HOST_PTR has no effect";
  EXPECT_EQ(info<void*>(memory, CL_MEM_HOST_PTR), nullptr);
  EXPECT_EQ(info<cl_context>(memory, CL_MEM_CONTEXT), context_.get());
  EXPECT_EQ(info<cl_bool>(memory, CL_MEM_USES_SVM_POINTER), cl_bool{CL_FALSE});
  EXPECT_EQ(info<cl_mem_flags>(imported(own.data(), 4, 0), CL_MEM_FLAGS), cl_mem_flags{CL_MEM_READ_WRITE});
}

TEST_F(ImportMemory, Transfers) {
  Bytes own(512, 1);
  const auto memory = imported(own.data(), own.size());
  const Bytes written(64, 9);
  ASSERT_EQ(clEnqueueWriteBuffer(on_.get(), memory.get(), CL_TRUE, 32, 64, written.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(Bytes(own.begin() + 32, own.begin() + 96), written);
  own[100] = 77;
  EXPECT_EQ(read<unsigned char>(memory, 512)[100], 77);
  const unsigned char pattern = 5;
  ASSERT_EQ(clEnqueueFillBuffer(on_.get(), memory.get(), &pattern, 1, 128, 64, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clEnqueueCopyBuffer(on_.get(), memory.get(), memory.get(), 128, 256, 64, 0, nullptr, nullptr), CL_SUCCESS);
  const size_t from[] = {0, 0, 0}, to[] = {0, 20, 0}, region[] = {8, 4, 1};
  ASSERT_EQ(clEnqueueCopyBufferRect(on_.get(), memory.get(), memory.get(), from, to, region, 16, 0, 16, 0, 0, nullptr,
                                    nullptr),
            CL_SUCCESS);
  ASSERT_EQ(clFinish(on_.get()), CL_SUCCESS);
  EXPECT_EQ(Bytes(own.begin() + 256, own.begin() + 320), Bytes(64, 5));
  for (size_t y = 0; y < 4; ++y)
    for (size_t x = 0; x < 8; ++x) ASSERT_EQ(own[(20 + y) * 16 + x], own[y * 16 + x]);
}

TEST_F(ImportMemory, MapsAreTheMemoryItself) {
  std::vector<cl_int> own(64, 4);
  const auto memory = imported(own.data(), 256);
  cl_int code = 1;
  auto* mapped = static_cast<cl_int*>(clEnqueueMapBuffer(on_.get(), memory.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                                         16, 64, 0, nullptr, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(mapped, own.data() + 4);
  EXPECT_EQ(info<cl_uint>(memory, CL_MEM_MAP_COUNT), 1U);
  EXPECT_EQ(clEnqueueUnmapMemObject(on_.get(), memory.get(), mapped, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(on_.get()), CL_SUCCESS);
  EXPECT_EQ(info<cl_uint>(memory, CL_MEM_MAP_COUNT), 0U);
}

TEST_F(ImportMemory, SubBuffers) {
  std::vector<cl_int> own(512, 2);
  auto whole = imported(own.data(), 2048);
  const cl_buffer_region region{1024, 512};
  cl_int code = 1;
  const MemPtr part(clCreateSubBuffer(whole.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  whole.reset();
  run_kernel(part, 128);
  for (size_t i = 0; i < own.size(); ++i) ASSERT_EQ(own[i], i >= 256 && i < 384 ? 7 : 2) << i;
}

TEST_F(ImportMemory, AnImageFromAnImportedBuffer) {
  Bytes own(4096);
  const auto memory = imported(own.data(), own.size());
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = 16;
  desc.image_height = 8;
  desc.image_row_pitch = 128;
  desc.buffer = memory.get();
  cl_int code = 1;
  const MemPtr image(clCreateImage(context_.get(), CL_MEM_READ_WRITE, &format, &desc, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const cl_uint colour[] = {1, 2, 3, 4};
  const size_t origin[] = {2, 3, 0}, region[] = {1, 1, 1};
  ASSERT_EQ(clEnqueueFillImage(on_.get(), image.get(), colour, origin, region, 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clFinish(on_.get()), CL_SUCCESS);
  Bytes expected(4096);
  for (size_t i = 0; i < 4; ++i) expected[3 * 128 + 2 * 4 + i] = static_cast<unsigned char>(i + 1);
  EXPECT_EQ(own, expected);
}

/// The memory is the application's: it may free it after the buffer's end, and reads what kernels wrote until then.
TEST_F(ImportMemory, Lifetime) {
  auto* own = static_cast<cl_int*>(std::calloc(64, sizeof(cl_int)));
  auto memory = imported(own, 256);
  ASSERT_EQ(
      clSetMemObjectDestructorCallback(memory.get(), [](cl_mem, void* bytes) { std::free(bytes); }, own), CL_SUCCESS);
  run_kernel(memory, 64);
  EXPECT_EQ(own[63], 1);
  ASSERT_EQ(clRetainMemObject(memory.get()), CL_SUCCESS);
  EXPECT_EQ(info<cl_uint>(memory, CL_MEM_REFERENCE_COUNT), 2U);
  ASSERT_EQ(clReleaseMemObject(memory.get()), CL_SUCCESS);
  std::vector<cl_int> other(64);
  memory = imported(other.data(), 256);
  memory.reset();
  EXPECT_EQ(other, std::vector<cl_int>(64));
}

TEST_F(ImportMemory, PhysicalPagesAreCommitted) {
  unsigned char* own = map_pages(4);
  const auto memory = imported(own + page_, 2 * page_);
  unsigned char resident[4] = {};
  ASSERT_EQ(mincore(own, 4 * page_, resident), 0);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(resident[i] & 1, i == 1 || i == 2 ? 1 : 0) << i;
  munmap(own, 4 * page_);
}

/// Memory that processes share, whose descriptor is closed already: what kernels write is there for the other process.
TEST_F(ImportMemory, MemoryOfAClosedDescriptor) {
  const int fd = memfd_create("import-memory-test", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(fd, static_cast<off_t>(page_)), 0);
  auto* own = static_cast<cl_int*>(mmap(nullptr, page_, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  ASSERT_NE(static_cast<void*>(own), MAP_FAILED);
  close(fd);
  const auto memory = imported(own, page_);
  run_kernel(memory, page_ / sizeof(cl_int));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool seen = own[0] == 1 && own[page_ / sizeof(cl_int) - 1] == 1;
    own[1] = 1234;
    _exit(seen ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read<cl_int>(memory, 2)[1], 1234);
  munmap(own, page_);
}

TEST_F(ImportMemory, TwoImportsMayShareAPage) {
  unsigned char* own = map_pages(1);
  const auto first = imported(own + 64, 64);
  const auto second = imported(own + 128, 64, CL_MEM_READ_ONLY);
  run_kernel(first, 16);
  EXPECT_EQ(read<cl_int>(second, 16), std::vector<cl_int>(16));
  EXPECT_EQ(read<cl_int>(first, 16), std::vector<cl_int>(16, 1));
  munmap(own, page_);
}

TEST_F(ImportMemory, MemoryThatIsNotThereOrNotWritable) {
  unsigned char* own = map_pages(4);
  ASSERT_EQ(munmap(own + 2 * page_, page_), 0);
  refused(CL_INVALID_OPERATION, own, 4 * page_);
  refused(CL_INVALID_OPERATION, own + 2 * page_, 1);
  refused(CL_INVALID_OPERATION, own + page_, page_ + 1, CL_MEM_READ_ONLY);
  imported(own + page_, page_);
  ASSERT_EQ(mprotect(own, page_, PROT_READ), 0);
  refused(CL_INVALID_OPERATION, own, 2 * page_);
  refused(CL_INVALID_OPERATION, own, 16, CL_MEM_WRITE_ONLY);
  imported(own, 2 * page_, CL_MEM_READ_ONLY);
  ASSERT_EQ(mprotect(own, page_, PROT_NONE), 0);
  refused(CL_INVALID_OPERATION, own, 16, CL_MEM_READ_ONLY);
  refused(CL_INVALID_OPERATION, reinterpret_cast<void*>(std::numeric_limits<uintptr_t>::max() - 15), 64);
  munmap(own, 2 * page_);
  munmap(own + 3 * page_, page_);
}

TEST_F(ImportMemory, Sizes) {
  Bytes own(256);
  refused(CL_INVALID_BUFFER_SIZE, own.data(), 0);
  refused(CL_INVALID_BUFFER_SIZE, own.data(), CL_IMPORT_MEMORY_WHOLE_ALLOCATION_ARM);
  cl_ulong most = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr), CL_SUCCESS);
  refused(CL_INVALID_BUFFER_SIZE, own.data(), most + 1);
  // Of these allocations the driver knows the end.
  auto* svm = static_cast<unsigned char*>(clSVMAlloc(context_.get(), CL_MEM_READ_WRITE, 256, 0));
  ASSERT_NE(svm, nullptr);
  refused(CL_INVALID_BUFFER_SIZE, svm, 257);
  refused(CL_INVALID_BUFFER_SIZE, svm + 200, 57);
  imported(svm + 200, 56);
  clSVMFree(context_.get(), svm);
}

TEST_F(ImportMemory, Flags) {
  Bytes own(256);
  for (const cl_mem_flags flags :
       {CL_MEM_ALLOC_HOST_PTR | 0, CL_MEM_COPY_HOST_PTR | 0, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
        CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, CL_MEM_IMMUTABLE_EXT | 0, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, CL_MEM_KERNEL_READ_AND_WRITE | 0, 1 << 30})
    refused(CL_INVALID_VALUE, own.data(), 64, flags);
  for (const cl_mem_flags access : {0, CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY})
    for (const cl_mem_flags host : {0, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS})
      for (const cl_mem_flags ignored : {0, CL_MEM_USE_HOST_PTR}) imported(own.data(), 64, access | host | ignored);
}

TEST_F(ImportMemory, PropertiesOfWhatIsNotReported) {
  Bytes own(256);
  const auto without = [&](const Properties& list) { refused(CL_INVALID_PROPERTY, own.data(), 64, 0, list); };
  without({CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_DMA_BUF_ARM, 0});
  without({CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_ANDROID_HARDWARE_BUFFER_ARM, 0});
  without({CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_PROTECTED_ARM, 0});
  without({CL_IMPORT_TYPE_ARM, 0, 0});
  without({CL_IMPORT_TYPE_PROTECTED_ARM, CL_TRUE, 0});
  without({CL_IMPORT_TYPE_PROTECTED_ARM, CL_FALSE, 0});
  for (const cl_bool value : {CL_TRUE, CL_FALSE}) {
    without({CL_IMPORT_DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM, value, 0});
    without({CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM, CL_IMPORT_DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM, value, 0});
  }
  without({CL_IMPORT_ANDROID_HARDWARE_BUFFER_PLANE_INDEX_ARM, 0, 0});
  without({CL_IMPORT_ANDROID_HARDWARE_BUFFER_LAYER_INDEX_ARM, 0, 0});
}

TEST_F(ImportMemory, OtherErrors) {
  Bytes own(256);
  cl_int code = 1;
  EXPECT_EQ(import_(nullptr, 0, nullptr, own.data(), 64, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(import_(reinterpret_cast<cl_context>(on_.get()), 0, nullptr, own.data(), 64, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  refused(CL_INVALID_VALUE, nullptr, 64);
  refused(CL_INVALID_VALUE, nullptr, 64, CL_MEM_USE_HOST_PTR);
}

TEST_F(ImportMemory, HostAccessFollowsTheFlags) {
  Bytes own(256);
  const auto closed = imported(own.data(), 64, CL_MEM_HOST_NO_ACCESS);
  unsigned char byte = 0;
  EXPECT_EQ(clEnqueueReadBuffer(on_.get(), closed.get(), CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clEnqueueWriteBuffer(on_.get(), closed.get(), CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  run_kernel(closed, 16);
  EXPECT_EQ(own[0], 1);
}

}  // namespace
}  // namespace lanewise::test
