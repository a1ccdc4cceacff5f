// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/host/identity.h"

#include <unistd.h>

#include <cstring>

#include "src/base/random.h"
#include "src/host/files.h"

namespace lanewise::host {

namespace {

/// FNV-1a over the text from a given start, then all bits mixed.
std::uint64_t hash(std::string_view text, std::uint64_t start) {
  std::uint64_t h = start;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return mixed(h);
}

}  // namespace

Uuid uuid_of(std::string_view text) {
  Uuid uuid;
  const std::uint64_t low = hash(text, 0xcbf29ce484222325u);
  const std::uint64_t high = hash(text, 0x6c62272e07bb0142u);
  std::memcpy(uuid.data(), &low, 8);
  std::memcpy(uuid.data() + 8, &high, 8);
  uuid[6] = static_cast<std::uint8_t>((uuid[6] & 0x0f) | 0x80);  // version 8
  uuid[8] = static_cast<std::uint8_t>((uuid[8] & 0x3f) | 0x80);  // variant of the RFC
  return uuid;
}

std::string machine_identity(const std::string& root) {
  for (const char* path : {"/etc/machine-id", "/var/lib/dbus/machine-id"}) {
    const auto text = read_text(root + path, 64);
    if (text && text->size() >= 32) return text->substr(0, 32);
  }
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) == 0) return name.data();
  return "localhost";
}

}  // namespace lanewise::host
