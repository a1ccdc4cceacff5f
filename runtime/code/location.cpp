// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/location.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <fstream>

#include "include/lanewise/builtin_library.h"
#include "include/lanewise/version.h"
#include "src/config/config.h"

namespace lanewise {

namespace {

/// The file in which an address of code lies, as the system knows it, without symbolic links; empty if it does not say.
std::string mapped_file(std::uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    char* rest = nullptr;
    const std::uintptr_t begin = strtoull(line.c_str(), &rest, 16);
    const std::uintptr_t end = *rest == '-' ? strtoull(rest + 1, nullptr, 16) : 0;
    const std::size_t path = line.find('/');
    if (address >= begin && address < end && path != std::string::npos) return line.substr(path);
  }
  return {};
}

std::string directory_of_this_code() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&directory_of_this_code), &info) == 0 || info.dli_fname == nullptr)
    return {};
  char resolved[PATH_MAX];
  // Applications may link the driver through a symbolic link named libOpenCL.so.1; its parts are beside the real file.
  std::string path;
  if (realpath(info.dli_fname, resolved) != nullptr)
    path = resolved;
  else  // links may not be read
    path = mapped_file(reinterpret_cast<std::uintptr_t>(&directory_of_this_code));
  if (path.empty()) path = info.dli_fname;
  return path.substr(0, path.rfind('/'));
}

std::string find_directory() {
  if (!config().compiler_dir.empty()) return config().compiler_dir;
  const std::string here = directory_of_this_code();
  const std::string beside = here + "/lanewise";
  return access(beside.c_str(), F_OK) != 0 && errno == ENOENT ? here + "/../lib/lanewise" : beside;
}

std::string stamp_of(const std::string& path) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) return "absent";
  return std::to_string(info.st_size) + "." + std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec);
}

}  // namespace

const std::string& private_directory() {
  static const std::string& directory = *new std::string(find_directory());
  return directory;
}

std::string compiler_identity() {
  const std::string& base = private_directory();
  return std::string(LANEWISE_VERSION) + "|" + stamp_of(base + "/liblanewise-compiler.so") + "|" +
         stamp_of(base + "/lanewise-spirv") + "|" + stamp_of(base + "/" + kBuiltinLibrary);
}

}  // namespace lanewise
