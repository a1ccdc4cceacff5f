// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Identifiers that are the same on every run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanewise::host {

using Uuid = std::array<std::uint8_t, 16>;

/// A name-based UUID (RFC 9562, version 8, with the driver's hash). Equal texts give equal identifiers.
Uuid uuid_of(std::string_view text);

/// A text that identifies this installation of the operating system: machine-id, or the host name if there is none. It
/// is confidential by convention (machine-id(5)): show it only through `uuid_of`, together with other text.
std::string machine_identity(const std::string& root = "");

}  // namespace lanewise::host
