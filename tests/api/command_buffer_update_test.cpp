// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// cl_khr_command_buffer_mutable_dispatch: updates of recorded launches, their queries and errors.
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <fstream>
#include <numeric>
#include <span>
#include <thread>

#include "tests/api/command_buffer_fixture.h"

namespace lanewise::test {
namespace {

class CommandBufferUpdate : public CommandBufferFixture {
 protected:
  using Config = api::cl_mutable_dispatch_config_khr;

  cl_int update(const CommandBufferPtr& buffer, std::initializer_list<Config> configs) {
    std::vector<api::cl_command_buffer_update_type_khr> types(configs.size(), api::kDispatchConfig);
    std::vector<const void*> pointers;
    for (const Config& config : configs) pointers.push_back(&config);
    return update_(buffer.get(), static_cast<cl_uint>(configs.size()), types.data(), pointers.data());
  }
  /// A finalised mutable buffer with one launch.
  CommandBufferPtr with_launch(const KernelPtr& kernel, size_t items, cl_mutable_command_khr& handle,
                               const cl_properties* properties = nullptr, const size_t* local = nullptr) {
    auto buffer = command_buffer({queue_.get()}, CL_COMMAND_BUFFER_MUTABLE_KHR);
    EXPECT_EQ(ndrange_(buffer.get(), nullptr, properties, kernel.get(), 1, nullptr, &items, local, 0, nullptr, nullptr,
                       &handle),
              CL_SUCCESS);
    EXPECT_EQ(finalize_(buffer.get()), CL_SUCCESS);
    return buffer;
  }
  template <class T>
  T command_value(cl_mutable_command_khr command, cl_mutable_command_info_khr param) {
    T out{};
    size_t size = 0;
    EXPECT_EQ(command_info_(command, param, sizeof out, &out, &size), CL_SUCCESS) << param;
    EXPECT_EQ(size, sizeof out) << param;
    return out;
  }
};

TEST_F(CommandBufferUpdate, Arguments) {
  const auto a = numbers({1});
  const auto b = numbers({10});
  const auto add = kernel_on("add", a, 1);
  cl_mutable_command_khr handle = nullptr;
  const auto buffer = with_launch(add, 1, handle);
  run(buffer, queue_);
  const cl_int five = 5;
  cl_mem other = b.get();
  const cl_mutable_dispatch_arg_khr args[] = {{0, sizeof other, &other}, {1, sizeof five, &five}};
  ASSERT_EQ(update(buffer, {argument_update(handle, args)}), CL_SUCCESS);
  run(buffer, queue_);
  run(buffer, queue_);
  EXPECT_EQ(read<cl_int>(a, 1), (std::vector<cl_int>{2}));
  EXPECT_EQ(read<cl_int>(b, 1), (std::vector<cl_int>{20}));
  // The kernel itself keeps what clSetKernelArg has set.
  this->ProgramFixture::run(add, 1);
  EXPECT_EQ(read<cl_int>(a, 1), (std::vector<cl_int>{3}));
}

TEST_F(CommandBufferUpdate, PointersAndExecInfo) {
  auto* shared = static_cast<cl_int*>(clSVMAlloc(context_.get(), CL_MEM_READ_WRITE, 64, 0));
  ASSERT_NE(shared, nullptr);
  shared[0] = 4;
  const auto a = numbers({1});
  cl_mutable_command_khr handle = nullptr;
  const auto buffer = with_launch(kernel_on("add", a, 1), 1, handle);
  const cl_mutable_dispatch_arg_khr pointer[] = {{0, 0, shared}};
  const void* list[] = {shared};
  const cl_mutable_dispatch_exec_info_khr infos[] = {
      {CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, static_cast<void*>(list)}};
  Config config{};
  config.command = handle;
  config.num_svm_args = 1;
  config.arg_svm_list = pointer;
  config.num_exec_infos = 1;
  config.exec_info_list = infos;
  ASSERT_EQ(update(buffer, {config}), CL_SUCCESS);
  run(buffer, queue_);
  EXPECT_EQ(shared[0], 5);
  EXPECT_EQ(read<cl_int>(a, 1), (std::vector<cl_int>{1}));
  clSVMFree(context_.get(), shared);
}

TEST_F(CommandBufferUpdate, SizesAndOffset) {
  const auto memory = numbers(std::vector<cl_int>(16, 0));
  cl_mutable_command_khr handle = nullptr;
  const size_t local = 2;
  const auto buffer = with_launch(kernel_on("add", memory, 1), 4, handle, nullptr, &local);
  const size_t offset = 8;
  const size_t global = 8;
  const size_t larger = 4;
  Config config{};
  config.command = handle;
  config.global_work_offset = &offset;
  config.global_work_size = &global;
  config.local_work_size = &larger;
  ASSERT_EQ(update(buffer, {config}), CL_SUCCESS);
  run(buffer, queue_);
  EXPECT_EQ(read<cl_int>(memory, 16), (std::vector<cl_int>{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(command_value<size_t>(handle, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR), 8u);
  EXPECT_EQ(command_value<size_t>(handle, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR), 8u);
  EXPECT_EQ(command_value<size_t>(handle, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR), 4u);
}

TEST_F(CommandBufferUpdate, ArgumentsAfterFinalize) {
  const auto memory = numbers({1});
  cl_mutable_command_khr handle = nullptr;
  const auto add = kernel(program_, "add");
  const auto buffer = with_launch(add, 1, handle);
  EXPECT_EQ(value<cl_uint>(buffer, CL_COMMAND_BUFFER_STATE_KHR), cl_uint{CL_COMMAND_BUFFER_STATE_FINALIZED_KHR});
  EXPECT_EQ(enqueue_(0, nullptr, buffer.get(), 0, nullptr, nullptr), CL_INVALID_OPERATION);
  const cl_int two = 2;
  cl_mem target = memory.get();
  const cl_mutable_dispatch_arg_khr args[] = {{0, sizeof target, &target}, {1, sizeof two, &two}};
  ASSERT_EQ(update(buffer, {argument_update(handle, std::span(args).first(1))}), CL_SUCCESS);
  EXPECT_EQ(enqueue_(0, nullptr, buffer.get(), 0, nullptr, nullptr), CL_INVALID_OPERATION);
  ASSERT_EQ(update(buffer, {argument_update(handle, std::span(args).last(1))}), CL_SUCCESS);
  EXPECT_EQ(value<cl_uint>(buffer, CL_COMMAND_BUFFER_STATE_KHR), cl_uint{CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR});
  run(buffer, queue_);
  EXPECT_EQ(read<cl_int>(memory, 1), (std::vector<cl_int>{3}));
}

TEST_F(CommandBufferUpdate, AllOrNothing) {
  const auto memory = numbers({0});
  cl_mutable_command_khr handle = nullptr;
  const auto buffer = with_launch(kernel_on("add", memory, 1), 1, handle);
  const cl_int hundred = 100;
  const cl_mutable_dispatch_arg_khr good[] = {{1, sizeof hundred, &hundred}};
  const cl_mutable_dispatch_arg_khr bad[] = {{7, sizeof hundred, &hundred}};
  const Config first = argument_update(handle, good);
  EXPECT_EQ(update(buffer, {first, argument_update(handle, bad)}), CL_INVALID_ARG_INDEX);
  run(buffer, queue_);
  EXPECT_EQ(read<cl_int>(memory, 1), (std::vector<cl_int>{1}));
  // Two updates of one command in one call are applied in their order.
  const cl_int two = 2;
  const cl_mutable_dispatch_arg_khr later[] = {{1, sizeof two, &two}};
  const size_t none = 0;
  Config empty{};
  empty.command = handle;
  empty.global_work_size = &none;
  EXPECT_EQ(update(buffer, {first, argument_update(handle, later)}), CL_SUCCESS);
  run(buffer, queue_);
  EXPECT_EQ(read<cl_int>(memory, 1), (std::vector<cl_int>{3}));
  EXPECT_EQ(update(buffer, {first, empty}), CL_SUCCESS);
  run(buffer, queue_);
  EXPECT_EQ(read<cl_int>(memory, 1), (std::vector<cl_int>{3}));
}

/// An update does not change runs that have been enqueued before.
TEST_F(CommandBufferUpdate, RunsKeepTheirValues) {
  const auto memory = numbers({0});
  cl_mutable_command_khr handle = nullptr;
  const auto buffer = with_launch(kernel_on("add", memory, 1), 1, handle);
  cl_int code = 1;
  cl_event gate = clCreateUserEvent(context_.get(), &code);
  ASSERT_EQ(enqueue_(0, nullptr, buffer.get(), 1, &gate, nullptr), CL_SUCCESS);
  const cl_int ten = 10;
  const cl_mutable_dispatch_arg_khr args[] = {{1, sizeof ten, &ten}};
  ASSERT_EQ(update(buffer, {argument_update(handle, args)}), CL_SUCCESS);
  ASSERT_EQ(enqueue_(0, nullptr, buffer.get(), 0, nullptr, nullptr), CL_SUCCESS);
  ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  ASSERT_EQ(clFinish(queue_.get()), CL_SUCCESS);
  EXPECT_EQ(read<cl_int>(memory, 1), (std::vector<cl_int>{11}));
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

TEST_F(CommandBufferUpdate, Queries) {
  const auto memory = numbers(std::vector<cl_int>(12, 0));
  const auto add = kernel_on("add", memory, 1);
  const auto buffer = command_buffer({queue_.get()}, CL_COMMAND_BUFFER_MUTABLE_KHR);
  const cl_properties properties[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
  const size_t offset[2] = {1, 0};
  const size_t global[2] = {4, 2};
  cl_mutable_command_khr handle = nullptr;
  ASSERT_EQ(
      ndrange_(buffer.get(), nullptr, properties, add.get(), 2, offset, global, nullptr, 0, nullptr, nullptr, &handle),
      CL_SUCCESS);
  EXPECT_EQ(command_value<cl_command_queue>(handle, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR), queue_.get());
  EXPECT_EQ(command_value<cl_command_buffer_khr>(handle, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR), buffer.get());
  EXPECT_EQ(command_value<cl_command_type>(handle, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR),
            cl_command_type{CL_COMMAND_NDRANGE_KERNEL});
  using List = std::array<cl_properties, 3>;
  EXPECT_EQ(command_value<List>(handle, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR),
            (List{properties[0], properties[1], 0}));
  EXPECT_EQ(command_value<cl_kernel>(handle, CL_MUTABLE_DISPATCH_KERNEL_KHR), add.get());
  EXPECT_EQ(command_value<cl_uint>(handle, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR), 2u);
  using Pair = std::array<size_t, 2>;
  EXPECT_EQ(command_value<Pair>(handle, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR), (Pair{1, 0}));
  EXPECT_EQ(command_value<Pair>(handle, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR), (Pair{4, 2}));
  EXPECT_EQ(command_value<Pair>(handle, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR), (Pair{0, 0}));
  size_t size = 0;
  EXPECT_EQ(command_info_(handle, 1, 0, nullptr, &size), CL_INVALID_VALUE);
  EXPECT_EQ(command_info_(handle, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, 1, &size, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(command_info_(nullptr, CL_MUTABLE_DISPATCH_KERNEL_KHR, 0, nullptr, &size), CL_INVALID_MUTABLE_COMMAND_KHR);
}

TEST_F(CommandBufferUpdate, WhatWasNotLeftOpenIsRefused) {
  const auto memory = numbers(std::vector<cl_int>(16, 0));
  const auto add = kernel_on("add", memory, 1);
  const cl_properties nothing[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, 0};
  cl_mutable_command_khr handle = nullptr;
  const size_t two = 2;
  const auto buffer = with_launch(add, 4, handle, nothing, &two);
  const size_t four = 4;
  const cl_int one = 1;
  const cl_mutable_dispatch_arg_khr args[] = {{1, sizeof one, &one}};
  const cl_bool yes = CL_TRUE;
  const cl_mutable_dispatch_exec_info_khr infos[] = {{CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes}};
  Config config{};
  config.command = handle;
  EXPECT_EQ(update(buffer, {config}), CL_SUCCESS);  // changes nothing
  const auto refused = [&](auto&& change) {
    Config changed = config;
    change(changed);
    EXPECT_EQ(update(buffer, {changed}), CL_INVALID_OPERATION);
  };
  refused([&](Config& c) { c.work_dim = 2; });
  refused([&](Config& c) { c.global_work_offset = &four; });
  refused([&](Config& c) { c.global_work_size = &four; });
  refused([&](Config& c) { c.local_work_size = &four; });
  refused([&](Config& c) { c.num_args = 1, c.arg_list = args; });
  refused([&](Config& c) { c.num_svm_args = 1, c.arg_svm_list = args; });
  refused([&](Config& c) { c.num_exec_infos = 1, c.exec_info_list = infos; });
}

TEST_F(CommandBufferUpdate, Errors) {
  const auto memory = numbers(std::vector<cl_int>(16, 0));
  const auto add = kernel_on("add", memory, 1);
  cl_mutable_command_khr handle = nullptr;
  const size_t two = 2;
  const auto buffer = with_launch(add, 4, handle, nullptr, &two);
  cl_mutable_command_khr foreign = nullptr;
  const auto other = with_launch(add, 4, foreign);
  const cl_int one = 1;
  const cl_mutable_dispatch_arg_khr args[] = {{1, sizeof one, &one}};
  const cl_mutable_dispatch_arg_khr wrong_size[] = {{1, 1, &one}};
  Config config{};
  config.command = handle;
  const auto code_of = [&](auto&& change) {
    Config changed = config;
    change(changed);
    return update(buffer, {changed});
  };
  EXPECT_EQ(code_of([&](Config& c) { c.command = nullptr; }), CL_INVALID_MUTABLE_COMMAND_KHR);
  EXPECT_EQ(code_of([&](Config& c) { c.command = foreign; }), CL_INVALID_MUTABLE_COMMAND_KHR);
  EXPECT_EQ(code_of([&](Config& c) { c.num_args = 1; }), CL_INVALID_VALUE);
  EXPECT_EQ(code_of([&](Config& c) { c.arg_list = args; }), CL_INVALID_VALUE);
  EXPECT_EQ(code_of([&](Config& c) { c.num_svm_args = 1; }), CL_INVALID_VALUE);
  EXPECT_EQ(code_of([&](Config& c) { c.arg_svm_list = args; }), CL_INVALID_VALUE);
  EXPECT_EQ(code_of([&](Config& c) { c.num_exec_infos = 1; }), CL_INVALID_VALUE);
  EXPECT_EQ(code_of([&](Config& c) { c.num_args = 1, c.arg_list = wrong_size; }), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(code_of([&](Config& c) { c.num_svm_args = 1, c.arg_svm_list = args; }), CL_INVALID_ARG_VALUE);
  const size_t zero = 0;
  const size_t three = 3;
  const size_t huge = size_t{1} << 40;
  EXPECT_EQ(code_of([&](Config& c) { c.local_work_size = &zero; }), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(code_of([&](Config& c) { c.local_work_size = &three; }), CL_INVALID_OPERATION) << "no longer uniform";
  EXPECT_EQ(code_of([&](Config& c) { c.local_work_size = &huge, c.global_work_size = &huge; }),
            CL_INVALID_WORK_ITEM_SIZE);
  const cl_uint unknown = 77;
  const cl_uint type = api::kDispatchConfig;
  const void* pointer = &config;
  const void* null = nullptr;
  EXPECT_EQ(update_(nullptr, 0, nullptr, nullptr), CL_INVALID_COMMAND_BUFFER_KHR);
  EXPECT_EQ(update_(buffer.get(), 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(update_(buffer.get(), 1, nullptr, &pointer), CL_INVALID_VALUE);
  EXPECT_EQ(update_(buffer.get(), 1, &type, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(update_(buffer.get(), 0, &type, &pointer), CL_INVALID_VALUE);
  EXPECT_EQ(update_(buffer.get(), 1, &unknown, &pointer), CL_INVALID_VALUE);
  EXPECT_EQ(update_(buffer.get(), 1, &type, &null), CL_INVALID_VALUE);
  const auto recording = command_buffer({queue_.get()}, CL_COMMAND_BUFFER_MUTABLE_KHR);
  EXPECT_EQ(update_(recording.get(), 0, nullptr, nullptr), CL_INVALID_OPERATION);
  const auto fixed = command_buffer({queue_.get()});
  ASSERT_EQ(finalize_(fixed.get()), CL_SUCCESS);
  EXPECT_EQ(update_(fixed.get(), 0, nullptr, nullptr), CL_INVALID_OPERATION);
}

TEST_F(CommandBufferUpdate, RecordingErrors) {
  const auto memory = numbers({0});
  const auto add = kernel_on("add", memory, 1);
  const auto unset = kernel(program_, "add");
  const auto buffer = command_buffer({queue_.get()}, CL_COMMAND_BUFFER_MUTABLE_KHR);
  const size_t one = 1;
  const auto record_with = [&](std::initializer_list<cl_properties> list, const KernelPtr& kernel) {
    return ndrange_(buffer.get(), nullptr, list.begin(), kernel.get(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr,
                    nullptr);
  };
  EXPECT_EQ(record_with({CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1024, 0}, add), CL_INVALID_VALUE);
  EXPECT_EQ(record_with({CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1024, 0}, add), CL_INVALID_VALUE);
  EXPECT_EQ(record_with({CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0}, add), CL_INVALID_VALUE) << "without a local size";
  EXPECT_EQ(record_with({12345, 0, 0}, add), CL_INVALID_VALUE);
  EXPECT_EQ(record_with({CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, 0}, unset),
            CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(record_with({CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0}, unset),
            CL_SUCCESS);
}

constexpr int kEnduranceRounds = kSlow ? 1000 : 25000;
/// Some 50 bytes for each run that is measured: far less than a command.
constexpr long kMostGrowth = kSlow ? LONG_MAX : 4L << 20;

/// Bytes of memory that the process has in use.
long resident_bytes() {
  std::ifstream in("/proc/self/statm");
  long all = 0;
  long resident = 0;
  in >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// 100,000 enqueues with updates between them, from the threads that enqueue: each run uses the values of one update,
/// none is lost, and memory does not grow.
TEST_F(CommandBufferUpdate, FourThreadsEnqueueAndUpdate) {
  constexpr int kThreads = 4;
  const auto program = built(
      "kernel void mark(global int* counts, int slot) { atomic_inc(counts + slot); }\n"
      "kernel void total(global int* counts) { atomic_inc(counts + 100); }\n");
  const auto memory = numbers(std::vector<cl_int>(101, 0));
  const auto mark = kernel(program, "mark");
  const auto total = kernel(program, "total");
  cl_mem handle = memory.get();
  const cl_int first = 0;
  ASSERT_EQ(clSetKernelArg(mark.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(mark.get(), 1, sizeof first, &first), CL_SUCCESS);
  ASSERT_EQ(clSetKernelArg(total.get(), 0, sizeof handle, &handle), CL_SUCCESS);
  const auto buffer =
      command_buffer({unordered_.get()}, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  cl_mutable_command_khr command = nullptr;
  record(buffer, mark, 1, {}, &command);
  record(buffer, total, 1);
  ASSERT_EQ(finalize_(buffer.get()), CL_SUCCESS);
  const auto work = [&](int thread, int from, int to) {
    for (int i = from; i < to; ++i) {
      const cl_int slot = (i * kThreads + thread) % 100;
      const cl_mutable_dispatch_arg_khr args[] = {{1, sizeof slot, &slot}};
      EXPECT_EQ(update(buffer, {argument_update(command, args)}), CL_SUCCESS);
      EXPECT_EQ(enqueue_(0, nullptr, buffer.get(), 0, nullptr, nullptr), CL_SUCCESS);
      if (i % 64 == 0) {
        EXPECT_EQ(clFinish(unordered_.get()), CL_SUCCESS);
      }
    }
  };
  const auto all_threads = [&](int from, int to) {
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) threads.emplace_back(work, t, from, to);
    for (auto& thread : threads) thread.join();
    ASSERT_EQ(clFinish(unordered_.get()), CL_SUCCESS);
  };
  all_threads(0, kEnduranceRounds / 5);
  const long before = resident_bytes();
  all_threads(kEnduranceRounds / 5, kEnduranceRounds);
  EXPECT_LT(resident_bytes() - before, kMostGrowth);
  const auto counts = read<cl_int>(memory, 101);
  EXPECT_EQ(counts[100], kThreads * kEnduranceRounds);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.begin() + 100, 0), kThreads * kEnduranceRounds);
}

}  // namespace
}  // namespace lanewise::test
