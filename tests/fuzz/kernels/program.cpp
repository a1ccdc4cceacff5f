// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/kernels/program.h"

#include <cctype>

namespace lanewise::fuzz {
namespace {

bool mentions(const std::string& text, const std::string& name) {
  const auto part_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !part_of_name(text[at - 1]);
    const bool ends = at + name.size() == text.size() || !part_of_name(text[at + name.size()]);
    if (begins && ends) return true;
  }
  return false;
}

std::string triple(const std::array<std::size_t, 3>& v) {
  return std::to_string(v[0]) + "x" + std::to_string(v[1]) + "x" + std::to_string(v[2]);
}

}  // namespace

Program Program::copy() const {
  Program p;
  p.seed = seed;
  p.globals = clone(*globals);
  p.body = clone(*body);
  p.parameters = parameters;
  p.range = range;
  p.attributes = attributes;
  p.half = half;
  p.sub_group_size = sub_group_size;
  p.collectives = collectives;
  p.library_math = library_math;
  return p;
}

std::vector<Parameter> Program::used() const {
  const std::string text = render(*body);
  std::vector<Parameter> list;
  for (const Parameter& p : parameters)
    if (mentions(text, p.name)) list.push_back(p);
  return list;
}

std::string Program::source() const {
  std::string text = "// seed " + std::to_string(seed) + ", " + shape() + "\n#pragma OPENCL FP_CONTRACT OFF\n";
  if (half) text += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  text += render(*globals);
  text += attributes + "kernel void k(";
  const char* separator = "";
  for (const Parameter& p : used()) {
    text += separator + p.declaration;
    separator = ", ";
  }
  return text + ") " + render(*body) + "\n";
}

bool Program::is_plain() const {
  bool plain = true;
  for (unsigned d = 0; d < 3; ++d) plain &= range.offset[d] == 0 && range.global[d] % range.local[d] == 0;
  return plain;
}

std::string Program::shape() const {
  return std::to_string(range.dims) + "D, global " + triple(range.global) + ", local " + triple(range.local) +
         ", offset " + triple(range.offset);
}

}  // namespace lanewise::fuzz
