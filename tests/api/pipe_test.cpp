// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pipes: clCreatePipe, clGetPipeInfo, and pipes in kernels (API 5.4, OpenCL C 6.15.17).
#include <algorithm>
#include <numeric>
#include <set>

#include "tests/api/program_fixture.h"
#include "tests/by_spirv.h"

namespace lanewise::test {
namespace {

class PipeApi : public ProgramFixture {
 protected:
  [[nodiscard]] MemPtr pipe(cl_uint packet, cl_uint packets, cl_mem_flags flags = 0) const {
    cl_int code = 1;
    MemPtr made(clCreatePipe(context_.get(), flags, packet, packets, nullptr, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return made;
  }
  [[nodiscard]] ProgramPtr program(const std::string& text) const {
    const char* options = "-cl-std=CL3.0";
    ProgramPtr made(make_program(context_.get(), text, options));
    EXPECT_EQ(clBuildProgram(made.get(), 0, nullptr, options, nullptr, nullptr), CL_SUCCESS) << log(made);
    return made;
  }
  /// Kernel `name` with memory objects as its arguments.
  [[nodiscard]] KernelPtr with(const ProgramPtr& program, const char* name, std::vector<cl_mem> objects) const {
    auto made = kernel(program, name);
    for (cl_uint i = 0; i < objects.size(); ++i)
      EXPECT_EQ(clSetKernelArg(made.get(), i, sizeof objects[i], &objects[i]), CL_SUCCESS);
    return made;
  }
  void clear(const MemPtr& numbers, size_t count) const {
    const auto on = queue();
    const cl_int zero = 0;
    EXPECT_EQ(
        clEnqueueFillBuffer(on.get(), numbers.get(), &zero, sizeof zero, 0, count * sizeof zero, 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(clFinish(on.get()), CL_SUCCESS);
  }
  [[nodiscard]] cl_int creation(cl_mem_flags flags, cl_uint packet, cl_uint packets,
                                const cl_pipe_properties* properties = nullptr) const {
    cl_int code = 1;
    const MemPtr made(clCreatePipe(context_.get(), flags, packet, packets, properties, &code));
    EXPECT_EQ(made != nullptr, code == CL_SUCCESS);
    return code;
  }
};

TEST_F(PipeApi, PacketsGoThroughInAnyNumber) {
  const auto p = program(
      "kernel void put(global int* ok, write_only pipe int out) {\n"
      "  int i = get_global_id(0); ok[i] = write_pipe(out, &i); }\n"
      "kernel void get(global int* got, read_only pipe int in) {\n"
      "  int v = -5; const int r = read_pipe(in, &v); got[get_global_id(0)] = r == 0 ? v : -1; }\n"
      "kernel void count(global int* n, read_only pipe int in) {\n"
      "  n[0] = get_pipe_num_packets(in); n[1] = get_pipe_max_packets(in); }\n");
  const auto ring = pipe(sizeof(cl_int), 100);
  const auto results = buffer(1000 * sizeof(cl_int));
  const auto put = with(p, "put", {results.get(), ring.get()});
  const auto get = with(p, "get", {results.get(), ring.get()});
  const auto count = with(p, "count", {results.get(), ring.get()});
  // 64 at a time, so that the ring's end falls on every place.
  for (int round = 0; round < 10; ++round) {
    run(put, 64);
    EXPECT_EQ(read<cl_int>(results, 64), std::vector<cl_int>(64, 0));
    run(count, 1);
    EXPECT_EQ(read<cl_int>(results, 2), (std::vector<cl_int>{64, 100}));
    run(get, 64);
    auto got = read<cl_int>(results, 64);
    std::sort(got.begin(), got.end());
    std::vector<cl_int> all(64);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(got, all) << round;
  }
  // A full pipe accepts no packet, and an empty one gives none.
  run(put, 1000);
  auto ok = read<cl_int>(results, 1000);
  EXPECT_EQ(std::count(ok.begin(), ok.end(), 0), 100);
  EXPECT_EQ(std::count_if(ok.begin(), ok.end(), [](cl_int r) { return r < 0; }), 900);
  run(get, 1000);
  ok = read<cl_int>(results, 1000);
  EXPECT_EQ(std::count(ok.begin(), ok.end(), -1), 900);
  const std::set<cl_int> different(ok.begin(), ok.end());
  EXPECT_EQ(different.size(), 101u);
}

TEST_F(PipeApi, ReservationsOfWorkItems) {
  const auto p = program(
      "kernel void put(write_only pipe int out) {\n"
      "  int i = get_global_id(0);\n"
      "  reserve_id_t r = reserve_write_pipe(out, 3);\n"
      "  if (!is_valid_reserve_id(r)) return;\n"
      "  for (int k = 0; k < 3; ++k) { int v = 3 * i + k; write_pipe(out, r, k, &v); }\n"
      "  commit_write_pipe(out, r); }\n"
      "kernel void get(read_only pipe int in, global int* got) {\n"
      "  const int i = get_global_id(0);\n"
      "  reserve_id_t r = reserve_read_pipe(in, 3);\n"
      "  if (!is_valid_reserve_id(r)) { for (int k = 0; k < 3; ++k) got[3 * i + k] = -1; return; }\n"
      "  for (uint k = 0; k < 3; ++k) { int v; read_pipe(in, r, k, &v); got[3 * i + k] = v; }\n"
      "  commit_read_pipe(in, r); }\n");
  const auto ring = pipe(sizeof(cl_int), 300);
  const auto got = buffer(300 * sizeof(cl_int));
  for (int round = 0; round < 5; ++round) {
    run(with(p, "put", {ring.get()}), 70 + round);
    run(with(p, "get", {ring.get(), got.get()}), 100);
    auto values = read<cl_int>(got, 300);
    std::set<cl_int> firsts;
    int none = 0;
    for (std::size_t i = 0; i < 300; i += 3) {
      if (values[i] == -1) {
        ++none;
        continue;
      }
      EXPECT_EQ(values[i] % 3, 0);
      EXPECT_EQ(values[i + 1], values[i] + 1);
      EXPECT_EQ(values[i + 2], values[i] + 2);
      firsts.insert(values[i]);
    }
    EXPECT_EQ(none, 30 - round);
    EXPECT_EQ(firsts.size(), 70u + static_cast<unsigned>(round));
  }
}

/// A group's packets are neighbours, in the order of its work-items.
TEST_F(PipeApi, ReservationsOfGroups) {
  for (const std::string kind : {"work_group", "sub_group"}) {
    SCOPED_TRACE(kind);
    const bool work = kind == "work_group";
    const std::string index = work ? "get_local_id(0)" : "get_sub_group_local_id()";
    const std::string size = work ? "get_local_size(0)" : "get_sub_group_size()";
    const auto p = program(
        "kernel void put(write_only pipe int2 out) {\n"
        "  reserve_id_t r = " +
        kind + "_reserve_write_pipe(out, " + size +
        ");\n"
        "  if (is_valid_reserve_id(r)) {\n"
        "    int2 v = (int2)(get_global_id(0), " +
        index +
        ");\n"
        "    write_pipe(out, r, " +
        index +
        ", &v);\n"
        "    " +
        kind +
        "_commit_write_pipe(out, r);\n"
        "  } }\n"
        "kernel void get(read_only pipe int2 in, global int2* got) {\n"
        "  reserve_id_t r = " +
        kind + "_reserve_read_pipe(in, " + size +
        ");\n"
        "  if (is_valid_reserve_id(r)) {\n"
        "    int2 v;\n"
        "    read_pipe(in, r, " +
        index +
        ", &v);\n"
        "    got[get_global_id(0)] = v;\n"
        "    " +
        kind +
        "_commit_read_pipe(in, r);\n"
        "  } }\n");
    const auto ring = pipe(sizeof(cl_int2), 256);
    const auto got = buffer(256 * sizeof(cl_int2));
    for (int round = 0; round < 3; ++round) {
      run(with(p, "put", {ring.get()}), 256, 32);
      run(with(p, "get", {ring.get(), got.get()}), 256, 32);
      const auto values = read<cl_int2>(got, 256);
      std::set<cl_int> ids;
      for (std::size_t i = 0; i < 256; ++i) {
        ids.insert(values[i].s[0]);
        if (work) {
          EXPECT_EQ(values[i].s[1], static_cast<cl_int>(i % 32)) << i;
          EXPECT_EQ(values[i].s[0] - values[i].s[1], values[i / 32 * 32].s[0]) << i;
        }
      }
      EXPECT_EQ(ids.size(), 256u);
    }
    // No room for a whole group: none of its work-items gets any.
    const auto small = pipe(sizeof(cl_int2), 16);
    run(with(p, "put", {small.get()}), 32, 32);
    if (work) {
      const auto counting =
          program("kernel void n(read_only pipe int2 p, global int* n) { *n = get_pipe_num_packets(p); }");
      run(with(counting, "n", {small.get(), got.get()}), 1);
      EXPECT_EQ(read<cl_int>(got, 1)[0], 0);
    }
  }
}

/// Work-items that run together get packets as if they ran one after the other: those that diverge, more of them than
/// the pipe has room for, and reservations of different sizes.
TEST_F(PipeApi, OnlySomeWorkItemsTakePackets) {
  const auto p = program(
      "kernel void put(write_only pipe int out, global int* ok, int step) {\n"
      "  int i = get_global_id(0); ok[i] = 1; if (i % step == 1) ok[i] = write_pipe(out, &i); }\n"
      "kernel void get(read_only pipe int in, global int* got, int step) {\n"
      "  int i = get_global_id(0), v = -3; if (i % step == 0 && read_pipe(in, &v) != 0) v = -1; got[i] = v; }\n");
  const auto results = buffer(300 * sizeof(cl_int));
  for (const cl_int step : {2, 3, 7, 30}) {
    for (const cl_uint room : {1U, 3U, 50U, 1000U}) {
      SCOPED_TRACE("every " + std::to_string(step) + "th, room for " + std::to_string(room));
      const auto ring = pipe(sizeof(cl_int), room);
      const auto put = with(p, "put", {ring.get(), results.get()});
      const auto get = with(p, "get", {ring.get(), results.get()});
      EXPECT_EQ(clSetKernelArg(put.get(), 2, sizeof step, &step), CL_SUCCESS);
      EXPECT_EQ(clSetKernelArg(get.get(), 2, sizeof step, &step), CL_SUCCESS);
      for (int round = 0; round < 3; ++round) {
        run(put, 300);
        const auto ok = read<cl_int>(results, 300);
        std::multiset<cl_int> written;
        for (cl_int i = 0; i < 300; ++i) {
          EXPECT_EQ(ok[static_cast<std::size_t>(i)] == 1, i % step != 1) << i;
          if (ok[static_cast<std::size_t>(i)] == 0) written.insert(i);
        }
        const auto asking = static_cast<std::size_t>((300 + step - 2) / step);
        EXPECT_EQ(written.size(), std::min<std::size_t>(room, asking));
        run(get, 300);
        const auto got = read<cl_int>(results, 300);
        std::multiset<cl_int> seen;
        for (cl_int i = 0; i < 300; ++i) {
          const cl_int v = got[static_cast<std::size_t>(i)];
          EXPECT_EQ(v == -3, i % step != 0) << i;
          if (v >= 0) seen.insert(v);
        }
        EXPECT_EQ(seen, written);
      }
    }
  }
}

TEST_F(PipeApi, ReservationsOfDifferentSizes) {
  const auto p = program(
      "kernel void put(write_only pipe int2 out) {\n"
      "  const int i = get_global_id(0), n = i % 4 + 1;\n"
      "  reserve_id_t r = reserve_write_pipe(out, n);\n"
      "  if (!is_valid_reserve_id(r)) return;\n"
      "  for (int k = 0; k < n; ++k) { int2 v = (int2)(i, k); write_pipe(out, r, k, &v); }\n"
      "  commit_write_pipe(out, r); }\n"
      "kernel void get(read_only pipe int2 in, global int* got) {\n"
      "  const int i = get_global_id(0), n = i % 3;\n"
      "  reserve_id_t r = reserve_read_pipe(in, n);\n"
      "  if (is_valid_reserve_id(r)) {\n"
      "    for (int k = 0; k < n; ++k) {\n"
      "      int2 v; if (read_pipe(in, r, k, &v) == 0) atomic_add(&got[v.x], 1 << (4 * v.y)); }\n"
      "    commit_read_pipe(in, r); } }\n"
      "kernel void rest(read_only pipe int2 in, global int* got) {\n"
      "  int2 v; while (read_pipe(in, &v) == 0) atomic_add(&got[v.x], 1 << (4 * v.y)); }\n");
  const auto ring = pipe(sizeof(cl_int2), 257);
  const auto got = buffer(100 * sizeof(cl_int));
  constexpr cl_int kEach[] = {0x1, 0x11, 0x111, 0x1111};
  for (int round = 0; round < 5; ++round) {
    clear(got, 100);
    run(with(p, "put", {ring.get()}), 100);
    run(with(p, "get", {ring.get(), got.get()}), 90);
    run(with(p, "rest", {ring.get(), got.get()}), 40);
    const auto values = read<cl_int>(got, 100);
    for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(values[i], kEach[i % 4]) << i;
  }
}

TEST_F(PipeApi, LoopsUntilAPacketIsThere) {
  const auto p = program(
      "kernel void put(write_only pipe int out, global int* tries) {\n"
      "  int i = get_global_id(0), n = 0; do { ++n; } while (write_pipe(out, &i) != 0); tries[i] = n; }\n"
      "kernel void sum(read_only pipe int in, global int* total) {\n"
      "  int v, s = 0; while (read_pipe(in, &v) == 0) s += v; atomic_add(total, s); }\n"
      "kernel void several(read_only pipe int in, global int* total) {\n"
      "  int v, s = 0; for (int k = 0; k < get_global_id(0) % 5; ++k) if (read_pipe(in, &v) == 0) s += v;\n"
      "  atomic_add(total, s); }\n");
  const auto ring = pipe(sizeof(cl_int), 130);
  const auto tries = buffer(130 * sizeof(cl_int));
  const auto total = buffer(sizeof(cl_int));
  for (int round = 0; round < 4; ++round) {
    clear(total, 1);
    run(with(p, "put", {ring.get(), tries.get()}), 130);
    EXPECT_EQ(read<cl_int>(tries, 130), std::vector<cl_int>(130, 1));
    if (round % 2 == 1) run(with(p, "several", {ring.get(), total.get()}), 40);
    run(with(p, "sum", {ring.get(), total.get()}), 33);
    EXPECT_EQ(read<cl_int>(total, 1)[0], 130 * 129 / 2);
  }
}

TEST_F(PipeApi, NullReservation) {
  const auto p = program(
      "bool take(write_only pipe int out, bool really) {\n"
      "  reserve_id_t r = CLK_NULL_RESERVE_ID;\n"
      "  if (really) r = reserve_write_pipe(out, 1);\n"
      "  if (!is_valid_reserve_id(r)) return false;\n"
      "  int v = 5; write_pipe(out, r, 0, &v); commit_write_pipe(out, r);\n"
      "  return true; }\n"
      "kernel void k(write_only pipe int out, global int* o) {\n"
      "  int i = get_global_id(0);\n"
      "  o[i] = take(out, i % 3 == 0) + 2 * is_valid_reserve_id(CLK_NULL_RESERVE_ID); }\n");
  const auto ring = pipe(sizeof(cl_int), 16);
  const auto out = buffer(32 * sizeof(cl_int));
  run(with(p, "k", {ring.get(), out.get()}), 32, 8);
  const auto values = read<cl_int>(out, 32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values[i], i % 3 == 0 ? 1 : 0) << i;
}

TEST_F(PipeApi, PacketsOfEverySize) {
  const auto p = program(
      "typedef struct { double d; int i; char c; } record;\n"
      "typedef struct { char c[7]; } odd;\n"
      "kernel void put(write_only pipe record r, write_only pipe odd o, write_only pipe short3 s, global int* ok) {\n"
      "  const int i = get_global_id(0);\n"
      "  record a = {i * 0.5, i, (char)i}; odd b; short3 c = (short3)(i, i + 1, i + 2);\n"
      "  for (int k = 0; k < 7; ++k) b.c[k] = i + k;\n"
      "  ok[i] = write_pipe(r, &a) | write_pipe(o, &b) | write_pipe(s, &c); }\n"
      "kernel void get(read_only pipe record r, read_only pipe odd o, read_only pipe short3 s, global int* ok) {\n"
      "  record a; odd b; short3 c;\n"
      "  int bad = read_pipe(r, &a) | read_pipe(o, &b) | read_pipe(s, &c);\n"
      "  bad |= a.d != a.i * 0.5 || a.c != (char)a.i || c.y != c.x + 1 || c.z != c.x + 2;\n"
      "  for (int k = 0; k < 7; ++k) bad |= b.c[k] != (char)(b.c[0] + k);\n"
      "  ok[get_global_id(0)] = bad; }\n");
  const auto records = pipe(16, 50);
  const auto odds = pipe(7, 50);
  const auto shorts = pipe(8, 50);
  const auto ok = buffer(50 * sizeof(cl_int));
  const std::vector<cl_mem> objects{records.get(), odds.get(), shorts.get(), ok.get()};
  for (int round = 0; round < 3; ++round) {
    run(with(p, "put", objects), 41);
    EXPECT_EQ(read<cl_int>(ok, 41), std::vector<cl_int>(41, 0));
    run(with(p, "get", objects), 41);
    EXPECT_EQ(read<cl_int>(ok, 41), std::vector<cl_int>(41, 0));
  }
}

TEST_F(PipeApi, Queries) {
  const auto ring = pipe(24, 7);
  cl_uint value = 0;
  size_t size = 1;
  EXPECT_EQ(clGetPipeInfo(ring.get(), CL_PIPE_PACKET_SIZE, sizeof value, &value, &size), CL_SUCCESS);
  EXPECT_EQ(value, 24u);
  EXPECT_EQ(size, sizeof value);
  EXPECT_EQ(clGetPipeInfo(ring.get(), CL_PIPE_MAX_PACKETS, sizeof value, &value, nullptr), CL_SUCCESS);
  EXPECT_EQ(value, 7u);
  EXPECT_EQ(clGetPipeInfo(ring.get(), CL_PIPE_PROPERTIES, 0, nullptr, &size), CL_SUCCESS);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(clGetPipeInfo(ring.get(), CL_PIPE_PACKET_SIZE, 1, &value, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPipeInfo(ring.get(), 1, sizeof value, &value, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetPipeInfo(buffer(16).get(), CL_PIPE_PACKET_SIZE, sizeof value, &value, nullptr), CL_INVALID_MEM_OBJECT);
  cl_mem_object_type type = 0;
  EXPECT_EQ(clGetMemObjectInfo(ring.get(), CL_MEM_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, cl_mem_object_type{CL_MEM_OBJECT_PIPE});
  cl_mem_flags flags = 0;
  EXPECT_EQ(clGetMemObjectInfo(ring.get(), CL_MEM_FLAGS, sizeof flags, &flags, nullptr), CL_SUCCESS);
  EXPECT_EQ(flags, cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS});
}

TEST_F(PipeApi, CreateErrors) {
  cl_int code = 1;
  EXPECT_EQ(clCreatePipe(nullptr, 0, 4, 4, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_CONTEXT);
  EXPECT_EQ(creation(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, 4, 4), CL_SUCCESS);
  EXPECT_EQ(creation(CL_MEM_READ_ONLY, 4, 4), CL_INVALID_VALUE);
  EXPECT_EQ(creation(CL_MEM_USE_HOST_PTR, 4, 4), CL_INVALID_VALUE);
  const cl_pipe_properties none[] = {0};
  EXPECT_EQ(creation(0, 4, 4, none), CL_INVALID_VALUE);
  EXPECT_EQ(creation(0, 0, 4), CL_INVALID_PIPE_SIZE);
  EXPECT_EQ(creation(0, 4, 0), CL_INVALID_PIPE_SIZE);
  cl_uint largest = 0;
  ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof largest, &largest, nullptr), CL_SUCCESS);
  EXPECT_GE(largest, 1024u);
  EXPECT_EQ(creation(0, largest, 4), CL_SUCCESS);
  EXPECT_EQ(creation(0, largest + 1, 4), CL_INVALID_PIPE_SIZE);
  EXPECT_EQ(creation(0, largest, 0xffffffff), CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

/// The host can only pass a pipe to kernels.
TEST_F(PipeApi, OnlyKernelsUseIt) {
  const auto ring = pipe(4, 16);
  const auto plain = buffer(64);
  const auto on = queue();
  cl_int value = 0;
  cl_int code = 1;
  cl_mem handle = ring.get();
  EXPECT_EQ(clEnqueueReadBuffer(on.get(), handle, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueWriteBuffer(on.get(), handle, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueCopyBuffer(on.get(), handle, plain.get(), 0, 0, 4, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueFillBuffer(on.get(), handle, &value, 4, 0, 4, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueMapBuffer(on.get(), handle, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueUnmapMemObject(on.get(), handle, &value, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  const cl_buffer_region region{0, 4};
  EXPECT_EQ(clCreateSubBuffer(handle, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_MEM_OBJECT);
  const auto p = program(
      "kernel void pipes(read_only pipe int p) {}\n"
      "kernel void pointers(global int* p) {}\n");
  const auto pipes = kernel(p, "pipes");
  const auto pointers = kernel(p, "pointers");
  cl_mem other = plain.get();
  EXPECT_EQ(clSetKernelArg(pipes.get(), 0, sizeof other, &other), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(pipes.get(), 0, sizeof other, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(pipes.get(), 0, 4, &handle), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(pointers.get(), 0, sizeof handle, &handle), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(pipes.get(), 0, sizeof handle, &handle), CL_SUCCESS);
}

}  // namespace
}  // namespace lanewise::test
