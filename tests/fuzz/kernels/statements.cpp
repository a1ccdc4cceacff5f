// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Control flow. Barriers are only where all work-items of a group arrive: see Place.
#include <algorithm>

#include "tests/fuzz/kernels/generator.h"

namespace lanewise::fuzz {

namespace {

constexpr unsigned kDeepestLoops = 3;
constexpr unsigned kDeepest = 6;

}  // namespace

/// The place inside a construct whose condition is `uniform` or not.
Place Generator::inside(const Place& place, bool uniform) const {
  Place inner = place;
  ++inner.depth;
  if (place.uniform && !uniform) {
    // A statement that leaves from here would split the group where it must stay together.
    inner.uniform = false;
    inner.barriers = false;
    inner.can_break = false;
    inner.labels.clear();
  }
  return inner;
}

Tree Generator::block(const Place& place, unsigned statements) {
  Tree made = make(Node::Kind::block, {});
  const std::size_t variables = variables_.size();
  const std::size_t arrays = arrays_.size();
  fill(*made, place, statements);
  // Part of what the block computes must be visible in the results.
  place_ = place;
  if (variables_.size() > variables && !place.in_helper && random_.percent(60)) {
    const Variable& v = variables_[variables + random_.below(variables_.size() - variables)];
    append(*made, store_of(v.type, make(Node::Kind::expression, v.type.name(), v.name)));
  }
  variables_.resize(variables);
  arrays_.resize(arrays);
  return made;
}

void Generator::fill(Node& block, const Place& place, unsigned statements) {
  for (unsigned i = 0; i < statements && left_ > 0; ++i) {
    // Each statement gets its share, or the first would use up all.
    const unsigned share = std::max(left_ / (statements - i), 1U);
    const unsigned rest = left_ - share;
    left_ = share - 1;
    place_ = place;
    append(block, any_statement(place));
    left_ += rest;
  }
  if (random_.percent(12)) {
    place_ = place;
    if (Tree jump = leave(place)) append(block, std::move(jump));
  }
}

Tree Generator::any_statement(const Place& place) {
  const bool flat = place.depth >= kDeepest || left_ < 2;
  const unsigned choice = random_.below(100);
  const bool together = place.barriers && place.uniform && place.local == Place::Local::none;
  if (together && program_.sub_group_size != 0 && random_.percent(35)) return sub_group_statement();
  if (together && collectives_ && random_.percent(30)) return work_group_statement();
  if (together && phases_ && choice < 22) {
    if (choice < 5) return broadcast(place);
    if (choice < 8) return exchange_call(place);
    return phase(place);
  }
  if (!flat && choice < 38) return conditional(place);
  if (!flat && choice < 50 && place.loops < kDeepestLoops) return counted_loop(place);
  if (!flat && choice < 56 && place.loops < kDeepestLoops) return while_loop(place);
  if (!flat && choice < 61) return switch_statement(place);
  if (!flat && choice < 64) return goto_region(place);
  if (!flat && choice < 65 && place.loops < 2) return irreducible_region(place);
  if (!flat && choice < 69 && !place.in_helper && place.loops < kDeepestLoops) return filter(place);
  if (choice < 73)
    if (Tree jump = leave(place)) return jump;
  return simple_statement(place);
}

Tree Generator::simple_statement(const Place& place) {
  if (!images_.empty() && !place.in_helper && random_.percent(25)) return image_statement(place);
  const unsigned choice = random_.below(100);
  if (choice < 30) return declaration(place);
  if (choice < 62) return assignment(place);
  if (choice < 68) return array_declaration(place);
  if (choice < 78 && !arrays_.empty()) return random_.percent(25) ? pointer_declaration(place) : array_store(place);
  if (choice < 80) return record_use(place);
  if (place.in_helper) return assignment(place);
  if (choice < 82) return random_.percent(50) ? row_walk(place) : transform();
  if (choice < 84) return random_.percent(65) ? additions() : search();
  if (place.local == Place::Local::own && !shared_.empty() && choice < 92) return shared_store(place);
  if (choice < 88) return atomic(place);
  return output_store(place);
}

Tree Generator::conditional(const Place& place) {
  const bool uniform = random_.percent(place.uniform ? 45 : 20);
  Tree c = condition(uniform, 2);
  const Place inner = inside(place, uniform);
  Tree then = block(inner, random_.between(1, 4));
  if (random_.percent(45)) return statement("if (", std::move(c), ") ", std::move(then));
  Tree otherwise = block(inner, random_.between(1, 4));
  return statement("if (", std::move(c), ") ", std::move(then), " else ", std::move(otherwise));
}

Tree Generator::counted_loop(const Place& place) {
  const bool uniform = random_.percent(place.uniform ? 60 : 35);
  const std::string i = name("i");
  Tree bound = random_.percent(40) ? make(Node::Kind::expression, "uint", std::to_string(random_.between(1, 9)) + "u")
                                   : index(uniform, random_.percent(50) ? 4 : 8, 2);
  Place inner = inside(place, uniform);
  inner.can_break = true;
  ++inner.loops;
  variables_.push_back({i, {Base::u32, 1}, uniform && place.uniform, true});
  // In divergent code every branch is divergent, whatever its condition.
  const bool down = random_.percent(20);
  Tree body = block(inner, random_.between(1, 5));
  variables_.pop_back();
  if (down) return statement("for (uint " + i + " = ", std::move(bound), "; " + i + "-- > 0;) ", std::move(body));
  const std::string next = i + (random_.percent(15) ? " += 2" : "++");
  if (!inner.barriers || place.in_helper)
    return statement("for (uint " + i + " = 0; " + i + " < ", std::move(bound), "; " + next + ") ", std::move(body));
  // An address and a vector move on with the loop, by the same steps for all work-items.
  const std::string sum = "x_" + i, row = "w_" + i, place_of = "c_" + i;
  Tree made = statement("uint " + sum + " = 0; global const uint* " + row + " = in_uint + g; int2 " + place_of +
                            " = (int2)((int)g, 3); for (uint " + i + " = 0; " + i + " < ",
                        std::move(bound),
                        "; " + next + ", " + sum + " += *" + row + " ^ (uint)(" + place_of + ".x + " + place_of +
                            ".y), " + row + " += 1 + (items & 1), " + place_of + ".y += 2) ",
                        std::move(body));
  made->whole = true;
  variables_.push_back({sum, {Base::u32, 1}, false, false});
  return made;
}

Tree Generator::while_loop(const Place& place) {
  const bool uniform = random_.percent(place.uniform ? 40 : 20);
  const std::string w = name("w");
  Tree c = condition(uniform, 2);
  Place inner = inside(place, uniform);
  inner.can_break = true;
  ++inner.loops;
  variables_.push_back({w, {Base::u32, 1}, uniform && place.uniform, true});
  Tree body = block(inner, random_.between(1, 4));
  variables_.pop_back();
  const std::string most = w + "++ < " + std::to_string(random_.between(2, 12)) + "u";
  if (random_.percent(35))
    return statement("{ uint " + w + " = 0; do ", std::move(body), " while (" + most + " && ", std::move(c), "); }");
  return statement("{ uint " + w + " = 0; while (" + most + " && ", std::move(c), ") ", std::move(body), " }");
}

Tree Generator::switch_statement(const Place& place) {
  const bool uniform = random_.percent(place.uniform ? 40 : 15);
  Tree selector = index(uniform, 8, 2);
  Place inner = inside(place, uniform);
  const bool breaks = inner.can_break;
  inner.can_break = false;  // a break would mean the switch
  Tree made = statement("switch (", std::move(selector), ") {");
  made->whole = true;
  std::vector<unsigned> cases = {0, 1, 2, 3, 5, 7};
  const unsigned count = random_.between(1, 5);
  for (unsigned i = 0; i < count; ++i) {
    append(*made, "\n  case " + std::to_string(cases[i]) + ": ");
    append(*made, block(inner, random_.between(1, 2)));
    if (!random_.percent(25)) append(*made, " break;");
    if (breaks && random_.percent(5)) append(*made, " continue;");
  }
  if (random_.percent(70)) {
    append(*made, "\n  default: ");
    append(*made, block(inner, random_.between(1, 2)));
  }
  append(*made, "\n}");
  return made;
}

/// A block that a goto may leave forwards, from any depth.
Tree Generator::goto_region(const Place& place) {
  Place inner = inside(place, random_.percent(60));
  const unsigned label = names_++;
  inner.labels.push_back(label);
  Tree body = block(inner, random_.between(2, 5));
  Tree made = statement(std::move(body), " end" + std::to_string(label) + ":;");
  made->whole = true;
  return made;
}

/// A loop with two entries.
Tree Generator::irreducible_region(const Place& place) {
  const bool uniform = place.uniform && random_.percent(20);
  Place inner = inside(place, uniform);
  inner.barriers = false;
  inner.can_break = false;
  ++inner.loops;
  const std::string number = std::to_string(names_++);
  const std::string turns = "turns" + number;
  Tree c = condition(uniform, 1);
  Tree first = block(inner, random_.between(1, 2));
  Tree second = block(inner, random_.between(1, 2));
  Tree made =
      statement("{ uint " + turns + " = 0; if (", std::move(c), ") goto middle" + number + "; top" + number + ": ",
                std::move(first), " middle" + number + ": ", std::move(second),
                " if (++" + turns + " < " + std::to_string(random_.between(2, 6)) + "u) goto top" + number + "; }");
  made->whole = true;
  return made;
}

/// Break, continue, return or goto under a condition; null if nothing is allowed here.
Tree Generator::leave(const Place& place) {
  std::vector<std::string> ways;
  if (place.can_break) {
    ways.emplace_back("break;");
    ways.emplace_back("continue;");
  }
  if (!place.labels.empty()) ways.push_back("goto end" + std::to_string(random_.pick(place.labels)) + ";");
  const bool may_return = !place.in_helper && (place.uniform || place.can_return);
  if (may_return && random_.percent(20)) ways.emplace_back("return;");
  if (ways.empty() || place.local != Place::Local::none) return nullptr;
  const std::string way = random_.pick(ways);
  const bool uniform = place.uniform && (place.barriers || way != "return;" || !place.can_return);
  return statement("if (", condition(uniform, 2), ") " + way);
}

}  // namespace lanewise::fuzz
