// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Each use of functions of sub-groups and work-groups has two forms: the functions of OpenCL C, and the same through
/// local memory and barriers (the macro EMULATED), which is the reference. So they are where all work-items of a group
/// arrive, with a condition or a loop around those of sub-groups that the emulation takes into account.
#include <array>

#include "tests/fuzz/kernels/generator.h"

namespace lanewise::fuzz {
namespace {

/// `x` is the operand; in the emulation, `others` has the operands of all work-items.
constexpr const char* kEmulation = R"(
#ifdef EMULATED
#define IF_TOGETHER(T, r, on, value, native, emulated) { \
  local T* others = (local T*)lanes; const int here = (on) != 0; active[l] = here; \
  if (here) others[l] = value; \
  barrier(CLK_LOCAL_MEM_FENCE); \
  if (here) r = emulated; \
  barrier(CLK_LOCAL_MEM_FENCE); }
#define ELSE_TOGETHER(T, r, on, value, native, emulated, value2, native2, emulated2) { const int side = (on) != 0; \
  IF_TOGETHER(T, r, side, value, native, emulated) IF_TOGETHER(T, r, !side, value2, native2, emulated2) }
#define LOOP_TOGETHER(T, r, bound, most, value, native, emulated) \
  for (uint turn = 0, turns = bound; turn < most; ++turn) IF_TOGETHER(T, r, turn < turns, value, native, emulated)
#define BREAK_TOGETHER LOOP_TOGETHER
#define COMBINE(T, name, operation) \
T __attribute__((overloadable)) combine_##name(local const T* others, local const uchar* active, uint from, uint to, T c) { \
  for (uint i = from; i < to; ++i) if (active[i]) { const T o = others[i]; c = (T)(operation); } \
  return c; \
}
#define NUMBERS(T, U) COMBINE(T, add, (U)c + (U)o) COMBINE(T, mul, (U)c * (U)o) COMBINE(T, min, min(c, o)) \
  COMBINE(T, max, max(c, o))
#define INTEGERS(T, U) NUMBERS(T, U) COMBINE(T, and, c & o) COMBINE(T, or, c | o) COMBINE(T, xor, c ^ o)
INTEGERS(char, uint) INTEGERS(uchar, uint) INTEGERS(short, uint) INTEGERS(ushort, uint) INTEGERS(int, uint)
INTEGERS(uint, uint) INTEGERS(long, ulong) INTEGERS(ulong, ulong)
COMBINE(int, logical_and, c && o) COMBINE(int, logical_or, c || o) COMBINE(int, logical_xor, !c != !o)
#define min fmin
#define max fmax
NUMBERS(float, float) NUMBERS(double, double) NUMBERS(half, half)
#undef min
#undef max
#else
#define IF_TOGETHER(T, r, on, value, native, emulated) if (on) { const T x = value; r = native; }
#define ELSE_TOGETHER(T, r, on, value, native, emulated, value2, native2, emulated2) \
  if (on) { const T x = value; r = native; } else { const T x = value2; r = native2; }
#define LOOP_TOGETHER(T, r, bound, most, value, native, emulated) \
  for (uint turn = 0, turns = bound; turn < turns; ++turn) { const T x = value; r = native; }
#define BREAK_TOGETHER(T, r, bound, most, value, native, emulated) \
  for (uint turn = 0, turns = bound; turn < most; ++turn) { if (turn >= turns) break; const T x = value; r = native; }
#endif
)";

}  // namespace

void Generator::add_emulation() {
  std::string text = kEmulation;
  const std::string half = "NUMBERS(half, half)";
  if (!features_.half) text.erase(text.find(half), half.size());
  Tree emulation = statement(text);
  emulation->fixed = true;
  append(*program_.globals, std::move(emulation));
}

/// Declares the memory of the emulation.
void Generator::open_emulation(Node& body) {
  const std::string group = std::to_string(group_);
  Tree memory =
      statement("\n#ifdef EMULATED\n  local ulong4 lanes[" + group + "]; local uchar active[" + group + "];\n#endif\n");
  memory->fixed = true;
  append(body, std::move(memory));
}

/// The identity of the operation, for scans at the first work-item.
std::string Generator::identity(const std::string& op, Type type) {
  const std::string t = type.name();
  if (op == "mul" || op == "logical_and") return "(" + t + ")1";
  if (op == "and") return "(" + t + ")~(" + t + ")0";
  if (op != "min" && op != "max") return "(" + t + ")0";
  if (type.is_float()) return "(" + t + ")" + (op == "min" ? "INFINITY" : "-INFINITY");
  const bool largest = op == "min";
  if (!type.is_signed()) return largest ? "(" + t + ")~(" + t + ")0" : "(" + t + ")0";
  static constexpr std::array<const char*, 4> names = {"CHAR", "SHRT", "INT", "LONG"};
  const unsigned index = type.bits() == 8 ? 0 : type.bits() == 16 ? 1 : type.bits() == 32 ? 2 : 3;
  return std::string(names[index]) + (largest ? "_MAX" : "_MIN");
}

/// The operand of a combination: floating-point numbers are such that sums and products are exact in any order.
Tree Generator::operand(const Collective& c) {
  const Type type = c.operand;
  if (type.lanes > 1 || !type.is_float() || c.op.empty()) {
    if (c.operand == Type{Base::i32, 1} && c.result == Type{Base::u64, 1}) return condition(false, 2);
    return value(type, false, random_.between(1, 3));
  }
  const std::string t = type.name();
  Tree some = value({Base::u32, 1}, false, 2);
  // Half has exact numbers up to 2048, and a group may have 1,440 work-items.
  const char* most = type.base == Base::f16 ? " & 1u)" : " & 15u)";
  if (c.op == "add") return make(Node::Kind::expression, t, "(" + t + ")(", std::move(some), most);
  if (c.op == "mul") return make(Node::Kind::expression, t, "(" + t + ")((", std::move(some), " & 1u) + 1)");
  // Adding zero makes zeros positive.
  return make(Node::Kind::expression, t, "(", number(type, value(type, false, 2)), " + (" + t + ")(0))");
}

}  // namespace lanewise::fuzz
