// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Atomics whose effects do not depend on the order of work-items: commutative operations whose results are not used,
/// tickets of which only what all of them have in common is used, loops that exchange, and any operation on memory that
/// belongs to one work-item.
#include <algorithm>

#include "tests/fuzz/kernels/generator.h"

namespace lanewise::fuzz {
namespace {

/// Counters of one type: cells for each operation, so that operations do not mix.
constexpr unsigned kCells = 16;
const std::vector<std::string> kIntegers = {"add", "or", "xor", "and", "min", "max"};
const std::vector<std::string> kNumbers = {"add", "min", "max"};

/// A block of tickets: who hands them out, the sum of what it handed out, how often each remainder was seen.
constexpr unsigned kBlock = 2 + 16;
constexpr unsigned kBlocks = 4;  ///< of each way to hand them out
constexpr unsigned kWays = 6;

/// Cells of loops that exchange, behind the tickets.
constexpr unsigned kLoops = 5;
constexpr unsigned kTickets = kWays * kBlocks * kBlock;

const std::vector<Base> kCounted = {Base::u32, Base::i32, Base::u64, Base::i64, Base::f32, Base::f64};

std::string count(unsigned n) {
  return std::to_string(n) + "u";
}

/// What the tickets of one way are used for: the same at each place that hands them out. If one place left them out, what the
/// others got would depend on the order.
bool uses_tickets(std::uint64_t seed, unsigned way, unsigned purpose) {
  const std::uint64_t bits = seed * 0x9E3779B97F4A7C15U;
  return (bits >> (20 + 3 * (2 * way + purpose))) % 8 < 6;
}

/// Tickets and loops together.
constexpr unsigned kWords = kTickets + kLoops * kCells;

}  // namespace

void Generator::add_counters() {
  auto& list = program_.parameters;
  for (const Base base : kCounted) {
    const Type type{base, 1};
    Parameter p;
    // Whatever sums of floats begin with, they must stay exact.
    p.kind = type.is_float() ? Parameter::Kind::zeros : Parameter::Kind::output;
    p.name = "counters_" + type.name();
    p.declaration = "volatile global " + type.name() + "* " + p.name;
    p.element = type.bits() / 8;
    p.bytes = kIntegers.size() * kCells * p.element;
    list.push_back(p);
  }
  list.push_back({Parameter::Kind::zeros, "volatile global uint* words_global", "words_global", std::size_t{kWords} * 4,
                  false, 4, 0});
}

/// Declares the counters of a work-group, which begin at zero, those for "and" and "min" with all bits set.
void Generator::open_counters(Node& body) {
  const auto fixed = [&](const std::string& text) {
    Tree s = statement(text);
    s->fixed = true;
    append(body, std::move(s));
  };
  const auto clear = [&](const std::string& name, unsigned size, const std::string& value) {
    fixed("for (uint i = l; i < " + count(size) + "; i += L) " + name + "[i] = " + value + ";");
  };
  for (const Base base : kCounted) {
    if (!random_.percent(base == Base::u32 ? 80 : 25)) continue;
    const Type type{base, 1};
    Shared c{name("sums"), type, false};
    c.elements = static_cast<unsigned>(kIntegers.size()) * kCells;
    const std::string t = type.name();
    // Of a group in a variable of the program, so that it must agree in what is local to the group.
    c.global = stored_ && random_.percent(30);
    const std::string size = std::to_string(c.elements);
    if (c.global) {
      append(*program_.globals,
             statement("global " + t + " all_" + c.name + "[" + std::to_string(groups_ * c.elements) + "];"));
      fixed("global " + t + "* " + c.name + " = all_" + c.name + " + q * " + size + "u;");
    } else {
      fixed("local " + t + " " + c.name + "[" + size + "];");
    }
    clear(c.name, c.elements, type.is_float() ? "0" : "i >= 48 && i < 80 ? ~(" + t + ")0 : 0");
    group_counters_.push_back(c);
  }
  if (!random_.percent(60)) return;
  group_words_ = Shared{"words_local", {Base::u32, 1}, false, kWords};
  fixed("local uint words_local[" + std::to_string(kWords) + "];");
  clear("words_local", kWords, "0");
}

/// Where a counter is: of the group if `place` allows it, else of all groups.
std::string Generator::space_of(const Shared* counters) {
  return counters == nullptr || counters->global ? "global" : "local";
}

std::string Generator::order_and_scope(bool group) {
  static const std::vector<std::string> orders = {
      "memory_order_relaxed", "memory_order_relaxed", "memory_order_relaxed", "memory_order_acquire",
      "memory_order_release", "memory_order_acq_rel", "memory_order_seq_cst"};
  static const std::vector<std::string> scopes = {"memory_scope_device", "memory_scope_all_svm_devices"};
  return random_.pick(orders) + ", " + (group ? "memory_scope_work_group" : random_.pick(scopes));
}

Tree Generator::atomic(const Place& place) {
  const unsigned choice = random_.below(100);
  if (choice < 15) return own_atomic();
  if (choice < 40) return ticket(place);
  if (choice < 55) return exchange_loop(place);
  if (choice < 60) {
    static const std::vector<std::string> fences = {
        "mem_fence(CLK_LOCAL_MEM_FENCE);", "mem_fence(CLK_GLOBAL_MEM_FENCE);",
        "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_group);",
        "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);"};
    return statement(random_.pick(fences));
  }
  return counting(place);
}

/// An operation whose result is not used.
Tree Generator::counting(const Place& place) {
  Type type{random_.percent(50) ? Base::u32 : random_.pick(kCounted), 1};
  if (type.is_float() && !features_.float_atomics) type.base = Base::u32;
  const Shared* group = nullptr;
  if (!group_counters_.empty() && place.local != Place::Local::any && random_.percent(60)) {
    group = &random_.pick(group_counters_);
    if (group->type.is_float() && !features_.float_atomics) group = nullptr;
    if (group != nullptr) type = group->type;
  }
  const std::string t = type.name();
  const auto& kinds = type.is_float() ? kNumbers : kIntegers;
  const unsigned kind = random_.below(kinds.size());
  const std::string cell = (group != nullptr ? group->name : "counters_" + t) + "[" + count(kind * kCells) + " + ";
  const std::string space = space_of(group);
  Tree where = index(random_.percent(30), kCells, 2);
  Collective c{type, type, "", "", kinds[kind], false};
  const bool wide = type.bits() == 64;
  if (!type.is_float() && random_.percent(60)) {
    const std::string prefix = wide ? "atom_" : "atomic_";
    if (kind == 0 && random_.percent(30))
      return statement(prefix + (random_.percent(50) ? "inc(&" : "dec(&") + cell, std::move(where), "]);");
    if (kind == 0 && random_.percent(20))
      return statement(prefix + "sub(&" + cell, std::move(where), "], ", value(type, false, 2), ");");
    return statement(prefix + kinds[kind] + "(&" + cell, std::move(where), "], ", operand(c), ");");
  }
  // Sums of floats stay exact: at most a few million of them.
  Tree v = type.is_float() && kind == 0
               ? make(Node::Kind::expression, t, "(" + t + ")(", value({Base::u32, 1}, false, 2), " & 3u)")
               : operand(c);
  const bool generic = features_.generic && random_.percent(25);
  return statement("atomic_fetch_" + kinds[kind] + "_explicit((volatile " + (generic ? "" : space + " ") + "atomic_" +
                       t + "*)&" + cell,
                   std::move(where), "], ", std::move(v), ", " + order_and_scope(group != nullptr) + ");");
}

/// Tickets: all of them together are the same numbers in every order. Who gets which is not.
Tree Generator::ticket(const Place& place) {
  const bool group = group_words_ && place.local != Place::Local::any && random_.percent(60);
  const std::string words = group ? group_words_->name : "words_global";
  const std::string space = group ? "local" : "global";
  const unsigned way = random_.below(kWays);
  const std::string b = name("block");
  const std::string counter = "&" + words + "[" + b + "]";
  const std::string c11 = "(volatile " + space + " atomic_uint*)" + counter + ", ";
  const std::string how = order_and_scope(group);
  const bool newer = random_.percent(40);
  std::string take;
  switch (way) {
    case 0:
      take = newer ? "atomic_fetch_add_explicit(" + c11 + "1u, " + how + ")" : "atomic_inc(" + counter + ")";
      break;
    case 1:
      take = newer ? "atomic_fetch_sub_explicit(" + c11 + "1u, " + how + ")" : "atomic_dec(" + counter + ")";
      break;
    case 2:
      take = newer ? "atomic_fetch_add_explicit(" + c11 + "5u, " + how + ")" : "atomic_add(" + counter + ", 5u)";
      break;
    case 3:  // The first to set a bit.
      take = "((atomic_or(" + counter + ", 1u << bit) >> bit) & 1u)";
      break;
    case 4:  // The first to come.
      take = "atomic_cmpxchg(" + counter + ", 0u, 77u)";
      break;
    default:
      take = "atomic_xchg(" + counter + ", 9u)";
  }
  Tree made = statement("{ const uint " + b + " = " + count(way * kBlocks * kBlock) + " + ",
                        index(random_.percent(60), kBlocks, 2), " * " + count(kBlock) + "; ");
  if (way == 3) {
    append(*made, "const uint bit = ");
    append(*made, index(random_.percent(20), 32, 2));
    append(*made, "; ");
  }
  append(*made, "const uint ticket = " + take + "; ");
  const std::string after = words + "[" + b + " + ";
  if (uses_tickets(program_.seed, way, 0)) append(*made, "atomic_add(&" + after + "1u], ticket * 3u); ");
  if (uses_tickets(program_.seed, way, 1)) append(*made, "atomic_inc(&" + after + "2u + ticket % 16u]); ");
  append(*made, "}");
  return made;
}

/// A loop that computes a new value until nobody interferes; each cell has one operation, in which the order is free.
Tree Generator::exchange_loop(const Place& place) {
  static const std::vector<std::string> operations = {"add_sat(old, v)", "old * (v | 1u)", "old ^ v", "max(old, v)",
                                                      "as_uint(as_float(old) + (float)(v & 3u))"};
  const bool group = group_words_ && place.local != Place::Local::any && random_.percent(60);
  const std::string space = group ? "local" : "global";
  const unsigned kind = random_.below(kLoops);
  const std::string& operation = operations[kind];
  const std::string at = "volatile " + space + " uint* at = &" + (group ? group_words_->name : "words_global") + "[" +
                         count(kTickets + kind * kCells) + " + ";
  Tree made = statement("{ const uint v = ", value({Base::u32, 1}, random_.percent(20), 2), "; " + at,
                        index(random_.percent(40), kCells, 2), "]; ");
  const std::string c11 = "(volatile " + space + " atomic_uint*)at";
  const std::string scope = group ? "memory_scope_work_group" : "memory_scope_device";
  switch (random_.below(3)) {
    case 0:
      append(*made,
             "uint old = *at, seen; while ((seen = atomic_cmpxchg(at, old, " + operation + ")) != old) old = seen; }");
      break;
    case 1:
      append(*made, "uint old; do old = *at; while (atomic_cmpxchg(at, old, " + operation + ") != old); }");
      break;
    default:
      append(*made, "uint old = atomic_load_explicit(" + c11 + ", memory_order_relaxed, " + scope +
                        "); while (!atomic_compare_exchange_" + (random_.percent(50) ? "weak" : "strong") +
                        "_explicit(" + c11 + ", &old, " + operation + ", memory_order_acq_rel, memory_order_relaxed, " +
                        scope + ")); }");
  }
  return made;
}

/// An atomic on memory of the item's own, where the result is defined.
Tree Generator::own_atomic() {
  static const std::vector<std::string> kinds = {"fetch_add", "exchange", "fetch_xor", "fetch_min"};
  const std::string v = name("v");
  const Type type{Base::u32, 1};
  std::vector<Array> shared;
  for (const Array& a : arrays_)
    if (a.global_or_local && !a.constant && a.type == type) shared.push_back(a);
  Tree made = statement("uint " + v + " = ");
  if (!shared.empty() && random_.percent(60)) {
    const Array& a = random_.pick(shared);
    append(*made, "atomic_" + random_.pick(kinds) + "_explicit((volatile atomic_uint*)&" + a.name + "[");
    append(*made, index(random_.percent(40), a.size, 2));
    append(*made, "], ");
    append(*made, value(type, false, 2));
    append(*made, ", " + order_and_scope(false) + ");");
  } else {
    const std::string at = own_place(type, std::to_string(random_.below(kSlots)));
    const std::string kind = random_.percent(50) ? "atomic_add" : "atomic_xchg";
    append(*made, kind + "((volatile global uint*)&" + at + ", ");
    append(*made, value(type, false, 2));
    append(*made, ");");
  }
  variables_.push_back({v, type, false, false});
  return made;
}

}  // namespace lanewise::fuzz
