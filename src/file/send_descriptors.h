// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace lanewise::file {

/// Sends `bytes`, of which there is at least one, and two descriptors in one message over a socket of the Unix domain
/// (unix(7), SCM_RIGHTS). The receiver gets copies of the descriptors. False: the message was not sent, or not as a whole.
[[nodiscard]] bool send_descriptors(int socket, std::span<const std::byte> bytes, std::array<int, 2> descriptors);

}  // namespace lanewise::file
