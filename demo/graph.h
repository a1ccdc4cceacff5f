// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A graph of kernels like those of SYCL, on cl_khr_command_buffer: each node names the buffers that it reads and
/// those that it writes, the edges follow from that, and the graph is recorded once and run any number of times. It is
/// plain OpenCL 1.2 with two extensions: nothing here depends on the driver.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "opencl.h"

namespace demo {

/// The functions of the extensions as they are since 2024; older headers declare some of them with fewer parameters.
struct GraphFunctions {
  explicit GraphFunctions(cl_platform_id platform) {
    find(platform, "clCreateCommandBufferKHR", create);
    find(platform, "clFinalizeCommandBufferKHR", finalize);
    find(platform, "clReleaseCommandBufferKHR", release);
    find(platform, "clEnqueueCommandBufferKHR", enqueue);
    find(platform, "clCommandNDRangeKernelKHR", launch);
    find(platform, "clUpdateMutableCommandsKHR", update);
  }

  cl_command_buffer_khr (*create)(cl_uint, const cl_command_queue*, const cl_properties*, cl_int*);
  cl_int (*finalize)(cl_command_buffer_khr);
  cl_int (*release)(cl_command_buffer_khr);
  cl_int (*enqueue)(cl_uint, cl_command_queue*, cl_command_buffer_khr, cl_uint, const cl_event*, cl_event*);
  cl_int (*launch)(cl_command_buffer_khr, cl_command_queue, const cl_properties*, cl_kernel, cl_uint,
                   const std::size_t*, const std::size_t*, const std::size_t*, cl_uint, const cl_sync_point_khr*,
                   cl_sync_point_khr*, cl_mutable_command_khr*);
  cl_int (*update)(cl_command_buffer_khr, cl_uint, const cl_uint*, const void**);

 private:
  template <class Function>
  static void find(cl_platform_id platform, const char* name, Function& to) {
    to = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
    if (to == nullptr) throw std::runtime_error(std::string("the driver has no ") + name);
  }
};

class Graph {
 public:
  /// A node, for updates.
  using Node = cl_mutable_command_khr;

  explicit Graph(cl_command_queue queue) : functions_(platform_of(queue)) {
    const cl_properties flags[] = {CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
    cl_int code = CL_SUCCESS;
    buffer_ = functions_.create(1, &queue, flags, &code);
    check(code, "clCreateCommandBufferKHR");
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { functions_.release(buffer_); }

  /// Adds a launch, with the arguments that the kernel has now.
  Node add(cl_kernel kernel, std::size_t items, std::initializer_list<cl_mem> reads,
           std::initializer_list<cl_mem> writes) {
    std::vector<cl_sync_point_khr> after;
    for (cl_mem memory : reads) wait_for_writer(memory, after);
    for (cl_mem memory : writes) {
      wait_for_writer(memory, after);
      after.insert(after.end(), readers_[memory].begin(), readers_[memory].end());
    }
    cl_sync_point_khr point = 0;
    Node node = nullptr;
    check(functions_.launch(buffer_, nullptr, nullptr, kernel, 1, nullptr, &items, nullptr,
                            static_cast<cl_uint>(after.size()), after.empty() ? nullptr : after.data(), &point, &node),
          "clCommandNDRangeKernelKHR");
    for (cl_mem memory : reads) readers_[memory].push_back(point);
    for (cl_mem memory : writes) {
      writer_[memory] = point;
      readers_[memory].clear();
    }
    ++nodes_;
    edges_ += after.size();
    return node;
  }

  void finalize() { check(functions_.finalize(buffer_), "clFinalizeCommandBufferKHR"); }

  /// Sets another buffer as an argument of the node, from the next run on. The edges do not change.
  void set_argument(Node node, cl_uint index, cl_mem memory) {
    const cl_mutable_dispatch_arg_khr argument{index, sizeof memory, &memory};
    Update update{};
    update.command = node;
    update.num_args = 1;
    update.arg_list = &argument;
    const cl_uint type = 0;  // CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR
    const void* one = &update;
    check(functions_.update(buffer_, 1, &type, &one), "clUpdateMutableCommandsKHR");
  }

  void enqueue() { check(functions_.enqueue(0, nullptr, buffer_, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR"); }

  [[nodiscard]] std::size_t nodes() const { return nodes_; }
  [[nodiscard]] std::size_t edges() const { return edges_; }

 private:
  static cl_platform_id platform_of(cl_command_queue queue) {
    cl_device_id device = nullptr;
    cl_platform_id platform = nullptr;
    check(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr), "clGetCommandQueueInfo");
    check(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr), "clGetDeviceInfo");
    return platform;
  }

  /// cl_mutable_dispatch_config_khr, as it is since 0.9.3 of the extension.
  struct Update {
    cl_mutable_command_khr command;
    cl_uint num_args;
    cl_uint num_svm_args;
    cl_uint num_exec_infos;
    cl_uint work_dim;
    const cl_mutable_dispatch_arg_khr* arg_list;
    const cl_mutable_dispatch_arg_khr* arg_svm_list;
    const cl_mutable_dispatch_exec_info_khr* exec_info_list;
    const std::size_t* global_work_offset;
    const std::size_t* global_work_size;
    const std::size_t* local_work_size;
  };

  void wait_for_writer(cl_mem memory, std::vector<cl_sync_point_khr>& after) {
    if (const auto found = writer_.find(memory); found != writer_.end()) after.push_back(found->second);
  }

  GraphFunctions functions_;
  cl_command_buffer_khr buffer_ = nullptr;
  std::map<cl_mem, cl_sync_point_khr> writer_;                ///< the last node that writes the buffer
  std::map<cl_mem, std::vector<cl_sync_point_khr>> readers_;  ///< the nodes that read it after that
  std::size_t nodes_ = 0;
  std::size_t edges_ = 0;
};

}  // namespace demo
