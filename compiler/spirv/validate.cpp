// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/validate.h"

#include "compiler/spirv/private_linkage.h"

#ifdef LANEWISE_SPIRV_TOOLS
#include <spirv-tools/libspirv.h>

#include <array>
#include <memory>
#include <string_view>
#include <vector>
#endif

namespace lanewise::spirv {

#ifdef LANEWISE_SPIRV_TOOLS

namespace {

/// Errors of the library in modules that drivers accept all the same, because widespread producers make them.
constexpr std::array<std::string_view, 6> kTolerated = {
    // SPV_INTEL_memory_access_aliasing declares scopes among the annotations.
    "DeclINTEL must appear in a block",
    // The translator does not list variables that only the initialisers of others name.
    "but is not listed as an interface",
    // LLVM's own back end indexes structures with OpConstantNull.
    "to index into a structure must be an OpConstant",
    // The OpenCL environment lets writes to images name a level (cl_khr_mipmap_image_writes).
    "Image Operand Lod can only be used with",
    // The translator hands printf its format as a pointer to an array.
    "printf: expected Format data type to be 8-bit int",
    // The library accepts only pointers to basic types there, for example. Debug information changes no result.
    "OpenCL.DebugInfo.100 "};

bool is_tolerated(std::string_view message) {
  for (const std::string_view text : kTolerated)
    if (message.find(text) != std::string_view::npos) return true;
  return false;
}

}  // namespace

std::string fault_of(std::span<const std::uint8_t> module) {
  const std::vector<std::uint32_t> words = without_private_linkage(module);
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
