// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Source to canonical IR: options, macros, headers, diagnostics.
#include <CL/cl.h>

#include <fstream>

#include "tests/compiler/requests.h"
#include "tests/temporary_directory.h"

namespace lanewise::test {
namespace {

void write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

/// Compiles only if `condition` holds for the preprocessor.
abi::Reply check(const std::string& condition, std::vector<std::string> options = {}) {
  return compile_only("#if !(" + condition + ")\n#error no\n#endif\nkernel void k() {}\n", std::move(options));
}

TEST(Frontend, VersionMacros) {
  EXPECT_EQ(check("__OPENCL_C_VERSION__ == 120 && __OPENCL_VERSION__ == 300").status, CL_SUCCESS);
  EXPECT_EQ(check("__OPENCL_C_VERSION__ == 300", {"-cl-std=CL3.0"}).status, CL_SUCCESS);
  EXPECT_EQ(check("__OPENCL_C_VERSION__ == 310 && __opencl_c_fp64", {"-cl-std=CL3.1"}).status, CL_SUCCESS);
  EXPECT_EQ(check("__OPENCL_C_VERSION__ == 110", {"-cl-std=CL1.1"}).status, CL_SUCCESS);
  EXPECT_EQ(check("defined(__ENDIAN_LITTLE__) && !defined(__FAST_RELAXED_MATH__)").status, CL_SUCCESS);
  EXPECT_EQ(check("defined(__FAST_RELAXED_MATH__)", {"-cl-fast-relaxed-math"}).status, CL_SUCCESS);
}

TEST(Frontend, OnlyRequestedFeaturesExist) {
  EXPECT_EQ(check("defined(cl_khr_fp64) && !defined(cl_khr_fp16) && !defined(cl_khr_subgroups)").status, CL_SUCCESS);
  EXPECT_EQ(check("defined(cl_khr_il_program)").status, CL_SUCCESS) << "unknown to Clang, but the device has it";
  EXPECT_EQ(
      check("!defined(__SPIR__) && !defined(__SPIR64__) && !defined(__SPIR) && !defined(__IMAGE_SUPPORT__)").status,
      CL_SUCCESS);
  EXPECT_EQ(check("__opencl_c_fp64 == 1 && !defined(__opencl_c_images) && !defined(__opencl_c_pipes) && "
                  "!defined(__opencl_c_generic_address_space) && !defined(__opencl_c_subgroups)",
                  {"-cl-std=CL3.0"})
                .status,
            CL_SUCCESS);
  EXPECT_EQ(check("!defined(__opencl_c_fp64)").status, CL_SUCCESS) << "features belong to OpenCL C 3.0";
  EXPECT_NE(compile_only("kernel void k(global int* p) { int* q = p; *q = 1; }", {"-cl-std=CL3.0"}).status, CL_SUCCESS)
      << "generic address space was not requested";
}

/// Clang has some extensions from a later version on; the device has them in all. Other features begin with their language.
TEST(Frontend, ExtensionsExistInEveryVersion) {
  for (const char* standard : {"CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "CL3.1"}) {
    abi::Compile q = compile_of(R"(
      #if !defined(cl_khr_subgroup_shuffle) || !defined(cl_khr_depth_images) || !defined(cl_khr_il_program) || \
          !defined(__opencl_c_kernel_clock_scope_device) || defined(__opencl_c_pipes)
      #error no
      #endif
      #if __OPENCL_C_VERSION__ < 200 && defined(__opencl_c_images)
      #error of a later version
      #endif
      #pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
      #pragma OPENCL EXTENSION cl_khr_depth_images : enable
      #pragma OPENCL EXTENSION cl_khr_il_program : enable
      kernel void k() {})",
                                {"-Werror", std::string("-cl-std=") + standard});
    q.source.extensions.insert(q.source.extensions.end(), {"cl_khr_subgroup_shuffle", "cl_khr_depth_images"});
    q.source.macros.insert(q.source.macros.end(), {"__opencl_c_kernel_clock_scope_device=1", "__opencl_c_images=1"});
    const abi::Reply reply = run_request(q);
    EXPECT_EQ(reply.status, CL_SUCCESS) << standard << reply.log;
    EXPECT_EQ(reply.log, "") << standard;
  }
}

/// A pragma for what the device does not have is told, as before.
TEST(Frontend, PragmasForUnknownExtensionsAreTold) {
  const char* source =
      "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable\n"
      "kernel void k() {}";
  EXPECT_TRUE(contains(compile_only(source).log, "'cl_khr_subgroup_shuffle'"));
  EXPECT_EQ(compile_only(source, {"-Werror"}).status, CL_COMPILE_PROGRAM_FAILURE);
}

/// Before OpenCL C 2.0, for programs that name the extension: others may use the names for themselves.
TEST(Frontend, FloatAtomicsOfOldVersionsAreForProgramsThatNameThem) {
  const auto compiled = [](const std::string& source) {
    abi::Compile q = compile_of(source);
    q.source.extensions.insert(q.source.extensions.end(), {"cl_ext_float_atomics", "cl_khr_fp16"});
    return run_request(q);
  };
  const std::string use =
      "kernel void k(volatile global float* f) { atomic_fetch_add_explicit((volatile global atomic_float*)f, 1.0f, "
      "memory_order_relaxed, memory_scope_device); }";
  const abi::Reply named = compiled("#pragma OPENCL EXTENSION cl_ext_float_atomics : enable\n" + use);
  EXPECT_EQ(named.status, CL_SUCCESS) << named.log;
  EXPECT_NE(compiled(use).status, CL_SUCCESS);
  const abi::Reply own = compiled(
      "typedef int memory_order; enum { memory_scope_device }; typedef struct { float f; } atomic_float;\n"
      "float atomic_fetch_add(global float* f, float v) { return *f + v; }\n"
      "kernel void k(global float* f) { f[0] = atomic_fetch_add(f, 1.0f); }");
  EXPECT_EQ(own.status, CL_SUCCESS) << own.log;
}

/// The embedded headers declare what a program may use, wherever it names it.
TEST(Frontend, FunctionsOfExtensionsAreDeclaredWhereverTheyAreNamed) {
  const TemporaryDirectory temporary;
  const std::string directory = temporary.path();
  write(directory + "/file.h", "#define SHUFFLE(x) intel_sub_group_shuffle(x, 1u)\n");
  const auto compiled = [&](const std::string& source, std::vector<std::string> options = {},
                            std::vector<abi::NamedText> headers = {}) {
    abi::Compile q = compile_of(source, std::move(options));
    q.source.extensions.insert(q.source.extensions.end(),
                               {"cl_intel_subgroups", "cl_khr_work_group_uniform_arithmetic"});
    q.source.headers = std::move(headers);
    return run_request(q);
  };
  const std::string use = "kernel void k(global uint* p) { p[0] = SHUFFLE(p[0]); }";
  const std::string definition = "SHUFFLE(x)=intel_sub_group_shuffle(x,1u)";
  for (const abi::Reply& reply :
       {compiled("#define SHUFFLE(x) intel_sub_group_shuffle(x, 1u)\n" + use), compiled(use, {"-D", definition}),
        compiled(use, {"-D" + definition}), compiled("#define SHUFFLE(x) intel_sub##_group_shuffle(x, 1u)\n" + use),
        compiled("#include \"memory.h\"\n" + use, {},
                 {{"memory.h", "#define SHUFFLE(x) intel_sub_group_shuffle(x, 1u)"}}),
        compiled("#include \"file.h\"\n" + use, {"-I" + directory}),
        compiled("kernel void k(global int* p) { p[0] = work_group_reduce_mul(p[0]); }")})
    EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
  // No other function of this extension is left to Clang: what does not name it has no declaration.
  EXPECT_NE(compiled("kernel void k(global uint* p) { p[0] = SHUFFLE(p[0]); }").status, CL_SUCCESS);
}

TEST(Frontend, OptionsOfOtherDriversHaveNoEffect) {
  const abi::Reply reply =
      compile_only("kernel void k() {}", {"-O3", "-fPIC", "-Wf,-x", "-cl-nv-arch", "sm_80", "-m64"});
  EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
  EXPECT_EQ(compile_only("kernel void k() {}", {"-Werror", "-Wno-such-warning", "-Wsuch-warning"}).status, CL_SUCCESS);
  EXPECT_EQ(compile_only("kernel void k() {}", {"-cl-nv-arch"}).status, CL_INVALID_COMPILER_OPTIONS);
}

TEST(Frontend, Definitions) {
  EXPECT_EQ(check("A == 1 && B == 2", {"-DA", "-D", "B=2"}).status, CL_SUCCESS);
  EXPECT_EQ(check("A == 2", {"-DA=1", "-UA", "-DA=2"}).status, CL_SUCCESS);
  EXPECT_EQ(compile_only("constant char text[] = TEXT; kernel void k() {}", {"-DTEXT=\"a b\""}).status, CL_SUCCESS);
}

TEST(Frontend, UnknownOptionsAreNamed) {
  for (const char* option : {"-cl-nonsense", "-cl-std=CL9.9", "-Xclang", "-D", "-cl-std="}) {
    const abi::Reply compiled = compile_only("kernel void k() {}", {option});
    EXPECT_EQ(compiled.status, CL_INVALID_COMPILER_OPTIONS) << option;
    EXPECT_TRUE(contains(compiled.log, option)) << compiled.log;
    EXPECT_EQ(build_program("kernel void k() {}", {option}).status, CL_INVALID_BUILD_OPTIONS) << option;
  }
}

TEST(Frontend, EveryStandardOptionIsAccepted) {
  for (const char* option :
       {"-w", "-Werror", "-cl-single-precision-constant", "-cl-denorms-are-zero", "-cl-opt-disable", "-cl-mad-enable",
        "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations", "-g",
        "-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-uniform-work-group-size", "-cl-no-subgroup-ifp",
        "-cl-kernel-arg-info", "-cl-std=CL1.2", "-cl-std=CL3.0", "-cl-strict-aliasing"}) {
    const abi::Reply reply = compile_only("kernel void k(global float* a) { a[0] = a[1] / a[2] + 1.0f; }", {option});
    EXPECT_EQ(reply.status, CL_SUCCESS) << option << "\n" << reply.log;
    EXPECT_EQ(reply.log, "") << option;
  }
}

TEST(Frontend, DiagnosticsAreComplete) {
  const abi::Reply reply = compile_only("kernel void k(global int* a) {\n  a[0] = undefined_name;\n  int unused\n}\n");
  EXPECT_EQ(reply.status, CL_COMPILE_PROGRAM_FAILURE);
  EXPECT_TRUE(contains(reply.log, "program.cl:2:10: error: ")) << reply.log;
  EXPECT_TRUE(contains(reply.log, "a[0] = undefined_name;\n")) << "source line";
  EXPECT_TRUE(contains(reply.log, "^")) << "caret";
  EXPECT_TRUE(contains(reply.log, "program.cl:3:")) << "the second error too";
  EXPECT_FALSE(contains(reply.log, "\x1b[")) << "no colours";
  EXPECT_TRUE(reply.ir.empty());
}

TEST(Frontend, WarningsAreInTheLogOfASuccess) {
  const char* source = "kernel void k(global int* a) {\n#warning look here\n}\n";
  const abi::Reply reply = compile_only(source);
  EXPECT_EQ(reply.status, CL_SUCCESS);
  EXPECT_TRUE(contains(reply.log, "look here"));
  EXPECT_EQ(compile_only(source, {"-w"}).log, "");
  EXPECT_EQ(compile_only(source, {"-Werror"}).status, CL_COMPILE_PROGRAM_FAILURE);
}

TEST(Frontend, EmbeddedHeadersComeFirst) {
  TemporaryDirectory disk;
  write(disk / "a.h", "#error the file on disk was taken\n");
  abi::Compile q = compile_of("#include \"a.h\"\n#include <deep/b.h>\nkernel void k(global int* p) { *p = A + B; }",
                              {"-I" + disk.path().string()});
  q.source.headers = {{"a.h", "#define A 1\n"}, {"deep/b.h", "#include \"c.h\"\n"}, {"deep/c.h", "#define B 2\n"}};
  const abi::Reply reply = run_request(q);
  EXPECT_EQ(reply.status, CL_SUCCESS) << reply.log;
  EXPECT_TRUE(reply.dependencies.empty());
}

TEST(Frontend, FilesOnDiskAreDependencies) {
  TemporaryDirectory disk;
  write(disk / "value.h", "#define VALUE 1\n");
  abi::Compile q = compile_of("#include \"value.h\"\nkernel void k(global int* p) { *p = VALUE; }", {"-I."});
  q.source.working_directory = disk.path();
  const abi::Reply first = run_request(q);
  ASSERT_EQ(first.status, CL_SUCCESS) << first.log;
  ASSERT_EQ(first.dependencies.size(), 1U);
  EXPECT_TRUE(first.dependencies[0].path.ends_with("/value.h")) << first.dependencies[0].path;
  EXPECT_TRUE(first.dependencies[0].path.starts_with("/"));
  write(disk / "value.h", "#define VALUE 2\n");
  const abi::Reply second = run_request(q);
  ASSERT_EQ(second.dependencies.size(), 1U);
  EXPECT_NE(first.dependencies[0].hash_low, second.dependencies[0].hash_low);
  q.source.working_directory.clear();
  q.source.options.clear();
  EXPECT_EQ(run_request(q).status, CL_COMPILE_PROGRAM_FAILURE) << "no directory, no file";
}

TEST(Frontend, MissingHeaderIsAnError) {
  const abi::Reply reply = compile_only("#include \"nowhere.h\"\nkernel void k() {}");
  EXPECT_EQ(reply.status, CL_COMPILE_PROGRAM_FAILURE);
  EXPECT_TRUE(contains(reply.log, "'nowhere.h' file not found")) << reply.log;
}

TEST(Frontend, HostileSourcesDoNotEndTheProcess) {
  std::string parentheses(100000, '(');
  EXPECT_NE(compile_only("kernel void k() { int a = " + parentheses).status, CL_SUCCESS);
  EXPECT_NE(compile_only("#include \"program.cl\"\n").status, CL_SUCCESS) << "endless inclusion";
  EXPECT_NE(compile_only("#include \"/dev/zero/x\"\n").status, CL_SUCCESS);
  EXPECT_NE(compile_only(std::string("kernel void k() { \0 garbage", 27)).status, CL_SUCCESS);
  EXPECT_EQ(compile_only("").status, CL_SUCCESS) << "an empty program is a program";
  std::string errors;
  for (int i = 0; i < 1000; ++i) errors += "x" + std::to_string(i) + ";\n";
  EXPECT_NE(compile_only(errors).status, CL_SUCCESS);
  EXPECT_NE(compile_only("kernel void k(global int* a) { __asm__(\"bad\"); undefined(); }").status, CL_SUCCESS);
  std::string sum = "kernel void k(global int* a) { a[0] = 1";
  for (int i = 0; i < 20000; ++i) sum += " + a[" + std::to_string(i) + "]";
  (void)compile_only(sum + "; }");
}

TEST(Frontend, ContractionIsInTheIr) {
  const char* expression = "kernel void k(global float* a) { a[0] = a[1] * a[2] + a[3]; }";
  EXPECT_TRUE(contains(form(compile_of(expression), "canonical"), "llvm.fmuladd"));
  const std::string off = std::string("#pragma OPENCL FP_CONTRACT OFF\n") + expression;
  EXPECT_FALSE(contains(form(compile_of(off), "canonical"), "llvm.fmuladd"));
  const char* statements = "kernel void k(global float* a) { float p = a[1] * a[2]; a[0] = p + a[3]; }";
  EXPECT_TRUE(contains(form(compile_of(statements, {"-cl-mad-enable"}), "canonical"), "contract"));
  EXPECT_TRUE(contains(form(compile_of(statements, {"-cl-fast-relaxed-math"}), "canonical"), "fast"));
}

TEST(Frontend, PingNamesTheCompiler) {
  const abi::Reply reply = run_request(abi::Ping());
  EXPECT_EQ(reply.status, CL_SUCCESS);
  EXPECT_TRUE(contains(reply.log, "LLVM 22"));
}

}  // namespace
}  // namespace lanewise::test
