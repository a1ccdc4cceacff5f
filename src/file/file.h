// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files for the cache and the image loader: owned descriptors, mappings, atomic writes, private directories. No
/// function here throws or logs. A failure is an empty result, because no caller treats it as an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "src/base/bytes.h"

namespace lanewise::file {

/// An owned file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  [[nodiscard]] int get() const { return number_; }  ///< -1: none
  [[nodiscard]] int release() { return std::exchange(number_, -1); }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// A read-only mapping of a whole file.
class Mapping {
 public:
  static std::optional<Mapping> of(int descriptor);
  Mapping(Mapping&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping();
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {data_, size_}; }

 private:
  Mapping(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  const std::uint8_t* data_;
  std::size_t size_;
};

/// An anonymous file in memory that contains `bytes`, closed on exec. Empty: the system refuses it.
Descriptor in_memory(const char* name, std::span<const std::uint8_t> bytes);

/// Opens a file for reading. With `must_own`, opens only a regular file of the effective user that nobody else may
/// write.
Descriptor open_read(const std::string& path, bool must_own = false);

/// The content of a regular file; nothing: it cannot be read.
std::optional<Bytes> read_all(const std::string& path);
/// What is left to read until the end; nothing: an error, which errno names.
std::optional<Bytes> read_all(int descriptor);

/// Writes all of `bytes`. False: any error, including a full disk and the limit of file sizes (RLIMIT_FSIZE), whose
/// signal is suppressed.
bool write_all(int descriptor, std::span<const std::uint8_t> bytes);

/// Writes a file under a temporary name in the same directory, then renames it, so that readers see the old file or the
/// whole new file.
bool write_atomically(const std::string& directory, const std::string& name, std::span<const std::uint8_t> bytes);

/// Creates `path` and missing parents as a directory that only the effective user may use. An existing path may be such
/// a directory, or a symbolic link of that user or of root to one. False: there is no such directory, for example
/// because it or the link belongs to another user, or others may write to it.
bool make_private_directory(const std::string& path);

}  // namespace lanewise::file
