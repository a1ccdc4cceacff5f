// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/options.h"

#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "include/lanewise/build_flags.h"

namespace lanewise {
namespace {

using Strings = std::vector<std::string>;

/// An extension or feature that Clang knows for OpenCL.
struct ClangExtension {
  std::string_view name;
  unsigned since;  ///< the first version of OpenCL C in which Clang has it, as in __OPENCL_C_VERSION__
};

// All of them, so that what a request does not name can be undefined.
constexpr ClangExtension kClangExtensions[] = {
#define OPENCL_GENERIC_EXTENSION(ext, pragma, since, ...) {#ext, since},
#include <clang/Basic/OpenCLExtensions.def>
};

// A language, and no extension of one: there is no macro of this name.
constexpr std::string_view kCppExtension = "cl_ext_cxx_for_opencl";

constexpr std::string_view kFeaturePrefix = "__opencl_c_";

// Features that come with an extension, and so exist in every version that the extension exists in.
constexpr std::string_view kFeaturesOfExtensions[] = {"__opencl_c_ext_", "__opencl_c_integer_dot_product_",
                                                      "__opencl_c_kernel_clock_"};

// Names in a program by which it asks for cl_ext_float_atomics (float_atomics.clh).
constexpr std::string_view kFloatAtomics = "cl_ext_float_atomics";
constexpr std::string_view kFloatAtomicFeatures = "__opencl_c_ext_fp";

// Macros that Clang defines for the names of its target, or in its base header, and that are not true of this device
// unless the request names them.
constexpr std::string_view kForeignMacros[] = {"SPIR",     "__SPIR",     "__SPIR__",          "SPIR64",
                                               "__SPIR64", "__SPIR64__", "__IMAGE_SUPPORT__", "__opencl_c_int64"};

// Mistakes in C that are errors in Clang since version 16 and warnings here: C compilers accepted them for decades, and
// their meaning is certain. docs/language.md lists them with their reasons.
constexpr std::string_view kTolerated[] = {"incompatible-pointer-types", "int-conversion", "implicit-int",
                                           "return-mismatch"};

template <class Range>
bool contains(const Range& range, std::string_view what) {
  return std::find(std::begin(range), std::end(range), what) != std::end(range);
}

bool is_feature(std::string_view name) {
  return name.starts_with(kFeaturePrefix);
}

std::string_view macro_name(std::string_view definition) {
  return definition.substr(0, definition.find('='));
}

std::string absolute(const std::string& path, const std::string& working_directory) {
  if (path.starts_with('/') || working_directory.empty()) return path;
  return working_directory + "/" + path;
}

/// The state of the translation: what the options say, to be written in one order.
struct Translation {
  explicit Translation(const abi::Source& described) : source(described) {}

