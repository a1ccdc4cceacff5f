// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/validate.h"

#include "compiler/spirv/validated_form.h"

#include <spirv-tools/libspirv.h>

#include <memory>
#include <vector>

namespace lanewise::spirv {

std::string fault_of(std::span<const std::uint8_t> module) {
  const std::vector<std::uint32_t> words = validated_form(module);
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
  return diagnostic && diagnostic->error != nullptr ? diagnostic->error : "it is not valid";
}

}  // namespace lanewise::spirv
