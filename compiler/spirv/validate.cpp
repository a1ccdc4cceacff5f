// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/validate.h"

#ifdef LANEWISE_SPIRV_TOOLS
#include <spirv-tools/libspirv.h>

#include <array>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>
#endif

namespace lanewise::spirv {

#ifdef LANEWISE_SPIRV_TOOLS

namespace {

/// What the library refuses and everybody takes, because widespread producers make it.
constexpr std::array<std::string_view, 3> kTolerated = {
    // LLVM's own back end indexes structures with OpConstantNull.
    "to index into a structure must be an OpConstant",
    // The translator hands printf its format as a pointer to an array.
    "printf: expected Format data type to be 8-bit int",
    // It takes pointers to basic types only, for one. Debug information changes no result.
    "OpenCL.DebugInfo.100 "};

bool is_tolerated(std::string_view message) {
  for (const std::string_view text : kTolerated)
    if (message.find(text) != std::string_view::npos) return true;
  return false;
}

}  // namespace

std::string fault_of(std::span<const std::uint8_t> module) {
  std::vector<std::uint32_t> words(module.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), module.data(), words.size() * sizeof(std::uint32_t));
  const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(spvContextCreate(SPV_ENV_UNIVERSAL_1_6),
                                                                             spvContextDestroy);
  if (!context) return {};
  const std::unique_ptr<spv_validator_options_t, decltype(&spvValidatorOptionsDestroy)> options(
      spvValidatorOptionsCreate(), spvValidatorOptionsDestroy);
  spv_const_binary_t binary{words.data(), words.size()};
  spv_diagnostic found = nullptr;
  const spv_result_t verdict = spvValidateWithOptions(context.get(), options.get(), &binary, &found);
  const std::unique_ptr<spv_diagnostic_t, decltype(&spvDiagnosticDestroy)> diagnostic(found, spvDiagnosticDestroy);
  if (verdict == SPV_SUCCESS) return {};
  const std::string message = diagnostic && diagnostic->error != nullptr ? diagnostic->error : "it is not valid";
  return is_tolerated(message) ? std::string() : message;
}

#else

std::string fault_of(std::span<const std::uint8_t> /*module*/) {
  return {};
}

#endif

}  // namespace lanewise::spirv
