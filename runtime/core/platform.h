// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The one platform, its devices, and what the API layer tells the runtime about itself.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "runtime/core/device.h"
#include "runtime/object/object.h"

namespace lanewise {

/// The part of the language surface that the compiler must know.
struct LanguageSurface {
  std::vector<std::string> extensions;  ///< OpenCL C extension names, `Request::extensions`
  std::vector<std::string> macros;      ///< `NAME=VALUE`, `Request::macros`
};

/// The tables behind it belong to `icd`, which the runtime cannot see: `icd` hands this function over before the first
/// object exists. Without one, the surface is empty.
using LanguageSurfaceProvider = LanguageSurface (*)(const DeviceFacts&);
void set_language_surface_provider(LanguageSurfaceProvider provider);
LanguageSurface make_language_surface(const DeviceFacts& facts);

/// Never destroyed, so that objects which an application leaks at exit find it alive.
class Platform final : public Object<_cl_platform_id, Tag::platform> {
 public:
  /// Created at the first call; starts no thread and reads no file.
  static Platform& instance();

  [[nodiscard]] std::span<Device* const> devices() const { return devices_; }
  [[nodiscard]] Device& device() const { return *devices_[0]; }

 private:
  Platform();
  ~Platform() override = default;

  std::array<Device*, 1> devices_{};
};

}  // namespace lanewise
