// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_external_semaphore with file descriptors, between contexts. Between processes: tests/robustness/shared.cpp.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <thread>

#include "tests/api/semaphore_fixture.h"
#include "tests/time_limits.h"

namespace lanewise::test {
namespace {

constexpr cl_semaphore_properties_khr kFd = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
constexpr cl_semaphore_properties_khr kType = CL_SEMAPHORE_TYPE_KHR;
constexpr cl_semaphore_properties_khr kBinary = CL_SEMAPHORE_TYPE_BINARY_KHR;
constexpr cl_semaphore_properties_khr kExport = CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR;

class ExternalSemaphore : public SemaphoreFixture {
 protected:
  void SetUp() override {
    SemaphoreFixture::SetUp();
    handle_of_ = reinterpret_cast<clGetSemaphoreHandleForTypeKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(platform_, "clGetSemaphoreHandleForTypeKHR"));
    ASSERT_NE(handle_of_, nullptr);
    other_ = new_context();
    cl_int code = 1;
    there_.reset(clCreateCommandQueue(other_.get(), device_, 0, &code));
    ASSERT_EQ(code, CL_SUCCESS);
  }

  [[nodiscard]] cl_semaphore_khr create(const ContextPtr& context, const Properties& list) const {
    cl_int code = 1;
    cl_semaphore_khr made = create_(context.get(), list.data(), &code);
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  [[nodiscard]] cl_semaphore_khr exportable() const { return create(context_, {kType, kBinary, kExport, kFd, 0, 0}); }
  [[nodiscard]] int handle(cl_semaphore_khr semaphore) const {
    int fd = -1;
    size_t size = 0;
    EXPECT_EQ(handle_of_(semaphore, device_, CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, sizeof fd, &fd, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof fd);
    EXPECT_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
    return fd;
  }
  /// Imports the descriptor in the other context.
  [[nodiscard]] cl_semaphore_khr imported(int fd) const {
    return create(other_, {kType, kBinary, kFd, static_cast<cl_semaphore_properties_khr>(fd), 0});
  }
  void expect_waiting(cl_event event) const {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_GT(status(event), CL_COMPLETE);
  }

  clGetSemaphoreHandleForTypeKHR_fn handle_of_ = nullptr;
  ContextPtr other_;
  QueuePtr there_;
};

TEST_F(ExternalSemaphore, SignalsGoBothWays) {
  cl_semaphore_khr s = exportable();
  cl_semaphore_khr same = imported(handle(s));
  for (int i = 0; i < 20; ++i) {
    // Once with the wait first, once with the signal first.
    cl_event waiting = wait(there_, same);
    EXPECT_EQ(finish(signal(first_, s)), CL_SUCCESS);
    EXPECT_EQ(finish(waiting), CL_SUCCESS);
    EXPECT_EQ(payload(s), 0u);
    EXPECT_EQ(finish(signal(there_, same)), CL_SUCCESS);
    EXPECT_EQ(payload(s), 1u);
    EXPECT_EQ(payload(same), 1u);
    EXPECT_EQ(finish(wait(second_, s)), CL_SUCCESS);
    EXPECT_EQ(payload(same), 0u);
  }
  cl_event waiting = wait(there_, same);
  ASSERT_EQ(clFlush(there_.get()), CL_SUCCESS);
  expect_waiting(waiting);
  EXPECT_EQ(finish(signal(first_, s)), CL_SUCCESS);
  EXPECT_EQ(finish(waiting), CL_SUCCESS);
  EXPECT_EQ(release_(s), CL_SUCCESS);
  EXPECT_EQ(release_(same), CL_SUCCESS);
}

TEST_F(ExternalSemaphore, OneSignalIsForOneWait) {
  cl_semaphore_khr s = exportable();
  std::vector<cl_semaphore_khr> same;
  const int fd = handle(s);
  for (int i = 0; i < 4; ++i) same.push_back(imported(dup(fd)));
  close(fd);
  std::vector<cl_event> waiting;
  std::vector<QueuePtr> queues;
  for (cl_semaphore_khr each : same) {
    cl_int code = 1;
    queues.emplace_back(clCreateCommandQueue(other_.get(), device_, 0, &code));
    waiting.push_back(wait(queues.back(), each));
  }
  for (std::size_t ended = 1; ended <= same.size(); ++ended) {
    EXPECT_EQ(finish(signal(first_, s)), CL_SUCCESS);
    const auto count = [&] {
      return static_cast<std::size_t>(
          std::count_if(waiting.begin(), waiting.end(), [](cl_event event) { return status(event) == CL_COMPLETE; }));
    };
    static_cast<void>(within(std::chrono::seconds(5), [&] { return count() >= ended; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(count(), ended);
  }
  for (cl_event each : waiting) EXPECT_EQ(finish(each), CL_SUCCESS);
  for (cl_semaphore_khr each : same) EXPECT_EQ(release_(each), CL_SUCCESS);
  EXPECT_EQ(release_(s), CL_SUCCESS);
}

TEST_F(ExternalSemaphore, AHandleKeepsASignalThatNobodyElseHas) {
  cl_semaphore_khr s = exportable();
  const int fd = handle(s);
  EXPECT_EQ(finish(signal(first_, s)), CL_SUCCESS);
  EXPECT_EQ(release_(s), CL_SUCCESS);
  cl_semaphore_khr later = imported(fd);
  EXPECT_EQ(fcntl(fd, F_GETFD), -1) << "the descriptor belongs to the driver";
  EXPECT_EQ(payload(later), 1u);
  EXPECT_EQ(finish(wait(there_, later)), CL_SUCCESS);
  EXPECT_EQ(release_(later), CL_SUCCESS);
}

TEST_F(ExternalSemaphore, AWaitThatFailsLeavesItsSignal) {
  cl_semaphore_khr s = exportable();
  cl_semaphore_khr same = imported(handle(s));
  cl_int code = 1;
  cl_event never = clCreateUserEvent(context_.get(), &code);
  cl_event failing = wait(second_, s, never);
  EXPECT_EQ(finish(signal(first_, s)), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(never, -5), CL_SUCCESS);
  EXPECT_EQ(finish(failing), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(finish(wait(there_, same)), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(never), CL_SUCCESS);
  EXPECT_EQ(release_(s), CL_SUCCESS);
  EXPECT_EQ(release_(same), CL_SUCCESS);
}

TEST_F(ExternalSemaphore, OrdersThreads) {
  cl_semaphore_khr s = exportable();
  cl_semaphore_khr back = exportable();
  cl_semaphore_khr same = imported(handle(s));
  cl_semaphore_khr same_back = imported(handle(back));
  constexpr int kRounds = 200;
  std::thread answering([&] {
    for (int i = 0; i < kRounds; ++i) {
      EXPECT_EQ(finish(wait(there_, same)), CL_SUCCESS);
      EXPECT_EQ(finish(signal(there_, same_back)), CL_SUCCESS);
    }
  });
  for (int i = 0; i < kRounds; ++i) {
    EXPECT_EQ(finish(signal(first_, s)), CL_SUCCESS);
    EXPECT_EQ(finish(wait(first_, back)), CL_SUCCESS);
  }
  answering.join();
  for (cl_semaphore_khr each : {s, back, same, same_back}) EXPECT_EQ(release_(each), CL_SUCCESS);
}

TEST_F(ExternalSemaphore, PlacesAreLimitedAndReturned) {
  cl_semaphore_khr s = exportable();
  const int fd = handle(s);
  std::vector<cl_semaphore_khr> all;
  for (int round = 0; round < 3; ++round) {
    cl_int code = CL_SUCCESS;
    while (code == CL_SUCCESS && all.size() < 1000) {
      const int copy = dup(fd);
      const Properties list{kType, kBinary, kFd, static_cast<cl_semaphore_properties_khr>(copy), 0};
      cl_semaphore_khr made = create_(other_.get(), list.data(), &code);
      if (made != nullptr) all.push_back(made);
      if (made == nullptr) close(copy);
    }
    EXPECT_EQ(code, CL_OUT_OF_RESOURCES);
    EXPECT_EQ(all.size(), 63u);
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(release_(all.back()), CL_SUCCESS);
      all.pop_back();
    }
  }
  for (cl_semaphore_khr each : all) EXPECT_EQ(release_(each), CL_SUCCESS);
  // All these releases have not disturbed the others.
  cl_event waiting = wait(second_, s);
  ASSERT_EQ(clFlush(second_.get()), CL_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  EXPECT_EQ(finish(signal(first_, s)), CL_SUCCESS);
  EXPECT_EQ(finish(waiting), CL_SUCCESS);
  close(fd);
  EXPECT_EQ(release_(s), CL_SUCCESS);
}

TEST_F(ExternalSemaphore, Queries) {
  cl_semaphore_khr s = exportable();
  cl_semaphore_khr same = imported(handle(s));
  cl_semaphore_khr own = semaphore();
  cl_external_semaphore_handle_type_khr type = 0;
  size_t size = 77;
  EXPECT_EQ(info_(s, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, sizeof type, &type, &size), CL_SUCCESS);
  EXPECT_EQ(type, cl_external_semaphore_handle_type_khr{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR});
  EXPECT_EQ(size, sizeof type);
  for (cl_semaphore_khr each : {same, own}) {
    EXPECT_EQ(info_(each, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, 0, nullptr, &size), CL_SUCCESS);
    EXPECT_EQ(size, 0u);
  }
  const auto can_be_exported = [&](cl_semaphore_khr semaphore) {
    cl_bool value = 77;
    EXPECT_EQ(info_(semaphore, CL_SEMAPHORE_EXPORTABLE_KHR, sizeof value, &value, nullptr), CL_SUCCESS);
    return value;
  };
  EXPECT_EQ(can_be_exported(s), cl_bool{CL_TRUE});
  EXPECT_EQ(can_be_exported(same), cl_bool{CL_FALSE});
  EXPECT_EQ(can_be_exported(own), cl_bool{CL_FALSE});
  for (const cl_device_info what :
       {CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR}) {
    type = 0;
    EXPECT_EQ(clGetDeviceInfo(device_, what, sizeof type, &type, &size), CL_SUCCESS);
    EXPECT_EQ(size, sizeof type);
    EXPECT_EQ(type, cl_external_semaphore_handle_type_khr{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR});
  }
  for (const cl_platform_info what :
       {CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR}) {
    type = 0;
    EXPECT_EQ(clGetPlatformInfo(platform_, what, sizeof type, &type, &size), CL_SUCCESS);
    EXPECT_EQ(type, cl_external_semaphore_handle_type_khr{CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR});
  }
  for (cl_semaphore_khr each : {s, same, own}) EXPECT_EQ(release_(each), CL_SUCCESS);
}

TEST_F(ExternalSemaphore, ExportErrors) {
  cl_semaphore_khr s = exportable();
  cl_semaphore_khr own = semaphore();
  const cl_external_semaphore_handle_type_khr type = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR;
  int fd = -1;
  EXPECT_EQ(handle_of_(nullptr, device_, type, sizeof fd, &fd, nullptr), CL_INVALID_SEMAPHORE_KHR);
  EXPECT_EQ(handle_of_(own, device_, type, sizeof fd, &fd, nullptr), CL_INVALID_SEMAPHORE_KHR);
  EXPECT_EQ(handle_of_(s, nullptr, type, sizeof fd, &fd, nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(handle_of_(s, device_, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, sizeof fd, &fd, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(handle_of_(s, device_, type, sizeof fd - 1, &fd, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(fd, -1);
  size_t size = 0;
  EXPECT_EQ(handle_of_(s, device_, type, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, sizeof fd);
  EXPECT_EQ(release_(s), CL_SUCCESS);
  EXPECT_EQ(release_(own), CL_SUCCESS);
}

TEST_F(ExternalSemaphore, CreateErrors) {
  constexpr cl_semaphore_properties_khr kSync = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
  EXPECT_EQ(creation({kType, kBinary, kExport, 0, 0}), CL_SUCCESS);
  EXPECT_EQ(creation({kType, kBinary, kExport, kFd, kFd, 0, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(creation({kType, kBinary, kExport, kSync, 0, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(creation({kType, kBinary, kExport, kFd, 0, kExport, kFd, 0, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(creation({kType, kBinary, kSync, ~cl_semaphore_properties_khr{0}, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(creation({kType, kBinary, kFd, ~cl_semaphore_properties_khr{0}, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(creation({kType, kBinary, kFd, 9999, 0}), CL_INVALID_PROPERTY);
  cl_semaphore_khr s = exportable();
  const int fd = handle(s);
  const auto descriptor = static_cast<cl_semaphore_properties_khr>(fd);
  EXPECT_EQ(creation({kType, kBinary, kFd, descriptor, kExport, kFd, 0, 0}), CL_INVALID_OPERATION);
  EXPECT_EQ(creation({kType, kBinary, kFd, descriptor, kFd, descriptor, 0}), CL_INVALID_PROPERTY);
  EXPECT_EQ(creation({kFd, descriptor, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC) << "a call that fails takes nothing";
  close(fd);
  EXPECT_EQ(release_(s), CL_SUCCESS);
}

/// Descriptors of all kinds, among them sockets with other messages, are refused and keep what they hold.
TEST_F(ExternalSemaphore, ForeignDescriptors) {
  const auto refused = [&](int fd) {
    EXPECT_EQ(creation({kType, kBinary, kFd, static_cast<cl_semaphore_properties_khr>(fd), 0}), CL_INVALID_PROPERTY);
  };
  const int memory = memfd_create("no-semaphore", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(memory, 4096), 0);
  refused(memory);
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  refused(ends[0]);
  for (const int each : ends) close(each);
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
  refused(ends[0]);
  ASSERT_EQ(write(ends[1], "hello", 5), 5);
  refused(ends[0]);
  std::array<char, 16> text{};
  EXPECT_EQ(::read(ends[0], text.data(), text.size()), 5);
  // Looks like a handle, but its memory can still be truncated by others.
  struct {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t mutex;
  } header{0x6873'6573'6977'6e61, 1, sizeof(pthread_mutex_t)};
  iovec part{&header, sizeof header};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(2 * sizeof(int));
  const std::array<int, 2> both{memory, memory};
  std::memcpy(CMSG_DATA(rights), both.data(), sizeof both);
  ASSERT_EQ(sendmsg(ends[1], &message, 0), static_cast<ssize_t>(sizeof header));
  refused(ends[0]);
  message.msg_control = nullptr;
  message.msg_controllen = 0;
  ASSERT_EQ(::read(ends[0], text.data(), text.size()), static_cast<ssize_t>(sizeof header));
  ASSERT_EQ(sendmsg(ends[1], &message, 0), static_cast<ssize_t>(sizeof header));
  refused(ends[0]);
  for (const int each : ends) close(each);
  close(memory);
}

}  // namespace
}  // namespace lanewise::test
