// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/printf/format.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "src/base/rounding.h"

namespace lanewise {

namespace {

/// One argument record: `length` elements of `size` bytes.
struct ArgumentRecord {
  char kind = 0;
  unsigned size = 0;
  unsigned length = 0;
  const std::uint8_t* data = nullptr;

  [[nodiscard]] std::uint64_t bits(unsigned element) const {
    std::uint64_t value = 0;
    std::memcpy(&value, data + std::size_t{element} * size, std::min<std::size_t>(size, sizeof value));
    return value;
  }
};

/// Reads records one after the other, but never past the end.
class Records {
 public:
  Records(std::span<const std::uint8_t> bytes, std::uint32_t count) : rest_(bytes), left_(count) {}

  bool next(ArgumentRecord& record) {
    if (left_ == 0 || rest_.size() < 4) return false;
    record = {static_cast<char>(rest_[0]), rest_[1], rest_[2], rest_.data() + 4};
    const std::size_t bytes = std::size_t{record.size} * record.length;
    if (record.size == 0 || record.size > 8 || record.length == 0 || bytes > rest_.size() - 4) return false;
    rest_ = rest_.subspan(std::min(rest_.size(), 4 + round_up(bytes, 4)));
    --left_;
    return true;
  }

 private:
  std::span<const std::uint8_t> rest_;
  std::uint32_t left_;
};

/// One conversion specification: %[flags][width][.precision][vN][length]conversion
struct Specification {
  std::string_view text;  ///< the whole specification, from the percent sign
  std::string flags;      ///< flags, width and precision as written, for the C library
  unsigned vector = 1;
  unsigned bytes = 0;  ///< by the length modifier; 0: none given
  char conversion = 0;
  bool valid = false;
};

bool digit(char c) {
  return c >= '0' && c <= '9';
}

/// Copies digits; false if the number is absurd (the C library would pad to gigabytes).
bool copy_number(const char*& at, std::string& to) {
  std::size_t digits = 0;
  for (; digit(*at); ++at, ++digits) to += *at;
  return digits <= 4;
}

unsigned parse_vector(const char*& at) {
  if (*at != 'v') return 1;
  unsigned length = 0;
  for (++at; digit(*at); ++at) length = std::min(length * 10 + static_cast<unsigned>(*at - '0'), 1000u);
  const bool known = length == 2 || length == 3 || length == 4 || length == 8 || length == 16;
  return known ? length : 0;
}

unsigned parse_length(const char*& at) {
  const auto skip = [&](std::string_view word) {
    if (std::strncmp(at, word.data(), word.size()) != 0) return false;
    at += word.size();
    return true;
  };
  if (skip("hh")) return 1;
  if (skip("hl")) return 4;
  if (skip("h")) return 2;
  // z and t, of size_t and ptrdiff_t, are of OpenCL C 3.1; j, of the largest integer, is of C alone.
  if (skip("ll") || skip("l") || skip("z") || skip("t") || skip("j")) return 8;
  return 0;
}

Specification parse(const char* percent) {
  Specification spec;
  const char* at = percent + 1;
  bool sane = true;
  for (; *at != '\0' && std::strchr("-+ #0", *at) != nullptr; ++at) {
    if (spec.flags.find(*at) == std::string::npos) spec.flags += *at;
  }
  sane &= copy_number(at, spec.flags);
  if (*at == '.') {
    spec.flags += *at++;
    sane &= copy_number(at, spec.flags);
  }
  spec.vector = parse_vector(at);
  spec.bytes = parse_length(at);
  spec.conversion = *at;
  if (*at != '\0') ++at;
  spec.text = {percent, static_cast<std::size_t>(at - percent)};
  // OpenCL C 6.15.14.2: hl is for vectors only, and vectors are for numbers only.
  const bool known = spec.conversion != '\0' && std::strchr("diouxXfFeEgGaAcsp", spec.conversion) != nullptr;
  const bool number = known && std::strchr("csp", spec.conversion) == nullptr;
  spec.valid = sane && known && spec.vector != 0 && (number || (spec.vector == 1 && spec.bytes == 0));
  return spec;
}

template <class T>
void append(std::string& out, const Specification& spec, const char* length, char conversion, T value) {
  const std::string format = "%" + spec.flags + length + conversion;
  char small[128];
  const int size = std::snprintf(small, sizeof small, format.c_str(), value);
  if (size < 0) return;
  if (static_cast<std::size_t>(size) < sizeof small) {
    out.append(small, static_cast<std::size_t>(size));
    return;
  }
  const std::size_t end = out.size();
  out.resize(end + static_cast<std::size_t>(size) + 1);
  std::snprintf(out.data() + end, static_cast<std::size_t>(size) + 1, format.c_str(), value);
  out.pop_back();
}

double half_to_double(std::uint16_t half) {
  const unsigned exponent = (half >> 10) & 31u;
  const std::uint64_t fraction = half & 1023u;
  const std::uint64_t sign = static_cast<std::uint64_t>(half >> 15) << 63;
  if (exponent == 0) {
    const double value = static_cast<double>(fraction) / (1 << 24);
    return sign != 0 ? -value : value;
  }
  const std::uint64_t wide = exponent == 31 ? 2047 : exponent + 1023 - 15;
  return std::bit_cast<double>(sign | wide << 52 | fraction << 42);
}

double real(const ArgumentRecord& record, unsigned element) {
  const std::uint64_t bits = record.bits(element);
  if (record.size == 2) return half_to_double(static_cast<std::uint16_t>(bits));
  if (record.size == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

void append_integer(std::string& out, const Specification& spec, const ArgumentRecord& record, unsigned element) {
  const unsigned bytes = spec.bytes != 0 ? std::min(spec.bytes, record.size) : record.size;
  const unsigned unused = 64 - 8 * std::min(bytes, 8u);
  const std::uint64_t high = record.bits(element) << unused;
  if (spec.conversion == 'd' || spec.conversion == 'i') {
    append(out, spec, "ll", spec.conversion, static_cast<long long>(high) >> unused);
  } else {
    append(out, spec, "ll", spec.conversion, static_cast<unsigned long long>(high >> unused));
  }
}

/// False if the argument's kind does not fit the conversion.
bool append_element(std::string& out, const Specification& spec, const ArgumentRecord& record, unsigned element) {
  const std::uint64_t bits = record.bits(element);
  switch (spec.conversion) {
    case 'c':
      if (record.kind != 'i') return false;
      append(out, spec, "", 'c', static_cast<int>(static_cast<unsigned char>(bits)));
      return true;
    case 's': {
      if (record.kind != 's' && !(record.kind == 'p' && bits == 0)) return false;
      const auto* string = std::bit_cast<const char*>(bits);
      append(out, spec, "", 's', string != nullptr ? string : "(null)");
      return true;
    }
    case 'p':
      if (record.kind != 'p' && record.kind != 's') return false;
      append(out, spec, "", 'p', std::bit_cast<const void*>(bits));
      return true;
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      if (record.kind != 'i') return false;
      append_integer(out, spec, record, element);
      return true;
    default:
      if (record.kind != 'f') return false;
      append(out, spec, "", spec.conversion, real(record, element));
      return true;
  }
}

bool append_conversion(std::string& out, const Specification& spec, Records& records) {
  ArgumentRecord record;
  if (!spec.valid || !records.next(record)) {
    out += spec.text;
    return false;
  }
  const unsigned length = std::min(spec.vector, record.length);
  for (unsigned element = 0; element < length; ++element) {
    if (element != 0) out += ',';
    if (!append_element(out, spec, record, element)) {
      out += spec.text;
      return false;
    }
  }
  return spec.vector == record.length;
}

}  // namespace

bool format_print(std::string& out, const char* format, std::span<const std::uint8_t> bytes, std::uint32_t count) {
  Records records(bytes, count);
  bool fine = true;
  for (const char* at = format; *at != '\0';) {
    const char* percent = std::strchr(at, '%');
    if (percent == nullptr) percent = at + std::strlen(at);
    out.append(at, percent);
    if (*percent == '\0') break;
    if (percent[1] == '%') {
      out += '%';
      at = percent + 2;
      continue;
    }
    const Specification spec = parse(percent);
    fine &= append_conversion(out, spec, records);
    at = percent + spec.text.size();
  }
  return fine;
}

}  // namespace lanewise
