// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Values: leaves, loads, selections. Arithmetic is in operators.cpp.
#include <algorithm>

#include "tests/fuzz/kernels/generator.h"

namespace lanewise::fuzz {

namespace {

template <class... Parts>
Tree expression(Type type, Parts&&... parts) {
  return make(Node::Kind::expression, type.name(), std::forward<Parts>(parts)...);
}

}  // namespace

Type Generator::scalar_type() {
  static const std::vector<Base> bases = {Base::i8,  Base::u8,  Base::i16, Base::u16, Base::i32, Base::i32, Base::u32,
                                          Base::u32, Base::u32, Base::i64, Base::u64, Base::f32, Base::f32, Base::f64};
  if (features_.half && random_.percent(7)) return {Base::f16, 1};
  return {random_.pick(bases), 1};
}

Type Generator::any_type() {
  static const std::vector<unsigned> lanes = {2, 2, 3, 4, 4, 4, 8, 16};
  Type type = scalar_type();
  if (random_.percent(20)) type.lanes = random_.pick(lanes);
  if (type.lanes == 16 && type.bits() == 64) type.lanes = 4;
  return type;
}

Type Generator::any_integer() {
  Type type = scalar_type();
  while (type.is_float()) type = scalar_type();
  return type;
}

Tree Generator::literal(Type type) {
  static const std::vector<std::string> integers = {"0", "1", "2", "3", "5", "7", "13", "31", "64", "100", "127"};
  static const std::vector<std::string> floats = {"0.0f", "1.0f", "-1.0f", "0.5f", "3.25f", "-7.0f", "1e-3f", "100.0f"};
  std::string text = type.is_float() ? random_.pick(floats) : random_.pick(integers);
  if (!type.is_float() && random_.percent(20))
    text = std::to_string(random_.next() & (type.bits() == 8 ? 0x7F : 0x7FFF));
  if (!type.is_float() && type.bits() >= 32 && random_.percent(15)) text = std::to_string(random_.next() >> 33U) + "u";
  return expression(type, "(" + type.name() + ")(" + text + ")");
}

std::string Generator::id() {
  static const std::vector<std::string> ids = {"g",
                                               "g",
                                               "g",
                                               "l",
                                               "l",
                                               "get_global_id(0)",
                                               "get_local_id(0)",
                                               "get_local_id(1)",
                                               "get_global_id(1)",
                                               "get_local_linear_id()"};
  return random_.pick(ids);
}

Tree Generator::leaf(Type type, bool uniform) {
  if (Variable* v = variable(variables(type, uniform, false)); v != nullptr && random_.percent(75))
    return expression(type, v->name);
  if (place_.in_helper || random_.percent(20)) return literal(type);
  if (type.lanes == 1 && !uniform && random_.percent(40))
    return expression(type, "(" + type.name() + ")(" + id() + ")");
  if (type.lanes == 1 && uniform && random_.percent(30)) {
    static const std::vector<std::string> ids = {"q", "L", "u", "n", "get_group_id(0)", "get_num_groups(0)", "items"};
    return expression(type, "(" + type.name() + ")(" + random_.pick(ids) + ")");
  }
  return random_.percent(50) ? input_load(type, uniform, 0) : literal(type);
}

Tree Generator::value(Type type, bool uniform, unsigned depth) {
  if (depth == 0) return leaf(type, uniform);
  const unsigned choice = random_.below(100);
  if (choice < 12) return leaf(type, uniform);
  if (choice < 24) return load(type, uniform, depth - 1);
  if (choice < 32) return selected(type, uniform, depth - 1);
  if (choice < 40) return converted(type, uniform, depth - 1);
  if (choice < 46 && !helpers_.empty() && !uniform) {
    const Helper& helper = random_.pick(helpers_);
    if (!helper.exchange && helper.result == type)
      if (Tree made = call(helper, depth - 1)) return made;
  }
  if (type.lanes > 1 && choice < 65) return vector_value(type, uniform, depth - 1);
  if (type.is_float()) return float_value(type, uniform, depth - 1);
  return integer_value(type, uniform, depth - 1);
}

Tree Generator::vector_value(Type type, bool uniform, unsigned depth) {
  static const char* const letters = "xyzw";
  const unsigned lanes = type.lanes;
  const unsigned choice = random_.below(4);
  if (choice == 0 || (lanes == 3 && choice == 1)) {
    Tree made = expression(type, "(" + type.name() + ")(");
    for (unsigned i = 0; i < lanes; ++i) {
      if (i > 0) append(*made, ", ");
      append(*made, value(type.element(), uniform, i < 2 ? depth / 2 : 0));
    }
    append(*made, ")");
    return made;
  }
  if (choice == 1 && lanes >= 4)
    return expression(type, "(" + type.name() + ")(", value(type.of(lanes / 2), uniform, depth), ", ",
                      value(type.of(lanes / 2), uniform, depth / 2), ")");
  if (lanes <= 4) {
    std::string swizzle = ".";
    for (unsigned i = 0; i < lanes; ++i) swizzle += letters[random_.below(lanes)];
    return expression(type, "(", value(type, uniform, depth), ")" + swizzle);
  }
  std::string swizzle = ".s";
  for (unsigned i = 0; i < lanes; ++i) swizzle += "0123456789abcdef"[random_.below(lanes)];
  return expression(type, "(", value(type, uniform, depth), ")" + swizzle);
}

/// `c ? a : b`, per component for vectors, and the functions that select.
Tree Generator::selected(Type type, bool uniform, unsigned depth) {
  Tree a = value(type, uniform, depth);
  Tree b = value(type, uniform, depth / 2);
  if (type.lanes == 1)
    return expression(type, "(" + type.name() + ")(", condition(uniform, depth / 2), " ? ", std::move(a), " : ",
                      std::move(b), ")");
  const Type mask = type.integer(true);
  Tree c = expression(mask, "(", value(type, uniform, depth / 2), " < ", value(type, uniform, 0), ")");
  if (random_.percent(50))
    return expression(type, "select(", std::move(a), ", ", std::move(b), ", ", std::move(c), ")");
  return expression(type, "(", std::move(c), " ? ", std::move(a), " : ", std::move(b), ")");
}

Tree Generator::condition(bool uniform, unsigned depth) {
  const Type result{Base::i32, 1};
  const unsigned choice = random_.below(10);
  if (depth > 0 && choice == 0)
    return expression(result, "(", condition(uniform, depth - 1), " && ", condition(uniform, depth - 1), ")");
  if (depth > 0 && choice == 1)
    return expression(result, "(", condition(uniform, depth - 1), " || ", condition(uniform, depth - 1), ")");
  if (choice == 2) return expression(result, "!", condition(uniform, 0));
  if (choice == 3 && depth > 0) {
    const Type type = any_type();
    if (type.lanes > 1)
      return expression(result, random_.percent(50) ? "any(" : "all(", value(type, uniform, depth - 1),
                        random_.percent(50) ? " < " : " != ", value(type, uniform, 0), ")");
  }
  if (choice < 6) {
    const std::string mask = std::to_string(random_.pick(std::vector<unsigned>{1, 1, 3, 3, 6, 7}));
    return expression(result, "((", value({Base::u32, 1}, uniform, depth),
                      " & " + mask + "u)" + (random_.percent(50) ? " != 0" : " == 1") + ")");
  }
  if (choice == 7 && !uniform && !arrays_.empty() && random_.percent(60)) {
    const Array& p = random_.pick(arrays_);
    if (p.generic) return address_space(p);
  }
  if (choice == 6 && !uniform && !place_.in_helper)
    return expression(result, "(" + id() + " < " + std::to_string(random_.below(items_ + 1)) + ")");
  static const std::vector<std::string> compares = {" < ", " <= ", " > ", " >= ", " == ", " != "};
  const Type type = scalar_type();
  return expression(result, "(", value(type, uniform, depth), random_.pick(compares), value(type, uniform, depth / 2),
                    ")");
}

/// In [0, size), `size` a power of two.
Tree Generator::index(bool uniform, unsigned size, unsigned depth) {
  const Type type{Base::u32, 1};
  if (random_.percent(20)) return expression(type, "(uint)(" + std::to_string(random_.below(size)) + ")");
  return expression(type, "((", value(type, uniform, depth), ") & " + std::to_string(size - 1) + "u)");
}

Tree Generator::load(Type type, bool uniform, unsigned depth) {
  if (!uniform && !arrays_.empty() && random_.percent(50)) {
    std::vector<const Array*> fitting;
    for (const Array& a : arrays_)
      if (a.type == type) fitting.push_back(&a);
    if (!fitting.empty()) {
      const Array& a = *random_.pick(fitting);
      return expression(type, a.name + "[", index(random_.percent(40), a.size, depth), "]");
    }
  }
  if (!uniform && place_.local != Place::Local::none && type.lanes == 1) {
    for (const Shared& s : shared_) {
      if (!(s.type == type)) continue;
      if (place_.local == Place::Local::own) return expression(type, s.name + "[l]");
      static const std::vector<std::string> places = {"0", "L - 1u", "l / 2u", "L - 1u - l", "(l ^ 1u) % L"};
      if (random_.percent(40)) return expression(type, s.name + "[" + random_.pick(places) + "]");
      if (random_.percent(40))
        return expression(type, s.name + "[(l + " + std::to_string(random_.below(40)) + ") % L]");
      return expression(type, s.name + "[", value({Base::u32, 1}, false, depth), " % L]");
    }
    for (const Shared& c : group_counters_)
      if (place_.local == Place::Local::any && c.type == type)
        return expression(type, c.name + "[", value({Base::u32, 1}, false, depth),
                          " % " + std::to_string(c.elements) + "u]");
  }
  if (group_words_ && place_.local == Place::Local::any && type == Type{Base::u32, 1} && random_.percent(50))
    return expression(type, group_words_->name + "[", value({Base::u32, 1}, false, depth),
                      " % " + std::to_string(group_words_->elements) + "u]");
  if (tables_ && type == Type{Base::u32, 1} && random_.percent(25)) return table_value(uniform, depth);
  if (type == Type{Base::u32, 1} && random_.percent(25)) {
    if (random_.percent(50)) return expression(type, "fixed_table[", index(uniform, 16, depth), "]");
    if (!place_.in_helper) return expression(type, "table[", index(uniform, 64, depth), "]");
  }
  return place_.in_helper ? leaf(type, uniform) : input_load(type, uniform, depth);
}

Tree Generator::input_load(Type type, bool uniform, unsigned depth) {
  const Type element{type.is_float() ? type.base : type.integer(false).base, 1};
  const std::string cast = type.is_signed() && !type.is_float() && type.lanes == 1 ? "(" + type.name() + ")" : "";
  const std::string buffer = "in_" + element.name();
  const std::string some = std::to_string(random_.below(12));
  if (type.lanes > 1) {
    const std::string read = "vload" + std::to_string(type.lanes) + "(";
    const std::string as = type.is_float() ? "" : "as_" + type.name();
    // 4 * items + 16 elements: a vector for each item, no further than 4 lanes each.
    std::string at = uniform ? "0, " + buffer : "(uint)g, " + buffer;
    if (!uniform && (type.lanes > 4 || random_.percent(30)))
      at = "0, " + buffer + " + g * " + std::to_string(random_.between(1, 3));
    if (type.lanes == 4 && !uniform && random_.percent(40))
      return expression(type, as + "(((global const " + element.of(4).name() + "*)" + buffer + ")[g])");
    return expression(type, as + "(" + read + at + "))");
  }
  if (uniform) return expression(type, cast + buffer + (random_.percent(50) ? "[q + " + some + "]" : "[" + some + "]"));
  switch (random_.below(9)) {
    case 0:
    case 1:
      return expression(type, cast + buffer + "[g + " + some + "]");
    case 2:
      return expression(type, cast + buffer + "[g * " + std::to_string(random_.between(2, 3)) + " + " + some + "]");
    case 3:
      return expression(type, cast + buffer + "[items - 1 - (uint)g + " + some + "]");
    case 4:
      return expression(type, "(" + type.name() + ")((uint)g < edge ? " + cast + "edge_" + element.name() + "[g] : (" +
                                  type.name() + ")(3))");
    case 5:
      return behind_load(type, cast + "(" + buffer, depth);
    default:
      return expression(type, cast + buffer + "[", value({Base::u32, 1}, random_.percent(20), depth),
                        " % (items * 4u)]");
  }
}

/// Indices that are negative or go down, from a pointer into the buffer that `open` begins.
Tree Generator::behind_load(Type type, const std::string& open, unsigned depth) {
  const std::string factor = std::to_string(random_.between(1, 3));
  switch (random_.below(3)) {
    case 0:
      return expression(type, open + " + items + 15u)[(int)g - (int)", index(random_.percent(40), 16, depth), "]");
    case 1:
      return expression(type, open + " + items * " + factor + "u)[((int)g + 1) * -" + factor + " + (int)",
                        index(random_.percent(60), 16, depth), "]");
    default:
      // A product of 32 bits that wraps, extended with its sign.
      return expression(type, open + " + items * " + factor + "u)[(int)(((uint)g + 1u) * -" + factor + "u)]");
  }
}

/// Null if there is no pointer to pass.
Tree Generator::call(const Helper& helper, unsigned depth) {
  const auto fits = [&](const Array& a) {
    return !a.constant && a.type == helper.pointer && (a.visible || !a.generic);
  };
  const auto passed = std::find_if(arrays_.rbegin(), arrays_.rend(), fits);
  if (helper.pointer && passed == arrays_.rend()) return nullptr;
  const std::string pointer = helper.pointer ? ", " + passed->name : "";
  Tree made = expression(helper.result, helper.name + "(");
  for (std::size_t i = 0; i < helper.parameters.size(); ++i) {
    if (i > 0) append(*made, ", ");
    append(*made, value(helper.parameters[i], false, depth / 2));
  }
  append(*made, pointer + ")");
  return made;
}

}  // namespace lanewise::fuzz
