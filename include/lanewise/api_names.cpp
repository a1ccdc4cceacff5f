// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "include/lanewise/api_names.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <array>

#include "include/lanewise/cl_compat.h"
#include "include/lanewise/command_buffer.h"
#include "include/lanewise/semaphore.h"

namespace lanewise {

namespace {

struct ErrorRow {
  cl_int code;
  const char* name;
  const char* remedy;
};
struct CommandRow {
  cl_command_type type;
  const char* words;
};

constexpr std::array kErrors{
#define ERROR_ROW(code, remedy) ErrorRow{code, #code, remedy},
#include "include/lanewise/api_names.def"
};
constexpr std::array kCommands{
#define COMMAND_ROW(type, words) CommandRow{type, words},
#include "include/lanewise/api_names.def"
};

const ErrorRow* row_of(cl_int code) noexcept {
  const auto* const found =
      std::find_if(kErrors.begin(), kErrors.end(), [code](const ErrorRow& row) { return row.code == code; });
  return found == kErrors.end() ? nullptr : found;
}

}  // namespace

const char* error_name(cl_int code) noexcept {
  const ErrorRow* row = row_of(code);
  return row == nullptr ? "error" : row->name;
}

const char* remedy_for(cl_int code) noexcept {
  const ErrorRow* row = row_of(code);
  return row == nullptr ? "" : row->remedy;
}

const char* command_words(cl_command_type type) noexcept {
  const auto* const found =
      std::find_if(kCommands.begin(), kCommands.end(), [type](const CommandRow& row) { return row.type == type; });
  return found == kCommands.end() ? "command" : found->words;
}

}  // namespace lanewise
