// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/protocol.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace lanewise::spirv {

namespace {

constexpr char kMark = 0;
constexpr unsigned kBase = 64;  ///< keeps values apart from kBeat
constexpr unsigned kLargestValue = 255 - kBase;

/// Whether to call again what has just failed.
bool again(const GoesOn& goes_on) {
  if (errno == EINTR) return true;
  return errno == EAGAIN && goes_on && goes_on();
}

}  // namespace

std::array<char, 3> Verdict::encoded() const {
  return {kMark, static_cast<char>(kind), static_cast<char>(kBase + std::min(value, kLargestValue))};
}

std::optional<Verdict> Verdict::take_from(std::string& text) {
  const std::size_t size = Verdict().encoded().size();
  if (text.size() < size || text[text.size() - size] != kMark) return std::nullopt;
  const Verdict verdict{static_cast<Kind>(text[text.size() - 2]), static_cast<unsigned char>(text.back()) - kBase};
  text.resize(text.size() - size);
  return verdict;
}

bool send_all(int socket, std::span<const std::uint8_t> bytes, const GoesOn& goes_on) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && again(goes_on)) continue;
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receive_all(int socket, std::span<std::uint8_t> bytes, const GoesOn& goes_on) {
  while (!bytes.empty()) {
    const ssize_t got = recv(socket, bytes.data(), bytes.size(), 0);
    if (got < 0 && again(goes_on)) continue;
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

}  // namespace lanewise::spirv
