// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// C++ for OpenCL (cl_ext_cxx_for_opencl): what the language has beyond OpenCL C, and the constructors and destructors
/// of program variables.
#include <CL/cl_ext.h>

#include "include/lanewise/cl_compat.h"
#include "tests/api/fixture.h"
#include "tests/api/program_fixture.h"

namespace lanewise::test {
namespace {

class CxxForOpenCL : public ProgramFixture {
 protected:
  static constexpr std::size_t kItems = 64;

  std::vector<cl_int> ints(const ProgramPtr& program, const char* name, std::size_t count) const {
    const auto made = kernel(program, name);
    const auto out = buffer(count * sizeof(cl_int));
    const cl_mem memory = out.get();
    EXPECT_EQ(clSetKernelArg(made.get(), 0, sizeof memory, &memory), CL_SUCCESS);
    run(made, kItems, 16);
    return read<cl_int>(out, count);
  }
  // NOLINTNEXTLINE(modernize-use-nodiscard): sometimes only the error is asked for
  cl_bool flag(const ProgramPtr& program, cl_program_info what, cl_int expected = CL_SUCCESS) const {
    cl_bool value = CL_FALSE;
    EXPECT_EQ(clGetProgramInfo(program.get(), what, sizeof value, &value, nullptr), expected);
    return value;
  }
};

TEST_F(CxxForOpenCL, Versions) {
  const char* source = "kernel void k(global int* v) { *v = __OPENCL_CPP_VERSION__; }";
  EXPECT_EQ(ints(built(source, "-cl-std=CLC++"), "k", 1)[0], 100);
  EXPECT_EQ(ints(built(source, "-cl-std=CLC++1.0"), "k", 1)[0], 100);
  EXPECT_EQ(ints(built(source, "-cl-std=CLC++2021"), "k", 1)[0], 202100);
  EXPECT_EQ(device_value<cl_version>(device_, CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT),
            cl_version{CL_MAKE_VERSION(1, 0, 0)});
  for (const char* none : {"-cl-std=CLC++3", "-cl-std=C++", "-cl-std=clc++"}) {
    const auto program = this->source(source);
    EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, none, nullptr, nullptr), CL_INVALID_BUILD_OPTIONS) << none;
  }
}

TEST_F(CxxForOpenCL, TemplatesClassesAndLambdas) {
  const auto program = built(R"(
    template <class T, int N> struct vec {
      T v[N];
      vec(T first) { for (int i = 0; i < N; ++i) v[i] = first + i; }
      T sum() const { T s = 0; for (auto x : v) s += x; return s; }
      vec& operator+=(const vec& o) { for (int i = 0; i < N; ++i) v[i] += o.v[i]; return *this; }
    };
    template <class F> void apply(F f, global int* at) { *at = f(*at); }
    struct counter { int n; void add(int k) __local { n += k; } void add(int k) { n += 100 * k; } };
    namespace deep { enum class kind : int { a = 3, b }; constexpr int twice(int n) { return 2 * n; } }
    kernel void k(global int* out) {
      size_t i = get_global_id(0);
      local counter shared;
      if (get_local_id(0) == 0) { shared.n = 0; shared.add(7); }
      barrier(CLK_LOCAL_MEM_FENCE);
      vec<int, 3> a(i), b(1);
      a += b;
      counter own{5};
      own.add(1);
      out[i] = a.sum() + own.n + shared.n + static_cast<int>(deep::kind::b) + deep::twice(10);
      int offset = 1000;
      apply([=](int x) { return x + offset; }, &out[i]);
    })",
                             "-cl-std=CLC++2021");
  const auto values = ints(program, "k", kItems);
  for (std::size_t i = 0; i < kItems; ++i)
    EXPECT_EQ(values[i], static_cast<cl_int>(3 * i + 3 + 6 + 105 + 7 + 4 + 20 + 1000)) << i;
}

TEST_F(CxxForOpenCL, WhatTheLanguageForbidsIsAnError) {
  for (const char* bad :
       {"struct s { virtual void f(); }; kernel void k(global int* p) { *p = 1; }",
        "kernel void k(global int* p) { *p = *new int; }", "kernel void k(global int* p) { throw 1; }",
        "template <class T> kernel void k(T p) { *p = 1; }",
        "struct s { int n; s(int k) : n(k) {} }; kernel void k(global s& x, int& y) { y = 1; }"}) {
    const auto program = source(bad);
    EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, "-cl-std=CLC++2021", nullptr, nullptr),
              CL_BUILD_PROGRAM_FAILURE)
        << bad;
    EXPECT_NE(log(program).find("program.cl:1"), std::string::npos) << log(program);
  }
}

