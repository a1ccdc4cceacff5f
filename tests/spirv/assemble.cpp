// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// assemble SOURCE -o OUTPUT: what spirv-as does, with the SPIRV-Tools that the driver validates with.
#include <spirv-tools/libspirv.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main(int count, char** arguments) {
  if (count != 4) return 2;
  std::ifstream file(arguments[1]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_5);
  spv_binary binary = nullptr;
  spv_diagnostic diagnostic = nullptr;
  const bool good = spvTextToBinary(context, text.data(), text.size(), &binary, &diagnostic) == SPV_SUCCESS;
  if (good) {
    std::ofstream(arguments[3], std::ios::binary)
        .write(reinterpret_cast<const char*>(binary->code), static_cast<std::streamsize>(binary->wordCount * 4));
  } else if (diagnostic != nullptr) {
    std::fprintf(stderr, "%s:%zu: %s\n", arguments[1], diagnostic->position.line + 1, diagnostic->error);
  }
  spvDiagnosticDestroy(diagnostic);
  spvBinaryDestroy(binary);
  spvContextDestroy(context);
  return good ? 0 : 1;
}
