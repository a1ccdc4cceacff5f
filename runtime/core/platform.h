// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The one platform, its devices, and the language surface that the API layer gives to the runtime.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "runtime/core/device.h"
#include "runtime/object/object.h"

namespace lanewise {

/// The extensions and macros that the compiler must define.
struct LanguageSurface {
  std::vector<std::string> extensions;  ///< OpenCL C extension names, `abi::Source::extensions`
  std::vector<std::string> macros;      ///< `NAME=VALUE`, `abi::Source::macros`
};

/// The source of the language surface. The tables of extensions and features are in `icd`, which the runtime may not
/// use: `icd` sets this function before the first object exists. Without it, the surface is empty.
using LanguageSurfaceProvider = LanguageSurface (*)(const DeviceFacts&);
void set_language_surface_provider(LanguageSurfaceProvider provider);
LanguageSurface make_language_surface(const DeviceFacts& facts);

/// The platform. It is never destroyed, because objects that an application has not released at exit still refer to it.
class Platform final : public Object<_cl_platform_id, Tag::platform> {
 public:
  /// The platform, created by the first call, which starts no thread and reads no file. A forked child has its
  /// parent's.
  static Platform& instance();

  /// Makes the platform one of a forked child that has begun anew.
  void carry_over() noexcept;

  [[nodiscard]] std::span<Device* const> devices() const { return devices_; }
  [[nodiscard]] Device& device() const { return *devices_[0]; }

 private:
  Platform();
  ~Platform() override = default;

  std::array<Device*, 1> devices_{};
};

}  // namespace lanewise