constexpr const char* kObjects = R"(
  struct item {
    int n;
    item(int k) : n(k * 10) {}
    ~item() { if (log) { *log = *log * 10 + n / 10; } }
    global int* log = nullptr;
  };
  global item first(1);
  global item second(first.n);
  global int plain = second.n + 1;
  int twice(int n) { return 2 * n; }
  global int computed = twice(plain);
  int once(int k) { static item inside(k); return inside.n; }
  kernel void k(global int* out) {
    if (get_global_id(0) == 0) { out[0] = first.n; out[1] = second.n; out[2] = plain; out[3] = computed; }
  }
  kernel void watch(global int* log) {
    if (get_global_id(0) == 0) { second.n = 20; first.log = log; second.log = log; log[0] = 0; }
  }
)";

TEST_F(CxxForOpenCL, ConstructorsRunBeforeKernels) {
  const auto program = built(kObjects, "-cl-std=CLC++");
  for (int round = 0; round < 2; ++round) EXPECT_EQ(ints(program, "k", 4), (std::vector<cl_int>{10, 100, 101, 202}));
  EXPECT_EQ(flag(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT), cl_bool{CL_TRUE});
  EXPECT_EQ(flag(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT), cl_bool{CL_TRUE});
  size_t kernels = 0;
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr), CL_SUCCESS);
  EXPECT_EQ(kernels, 2U);
  const auto again = from_binary(binary(program));
  flag(again, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, CL_INVALID_PROGRAM_EXECUTABLE);
  ASSERT_EQ(clBuildProgram(again.get(), 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(ints(again, "k", 4), (std::vector<cl_int>{10, 100, 101, 202}));
  const auto without = built("kernel void k(global int* p) { *p = 1; }", "-cl-std=CLC++");
  EXPECT_EQ(flag(without, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT), cl_bool{CL_FALSE});
  EXPECT_EQ(flag(without, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT), cl_bool{CL_FALSE});
}

TEST_F(CxxForOpenCL, WhatTheyPrintAppears) {
  const char* text = R"(
    struct item { int n; item(int k) : n(k) { printf("made %d\n", n); } ~item() { printf("gone %d\n", n); } };
    global item first(1), second(2);
    kernel void k(global int* out) { *out = second.n; }
  )";
  testing::internal::CaptureStdout();
  {
    const auto program = built(text, "-cl-std=CLC++2021");
    EXPECT_EQ(ints(program, "k", 1)[0], 2);
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "made 1\nmade 2\ngone 2\ngone 1\n");
}

/// Blocks are Clang's extension in this language as well: a kernel in C++ enqueues them, also from templates, and what
/// they capture may have methods.
TEST_F(CxxForOpenCL, BlocksAreEnqueued) {
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
  const QueuePtr inner(clCreateCommandQueueWithProperties(context_.get(), device_, properties, nullptr));
  ASSERT_TRUE(inner);
  const auto program = built(R"(
    struct line { int a, b; int at(int x) const { return a * x + b; } };
    template <class T> int start(global int* out, T f) {
      return enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(16), ^{
        const int i = get_global_id(0);
        out[i] += f.at(i);
      });
    }
    kernel void k(global int* out) {
      if (get_global_id(0) != 0) return;
      for (int i = 0; i < 16; ++i) out[i] = 1000;
      queue_t none = CLK_NULL_QUEUE;
      out[16] = start(out, line{3, 7}) + (get_default_queue() == none ? 1 : 0);
      out[17] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),
                               ^(local void* p) { local int* n = (local int*)p; *n = 5; out[18] = *n; }, 4u);
    })",
                             "-cl-std=CLC++2021");
  const auto out = ints(program, "k", 19);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(out[i], 1000 + 3 * i + 7) << i;
  EXPECT_EQ(out[16], 0);
  EXPECT_EQ(out[17], 0);
  EXPECT_EQ(out[18], 5);
}

TEST_F(CxxForOpenCL, ProgramsCompiledApart) {
  const char* other =
      "struct s { int n; s() : n(7) {} }; global s more; extern global int plain; global int far = plain;"
      "kernel void other(global int* out) { if (get_global_id(0) == 0) { out[0] = more.n; } }";
  const auto a = compiled(kObjects, "-cl-std=CLC++"), b = compiled(other, "-cl-std=CLC++");
  const auto program = linked({a.get(), b.get()});
  EXPECT_EQ(ints(program, "k", 4), (std::vector<cl_int>{10, 100, 101, 202}));
  EXPECT_EQ(ints(program, "other", 1), (std::vector<cl_int>{7}));
}

