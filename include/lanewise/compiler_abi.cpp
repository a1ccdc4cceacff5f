// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "include/lanewise/compiler_abi.h"

namespace lanewise::abi {
namespace {

template <class Message>
Bytes encoded(const Message& message) {
  FieldWriter fields;
  fields(kCompilerAbiVersion, message);
  return fields.take();
}

/// A job without a name does not compile.
struct NameOfJob {
  const char* operator()(const Ping& /*job*/) const { return "ping"; }
  const char* operator()(const Validate& /*job*/) const { return "validate"; }
  const char* operator()(const Compile& /*job*/) const { return "compile"; }
  const char* operator()(const Link& /*job*/) const { return "link"; }
  const char* operator()(const Build& /*job*/) const { return "build"; }
  const char* operator()(const Specialise& /*job*/) const { return "specialise"; }
  const char* operator()(const FirstCode& /*job*/) const { return "code"; }
};

}  // namespace

const char* job_name(const Request& request) {
  return std::visit(NameOfJob(), request);
}

const CodeSettings* code_settings(const Request& request) {
  return std::visit(
      [](const auto& job) -> const CodeSettings* {
        if constexpr (requires { job.code; })
          return &job.code;
        else
          return nullptr;
      },
      request);
}

Bytes encode(const Request& request) {
  return encoded(request);
}

Bytes encode(const Reply& reply) {
  return encoded(reply);
}

template <class Message>
  requires std::same_as<Message, Request> || std::same_as<Message, Reply>
std::optional<Message> decode(std::span<const std::uint8_t> bytes) {
  FieldReader fields(bytes);
  std::uint32_t version = 0;
  fields(version);
  if (version != kCompilerAbiVersion) return std::nullopt;
  Message message;
  fields(message);
  if (!fields.complete()) return std::nullopt;
  return message;
}

template std::optional<Request> decode(std::span<const std::uint8_t> bytes);
template std::optional<Reply> decode(std::span<const std::uint8_t> bytes);

}  // namespace lanewise::abi
