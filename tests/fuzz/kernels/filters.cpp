// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Filters: what a work-item makes of a few rows and columns around its own, by way of private arrays. The indices may
/// lie outside of the memory, and small loops bring them back; those of rows are mostly uniform, those of columns are not.
#include <algorithm>

#include "tests/fuzz/kernels/generator.h"

namespace lanewise::fuzz {

namespace {

/// Loops and others that bring the index V into [0, N), where N is at least 2.
const std::vector<std::string> kFolds = {
    "do { if (V < 0) V = -V; else V = N - 1 - (V - N) - 1; } while (V >= N || V < 0);",
    "while (V < 0 || V >= N) V = V < 0 ? -V - 1 : 2 * N - 1 - V;",
    "while (V < 0) V += N; while (V >= N) V -= N;",
    "for (int e = 0; V < 0 || V >= N; V += V < 0 ? N : -N) if (++e > 9) { V = 0; break; }",
    "V = clamp(V, 0, N - 1);",
    "V %= N; if (V < 0) V += N;"};

std::string replaced(std::string text, char what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, 1, by);
  return text;
}

}  // namespace

/// A picture in each input buffer: `height` rows of `width` elements, `pitch` bytes apart if these had four each.
void Generator::add_picture() {
  const unsigned elements = 4 * items_ + 16;
  const unsigned height = random_.between(2, 5);
  const unsigned row = elements / height;
  const unsigned width = random_.between(2, std::min(row, 100U));
  const unsigned pitch = std::min(row, width + random_.below(4)) * 4 + random_.below(4);
  for (const auto& [name, value] : {std::pair("height", height), std::pair("width", width), std::pair("pitch", pitch)})
    program_.parameters.push_back(
        {Parameter::Kind::value, "int " + std::string(name), name, 4, false, 4, static_cast<std::uint32_t>(value)});
}

/// Declares an index in [0, size), which begins anywhere near.
Tree Generator::folded_index(const std::string& v, Tree start, const std::string& size, unsigned fold) {
  Tree made =
      statement("int " + v + " = ", std::move(start), "; " + replaced(replaced(kFolds[fold], 'V', v), 'N', size));
  made->whole = true;
  return made;
}

/// An element of the picture near the work-item, as a variable of this type; `i` counts rows. `fold`: of all indices.
std::string Generator::add_tap(Node& body, Type type, const std::string& i, std::optional<unsigned> fold) {
  static const std::vector<std::string> rows = {"(int)q * 2 - 1 + I", "(int)get_group_id(0) + I - 1", "I - 2",
                                                "(int)l / 4 + I - 1"};
  static const std::vector<std::string> columns = {"(int)l - 1",         "(int)g - 2", "(int)get_local_id(0) - 1",
                                                   "I - 1 + (int)l * 2", "I * 3 - 1",  "5 - (int)l"};
  static const std::vector<std::string> steps = {"pitch >> 2", "pitch / 4", "(pitch & ~3) >> 2", "width"};
  const Type integer{Base::i32, 1};
  const auto made = [&](const std::string& text) {
    return make(Node::Kind::expression, integer.name(), replaced(text, 'I', i));
  };
  const auto some = [&](bool uniform, unsigned size, const std::string& behind) {
    return make(Node::Kind::expression, integer.name(), "(int)", index(uniform, size, 1), behind);
  };
  const std::string y = name("y"), x = name("x"), p = name("v");
  const auto any_fold = [&] { return fold ? *fold : random_.below(kFolds.size()); };
  Tree row = random_.percent(70) ? made(random_.pick(rows)) : some(true, 16, " - 3 + " + i);
  Tree column = random_.percent(70) ? made(random_.pick(columns)) : some(false, 64, " - 5");
  append(body, folded_index(y, std::move(row), "height", any_fold()));
  append(body, folded_index(x, std::move(column), "width", any_fold()));
  const Type element{type.is_float() ? type.base : type.integer(false).base, 1};
  const std::string from = random_.percent(60)
                               ? "in_" + element.name() + "[" + y + " * (" + random_.pick(steps) + ") + " + x + "]"
                               : y + " * width + " + x;
  append(body, statement(type.name() + " " + p + " = (" + type.name() + ")(" + from + ");"));
  variables_.push_back({p, type, false, true});
  return p;
}

