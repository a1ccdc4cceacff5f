// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Variables of the program in global memory that nobody writes: tables, and structures that point to them and to each
/// other. Those that are written are the work-item's own (pointers.cpp), a group's (open_shared) or counters.
#include "tests/fuzz/kernels/generator.h"

namespace lanewise::fuzz {

void Generator::add_tables() {
  const auto number = [&] { return std::to_string(random_.below(1000)) + "u"; };
  const auto below = [&](unsigned n) { return std::to_string(random_.below(n)); };
  std::string text = random_.percent(50) ? "global const uint words[16] = {" : "global uint words[16] = {";
  for (unsigned i = 0; i < 16; ++i) text += number() + ", ";
  text +=
      "};\nstruct Link { uint value; global const uint* table; global struct Link* next; const uint* any; };\n"
      "extern global struct Link links[4];\nglobal struct Link links[4] = {";
  for (unsigned i = 0; i < 4; ++i) {
    const std::string any = random_.percent(50) ? "&links[" + below(4) + "].value" : "words + " + below(16);
    text += "{" + number() + ", words + " + below(12) + ", &links[" + below(4) + "], " + any + "}, ";
  }
  text += "};\nconstant uint* constant parts[4] = {";
  for (unsigned i = 0; i < 4; ++i) text += "fixed_table + " + below(12) + ", ";
  text += "};\nglobal struct Link* global heads[2] = {links + " + below(4) + ", links + " + below(4) + "};\n";
  text +=
      "uint walk(uint first, uint steps) {\n"
      "  global struct Link* at = links + (first & 3u);\n"
      "  uint sum = 0;\n"
      "  for (uint i = 0; i < (steps & 7u); ++i, at = at->next) sum = sum * 3u + at->value + at->table[i & 3u];\n"
      "  return sum + *at->any;\n"
      "}";
  append(*program_.globals, statement(text));
}

/// A number of type uint from the tables.
Tree Generator::table_value(bool uniform, unsigned depth) {
  const Type type{Base::u32, 1};
  const auto some = [&](unsigned size) { return index(uniform, size, depth / 2); };
  const auto made = [&](auto&&... parts) {
    return make(Node::Kind::expression, type.name(), std::forward<decltype(parts)>(parts)...);
  };
  switch (random_.below(6)) {
    case 0:
      return made("words[", some(16), "]");
    case 1:
      return made("links[", some(4), "].next->table[", some(4), "]");
    case 2:
      return made("*links[", some(4), "].any");
    case 3:
      return made("parts[", some(4), "][", some(4), "]");
    case 4:
      return made("heads[", some(2), "]->next->value");
    default:
      return made("walk(", some(4), ", ", some(8), ")");
  }
}

}  // namespace lanewise::fuzz
