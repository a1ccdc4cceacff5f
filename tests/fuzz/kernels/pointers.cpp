// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Pointers: to private arrays, and to the generic address space, where data decides among memory of the work-item's
/// own in private, local and global memory and in variables of the program.
#include <algorithm>

#include "tests/fuzz/kernels/generator.h"

namespace lanewise::fuzz {

Tree Generator::pointer_declaration(const Place& place) {
  if (features_.generic && !place.in_helper && random_.percent(65))
    return random_.percent(30) ? readable_pointer() : generic_pointer();
  const Array a = random_.pick(arrays_);
  if (a.constant) return array_declaration(place);
  for (const Array& b : arrays_) {
    if (b.name == a.name || b.constant || !(b.type == a.type)) continue;
    Array p{name("r"), a.type, std::min(a.size, b.size)};
    p.visible = a.visible || b.visible;
    p.global_or_local = a.global_or_local && b.global_or_local;
    // Without the casts both must point to the same address space.
    const std::string to = "(" + a.type.name() + "*)";
    Tree made = statement(a.type.name() + "* " + p.name + " = ", condition(false, 2),
                          " ? " + to + a.name + " : " + to + b.name + ";");
    arrays_.push_back(p);
    return made;
  }
  // A pointer to the middle of an array.
  const unsigned half = std::max(a.size / 2, 1U);
  Array p{name("r"), a.type, half};
  p.visible = a.visible;
  p.global_or_local = a.global_or_local;
  Tree made =
      statement(a.type.name() + "* " + p.name + " = " + a.name + " + ", index(random_.percent(40), half, 2), ";");
  arrays_.push_back(p);
  return made;
}

/// Declares memory for the work-item's own use: `kOwn` elements in local memory and in a variable of the program.
void Generator::open_own_memory(Node& body) {
  const auto fixed = [&](const std::string& text) {
    Tree s = statement(text);
    s->fixed = true;
    append(body, std::move(s));
  };
  const std::string size = std::to_string(kOwn);
  for (const bool stored : {false, true}) {
    if (stored ? !stored_ : !features_.generic || !random_.percent(50)) continue;
    Array a{name(stored ? "kept" : "room"), scalar_type(), kOwn};
    if (a.type.base == Base::f16) a.type.base = Base::f32;
    a.global_or_local = true;
    const std::string t = a.type.name();
    if (stored) {
      append(*program_.globals, statement("global " + t + " all_" + a.name + "[" + std::to_string(items_ * kOwn) +
                                          "] = {1, 2, 3, 4, 5, 6, 7};"));
      fixed("global " + t + "* " + a.name + " = all_" + a.name + " + (uint)g * " + size + "u;");
    } else {
      fixed("local " + t + " all_" + a.name + "[" + std::to_string(group_ * kOwn) + "];");
      fixed("local " + t + "* " + a.name + " = all_" + a.name + " + l * " + size + "u;");
      fixed("for (uint e = 0; e < " + size + "; ++e) " + a.name + "[e] = (" + t + ")(e + l % 9u);");
    }
    arrays_.push_back(a);
  }
}

/// Elements of the output buffers that are this work-item's, with the cast from the buffer's type.
std::string Generator::own_row(Type type, unsigned elements) {
  const Type element{type.is_float() ? type.base : type.integer(false).base, 1};
  const std::string first = std::to_string(random_.below(kSlots / elements) * elements);
  const std::string row = "rows_" + element.name() + " + (uint)g * " + std::to_string(kSlots) + "u + " + first + "u";
  return "(global " + type.name() + "*)(" + row + ")";
}

/// A pointer through which the work-item may read and write.
Tree Generator::generic_pointer() {
  std::vector<Array> fitting;
  Type type{random_.percent(50) ? Base::u32 : scalar_type().base, 1};
  if (!arrays_.empty() && random_.percent(75)) type = random_.pick(arrays_).type.element();
  for (const Array& a : arrays_)
    if (a.type == type && !a.constant) fitting.push_back(a);
  const std::string to = "(" + type.name() + "*)";
  Array p{name("p"), type, 2};
  p.visible = true;
  p.generic = true;
  p.global_or_local = true;
  Tree made = statement(type.name() + "* " + p.name + " = ");
  for (unsigned i = random_.between(0, 2); i > 0 && !fitting.empty(); --i) {
    const Array& a = random_.pick(fitting);
    p.global_or_local &= a.global_or_local;
    append(*made, condition(random_.percent(25), 2));
    append(*made, " ? " + to + a.name + " : ");
  }
  append(*made, to + own_row(type, 2) + ";");
  // By way of memory the compiler cannot see where it points.
  if (type == Type{Base::u32, 1} && stored_ && random_.percent(40)) {
    const std::string places = name("places");
    append(*program_.globals, statement("uint* global " + places + "[" + std::to_string(items_) + "];"));
    append(*made, " " + places + "[g] = " + p.name + "; uint* through" + p.name + " = " + places + "[g];");
    p.name = "through" + p.name;
  }
  arrays_.push_back(p);
  return made;
}

/// A pointer to constant elements: inputs, tables of the program, arrays.
Tree Generator::readable_pointer() {
  const Type type = random_.percent(60) ? Type{Base::u32, 1} : any_integer();
  const std::string t = type.name();
  const std::string to = "(const " + t + "*)";
  Array p{name("p"), type, 4};
  p.constant = true;
  p.generic = true;
  Tree made = statement("const " + t + "* " + p.name + " = ");
  for (const Array& a : arrays_) {
    if (!(a.type == type) || a.size < p.size || !random_.percent(60)) continue;
    append(*made, condition(random_.percent(25), 2));
    append(*made, " ? " + to + a.name + " : ");
  }
  if (tables_ && type == Type{Base::u32, 1}) {
    append(*made, condition(random_.percent(25), 2));
    append(*made, " ? " + to + "(words + ");
    append(*made, index(random_.percent(40), 8, 1));
    append(*made, ") : ");
  }
  append(*made, to + "(in_" + type.integer(false).name() + " + " + (random_.percent(50) ? "(uint)g" : "q") + ");");
  arrays_.push_back(p);
  return made;
}

/// What the functions for address spaces say of a generic pointer.
Tree Generator::address_space(const Array& p) {
  static const std::vector<std::string> questions = {"(to_global($) != 0)", "(to_local($) != 0)",
                                                     "(to_private($) == $)", "(get_fence($) == CLK_LOCAL_MEM_FENCE)",
                                                     "(get_fence($) == CLK_GLOBAL_MEM_FENCE)"};
  std::string text = random_.pick(questions);
  for (std::size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at)) text.replace(at, 1, p.name);
  return make(Node::Kind::expression, "int", text);
}

}  // namespace lanewise::fuzz
