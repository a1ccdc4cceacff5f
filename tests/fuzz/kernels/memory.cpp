// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Variables, arrays, buffers, and communication between work-items.
#include <algorithm>

#include "src/base/rounding.h"
#include "tests/fuzz/kernels/generator.h"

namespace lanewise::fuzz {

Tree Generator::declaration(const Place& place) {
  const Type type = any_type();
  const bool uniform = place.uniform && random_.percent(35);
  const std::string v = name("v");
  Tree made = statement(type.name() + " " + v + " = ", value(type, uniform, random_.between(1, 4)), ";");
  variables_.push_back({v, type, uniform, false});
  return made;
}

Tree Generator::assignment(const Place& place) {
  const bool uniform = place.uniform && random_.percent(30);
  Variable* v = variable(variables(std::nullopt, uniform, true));
  if (v == nullptr) return declaration(place);
  const Variable target = *v;
  const Type type = target.type;
  // One component of a vector.
  if (type.lanes > 1 && random_.percent(35)) {
    const std::string component = ".s" + std::string(1, "0123456789abcdef"[random_.below(type.lanes)]);
    return statement(target.name + component + " = ", value(type.element(), uniform, 2), ";");
  }
  const bool plain = type.is_float() || (!type.is_signed() && (type.bits() >= 32 || type.lanes > 1));
  if (plain && random_.percent(45)) {
    static const std::vector<std::string> operators = {" += ", " -= ", " *= "};
    return statement(target.name + random_.pick(operators), value(type, uniform, random_.between(1, 3)), ";");
  }
  return statement(target.name + " = ", value(type, uniform, random_.between(1, 4)), ";");
}

Tree Generator::array_declaration(const Place& /*place*/) {
  const Type type = random_.percent(80) ? scalar_type() : scalar_type().of(random_.percent(50) ? 4 : 2);
  const Array a{name("a"), type, 1U << random_.between(1, 4)};
  const std::string size = std::to_string(a.size);
  Tree first = value(type, random_.percent(50), 2);
  const std::string each = type.lanes == 1 ? "(" + type.name() + ")(e * " + std::to_string(random_.between(1, 9)) + "u)"
                                           : "(" + type.name() + ")((" + type.element().name() + ")(e))";
  Tree made = statement(type.name() + " " + a.name + "[" + size + "]; for (uint e = 0; e < " + size + "; ++e) " +
                            a.name + "[e] = (e & 1) ? " + each + " : ",
                        std::move(first), ";");
  arrays_.push_back(a);
  return made;
}

/// A struct in private memory, whole copies and single fields.
Tree Generator::record_use(const Place& /*place*/) {
  const std::string r = name("record");
  const std::string v = name("v");
  Tree made = statement("struct Record " + r + "[2] = {{", value({Base::u32, 1}, false, 2), ", 3, {1, 2, 3, 4, 5, 6}, ",
                        value({Base::f32, 1}, false, 1), "}, {7, ", value({Base::u16, 1}, false, 1), ", {9}, 1.0f}}; ");
  append(*made, r + "[");
  append(*made, index(false, 2, 2));
  append(*made, "].c[");
  append(*made, index(random_.percent(50), 4, 2));
  append(*made, "] = ");
  append(*made, value({Base::u8, 1}, false, 1));
  append(*made, "; ");
  if (random_.percent(50)) {
    append(*made, "if (");
    append(*made, condition(false, 1));
    append(*made, ") " + r + "[0] = " + r + "[1]; ");
  }
  append(*made, "uint " + v + " = " + r + "[");
  append(*made, index(false, 2, 1));
  append(*made, "].a + " + r + "[0].b + " + r + "[1].c[");
  append(*made, index(false, 4, 1));
  append(*made, "] + as_uint(number(" + r + "[1].d));");
  variables_.push_back({v, {Base::u32, 1}, false, false});
  return made;
}

/// A number made of a row of elements, which are elsewhere for each work-item; their order is visible in it.
Tree Generator::row_walk(const Place& place) {
  static const std::vector<std::string> elements = {"uchar", "ushort", "uint", "ulong"};
  static const std::vector<std::string> starts = {"g * 3",
                                                  "g * 2",
                                                  "(uint)g * 3u",
                                                  "(items - 1u - (uint)g) * 3u",
                                                  "(uint)g / 18u * 23u + (uint)g % 18u",
                                                  "g / 9 * 13 + g % 9",
                                                  "(uint)g / 18u * 41u + (uint)g % 18u * 2u",
                                                  "min((int)g, 90) * 3"};
  const Type type{random_.percent(70) ? Base::u32 : Base::u64, 1};
  const std::string v = name("v"), k = name("k");
  const bool uniform = random_.percent(place.uniform ? 85 : 40);
  Tree made =
      statement(type.name() + " " + v + " = ", value(type, false, 2), "; for (uint " + k + " = 0; " + k + " < ");
  if (random_.percent(40))
    append(*made, std::to_string(random_.between(1, 16)) + "u");
  else
    append(*made, index(uniform, 16, 2));
  append(*made, "; ++" + k + ") " + v + " = " + v + " * 5u + in_" + random_.pick(elements) + "[");
  if (random_.percent(25))
    append(*made, index(false, 8, 2));
  else
    append(*made, random_.pick(starts));
  append(*made, " + " + k + "];");
  if (names_ % 3 == 0) {
    append(*made, shared_walk(v));
    made->whole = true;
  }
  variables_.push_back({v, type, false, false});
  if (random_.percent(20)) {
    append(*made, wide_row(v));
    made->whole = true;
  }
  return made;
}

/// A loop that each work-item begins at its own number, and that steps over those of all: over elements that are
/// neighbours, or as far apart as an argument says.
std::string Generator::shared_walk(const std::string& v) {
  const std::string k = name("k");
  return " for (uint " + k + " = (uint)get_global_id(0); " + k + " < items; " + k + " += (uint)get_global_size(0)) " +
         v + " = " + v + " * 3u + in_uint[" + k + (names_ % 2 == 0 ? " * inc" : "") + "];";
}

/// A structure of four elements, which some work-items store.
std::string Generator::wide_row(const std::string& v) {
  const std::string w = name("w");
  std::string text = " if (" + v + " % 3u != 1u) { global ulong* " + w + " = (global ulong*)rows_uchar + g * " +
                     std::to_string(kSlots / sizeof(std::uint64_t)) + "; ";
  for (unsigned i = 0; i < kSlots / sizeof(std::uint64_t); ++i)
    text += w + "[" + std::to_string(i) + "] = " + v + " + " + std::to_string(i) + "; ";
  return text + "}";
}

/// A row of elements through a small dense matrix, by way of a private array. Only counters choose its elements, or nearly.
Tree Generator::transform() {
  static const std::vector<Base> elements = {Base::u8, Base::u16, Base::u32, Base::u64};
  static const std::vector<unsigned> sizes = {2, 3, 3, 4, 8};
  const Type type{random_.pick(elements), 1};
  const unsigned size = random_.pick(sizes), stride = size == 2 ? 2 : 3;
  const std::string t = type.name(), m = name("a"), k = name("k"), j = name("j"), sum = name("x");
  const std::string n = std::to_string(size) + "u", row = std::to_string(kSlots) + "u";
  const auto loop = [](const std::string& c, const std::string& end) {
    return "for (uint " + c + " = 0; " + c + " < " + end + "; ++" + c + ") ";
  };
  Tree made = statement(t + " " + m + "[" + n + "]; " + loop(k, n) + m + "[" + k + "] = in_" + t + "[(uint)g * " +
                        std::to_string(stride) + "u + " + k + "]; ");
  if (random_.percent(30)) {
    append(*made, "if (");
    append(*made, condition(false, 1));
    append(*made, ") " + loop(k, n) + m + "[" + k + "] ^= " + k + "; ");
  }
  append(*made, loop(k, random_.percent(80) ? n : "(uint)(items % " + n + ")") + "{ " + t + " " + sum + " = ");
  append(*made, value(type, random_.percent(50), 1));
  append(*made, "; " + loop(j, n) + sum + " += " + m + "[" + j + "] * in_" + t + "[(" + k + " * " + n + " + " + j +
                    ") & 15u]; ");
  if (random_.percent(15)) append(*made, m + "[" + sum + " % " + n + "] += 3; ");
  append(*made, "rows_" + t + "[(uint)g * " + row + " + " + k + "] = " + sum + "; }");
  made->whole = true;
  arrays_.push_back({m, type, size});
  return made;
}

/// Sums of numbers that each iteration computes by itself, some of which it leaves out; its elements of an array are its
/// own, or those of the next iteration.
Tree Generator::additions() {
  static const std::vector<std::string> conditions = {" % 3u != 1u", " & 4u", " > 77u", " != 0xFFFFFFFFu"};
  static const std::vector<std::string> operators = {" += ", " -= ", " += ", " = "};
  const Type type{random_.percent(70) ? Base::f32 : Base::f64, 1};
  const unsigned size = 8U << random_.below(3);
  const std::string t = type.name(), v = name("v"), m = name("a"), k = name("k"), x = name("x");
  const std::string own = m + "[" + k + "]";
  const std::string read = random_.percent(80) ? own : m + "[(" + k + " + 1u) % " + std::to_string(size) + "u]";
  const std::string op = random_.pick(operators);
  Tree made = statement(t + " " + v + " = ", value(type, false, 2), "; uint " + m + "[" + std::to_string(size) + "]; ");
  append(*made, "for (uint e = 0; e < " + std::to_string(size) + "u; ++e) " + m + "[e] = e * ");
  append(*made, value({Base::u32, 1}, false, 1));
  append(*made, "; for (uint " + k + " = 0; " + k + " < " + std::to_string(size) + "u; ++" + k + ") { " + t + " " + x +
                    " = (" + t + ")(in_uint[(uint)g * 3u + (" + k + " & 15u)] % 999u) * (" + t + ")0.37 + ");
  append(*made, value(type, false, 1));
  append(*made, "; " + own + " = " + read + " * 5u + in_ushort[" + k + " & 15u]; ");
  if (random_.percent(70)) append(*made, "if ((" + read + random_.pick(conditions) + ") != 0) ");
  append(*made, op == " = " ? v + " = " + v + " - " + x + " * 0.5f; " : v + op + x + "; ");
  if (random_.percent(30)) append(*made, own + " ^= " + k + "; ");
  append(*made, "}");
  made->whole = true;
  variables_.push_back({v, type, false, false});
  arrays_.push_back({m, {Base::u32, 1}, size});
  return made;
}

/// Whether some or all elements of `x` are small, asked one by one; some are left out now and then.
std::string Generator::small_elements(const std::string& x, unsigned lanes) {
  static const std::vector<std::string> limits = {"0x40000000u", "99u", "0xF0000000u", "in_uint[3]"};
  const std::string limit = random_.pick(limits), link = random_.percent(70) ? " || " : " && ";
  std::string text;
  for (unsigned i = 0; i < lanes; ++i) {
    if (i > 0 && random_.percent(3)) continue;
    text += (i == 0 ? "" : link) + x + ".s" + "0123456789abcdef"[i] + " < " + limit;
  }
  return "(" + text + ")";
}

/// A loop that computes much, and mostly goes on: what it does otherwise is seldom, or happens each time.
Tree Generator::search() {
  static const std::vector<unsigned> masks = {0xFFFFFFFFU, 0xFFFU, 0x3FU, 3U, 0U};
  static const std::vector<unsigned> lane_counts = {1, 4, 8, 16, 16};
  const Type type{Base::u32, random_.pick(lane_counts)};
  const std::string t = type.name(), v = name("v"), m = name("a"), k = name("k"), x = name("x");
  Tree made = statement("uint " + v + " = ", value({Base::u32, 1}, false, 2), "; uint " + m + "[8] = {1, 2, 3}; ");
  append(*made, "for (uint " + k + " = 0; " + k + " < ");
  append(*made, index(random_.percent(60), 16, 2));
  append(*made, "; ++" + k + ") { " + t + " " + x + " = (" + t + ")(in_uint[" + k + "] + " + k + ") ^ ");
  append(*made, value(type, random_.percent(50), 2));
  append(*made, "; ");
  const unsigned rounds = random_.percent(80) ? 40 : 5;
  for (unsigned r = 0; r < rounds; ++r)
    append(*made, x + " = rotate(" + x + ", (" + t + ")" + std::to_string(5 + r % 7) + ") * " +
                      std::to_string(0x9E3779B1U + 2 * r) + "u ^ " + x + "; ");
  const std::string wanted = "(" + x + " & (" + t + ")" + std::to_string(random_.pick(masks)) + "u) == (" + t + ")0u";
  if (type.lanes > 1 && random_.percent(50))
    append(*made, "if (!" + small_elements(x, type.lanes) + ") continue; " + v + " ^= " + x + ".s1; ");
  else
    append(*made, "if (!" + std::string(type.lanes == 1 ? "(" : "any(") + wanted + ")) continue; ");
  append(*made, m + "[" + k + " & 7u] += " + v + "; " + v + " = " + v + " * 3u + " + m + "[" + v + " & 7u]; ");
  if (random_.percent(20)) append(*made, "if (" + v + " % 3u == 1u) break; ");
  append(*made, "}");
  made->whole = true;
  variables_.push_back({v, {Base::u32, 1}, false, false});
  arrays_.push_back({m, {Base::u32, 1}, 8});
  return made;
}

Tree Generator::array_store(const Place& place) {
  const Array a = random_.pick(arrays_);
  if (a.constant) return array_declaration(place);
  const std::string op = !a.type.is_signed() && a.type.bits() >= 32 && random_.percent(30) ? "] += " : "] = ";
  Tree v = value(a.type, false, 3);
  if (a.visible && a.type.is_float()) v = number(a.type, std::move(v));
  return statement(a.name + "[", index(random_.percent(40), a.size, 2), op, std::move(v), ";");
}

/// An element of this item alone, by the kernel's layout: stores are consecutive, strided, backwards or scattered.
std::string Generator::own_place(Type element, const std::string& slot) {
  if (layout_ == 0) return "rows_" + element.name() + "[g * " + std::to_string(kSlots) + " + " + slot + "]";
  const std::string n = random_.percent(50) ? "items" : std::to_string(items_) + "u";
  unsigned prime = 1;
  for (const unsigned p : {7U, 11U, 13U, 17U})
    if (items_ % p != 0) prime = p;
  std::string own = "g";
  if (layout_ == 2) own = n + " - 1u - (uint)g";
  if (layout_ == 3) own = "(uint)g * " + std::to_string(prime) + "u % " + n;
  return "out_" + element.name() + "[" + slot + " * " + n + " + " + own + "]";
}

Tree Generator::store_of(Type type, Tree v) {
  const Type element{type.is_float() ? type.base : type.integer(false).base, 1};
  const Type stored = element.of(type.lanes);
  if (type.is_float()) v = number(type, std::move(v));
  const bool cast = !(type == stored);
  const std::string open = cast ? (type.lanes == 1 ? "(" + stored.name() + ")(" : "as_" + stored.name() + "(") : "(";
  const unsigned lanes = type.lanes == 3 ? 4 : type.lanes;
  slot_ = round_up(slot_, lanes) % kSlots;
  const std::string slot = std::to_string(slot_);
  slot_ = (slot_ + lanes) % kSlots;
  if (type.lanes > 1) {
    const std::string at = "rows_" + element.name() + " + (uint)g * " + std::to_string(kSlots) + "u + " + slot;
    if (type.lanes == 4 && layout_ % 2 == 0)
      return statement("*(global " + stored.name() + "*)(" + at + ") = " + open, std::move(v), ");");
    return statement("vstore" + std::to_string(type.lanes) + "(" + open, std::move(v), "), 0, " + at + ");");
  }
  std::string op = " = ";
  if (!type.is_float() && random_.percent(25)) op = random_.percent(50) ? " += " : " ^= ";
  return statement(own_place(element, slot) + op + open, std::move(v), ");");
}

Tree Generator::output_store(const Place& /*place*/) {
  const Type type = any_type();
  return store_of(type, value(type, false, random_.between(1, 4)));
}

Tree Generator::shared_store(const Place& /*place*/) {
  const Shared s = random_.pick(shared_);
  Tree v = value(s.type, false, 3);
  if (s.type.is_float()) v = number(s.type, std::move(v));
  return statement(s.name + "[l] = ", std::move(v), ";");
}

std::string Generator::fence() {
  bool global = false;
  for (const Shared& s : shared_) global |= s.global;
  for (const Shared& s : group_counters_) global |= s.global;
  if (global) return "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);";
  static const std::vector<std::string> forms = {"barrier(CLK_LOCAL_MEM_FENCE);", "barrier(CLK_LOCAL_MEM_FENCE);",
                                                 "work_group_barrier(CLK_LOCAL_MEM_FENCE);"};
  return random_.pick(forms);
}

/// Each item writes its own elements; barrier; each reads any element; barrier.
Tree Generator::phase(const Place& place) {
  Place inner = inside(place, false);
  inner.can_return = false;
  inner.local = Place::Local::own;
  Tree write = block(inner, random_.between(1, 4));
  inner.local = Place::Local::any;
  Tree read = make(Node::Kind::list, {});
  fill(*read, inner, random_.between(1, 4));
  const std::string f = fence();
  Tree made = statement(std::move(write), " " + f + "\n", std::move(read), f);
  made->whole = true;
  return made;
}

/// A uniform value that the compiler cannot see to be uniform, because it comes from memory.
Tree Generator::broadcast(const Place& place) {
  if (shared_.empty()) return declaration(place);
  const Shared s = random_.pick(shared_);
  const std::string b = name("b");
  Tree who = value({Base::u32, 1}, true, 1);
  Tree what = value(s.type, false, 2);
  if (s.type.is_float()) what = number(s.type, std::move(what));
  Tree made = statement(s.type.name() + " " + b + "; if (l == ", std::move(who),
                        " % L) " + s.name + "[L / 2] = ", std::move(what),
                        "; " + fence() + " " + b + " = " + s.name + "[L / 2]; " + fence());
  made->whole = true;
  variables_.push_back({b, s.type, true, false});
  return made;
}

Tree Generator::exchange_call(const Place& place) {
  const Shared* t = nullptr;
  for (const Shared& s : shared_)
    if (!s.global && s.type == Type{Base::u32, 1}) t = &s;
  const bool have = std::any_of(helpers_.begin(), helpers_.end(), [](const Helper& h) { return h.exchange; });
  if (t == nullptr || !have) return phase(place);
  const std::string v = name("v");
  Tree made = statement("uint " + v + " = exchange(" + t->name + ", l, L, ", value({Base::u32, 1}, false, 2), ", ",
                        value({Base::u32, 1}, false, 1), ");");
  made->whole = true;
  variables_.push_back({v, {Base::u32, 1}, false, false});
  return made;
}

}  // namespace lanewise::fuzz
