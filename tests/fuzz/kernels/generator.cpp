// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/kernels/generator.h"

#include <algorithm>
#include <utility>

#include "src/base/rounding.h"

namespace lanewise::fuzz {
namespace {

/// Types of buffers; signed kinds share those of the unsigned ones.
const std::vector<Base> kBufferBases = {Base::u8, Base::u16, Base::u32, Base::u64, Base::f16, Base::f32, Base::f64};

}  // namespace

Program Generator::run() {
  // A fifth are small: a filter, and little else.
  const bool filters = random_.percent(20);
  left_ = filters ? random_.between(1, 4) : random_.between(3, random_.between(8, features_.most_statements));
  if (features_.sub_groups && random_.percent(25)) {
    static const std::vector<unsigned> sizes = {4, 8, 8, 8, 16, 16, 16, 32, 64};
    program_.sub_group_size = random_.pick(sizes);
  }
  program_.half = features_.half;
  const bool sub_groups = program_.sub_group_size != 0;
  collectives_ = features_.collectives && random_.percent(25);
  const bool emulated = sub_groups || collectives_;
  barriers_ = emulated || random_.percent(55);
  phases_ = barriers_ && (!emulated || random_.percent(50));
  group_atomics_ = phases_ && random_.percent(35);
  tables_ = features_.variables && random_.percent(35);
  stored_ = features_.variables && random_.percent(30);
  layout_ = random_.below(4);
  choose_range();
  program_.globals = make(Node::Kind::list, {});
  program_.body = make(Node::Kind::block, {});
  add_parameters();
  add_counters();
  if (features_.images && random_.percent(30)) add_images();
  add_constants();
  if (tables_) add_tables();
  if (emulated) add_emulation();
  if (sub_groups) add_sub_group_prelude();
  add_helpers();
  open_body(*program_.body);
  Place place;
  place.barriers = barriers_;
  place.can_return = !barriers_;
  if (filters) append(*program_.body, filter(place));
  fill(*program_.body, place, std::min(left_, random_.between(3, 14)));
  if (barriers_ && random_.percent(50)) {
    place.barriers = false;
    place.can_return = true;
    fill(*program_.body, place, std::min(left_ + 2, 4U));
  }
  close_body(*program_.body);
  return std::move(program_);
}

void Generator::choose_range() {
  static const std::vector<unsigned> sizes = {1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 23, 32, 33, 37, 48, 61, 64, 67, 96};
  const unsigned dims = random_.percent(60) ? 1 : random_.between(2, 3);
  std::array<std::size_t, 3> local{1, 1, 1};
  std::array<std::size_t, 3> global{1, 1, 1};
  std::array<std::size_t, 3> offset{0, 0, 0};
  const bool partial = random_.percent(30);
  const bool moved = random_.percent(25);
  // Groups that are one work-item wide and have their rows in y or z.
  const unsigned row = dims > 1 && random_.percent(15) ? random_.between(1, dims - 1) : 0;
  for (unsigned d = 0; d < dims; ++d) {
    const unsigned most = dims == 1 ? 96 : (d < row ? 1 : d == row ? 40 : 6);
    do local[d] = random_.pick(sizes);
    while (local[d] > most);
    // Several teams of groups, where groups are small.
    global[d] = local[d] * random_.between(1, dims > 1 ? 2 : local[d] <= 8 ? 40 : 5);
    if (partial && random_.percent(60)) global[d] += random_.below(local[d]);
    if (moved) offset[d] = random_.percent(20) ? 0x7FFFFFF0U + random_.below(40) : random_.below(100);
  }
  program_.range = test::Range(dims, global, local, offset);
  items_ = static_cast<unsigned>(global[0] * global[1] * global[2]);
  group_ = static_cast<unsigned>(local[0] * local[1] * local[2]);
  groups_ = 1;
  for (unsigned d = 0; d < 3; ++d) groups_ *= static_cast<unsigned>(divide_up(global[d], local[d]));
  if (random_.percent(15))
    program_.attributes = "__attribute__((reqd_work_group_size(" + std::to_string(local[0]) + ", " +
                          std::to_string(local[1]) + ", " + std::to_string(local[2]) + "))) ";
}

void Generator::add_parameters() {
  auto& list = program_.parameters;
  for (const Base base : kBufferBases) {
    if (base == Base::f16 && !features_.half) continue;
    const Type type{base, 1};
    const std::string t = type.name();
    const unsigned size = type.bits() / 8;
    Parameter p;
    p.floats = type.is_float();
    p.element = size;
    p.kind = Parameter::Kind::input;
    p.name = "in_" + t;
    p.declaration = "global const " + t + "* " + p.name;
    p.bytes = (4 * std::size_t{items_} + 16) * size;
    list.push_back(p);
    // Ends where an inaccessible page begins: for items whose number is below `edge`.
    p.name = "edge_" + t;
    p.declaration = "global const " + t + "* " + p.name;
    p.bytes = std::size_t{items_ * 3 / 4 + 1} * size;
    list.push_back(p);
    p.kind = Parameter::Kind::output;
    p.name = "out_" + t;
    p.declaration = "global " + t + "* " + p.name;
    p.bytes = std::size_t{items_} * kSlots * size;
    list.push_back(p);
    // The same with the elements of an item side by side.
    p.name = "rows_" + t;
    p.declaration = "global " + t + "* " + p.name;
    list.push_back(p);
    p.kind = Parameter::Kind::zeros;
    p.name = "scratch_" + t;
    p.declaration = "global " + t + "* " + p.name;
    p.bytes = std::size_t{groups_} * group_ * size;
    list.push_back(p);
    p.kind = Parameter::Kind::local;
    p.name = "dynamic_" + t;
    p.declaration = "local " + t + "* " + p.name;
    p.bytes = std::size_t{group_} * size;
    list.push_back(p);
  }
  list.push_back({Parameter::Kind::input, "constant uint* table", "table", std::size_t{64} * 4, false, 4, 0});
  // No two parameters are one buffer.
  for (std::size_t i = groups_ % 4; i < list.size(); i += 4)
    list[i].declaration.replace(list[i].declaration.find('*'), 1, "* restrict");
  list.push_back({Parameter::Kind::value, "int n", "n", 4, false, 4, random_.below(items_ + 2)});
  list.push_back({Parameter::Kind::value, "uint u", "u", 4, false, 4, static_cast<std::uint32_t>(random_.next())});
  list.push_back({Parameter::Kind::value, "float f", "f", 4, true, 4, 0x40200000U});
  list.push_back({Parameter::Kind::value, "uint edge", "edge", 4, false, 4, items_ * 3 / 4 + 1});
  list.push_back({Parameter::Kind::value, "uint items", "items", 4, false, 4, items_});
  list.push_back({Parameter::Kind::value, "uint inc", "inc", 4, false, 4, items_ % 3});
  add_picture();
}

void Generator::add_constants() {
  std::string table = "constant uint fixed_table[16] = {";
  for (int i = 0; i < 16; ++i) table += std::to_string(random_.next() & 0xFFFFFFFFU) + "u, ";
  append(*program_.globals, statement(table + "};"));
  append(*program_.globals, statement("struct Record { uint a; ushort b; uchar c[6]; float d; };"));
  for (const char* t : {"half", "float", "double"})
    for (const char* n : {"", "2", "3", "4", "8", "16"}) {
      if (t[0] == 'h' && !features_.half) continue;
      const std::string type = std::string(t) + n;
      append(*program_.globals, statement(type + " __attribute__((overloadable)) number(" + type +
                                          " v) { return select(v, (" + type + ")(1), isnan(v)); }"));
    }
  // `select` of a scalar takes an integer of the same size; isnan of a double gives an int.
  auto& kids = program_.globals->kids;
  for (Tree& kid : kids) {
    std::string text = render(*kid);
    if (text.starts_with("half __attr"))
      kid = statement("half __attribute__((overloadable)) number(half v) { return isnan(v) ? (half)1 : v; }");
    if (text.starts_with("float __attr"))
      kid = statement("float __attribute__((overloadable)) number(float v) { return isnan(v) ? 1.0f : v; }");
    if (text.starts_with("double __attr"))
      kid = statement("double __attribute__((overloadable)) number(double v) { return isnan(v) ? 1.0 : v; }");
  }
}

void Generator::add_helpers() {
  const unsigned count = random_.below(4);
  for (unsigned i = 0; i < count; ++i) helpers_.push_back(make_helper(i));
  if (!phases_ || !random_.percent(40)) return;
  helpers_.push_back({"exchange", {Base::u32, 1}, {}, true, {}});
  append(*program_.globals, statement(R"(uint exchange(local uint* t, uint l, uint count, uint v, uint distance) {
  t[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint got = t[(l + distance) % count];
  barrier(CLK_LOCAL_MEM_FENCE);
  return got * 5u + v;
})"));
}

Helper Generator::make_helper(unsigned number) {
  Helper helper{"helper" + std::to_string(number), any_type(), {}, false, {}};
  Place place;
  place.uniform = false;
  place.barriers = false;
  place.in_helper = true;
  place.depth = 1;
  const auto variables = variables_;
  const auto arrays = arrays_;
  const unsigned left = std::exchange(left_, 8);
  variables_.clear();
  arrays_.clear();
  std::string head = random_.percent(40) ? "__attribute__((noinline)) " : "";
  head += helper.result.name() + " " + helper.name + "(";
  for (unsigned i = random_.between(1, 3); i > 0; --i) {
    const Type type = any_type();
    const std::string parameter = name("p");
    head += (helper.parameters.empty() ? "" : ", ") + type.name() + " " + parameter;
    helper.parameters.push_back(type);
    variables_.push_back({parameter, type, false, random_.percent(50)});
  }
  std::string constants;
  if (features_.generic && random_.percent(30)) {
    Array a{name("p"), random_.percent(50) ? Type{Base::u32, 1} : scalar_type(), 2};
    a.visible = true;
    head += ", " + a.type.name() + "* " + a.name;
    helper.pointer = a.type;
    arrays_.push_back(a);
  }
  if (features_.variables && random_.percent(20)) {
    Array a{name("s"), any_integer(), 4};
    a.constant = true;
    constants =
        "static const " + a.type.name() + " " + a.name + "[4] = {3, 1, 4, " + std::to_string(random_.below(99)) + "};";
    arrays_.push_back(a);
  }
  place_ = place;
  Tree body = block(place, random_.between(1, 5));
  place_ = place;
  Tree last = statement("return ", value(helper.result, false, 2), ";");
  last->fixed = true;
  append(*body, std::move(last));
  if (!constants.empty()) body->kids.insert(body->kids.begin(), statement(constants));
  append(*program_.globals, statement(head + ") ", std::move(body)));
  variables_ = variables;
  arrays_ = arrays;
  left_ = left;
  return helper;
}

/// Declares the ids, in several forms that the compiler handles differently.
void Generator::open_body(Node& body) {
  const auto fixed = [&](const std::string& text) {
    Tree s = statement(text);
    s->fixed = true;
    append(body, std::move(s));
  };
  static const std::vector<std::string> types = {"int", "uint", "size_t", "long"};
  const auto id = [](const char* d) {
    return "(get_global_id(" + std::string(d) + ") - get_global_offset(" + d + "))";
  };
  const bool one = program_.range.dims == 1;
  const bool zero = program_.range.offset[0] == 0;
  std::string g =
      one ? id("0") : id("0") + " + get_global_size(0) * (" + id("1") + " + get_global_size(1) * " + id("2") + ")";
  if (one && zero && random_.percent(60)) g = "get_global_id(0)";
  if (one && random_.percent(20)) g = "get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0)";
  if (random_.percent(15)) g = "get_global_linear_id()";
  // As in kernels that count rows in x.
  if (!one && random_.percent(40))
    g = "(" + id("0") + " * get_global_size(1) + " + id("1") + ") * get_global_size(2) + " + id("2");
  fixed("const " + random_.pick(types) + " g = " + g + ";");
  const bool linear = random_.percent(30);
  fixed("const uint l = " +
        std::string(
            linear ? "get_local_linear_id()"
            : one  ? "get_local_id(0)"
                   : "get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2))") +
        ";");
  fixed("const uint L = " +
        std::string(one ? "get_local_size(0)" : "get_local_size(0) * get_local_size(1) * get_local_size(2)") + ";");
  fixed(
      "const uint q = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));");
  variables_.push_back({"l", {Base::u32, 1}, false, true});
  variables_.push_back({"L", {Base::u32, 1}, true, true});
  variables_.push_back({"q", {Base::u32, 1}, true, true});
  variables_.push_back({"u", {Base::u32, 1}, true, true});
  variables_.push_back({"n", {Base::i32, 1}, true, true});
  variables_.push_back({"f", {Base::f32, 1}, true, true});
  if (program_.sub_group_size != 0 || collectives_) open_emulation(body);
  if (program_.sub_group_size != 0) open_sub_groups(body);
  open_own_memory(body);
  if (phases_) open_shared(body);
}

void Generator::open_shared(Node& body) {
  for (unsigned i = random_.between(1, 3); i > 0; --i) {
    const Type type{random_.pick(kBufferBases), 1};
    if (type.base == Base::f16 && !features_.half) continue;
    const unsigned kind = random_.below(4);
    Shared s{name("t"), type, kind == 0, 0};
    const auto taken = [&](const Shared& other) { return other.type == type; };
    if (std::any_of(shared_.begin(), shared_.end(), taken)) continue;
    const std::string t = type.name();
    std::string text = "local " + t + " " + s.name + "[" + std::to_string(group_) + "];";
    if (kind == 0) {
      const std::string all = stored_ ? "all_" + s.name : "scratch_" + t;
      if (stored_)
        append(*program_.globals, statement("global " + t + " " + all + "[" + std::to_string(groups_ * group_) + "];"));
      text = "global " + t + "* " + s.name + " = " + all + " + q * " + std::to_string(group_) + ";";
    }
    if (kind == 1) text = "local " + t + "* " + s.name + " = dynamic_" + t + ";";
    Tree declared = statement(text);
    declared->fixed = true;
    append(body, std::move(declared));
    shared_.push_back(s);
    Tree first = statement(s.name + "[l] = (" + t + ")(g % 97);");
    first->fixed = true;
    append(body, std::move(first));
  }
  if (group_atomics_) open_counters(body);
  Tree s = statement("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
  s->fixed = true;
  append(body, std::move(s));
}

/// Writes the final values of the variables, so that they are part of the result.
void Generator::close_body(Node& body) {
  place_ = Place();
  place_.uniform = false;
  place_.barriers = false;
  for (const Variable& v : variables_) {
    if (v.name.size() == 1 || !random_.percent(80)) continue;
    const std::string text = v.name;
    append(body, store_of(v.type, make(Node::Kind::expression, v.type.name(), text)));
  }
  for (const Array& a : arrays_) {
    const std::string element = a.name + "[" + std::to_string(random_.below(a.size)) + "]";
    append(body, store_of(a.type, make(Node::Kind::expression, a.type.name(), element)));
  }
  for (const Shared& s : shared_)
    append(body, store_of(s.type, make(Node::Kind::expression, s.type.name(), s.name + "[l]")));
}

Variable* Generator::variable(const std::vector<Variable*>& list) {
  return list.empty() ? nullptr : list[random_.below(list.size())];
}

std::vector<Variable*> Generator::variables(std::optional<Type> type, bool uniform, bool assignable) {
  std::vector<Variable*> list;
  for (Variable& v : variables_) {
    if (type && !(v.type == *type)) continue;
    if (uniform && !v.uniform) continue;
    if (assignable && (v.constant || v.uniform != uniform)) continue;
    list.push_back(&v);
  }
  return list;
}

Program generate(std::uint64_t seed, const Features& features) {
  return Generator(seed, features).run();
}

}  // namespace lanewise::fuzz