struct Told {
  cl_program program = nullptr;
  int number = 0;
  int log = -1;
};
struct Watch {
  Told* told;
  const cl_int* log;
  int number;
};
int g_order = 0;
void CL_CALLBACK on_release(cl_program program, void* data) {
  const auto& watch = *static_cast<Watch*>(data);
  *watch.told = {program, ++g_order, *watch.log};
}

/// The destructors, in the reverse order of the constructors; then the callbacks, the last one first.
TEST_F(CxxForOpenCL, DestructorsRunWhenTheProgramGoes) {
  std::vector<cl_int> memory(1024, -1);
  cl_int code = 1;
  MemPtr log(clCreateBuffer(context_.get(), CL_MEM_USE_HOST_PTR, memory.size() * sizeof(cl_int), memory.data(), &code));
  ASSERT_EQ(code, CL_SUCCESS);
  g_order = 0;
  std::array<Told, 2> told;
  Watch watches[] = {{told.data(), memory.data(), 0}, {&told[1], memory.data(), 1}};
  cl_program handle = nullptr;
  {
    const auto program = built(kObjects, "-cl-std=CLC++");
    handle = program.get();
    for (Watch& watch : watches) ASSERT_EQ(clSetProgramReleaseCallback(handle, on_release, &watch), CL_SUCCESS);
    const auto made = kernel(program, "watch");
    const cl_mem handle_of_log = log.get();
    ASSERT_EQ(clSetKernelArg(made.get(), 0, sizeof(cl_mem), &handle_of_log), CL_SUCCESS);
    run(made, kItems, 16);
    EXPECT_EQ(memory[0], 0);
  }
  EXPECT_EQ(memory[0], 21);
  for (const Told& one : told) EXPECT_EQ(one.program, handle);
  EXPECT_EQ(told[0].number, 2);
  EXPECT_EQ(told[1].number, 1);
  EXPECT_EQ(told[0].log, 21);
}

TEST_F(CxxForOpenCL, ReleaseCallbacksAreForProgramsWithDestructors) {
  const auto program = source(kObjects);
  EXPECT_EQ(clSetProgramReleaseCallback(program.get(), on_release, nullptr), CL_INVALID_OPERATION) << "not built yet";
  const auto without = built("kernel void k() {}", "-cl-std=CLC++");
  EXPECT_EQ(clSetProgramReleaseCallback(without.get(), on_release, nullptr), CL_INVALID_OPERATION);
}

/// Arrays of objects, and what an object owns: elements in order, destroyed from the last to the first.
TEST_F(CxxForOpenCL, ArraysOfObjects) {
  std::vector<cl_int> memory(1024, -1);
  cl_int code = 1;
  MemPtr log(clCreateBuffer(context_.get(), CL_MEM_USE_HOST_PTR, memory.size() * sizeof(cl_int), memory.data(), &code));
  ASSERT_EQ(code, CL_SUCCESS);
  {
    const auto program = built(R"(
      global int made = 0;
      global int* global seen = nullptr;
      struct part { int n; part() : n(++made) {} ~part() { *seen = *seen * 10 + n; } };
      struct whole { part a, b; };
      global whole many[2];
      kernel void k(global int* out) {
        if (get_global_id(0) != 0) return;
        seen = out;
        *out = many[0].a.n * 1000 + many[0].b.n * 100 + many[1].a.n * 10 + many[1].b.n;
      })",
                               "-cl-std=CLC++2021");
    const auto made = kernel(program, "k");
    const cl_mem handle = log.get();
    ASSERT_EQ(clSetKernelArg(made.get(), 0, sizeof handle, &handle), CL_SUCCESS);
    run(made, kItems, 16);
    EXPECT_EQ(memory[0], 1234);
    memory[0] = 0;
  }
  EXPECT_EQ(memory[0], 4321);
}

/// Constructed when a work-item comes by first, and destroyed only then.
TEST_F(CxxForOpenCL, VariablesOfFunctions) {
  const auto program = built(R"(
    struct item { int n; item(int k) : n(k) {} ~item() { n = -1; } };
    int next(int k) { static item inside(k); return inside.n++; }
    int never(int k) { static item inside(k); return inside.n; }
    kernel void k(global int* out) { if (get_global_id(0) == 0) for (int i = 0; i < 3; ++i) out[i] = next(5 + i); }
    kernel void unused(global int* out) { out[0] = never(1); })",
                             "-cl-std=CLC++2021");
  EXPECT_EQ(ints(program, "k", 3), (std::vector<cl_int>{5, 6, 7}));
  EXPECT_EQ(ints(program, "k", 3), (std::vector<cl_int>{8, 9, 10}));
}

}  // namespace
}  // namespace lanewise::test
