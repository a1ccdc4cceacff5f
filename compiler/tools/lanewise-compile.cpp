// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// lanewise-compile: runs the compiler on a file, without driver, helper or cache.
///
///     lanewise-compile [--emit=ir|lowered-ir|optimised-ir|asm|code-object] [-o out] [--isa=x86-64-v4+avx512vnni]
///                      [--time] [--width=N] [--report-vectors] [--ext=name,...] [--macro=NAME=VALUE]...
///                      [OpenCL options] file.cl...
///
/// The log goes to standard error; one of the forms, if asked for, to `out` (or standard output). With several inputs
/// each is compiled, then all are linked. `--help` prints the usage. Exit code: 0, 1 if the build failed, 2 on wrong
/// usage.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/request/run_request.h"
#include "src/base/mutex.h"

namespace {

using lanewise::abi::Build;
using lanewise::abi::Compile;
using lanewise::abi::Link;
using lanewise::abi::Reply;
using lanewise::abi::Request;

struct CompileArguments {
  Build job;
  std::vector<std::string> files;
  std::string emit;
  std::string output;
  bool time = false;
  bool good = true;
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (end > at) parts.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

CompileArguments parse(int argc, char** argv) {
  CompileArguments a;
  a.job.code.isa = lanewise::IsaLevel::x86_64_v3;
  a.job.source.extensions = {"cl_khr_byte_addressable_store", "cl_khr_fp64"};
  a.job.source.macros = {"__OPENCL_VERSION__=300", "__opencl_c_fp64=1", "__opencl_c_int64=1"};
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto value = [&](const char* prefix) { return argument.substr(std::string(prefix).size()); };
    if (argument.starts_with("--emit=")) {
      a.emit = value("--emit=");
    } else if (argument == "-o" && i + 1 < argc) {
      a.output = argv[++i];
    } else if (argument.starts_with("--isa=")) {
      const auto isa = lanewise::Isa::named(value("--isa="));
      a.good = a.good && isa.has_value();
      a.job.code.isa = isa.value_or(a.job.code.isa);
    } else if (argument.starts_with("--ext=")) {
      a.job.source.extensions = split(value("--ext="));
    } else if (argument.starts_with("--macro=")) {
      a.job.source.macros.push_back(value("--macro="));
    } else if (argument == "--debug-barriers") {
      a.job.code.debug_barriers = true;
    } else if (argument.starts_with("--width=")) {
      a.job.code.vector_width = static_cast<std::uint32_t>(std::strtoul(value("--width=").c_str(), nullptr, 10));
    } else if (argument == "--report-vectors") {
      a.job.code.report_vectors = true;
    } else if (argument == "--time") {
      a.time = true;
    } else if ((argument == "-I" || argument == "-D") && i + 1 < argc) {
      a.job.source.options.insert(a.job.source.options.end(), {argument, argv[++i]});
    } else if (argument.starts_with('-')) {
      a.job.source.options.push_back(argument);
    } else {
      a.files.push_back(argument);
    }
  }
  constexpr const char* kForms[] = {"", "ir", "lowered-ir", "optimised-ir", "asm", "code-object"};
  a.good = a.good && !a.files.empty() && std::find(std::begin(kForms), std::end(kForms), a.emit) != std::end(kForms);
  return a;
}

std::string read(const std::string& path, bool& good) {
  std::ifstream file(path, std::ios::binary);
  good = file && !std::filesystem::is_directory(path);
  if (!good) return {};
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The phase of `PipelineObserver` that gives a form.
std::string phase_of(const std::string& form) {
  if (form == "ir") return "canonical";
  if (form == "lowered-ir") return "lowered";
  if (form == "optimised-ir") return "optimised";
  return form;
}

Reply run(const CompileArguments& a, std::string& text) {
  lanewise::Mutex mutex;
  const std::string phase = phase_of(a.emit);
  const lanewise::PipelineObserver observer{.wants = [&](std::string_view p) { return p == phase; },
                                            .show =
                                                [&](std::string_view, std::string_view, std::string_view form) {
                                                  const lanewise::MutexLock lock(mutex);
                                                  text += form;
                                                }};
  Build job = a.job;
  Link link{.code = a.job.code};
  Reply reply;
  for (const std::string& path : a.files) {
    bool good = false;
    job.source.text = read(path, good);
    if (!good) {
      reply.status = -1;
      reply.log = "cannot read " + path + "\n";
      return reply;
    }
    const bool front_only = a.files.size() > 1 || a.emit == "ir";
    const Request request = front_only ? Request(Compile{job.source, job.code.report_vectors}) : Request(job);
    const auto start = std::chrono::steady_clock::now();
    reply = run_request(request, &observer);
    for (int i = 0; a.time && i < 20; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      (void)lanewise::run_request(request);
      const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
      std::fprintf(stderr, "%.2f ms\n", took.count());
    }
    if (a.time) {
      const std::chrono::duration<double, std::milli> all = std::chrono::steady_clock::now() - start;
      std::fprintf(stderr, "first and 20 more: %.2f ms\n", all.count());
    }
    if (reply.status != 0) return reply;
    link.inputs.push_back(reply.ir);
  }
  return a.files.size() > 1 ? run_request(link, &observer) : reply;
}

constexpr const char* kUsage =
    "usage: lanewise-compile [--emit=ir|lowered-ir|optimised-ir|asm|code-object] [-o out] [--isa=LEVEL+FEATURE]\n"
    "                        [--time] [--width=N] [--report-vectors] [--ext=names] [--macro=NAME=VALUE]\n"
    "                        [OpenCL options] file.cl...\n";

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    std::cout << kUsage;
    return 0;
  }
  const CompileArguments a = parse(argc, argv);
  if (!a.good) {
    std::cerr << kUsage;
    return 2;
  }
  std::string text;
  const Reply reply = run(a, text);
  std::cerr << reply.log;
  if (a.job.code.report_vectors) std::cerr << lanewise::abi::log_text(reply.loops);
  if (a.emit == "code-object") text.assign(reply.code_object.begin(), reply.code_object.end());
  if (!a.output.empty()) {
    std::ofstream(a.output, std::ios::binary) << text;
  } else if (a.emit != "code-object") {
    std::cout << text;
  }
  for (const auto& kernel : reply.kernels)
    std::cerr << "kernel " << kernel.name << ": " << kernel.args.size() << " arguments in " << kernel.args_bytes
              << " bytes, local " << kernel.local_bytes << ", per item " << kernel.item_bytes << ", per group "
              << kernel.group_bytes << (kernel.has_barrier ? ", barriers" : "") << "\n";
  if (reply.status != 0) std::cerr << "status " << reply.status << "\n";
  return reply.status == 0 ? 0 : 1;
}
