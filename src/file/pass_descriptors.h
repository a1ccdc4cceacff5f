// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "src/file/file.h"

namespace lanewise::file {

/// Sends `bytes` (at least one) and two descriptors in one message over a socket of the Unix domain (unix(7),
/// SCM_RIGHTS). The receiver gets copies of the descriptors. False: the message was not sent, or not as a whole.
[[nodiscard]] bool send_descriptors(int socket, std::span<const std::byte> bytes, std::array<int, 2> descriptors);

/// A message with descriptors.
struct ReceivedDescriptors {
  std::ptrdiff_t bytes = -1;  ///< bytes of the message; -1: there is none
  std::array<Descriptor, 2> descriptors;
  std::size_t count = 0;   ///< number of received descriptors
  bool truncated = false;  ///< the process has no room for all descriptors
};

/// Receives a message into `bytes`, with the flags of recvmsg(2). The system closes all descriptors after the second.
[[nodiscard]] ReceivedDescriptors receive_descriptors(int socket, std::span<std::byte> bytes, int flags);

}  // namespace lanewise::file
