// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/file/chosen_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "src/file/file.h"

namespace lanewise::file {

namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

/// The standard stream that is this file, to which it belongs in its order; -1: none.
int standard_stream(const struct stat& file) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat info{};
    if (fstat(stream, &info) == 0 && info.st_dev == file.st_dev && info.st_ino == file.st_ino) return stream;
  }
  return -1;
}

/// The file behind a symbolic link, which stays; a link to nothing is replaced.
std::string behind_links(const std::string& path) {
  std::array<char, PATH_MAX> resolved{};
  return realpath(path.c_str(), resolved.data()) == nullptr ? path : resolved.data();
}

}  // namespace

std::string chosen_path(const std::string& option) {
  std::string name = option;
  if (const std::size_t at = name.find("%p"); at != std::string::npos) name.replace(at, 2, std::to_string(getpid()));
  std::array<char, PATH_MAX> folder{};
  if (name.starts_with('/') || getcwd(folder.data(), folder.size()) == nullptr) return name;
  return std::string(folder.data()) + "/" + name;
}

std::string fault_of_chosen(const std::string& path) {
  struct stat info{};
  const bool there = stat(path.c_str(), &info) == 0;
  if (there && S_ISDIR(info.st_mode)) return std::strerror(EISDIR);
  const std::string judged = there && !S_ISREG(info.st_mode) ? path : folder_of(path);
  return access(judged.c_str(), W_OK) == 0 ? std::string() : std::strerror(errno);
}

bool write_chosen(const std::string& path, std::span<const std::uint8_t> bytes) {
  struct stat info{};
  if (stat(path.c_str(), &info) == 0) {
    if (const int stream = standard_stream(info); stream >= 0) return write_all(stream, bytes);
    if (!S_ISREG(info.st_mode)) {
      const Descriptor opened(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
      return opened && write_all(opened.get(), bytes);
    }
  }
  const std::string target = behind_links(path);
  return write_atomically(folder_of(target), target.substr(target.rfind('/') + 1), bytes);
}

}  // namespace lanewise::file
