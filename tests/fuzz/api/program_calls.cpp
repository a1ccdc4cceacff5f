// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs: only a few sources, because this fuzzer does not test the compiler.
#include "tests/fuzz/api/queries.h"
#include "tests/fuzz/api/world.h"

namespace lanewise::fuzz {

namespace {

// Kernels access no memory that an argument may not have, whatever arguments the calls set.
constexpr const char* kTwo =
    "kernel void first(global int* p, int n) { if (p && get_global_id(0) == 0) p[0] = n; }\n"
    "kernel void second(local float* scratch, float4 v) { scratch[0] = v.x; barrier(1); }\n";
constexpr const char* kSources[] = {
    kTwo,
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void shaped(constant char* c, global void* q) {}\n",
    "int helper(int x) { return x + 1; }\n",
    "#include \"part.h\"\nint helper(int x);\nkernel void linked(global int* p) { int v = helper(PART); (void)v; }\n",
    "kernel void broken(global int* p) { p = ; }\n",
    "#define PART 3\n",
    "",
};
constexpr const char* kOptions[] = {
    "",   "-cl-kernel-arg-info", "-cl-std=CL3.0 -DPART=2", "-cl-opt-disable", "-create-library", "-nothing",
    "-I", "-cl-std=CL9"};

void CL_CALLBACK on_build(cl_program, void*) {}

void create_from_source(World& world, Draw& draw) {
  if (world.programs.live() > World::kMostObjects) return;
  const char* strings[2] = {draw.among(kSources), draw.one_in(16) ? nullptr : ""};
  const std::size_t lengths[2] = {draw.one_in(16) ? draw.below(8) % (std::strlen(strings[0]) + 1) : 0, 0};
  cl_int code = 0;
  world.programs.add(clCreateProgramWithSource(world.context(draw), draw.one_in(8) ? draw.below(3) : 1,
                                               draw.one_in(32) ? nullptr : strings, draw.one_in(2) ? nullptr : lengths,
                                               &code));
}

/// The binary of some program, sometimes with a byte changed.
void create_from_binary(World& world, Draw& draw) {
  if (world.programs.live() > World::kMostObjects) return;
  const cl_program from = world.program(draw);
  std::size_t sizes[8] = {};
  if (clGetProgramInfo(from, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, nullptr) != CL_SUCCESS) return;
  std::vector<unsigned char> bytes(sizes[0] + 1);
  unsigned char* places[8] = {bytes.data()};
  if (clGetProgramInfo(from, CL_PROGRAM_BINARIES, sizeof places, places, nullptr) != CL_SUCCESS) return;
  if (draw.one_in(3)) bytes[draw.word() % bytes.size()] ^= static_cast<unsigned char>(1U << draw.below(8));
  const std::size_t length = draw.one_in(8) ? draw.word() % bytes.size() : sizes[0];
  const unsigned char* binary = draw.one_in(32) ? nullptr : bytes.data();
  const cl_device_id device = world.device(draw);
  cl_int status = 0;
  cl_int code = 0;
  world.programs.add(clCreateProgramWithBinary(world.context(draw), draw.one_in(16) ? draw.below(2) : 1, &device,
                                               &length, &binary, draw.one_in(2) ? nullptr : &status, &code));
}

void build(World& world, Draw& draw) {
  const cl_device_id device = world.device(draw);
  const bool named = draw.one_in(3);
  static_cast<void>(clBuildProgram(world.program(draw), named ? 1 : 0, named ? &device : nullptr,
                                   draw.one_in(4) ? nullptr : draw.among(kOptions), draw.one_in(3) ? on_build : nullptr,
                                   draw.one_in(16) ? world.scratch() : nullptr));
}

void compile(World& world, Draw& draw) {
  cl_program headers[2] = {world.program(draw), world.program(draw)};
  const char* names[2] = {"part.h", draw.one_in(8) ? nullptr : "other.h"};
  const cl_uint count = draw.below(3);
  static_cast<void>(clCompileProgram(world.program(draw), 0, nullptr, draw.one_in(4) ? nullptr : draw.among(kOptions),
                                     count, count != 0 || draw.one_in(16) ? headers : nullptr,
                                     count != 0 || draw.one_in(16) ? names : nullptr,
                                     draw.one_in(3) ? on_build : nullptr, nullptr));
}

void link(World& world, Draw& draw) {
  if (world.programs.live() > World::kMostObjects) return;
  cl_program inputs[3] = {world.program(draw), world.program(draw), world.program(draw)};
  cl_int code = 0;
  world.programs.add(clLinkProgram(world.context(draw), 0, nullptr, draw.one_in(4) ? nullptr : draw.among(kOptions),
                                   draw.below(4), draw.one_in(16) ? nullptr : inputs,
                                   draw.one_in(3) ? on_build : nullptr, nullptr, &code));
}

void refused(World& world, Draw& draw) {
  const cl_device_id device = world.device(draw);
  const auto context = world.context(draw);
  cl_int code = 0;
  world.programs.add(clCreateProgramWithIL(context, world.scratch(), draw.byte(), &code));
  world.programs.add(clCreateProgramWithBuiltInKernels(context, 1, &device, "nothing;none", &code));
  static_cast<void>(clSetProgramSpecializationConstant(world.program(draw), draw.byte(), 4, world.scratch()));
  static_cast<void>(clSetProgramReleaseCallback(world.program(draw), draw.one_in(4) ? nullptr : on_build, nullptr));
  world.memories.add(clCreatePipe(context, 0, draw.byte(), draw.byte(), nullptr, &code));
}

void query(World& world, Draw& draw) {
  Query q(world, draw);
  if (draw.one_in(2)) return q.ask(clGetProgramInfo, world.program(draw));
  q.ask(clGetProgramBuildInfo, world.program(draw), world.device(draw));
}

}  // namespace

std::vector<Call> program_calls() {
  return {create_from_source, create_from_source, build, build, compile, link, create_from_binary, refused, query};
}

}  // namespace lanewise::fuzz
