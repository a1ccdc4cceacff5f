// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Layout of a file of the built-in library: a header, then the tables and the bitcode of all ISA levels of an
/// architecture. What is the same at several levels, as most bitcode is, is there once. Little-endian, written by
/// kernels-builtin/tools/shard_tool.cpp and mapped by BuiltinLibrary. All offsets are from the start of the file.
#pragma once

#include <cstdint>

namespace lanewise::shards {

inline constexpr std::uint64_t kMagic = 0x534e4954'4c495542;  // "BUILTINS"
inline constexpr std::uint32_t kVersion = 2;
inline constexpr std::uint32_t kMostLevels = 8;  ///< levels of one architecture

/// The library of one ISA level.
struct LevelTables {
  std::uint32_t number = 0;  ///< Isa::number, or 0: none
  std::uint32_t symbol_count = 0;
  std::uint32_t shard_count = 0;
  std::uint32_t reserved = 0;
  std::uint64_t symbols = 0;  ///< SymbolEntry[symbol_count], sorted by name (bytewise)
  std::uint64_t shards = 0;   ///< ShardEntry[shard_count]
  std::uint64_t names = 0;    ///< the names, without terminators
  std::uint64_t names_size = 0;
};

struct Header {
  std::uint64_t magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t reserved = 0;
  std::uint64_t file_size = 0;
  LevelTables levels[kMostLevels];
};

struct SymbolEntry {
  std::uint32_t name = 0;  ///< offset into the names
  std::uint32_t size = 0;
  std::uint32_t shard = 0;
};

struct ShardEntry {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

}  // namespace lanewise::shards
