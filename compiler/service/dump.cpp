// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/service/dump.h"

#include <unistd.h>

#include <atomic>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "src/config/config.h"

namespace lanewise {

namespace {

/// A name of a kernel or a header as the name of a file in the folder.
std::string file_name(std::string_view name) {
  constexpr std::size_t kMost = 100;
  std::string safe(name.substr(0, kMost));
  for (char& c : safe)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.' && c != '-') c = '_';
  return safe.empty() || safe[0] == '.' ? "_" + safe : safe;
}

std::string ending(std::string_view phase) {
  return phase == "asm" ? ".s" : "." + std::string(phase) + ".ll";
}

std::string_view text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string lines_of(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& line : list) text += line + '\n';
  return text;
}

const abi::Source* source_of(const abi::Request& request) {
  return std::visit(
      [](const auto& job) -> const abi::Source* {
        if constexpr (requires { job.source; }) return &job.source;
        return nullptr;
      },
      request);
}

std::string make_folder(const abi::Request& request) {
  static std::atomic<unsigned> number{0};
  const std::string name = config().dump + "/" + abi::job_name(request) + "-" + std::to_string(getpid()) + "-" +
                           std::to_string(number.fetch_add(1) + 1);
  std::error_code failed;
  std::filesystem::create_directories(name, failed);
  return failed ? std::string() : name;
}

}  // namespace

bool Dump::wanted(const abi::Request& request) {
  return !config().dump.empty() && !std::holds_alternative<abi::Ping>(request) &&
         !std::holds_alternative<abi::Validate>(request);
}

Dump::Dump(const abi::Request& request) : folder_(make_folder(request)) {
  observer_.wants = [this](std::string_view) { return !folder_.empty(); };
  observer_.show = [this](std::string_view phase, std::string_view kernel, std::string_view text) {
    write(kernel.empty() ? std::string(phase) + ".ll" : file_name(kernel) + ending(phase), text);
  };
  const abi::Source* source = source_of(request);
  if (source == nullptr || folder_.empty()) return;
  if (source->il.empty())
    write("program.cl", source->text);
  else
    write("program.spv", text_of(source->il));
  std::error_code failed;
  if (!source->headers.empty()) std::filesystem::create_directories(folder_ + "/headers", failed);
  for (const abi::NamedText& header : source->headers) write("headers/" + file_name(header.name), header.text);
  write("options.txt", lines_of(source->options) + lines_of(source->macros) + lines_of(source->extensions));
}

void Dump::write(const std::string& name, std::string_view text) const {
  std::ofstream file(folder_ + "/" + name, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
}

void Dump::finish(abi::Reply& reply) {
  if (!folder_.empty()) {
    write("log.txt", reply.log);
    write("remarks.txt", abi::log_text(reply.loops));
    if (!reply.code_object.empty()) write("code.so", text_of(reply.code_object));
  }
  if (access((folder_ + "/log.txt").c_str(), R_OK) != 0)
    reply.log += "note: LANEWISE_DUMP: nothing can be written to " + config().dump + "\n";
}

}  // namespace lanewise
