// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/il.h"

#include <unistd.h>

#include <cstring>
#include <fstream>
#include <utility>

#include "runtime/code/build_cache.h"
#include "runtime/code/location.h"
#include "runtime/code/missing_capabilities.h"
#include "src/config/config.h"
#include "src/log/log.h"

namespace lanewise {

Result<void> IlSource::set_constant(std::uint32_t id, std::size_t size, const void* value) {
  const auto found = module_.constants.find(id);
  if (found == module_.constants.end()) return Error{CL_INVALID_SPEC_ID, "the module has no such constant"};
  if (size != found->second || value == nullptr)
    return Error{CL_INVALID_VALUE, "spec_size is not that of the constant, or there is no value"};
  std::uint64_t bits = 0;
  std::memcpy(&bits, value, size);
  const MutexLock lock(mutex_);
  values_[id] = bits;
  return {};
}

std::vector<abi::SpecConstant> IlSource::constants() const {
  const MutexLock lock(mutex_);
  std::vector<abi::SpecConstant> list;
  list.reserve(values_.size());
  for (const auto& [id, value] : values_) list.push_back({id, value});
  return list;
}

namespace {

/// The first file that the translator's program lacks; empty if it can start. Its libraries are listed beside it:
/// paths, or names in the same folder.
std::string missing_file(const std::string& directory) {
  std::string program = directory + "/lanewise-spirv";
  if (access(program.c_str(), X_OK) != 0) return program;
  std::ifstream list(program + ".libraries");
  for (std::string line; std::getline(list, line);) {
    const std::string path = line.starts_with('/') ? line : directory + "/" + line;
    if (access(path.c_str(), R_OK) != 0) return path;
  }
  return {};
}

bool is_installed() {
  const std::string missing = missing_file(private_directory());
  if (!missing.empty()) log_line(Channel::build, "no SPIR-V: %s is missing", missing.c_str());
  return missing.empty();
}

}  // namespace

bool il_available() {
  // In-process, the translator would be a child process of the application.
  if (config().compiler == Placement::inprocess) return false;
  static const bool installed = is_installed();
  return installed;
}

bool newer_spirv_is_read() {
  return is_spirv_extension("SPV_KHR_untyped_pointers");
}

Result<SpirvModule> checked_il(std::span<const std::uint8_t> bytes) {
  auto module = read_spirv(bytes);
  if (!module) return module.error();
  if (!missing_capability(module.value().words).empty()) return module;
  auto reply = cached_run(abi::Validate{.il = module.value().words});
  if (!reply) return reply.error();
  if (reply.value().status != CL_SUCCESS) return Error{reply.value().status, reply.value().log};
  return module;
}

}  // namespace lanewise