  const abi::Source& source;
  Strings args;
  Strings user;                    ///< in the order given: -D, -U and -I may depend on it
  std::string standard = "CL1.2";  ///< as Clang knows it
  unsigned version = 120;          ///< of the OpenCL C whose rules that shares, as in __OPENCL_C_VERSION__
  bool is_31 = false;              ///< OpenCL C 3.1
  bool contract_fast = false;
};

/// The operand of `-X<operand>` or `-X <operand>`; advances `index` in the second case. Empty: missing.
std::string operand(const Strings& options, std::size_t& index) {
  if (options[index].size() > 2) return options[index].substr(2);
  if (index + 1 >= options.size()) return {};
  return options[++index];
}

/// The number of an OpenCL C, or of the one whose rules a C++ for OpenCL shares; 0 if the front end has none of the
/// name.
unsigned version_of(const Translation& t, std::string_view standard) {
  const auto number = [](const auto& row) { return static_cast<unsigned>(row.major * 100 + row.minor * 10); };
  if (const CppLanguageRow* cpp = find_cpp_language(standard))
    return contains(t.source.extensions, kCppExtension) ? number(*cpp) : 0;
  const LanguageRow* language = find_language(standard);
  return language != nullptr ? number(*language) : 0;
}

bool translate_standard(Translation& t, std::string_view value) {
  t.version = version_of(t, value);
  if (t.version == 0) return false;
  // Clang 22 has no OpenCL C 3.1. To it that is 3.0 with more functions, which are those of extensions.
  t.is_31 = value == "CL3.1";
  t.standard = t.is_31 ? std::string_view("CL3.0") : value;
  return true;
}

void append_debug_info(Translation& t) {
  for (const char* arg : {"-debug-info-kind=standalone", "-dwarf-version=4", "-debugger-tuning=gdb"})
    t.args.emplace_back(arg);
  // Debuggers read the source where the runtime has put it, not where the front end sees it.
  if (t.source.folder.empty()) return;
  t.args.push_back("-fdebug-prefix-map=" + std::string(kProgramDirectory) + "=" + t.source.folder);
  t.args.push_back("-fdebug-compilation-dir=" + t.source.folder);
}

bool translate_flag(Translation& t, const BuildFlagRow& row) {
  switch (row.front_end) {
    case FrontEndUse::none:
      return false;
    case FrontEndUse::ignored:
      return true;
    case FrontEndUse::debug_info:
      append_debug_info(t);
      return true;
    case FrontEndUse::relaxed_aliasing:
      t.args.emplace_back("-relaxed-aliasing");
      return true;
    case FrontEndUse::contracts:
      t.contract_fast = true;
      break;
    case FrontEndUse::passed:
      break;
  }
  t.args.emplace_back(row.text);
  return true;
}

bool translate_option(Translation& t, std::size_t& index) {
  const Strings& options = t.source.options;
  const std::string& option = options[index];
  if (option.starts_with("-cl-std=")) return translate_standard(t, std::string_view(option).substr(8));
  if (option.starts_with("-D") || option.starts_with("-U") || option.starts_with("-I")) {
    std::string kind = option.substr(0, 2);
    std::string value = operand(options, index);
    if (value.empty()) return false;
    if (kind == "-I") value = absolute(value, t.source.working_directory);
    t.user.push_back(std::move(kind));
    t.user.push_back(std::move(value));
    return true;
  }
  if (const BuildFlagRow* row = find_flag(option)) return translate_flag(t, *row);
  if (const ForeignOption* foreign = find_foreign_option(option)) {
    index += takes_word(*foreign, option) ? 1 : 0;
    return index < options.size();
  }
  if (!is_warning_option(option)) return false;
  t.args.push_back(option);
  return true;
}

bool is_cpp(const Translation& t) {
  return find_cpp_language(t.standard) != nullptr;
}

/// Feature macros exist from OpenCL C 3.0 on (OpenCL C 6.2.1). Clang's declarations ask for them in 2.0 as well, and
/// those of an extension's features in every version that has the extension.
bool has_feature(const Translation& t, std::string_view name) {
  if (t.version >= 200) return true;
  return std::any_of(std::begin(kFeaturesOfExtensions), std::end(kFeaturesOfExtensions),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

const ClangExtension* find_extension(std::string_view name) {
  const auto* found = std::find_if(std::begin(kClangExtensions), std::end(kClangExtensions),
                                   [&](const ClangExtension& known) { return known.name == name; });
  return found == std::end(kClangExtensions) ? nullptr : found;
}

/// Whether the program, one of its embedded headers or an option has `part` in its text.
bool names(const abi::Source& source, std::string_view part) {
  const auto has = [&](const std::string& text) { return text.find(part) != std::string::npos; };
  return has(source.text) || std::any_of(source.options.begin(), source.options.end(), has) ||
         std::any_of(source.headers.begin(), source.headers.end(),
                     [&](const abi::NamedText& header) { return has(header.text); });
}

/// Whether the program may use functions with `part` in their names. What it includes from files is not looked at, and
/// names that macros put together do not stand in the text.
bool may_use(const abi::Source& source, std::string_view part) {
  return names(source, part) || names(source, "include") || names(source, "##");
}

/// Macros for the embedded headers: what they declare takes more time to read than most programs, so they declare only
/// what the program may use.
void append_declared(const Translation& t, Strings& defined) {
  const abi::Source& source = t.source;
  if (may_use(source, "work_group_")) defined.emplace_back("__LW_WORK_GROUP_ARITHMETIC=1");
  if (may_use(source, "sub_group")) defined.emplace_back("__LW_INTEL_SUB_GROUPS=1");
  if (may_use(source, "named_barrier")) defined.emplace_back("__LW_NAMED_BARRIERS=1");
  if (may_use(source, "bfloat16")) defined.emplace_back("__LW_BFLOAT16=1");
  const bool atomics = names(source, kFloatAtomics) || names(source, kFloatAtomicFeatures);
  if (t.version < 200 && contains(source.extensions, kFloatAtomics) && atomics)
    defined.emplace_back("__LW_FLOAT_ATOMICS=1");
}

/// Clang has some extensions from OpenCL C 2.0 on only. What they add to the language depends on nothing but their
/// macro, so that all of them exist in every version, as the specification has it.
void append_extensions(Translation& t) {
  // What the pragma of this name may enable: pointers to functions, virtual functions of C++.
  std::string list = "-cl-ext=-all,+__cl_clang_function_pointers";
  Strings defined;
  for (const std::string& name : t.source.extensions) {
    const ClangExtension* known = find_extension(name);
    if (known != nullptr && known->since <= t.version) {
      list += ",+" + name;
    } else if (name != kCppExtension) {
      defined.push_back(name + "=1");
    }
  }
  for (const std::string& macro : t.source.macros)
    if (is_feature(macro_name(macro))) list += ",+" + std::string(macro_name(macro));
  t.args.push_back(list);
  append_declared(t, defined);
  for (std::string& definition : defined) {
    t.args.emplace_back("-D");
    t.args.push_back(std::move(definition));
  }
}

void append_macros(Translation& t) {
  const auto undefine = [&](std::string_view name) {
    t.args.emplace_back("-U");
    t.args.emplace_back(name);
  };
  for (const std::string_view name : kForeignMacros) undefine(name);
  for (const ClangExtension& known : kClangExtensions)
    if (is_feature(known.name)) undefine(known.name);
  for (const std::string& macro : t.source.macros) {
    const std::string_view name = macro_name(macro);
    if (is_feature(name) && !has_feature(t, name)) continue;
    undefine(name);
    t.args.emplace_back("-D");
    t.args.push_back(macro);
  }
  if (t.is_31) {
    undefine("__OPENCL_C_VERSION__");
    t.args.insert(t.args.end(), {"-D", "__OPENCL_C_VERSION__=310"});
  }
  // Also declares built-ins for each address space beside those with generic pointers, which would have to be resolved.
  t.args.emplace_back("-D__opencl_c_named_address_space_builtins=1");
}

/// Comes before the user's options, which may override it. Clang exempts from -Werror what a -Wno-error= names, so with
/// -Werror nothing is added, and these mistakes are errors; with -w they are warnings, so that they are hidden.
void append_tolerance(Translation& t) {
  const Strings& options = t.source.options;
  // Other versions of the compiler have other warnings.
  t.args.emplace_back("-Wno-error=unknown-warning-option");
  if (has_flag(options, BuildFlag::warnings_are_errors) && !has_flag(options, BuildFlag::no_warnings)) return;
  for (const std::string_view slip : kTolerated) t.args.push_back("-Wno-error=" + std::string(slip));
}

}  // namespace

Result<Strings> cc1_arguments(const SourceJob& job) {
  const abi::Source& source = job.source;
  Translation t(source);
  // -O2 without passes: the IR carries lifetimes and alias information, and no function is marked optnone.
  t.args = {"-triple",
            "spir64-unknown-unknown",
            "-x",
            "cl",
            "-emit-llvm-bc",
            "-O2",
            "-disable-llvm-passes",
            "-fdeclare-opencl-builtins",
            "-cl-kernel-arg-info"};
  // OpenCL C has no inline assembly, and the code generator no parser for it.
  t.args.emplace_back("-fno-gnu-inline-asm");
  // Included by its path: -finclude-default-header would look for it in the user's directories first.
  t.args.insert(t.args.end(), {"-include", kBaseHeader, "-working-directory", kProgramDirectory});
  append_tolerance(t);
  for (std::size_t i = 0; i < source.options.size(); ++i) {
    const std::string& option = source.options[i];
    if (option.empty() || translate_option(t, i)) continue;
    const int code = job.builds ? CL_INVALID_BUILD_OPTIONS : CL_INVALID_COMPILER_OPTIONS;
    return Error{code, "unknown or incomplete option '" + option + "'"};
  }
  t.args.push_back("-cl-std=" + t.standard);
  // What Clang leaves is finished, and verified, afterwards (cxx_programs.h, handle_comparisons.h).
  t.args.emplace_back("-disable-llvm-verifier");
  // Destructors are registered by functions whose names say of what. Work-items do not wait for each other inside of a
  // function, so variables there are constructed without a lock.
  // Nothing reads the descriptions of classes beside virtual tables, which name variables of the C++ library.
  if (is_cpp(t)) t.args.insert(t.args.end(), {"-fno-use-cxa-atexit", "-fno-threadsafe-statics", "-fno-rtti"});
  t.args.emplace_back(t.contract_fast ? "-ffp-contract=fast-honor-pragmas" : "-ffp-contract=on");
  // The report names source lines.
  const bool lines = job.report_vectors || reports_vectors(source.options);
  if (lines && !has_flag(source.options, BuildFlag::debug_info))
    t.args.emplace_back("-debug-info-kind=line-tables-only");
  append_extensions(t);
  append_macros(t);
  // Embedded headers are found before anything on disk (API clCompileProgram), the working directory last. It is one
  // -I more, because -idirafter would take the place of the user's own -I of the same directory.
  t.args.insert(t.args.end(), {"-I", kProgramDirectory});
  t.args.insert(t.args.end(), t.user.begin(), t.user.end());
  if (!source.working_directory.empty()) t.args.insert(t.args.end(), {"-I", source.working_directory});
  t.args.emplace_back(kSourceName);
  return std::move(t.args);
}

bool optimisation_disabled(const Strings& options) {
  return has_flag(options, BuildFlag::opt_disable) || has_flag(options, BuildFlag::O0);
}

bool sums_reassociate(const Strings& options) {
  return has_flag(options, BuildFlag::unsafe_math) || has_flag(options, BuildFlag::fast_relaxed_math);
}

bool reports_vectors(const Strings& options) {
  return has_flag(options, BuildFlag::report_vectors);
}

Result<void> check_link_options(const Strings& options) {
  for (const std::string& option : options) {
    if (option.empty()) continue;
    const BuildFlagRow* row = find_flag(option);
    if (row == nullptr || !includes(row->taken_by, TakenBy::link))
      return Error{CL_INVALID_LINKER_OPTIONS, "unknown link option '" + option + "'"};
  }
  return {};
}

}  // namespace lanewise
