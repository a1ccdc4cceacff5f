// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arithmetic and conversions, all of them defined for every value.
#include <algorithm>

#include "tests/fuzz/kernels/generator.h"

namespace lanewise::fuzz {

namespace {

template <class... Parts>
Tree expression(Type type, Parts&&... parts) {
  return make(Node::Kind::expression, type.name(), std::forward<Parts>(parts)...);
}

}  // namespace

Tree Generator::number(Type type, Tree v) {
  return expression(type, "number(", std::move(v), ")");
}

Tree Generator::wrapped(Type type, const char* op, Tree a, Tree b) {
  const Type plain = type.integer(false);
  if (type.lanes > 1) {
    if (!type.is_signed()) return expression(type, "(", std::move(a), op, std::move(b), ")");
    const std::string as = "as_" + plain.name() + "(";
    return expression(type, "as_" + type.name() + "(" + as, std::move(a), ")", op, as, std::move(b), "))");
  }
  if (!type.is_signed() && type.bits() >= 32) return expression(type, "(", std::move(a), op, std::move(b), ")");
  const std::string wide = type.bits() == 64 ? "((ulong)" : "((uint)";
  return expression(type, "(" + type.name() + ")(" + wide, std::move(a), std::string(")") + op + wide, std::move(b),
                    "))");
}

Tree Generator::division(Type type, bool uniform, unsigned depth) {
  const std::string op = random_.percent(50) ? " / " : " % ";
  Tree a = value(type, uniform, depth);
  if (type.lanes > 1 || !type.is_signed()) {
    const Type plain = type.integer(false);
    if (type.is_signed()) return a;
    return expression(type, "(" + plain.name() + ")(", std::move(a), op + "(", value(type, uniform, depth / 2),
                      " | (" + type.name() + ")(1)))");
  }
  // Neither by zero nor the smallest number by -1: a positive divisor, or a condition that avoids the division.
  Tree b = value(type, uniform, 0);
  const std::string divisor = render(*b);
  if (random_.percent(50))
    return expression(type, "(" + type.name() + ")(", std::move(a), op + "(((" + divisor + ") & 63) + 1))");
  return expression(type, "(" + type.name() + ")((" + divisor + ") > 0 ? (" + type.name() + ")(", std::move(a),
                    op + divisor + ") : (" + type.name() + ")(9))");
}

Tree Generator::integer_value(Type type, bool uniform, unsigned depth) {
  static const std::vector<const char*> simple = {" + ", " - ", " * ", " & ", " | ", " ^ "};
  const unsigned choice = random_.below(100);
  const std::string t = type.name();
  if (choice < 50)
    return wrapped(type, random_.pick(simple), value(type, uniform, depth), value(type, uniform, depth / 2));
  if (choice < 58) {
    Tree a = value(type, uniform, depth);
    const std::string cast = type.lanes == 1 ? "(" + t + ")" : "";
    if (random_.percent(50)) {
      // A right shift of a negative number keeps its sign.
      return expression(type, cast + "(", std::move(a), " >> ", literal(type), ")");
    }
    if (type.is_signed()) return a;
    return expression(type, cast + "(", std::move(a), " << (", value(type, uniform, depth / 2),
                      " & (" + t + ")(" + std::to_string(type.bits() - 1) + ")))");
  }
  if (choice < 66) return division(type, uniform, depth);
  if (choice < 70) return expression(type, type.lanes == 1 ? "(" + t + ")~" : "~", value(type, uniform, depth));
  if (choice < 76 && type.lanes == 1) {
    Tree c = condition(uniform, depth);
    return expression(type, "(" + t + ")", std::move(c));
  }
  return integer_function(type, uniform, depth);
}

Tree Generator::integer_function(Type type, bool uniform, unsigned depth) {
  static const std::vector<std::string> two = {"mul_hi",  "rotate", "min",   "max",    "add_sat",
                                               "sub_sat", "hadd",   "rhadd", "add_sat"};
  const std::string t = type.name();
  switch (random_.below(6)) {
    case 0: {
      static const std::vector<std::string> one = {"popcount", "clz", "ctz"};
      return expression(type, random_.pick(one) + "(", value(type, uniform, depth), ")");
    }
    case 1: {
      Tree a = value(type, uniform, depth);
      return expression(type, "as_" + t + "(abs_diff(", std::move(a), ", ", value(type, uniform, depth / 2), "))");
    }
    case 2:
      return expression(type, "bitselect(", value(type, uniform, depth), ", ", value(type, uniform, depth / 2), ", ",
                        value(type, uniform, 0), ")");
    case 3:
      return expression(type, "mad_sat(", value(type, uniform, depth), ", ", value(type, uniform, depth / 2), ", ",
                        value(type, uniform, 0), ")");
    default:
      return expression(type, random_.pick(two) + "(", value(type, uniform, depth), ", ",
                        value(type, uniform, depth / 2), ")");
  }
}

Tree Generator::float_value(Type type, bool uniform, unsigned depth) {
  static const std::vector<const char*> operators = {" + ", " - ", " * ", " + ", " * ", " / "};
  if (random_.percent(60))
    return expression(type, "(", value(type, uniform, depth), random_.pick(operators), value(type, uniform, depth / 2),
                      ")");
  return float_function(type, uniform, depth);
}

Tree Generator::float_function(Type type, bool uniform, unsigned depth) {
  const std::string t = type.name();
  switch (random_.below(8)) {
    case 0:
    case 1:
      return expression(type, "fma(", value(type, uniform, depth), ", ", value(type, uniform, depth / 2), ", ",
                        value(type, uniform, depth / 2), ")");
    case 2:
      return expression(type, "sqrt(fabs(", value(type, uniform, depth), "))");
    case 3: {
      // fmin and fmax may give either zero; adding zero makes it positive.
      const char* function = random_.percent(50) ? "(fmin(" : "(fmax(";
      return expression(type, function, value(type, uniform, depth), ", ", value(type, uniform, depth / 2),
                        ") + (" + t + ")(0))");
    }
    case 4: {
      static const std::vector<std::string> one = {"fabs(", "-(", "floor(", "ceil(", "trunc(", "rint(", "round("};
      return expression(type, random_.pick(one), value(type, uniform, depth), ")");
    }
    case 5:
      return expression(type, "copysign(", value(type, uniform, depth), ", ", number(type, value(type, uniform, 0)),
                        ")");
    case 6:
      if (random_.percent(30)) {
        static const std::vector<std::string> some = {"exp(", "sin(", "cos(", "tanh(", "cbrt(", "log(fabs("};
        program_.library_math = true;
        const std::string& function = random_.pick(some);
        return expression(type, function, value(type, uniform, depth), function == "log(fabs(" ? "))" : ")");
      }
      [[fallthrough]];
    default: {
      const Type counts = Type{Base::i32, type.lanes};
      return expression(type, "ldexp(", value(type, uniform, depth), ", ", value(counts, uniform, 0),
                        " & (" + counts.name() + ")(15))");
    }
  }
}

/// A small integer as a number with a fraction, scaled or clamped there, and back, as in quantised networks and sound.
Tree Generator::through_float(Type type, bool uniform, unsigned depth) {
  static const std::vector<Base> small = {Base::i8, Base::i8, Base::u8, Base::i16, Base::i16, Base::u16, Base::i32};
  static const std::vector<std::string> factors = {"255.0f", "2.0f",          "0.5f",
                                                   "-1.0f",  "1.0f / 255.0f", "1.0f / 65535.0f"};
  static const std::vector<std::string> terms = {"0.5f", "-128.0f", "1.0f", "32768.0f"};
  static const std::vector<std::string> modes = {"", "", "_rte", "_rtp", "_rtn", "_rtz"};
  const Type from = Type{random_.pick(small), type.lanes};
  const Type real = Type{random_.percent(85) ? Base::f32 : Base::f64, type.lanes};
  const auto number_of = [&](const std::string& text) { return "(" + real.name() + ")(" + text + ")"; };
  Tree v = expression(real, "convert_" + real.name() + "(", value(from, uniform, depth), ")");
  for (unsigned steps = random_.below(3); steps > 0; --steps) {
    switch (random_.below(4)) {
      case 0:
        v = expression(real, "(", std::move(v), " + " + number_of(random_.pick(terms)) + ")");
        break;
      case 1:
        v = expression(real, "clamp(", std::move(v), ", " + number_of("-5.0f") + ", " + number_of("300.0f") + ")");
        break;
      default:
        v = expression(real, "(", std::move(v), " * " + number_of(random_.pick(factors)) + ")");
    }
  }
  return expression(type, "convert_" + type.name() + "_sat" + random_.pick(modes) + "(", std::move(v), ")");
}

/// A conversion from another type with as many elements, or a reinterpretation of one of the same size.
Tree Generator::converted(Type type, bool uniform, unsigned depth) {
  if (!type.is_float() && random_.percent(30)) return through_float(type, uniform, depth);
  Type from = scalar_type().of(type.lanes);
  const std::string t = type.name();
  if (random_.percent(25)) {
    from = type.is_float() ? type.integer(random_.percent(50))
                           : Type{type.bits() == 64                      ? Base::f64
                                  : type.bits() == 32 || !features_.half ? Base::f32
                                                                         : Base::f16,
                                  type.lanes};
    if (from.bits() == type.bits()) {
      Tree v = value(from, uniform, depth);
      if (type.is_float()) return number(type, expression(type, "as_" + t + "(", std::move(v), ")"));
      return expression(type, "as_" + t + "(", number(from, std::move(v)), ")");
    }
  }
  if (from.is_float() && !type.is_float()) {
    static const std::vector<std::string> modes = {"", "", "_rte", "_rtp", "_rtn", "_rtz"};
    return expression(type, "convert_" + t + "_sat" + random_.pick(modes) + "(",
                      number(from, value(from, uniform, depth)), ")");
  }
  if (type.is_float() && !from.is_float()) {
    static const std::vector<std::string> modes = {"", "", "", "_rte", "_rtp", "_rtn", "_rtz"};
    return expression(type, "convert_" + t + random_.pick(modes) + "(", value(from, uniform, depth), ")");
  }
  const bool saturate = !type.is_float() && random_.percent(40);
  if (type.lanes == 1 && random_.percent(50) && !saturate)
    return expression(type, "(" + t + ")(", value(from, uniform, depth), ")");
  return expression(type, "convert_" + t + (saturate ? "_sat(" : "("), value(from, uniform, depth), ")");
}

}  // namespace lanewise::fuzz