/// What is done with the rows of the array `d`: sums, single elements, or they stay as arrays for what follows.
void Generator::use_rows(Node& made, Type type, const std::string& d, unsigned outputs, unsigned rows) {
  const std::string t = type.name(), count = std::to_string(rows);
  const bool stays = random_.percent(35);
  for (unsigned k = 0; k < outputs; ++k) {
    const std::string row = d + "[" + std::to_string(k) + "]";
    const std::string sum = name("v");
    if (random_.percent(50)) {
      append(made, " " + t + " " + sum + " = " + row + "[0]; for (int e = 1; e < " + count + "; ++e) " + sum +
                       " += " + row + "[e];");
    } else {
      append(made, " " + t + " " + sum + " = " + row + "[" + std::to_string(random_.below(rows)) + "];");
    }
    variables_.push_back({sum, type, false, false});
    if (stays) arrays_.push_back({row, type, rows >= 4 ? 4U : 2U});
  }
}

Tree Generator::filter(const Place& place) {
  static const std::vector<Base> bases = {Base::f32, Base::f32, Base::f32, Base::u32, Base::u8, Base::i16, Base::f64};
  static const std::vector<std::string> operators = {" * ", " + ", " - ", " * "};
  const Type type{random_.pick(bases), 1};
  const unsigned rows = random_.percent(50) ? 4 : random_.between(2, 5), outputs = random_.between(1, 3);
  const std::string d = name("d"), i = name("i"), count = std::to_string(rows);
  const bool uniform = random_.percent(70);
  Place inner = inside(place, uniform);
  inner.can_break = true;
  ++inner.loops;
  const auto variables = variables_.size(), arrays = arrays_.size();
  variables_.push_back({i, {Base::i32, 1}, uniform && place.uniform, true});
  Tree body = make(Node::Kind::block, {});
  place_ = inner;
  std::optional<unsigned> fold;
  if (random_.percent(60)) fold = random_.below(kFolds.size());
  std::vector<std::string> taps;
  for (unsigned k = random_.percent(60) ? 2 : 1; k > 0; --k) taps.push_back(add_tap(*body, type, i, fold));
  const bool others = random_.percent(40);
  if (others) fill(*body, inner, random_.between(1, 2));
  place_ = inner;
  Tree jump = random_.percent(30) ? leave(inner) : nullptr;
  const bool leaves = others || jump != nullptr, first = random_.percent(50);
  if (jump && first) append(*body, std::move(jump));
  for (unsigned k = 0; k < outputs; ++k) {
    // Fixed, because all elements are read, also those of iterations that something leaves early.
    const std::string& tap = random_.pick(taps);
    const std::string product = "(" + type.name() + ")(" + tap + random_.pick(operators) + random_.pick(taps) + ")";
    Tree v =
        random_.percent(70) ? make(Node::Kind::expression, type.name(), k == 0 ? tap : product) : value(type, false, k);
    append(*body, statement(d + "[" + std::to_string(k) + "][" + i + "] = ", std::move(v), ";"));
    body->kids.back()->fixed = true;
  }
  if (jump && !first) append(*body, std::move(jump));
  variables_.resize(variables);
  arrays_.resize(arrays);
  Tree made = statement(type.name() + " " + d + "[" + std::to_string(outputs) + "][" + count + "]" +
                            (leaves || random_.percent(20) ? " = {{0}}" : "") + "; for (int " + i + " = 0; " + i +
                            " < " + count + "; ++" + i + ") ",
                        std::move(body));
  use_rows(*made, type, d, outputs, rows);
  return made;
}

}  // namespace lanewise::fuzz
