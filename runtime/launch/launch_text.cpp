// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/launch_text.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <new>
#include <span>
#include <string_view>

namespace lanewise {

namespace {

template <class T>
T read_as(std::span<const std::byte> bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::string address_text(std::uint64_t address) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(address));
  return text.data();
}

/// A scalar by its type's name; all others as bytes.
std::string value_text(std::string_view type, std::span<const std::byte> bytes) {
  std::array<char, 40> text{};
  const auto number = [&](const char* format, auto value) {
    std::snprintf(text.data(), text.size(), format, value);
    return std::string(text.data());
  };
  if (type == "float" && bytes.size() == 4) return number("%.9g", static_cast<double>(read_as<float>(bytes)));
  if (type == "double" && bytes.size() == 8) return number("%.17g", read_as<double>(bytes));
  if (type == "int" && bytes.size() == 4) return number("%d", read_as<std::int32_t>(bytes));
  if (type == "uint" && bytes.size() == 4) return number("%u", read_as<std::uint32_t>(bytes));
  if (type == "long" && bytes.size() == 8) return number("%lld", read_as<long long>(bytes));
  if ((type == "ulong" || type == "size_t") && bytes.size() == 8)
    return number("%llu", read_as<unsigned long long>(bytes));
  constexpr std::size_t kMost = 16;
  std::string all;
  for (std::size_t i = 0; i < bytes.size() && i < kMost; ++i)
    all += (i == 0 ? "" : " ") + number("%02x", std::to_integer<unsigned>(bytes[i]));
  return all + (bytes.size() > kMost ? " ..." : "");
}

std::string pointer_text(std::uint64_t address, const MemoryRefs& memory) {
  const std::string text = address == 0 ? "null" : address_text(address);
  for (std::size_t i = 0; i < memory.size(); ++i)
    if (reinterpret_cast<std::uintptr_t>(memory[i].data()) == address)
      return text + ", buffer of " + std::to_string(memory[i].size()) + " bytes";
  return text;
}

std::string argument_text(const abi::ArgInfo& info, const LaunchArgs& args) {
  const std::span<const std::byte> block = args.block.bytes();
  if (std::size_t{info.offset} + info.size > block.size()) return "?";
  const auto bytes = block.subspan(info.offset, info.size);
  if (info.kind == abi::ArgKind::value) return value_text(info.type_name, bytes);
  if (bytes.size() != sizeof(std::uint64_t)) return value_text({}, bytes);
  const auto word = read_as<std::uint64_t>(bytes);
  if (info.kind == abi::ArgKind::local_pointer) return "local memory";
  return pointer_text(word, args.memory);
}

std::string sizes_text(const std::uint64_t (&sizes)[3]) {
  return std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) + " x " + std::to_string(sizes[2]);
}

}  // namespace

std::string launch_text(const Kernel& kernel, const lanewise_launch& sizes, const LaunchArgs& args) noexcept try {
  const abi::KernelInfo& info = kernel.info();
  std::string text = "kernel " + info.name + "(";
  for (std::size_t i = 0; i < info.args.size(); ++i) {
    const std::string name = info.args[i].name.empty() ? "argument " + std::to_string(i) : info.args[i].name;
    text += (i == 0 ? "" : "; ") + name + " = " + argument_text(info.args[i], args);
  }
  text += "), " + sizes_text(sizes.global_size) + " work-items in groups of " + sizes_text(sizes.local_size);
  if (info.shape.first_dimension != 0) text += ", in its code's order of dimensions";
  return text;
} catch (const std::bad_alloc&) {
  return {};
}

}  // namespace lanewise
