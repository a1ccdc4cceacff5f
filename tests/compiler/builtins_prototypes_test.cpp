// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every overload that Clang's full OpenCL header declares is called once, compiled as user code, and must be found in
/// the library, under the mangled name that the compiler uses.
#include <llvm/Support/Regex.h>

#include <set>
#include <sstream>

#include "tests/compiler/builtins_program.h"

namespace lanewise::test {
namespace {

/// Functions that are not in this library: lowered by the compiler, or of features that the device does not report.
bool left_out(const std::string& line) {
  static llvm::Regex other(
      "image|pipe|sub_group|intel_|amd_|reserve_id|queue_t|clk_event|ndrange|clock_read|printf|"
      "sampler|work_group_(all|any|broadcast|reduce|scan|commit|reserve)|get_fence");
  return other.match(line) || line.find("atomic_half") != std::string::npos;
}

/// "float fract(float, float *);" -> "float w7(float a0, float * a1) { return fract(a0, a1); }"
std::string wrapper(const std::string& declaration, int number) {
  static llvm::Regex form("^([a-z_0-9 ]+) +\\*?([a-z_0-9A-Z]+)\\((.*)\\);");
  static llvm::Regex named("^(.*[ *])([a-z_]+[a-z_0-9]*)$");
  static const std::set<std::string> types = {"int",    "uint",  "long",   "ulong",  "char",    "uchar", "short",
                                              "ushort", "float", "double", "size_t", "event_t", "void",  "half"};
  llvm::SmallVector<llvm::StringRef, 4> parts;
  if (!form.match(declaration, &parts)) return {};
  std::string parameters, arguments;
  llvm::SmallVector<llvm::StringRef, 8> list;
  if (parts[3] != "void" && !parts[3].empty()) parts[3].split(list, ',');
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto type = list[i].trim().str();
    llvm::SmallVector<llvm::StringRef, 3> words;
    llvm::Regex vector_type("^[a-z]+[0-9]+$");
    const bool whole_type = types.count(type.substr(type.rfind(' ') + 1)) != 0 ||
                            vector_type.match(type.substr(type.rfind(' ') + 1)) || type.ends_with("_t") ||
                            type.starts_with("atomic_") || type.starts_with("memory_");
    if (!whole_type && named.match(type, &words)) type = words[1].trim().str();
    const auto name = "a" + std::to_string(i);
    parameters += (i ? ", " : "") + type + " " + name;
    arguments += (i ? ", " : "") + name;
  }
  const auto result = parts[1].str();
  return result + " w" + std::to_string(number) + "(" + parameters + ") { " + (result == "void" ? "" : "return ") +
         parts[2].str() + "(" + arguments + "); }\n";
}

std::vector<std::string> prototypes(const std::string& standard) {
  const auto header = run_clang("#include <opencl-c.h>\n", {"-cl-std=" + standard, "-cl-no-stdinc", "-E", "-P"});
  std::vector<std::string> out;
  std::istringstream lines(header);
  llvm::Regex attribute("__attribute__\\(\\([a-z_]+(\\([^)]*\\))?\\)\\) *");
  for (std::string line, more; std::getline(lines, line);) {
    while (line.find("overloadable") != std::string::npos && line.find(';') == std::string::npos &&
           std::getline(lines, more))
      line += " " + more;
    if (line.find("overloadable") == std::string::npos || left_out(line)) continue;
    while (attribute.match(line)) line = attribute.sub("", line);
    out.push_back(line);
  }
  return out;
}

void check(const std::string& standard) {
  std::string source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  int number = 0, unread = 0;
  for (const auto& declaration : prototypes(standard)) {
    const auto text = wrapper(declaration, number++);
    if (text.empty()) {
      ++unread;
      ADD_FAILURE() << "not understood: " << declaration;
      if (unread > 10) return;
    }
    source += text;
  }
  EXPECT_GT(number, 9000) << "the header was not read";
  llvm::LLVMContext context;
  auto module = compile(source, context, standard);
  ASSERT_TRUE(module);
  auto library = BuiltinLibrary::open(builtins_directory(), IsaLevel::x86_64_v2);
  ASSERT_TRUE(static_cast<bool>(library)) << llvm::toString(library.takeError());
  auto missing = (*library)->link_into(*module);
  ASSERT_TRUE(static_cast<bool>(missing)) << llvm::toString(missing.takeError());
  static llvm::Regex lowered(
      "^_Z[0-9]+(get_(global|local|work|group|num|enqueued)_?[a-z_]*|barrier|work_group_barrier)"
      "(v|j|j12memory_scope)$");
  for (const auto& name : *missing) EXPECT_TRUE(lowered.match(name)) << name << " is not in the library";
}

TEST(BuiltinPrototypes, EveryDeclarationOfOpenCl30IsDefined) {
  check("CL3.0");
}
TEST(BuiltinPrototypes, EveryDeclarationOfOpenCl12IsDefined) {
  check("CL1.2");
}

TEST(BuiltinLibraryFile, AMissingFileIsAnError) {
  auto library = BuiltinLibrary::open("/nonexistent", IsaLevel::x86_64_v3);
  ASSERT_FALSE(static_cast<bool>(library));
  EXPECT_NE(llvm::toString(library.takeError()).find("builtins-x86-64.lwb"), std::string::npos);
}

TEST(BuiltinLibraryFile, IsOpenedOncePerLevel) {
  auto first = BuiltinLibrary::open(builtins_directory(), IsaLevel::x86_64_v3),
       second = BuiltinLibrary::open(builtins_directory(), IsaLevel::x86_64_v3);
  ASSERT_TRUE(static_cast<bool>(first) && static_cast<bool>(second));
  EXPECT_EQ(first->get(), second->get());
  auto other = BuiltinLibrary::open(builtins_directory(), IsaLevel::x86_64_v2);
  ASSERT_TRUE(static_cast<bool>(other));
  EXPECT_NE(first->get(), other->get());
}

}  // namespace
}  // namespace lanewise::test
