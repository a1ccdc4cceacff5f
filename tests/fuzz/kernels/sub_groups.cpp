// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sub-groups, each use in the two forms of emulation.cpp.
#include "tests/fuzz/kernels/generator.h"

namespace lanewise::fuzz {
namespace {

/// Names that both forms use.
constexpr const char* kPrelude = R"(
#define FIRST (l - l % SIZE)
#define END min(FIRST + SIZE, L)
#define LANES (END - FIRST)
#ifdef EMULATED
#define SUB_GROUPS
#define LANE (l % SIZE)
#define SUB_GROUP (l / SIZE)
#define SUB_GROUP_COUNT ((L + SIZE - 1) / SIZE)
#define LANE_COUNT LANES
#define SUB_GROUP_FENCE barrier(CLK_LOCAL_MEM_FENCE);
ulong present(local const uchar* active, uint from, uint to) {
  ulong bits = 0;
  for (uint i = from; i < to; ++i) bits |= (ulong)active[i] << (i - from);
  return bits;
}
ulong ballot(local const int* others, local const uchar* active, uint from, uint to) {
  ulong bits = 0;
  for (uint i = from; i < to; ++i) bits |= (ulong)(active[i] && others[i]) << (i - from);
  return bits;
}
#define PRESENT present(active, FIRST, END)
#define BALLOT ballot(others, active, FIRST, END)
#else
#define SUB_GROUPS __attribute__((intel_reqd_sub_group_size(SIZE)))
#define LANE get_sub_group_local_id()
#define SUB_GROUP get_sub_group_id()
#define SUB_GROUP_COUNT get_num_sub_groups()
#define LANE_COUNT get_sub_group_size()
#define SUB_GROUP_FENCE sub_group_barrier(CLK_LOCAL_MEM_FENCE);
#endif
#define UP_TO_LANE (~0ul >> (63 - LANE))
#define BELOW_LANE ((1ul << LANE) - 1)
#define BITS(v) as_ulong((v).lo))";

}  // namespace

void Generator::add_sub_group_prelude() {
  const std::string size = std::to_string(program_.sub_group_size);
  Tree prelude = statement("\n#define SIZE " + size + "u" + kPrelude + "\n");
  prelude->fixed = true;
  append(*program_.globals, std::move(prelude));
  program_.attributes += "SUB_GROUPS ";
}

/// Declares the memory of sub-groups and the results of the queries.
void Generator::open_sub_groups(Node& body) {
  const auto fixed = [&](const std::string& text) {
    Tree s = statement(text);
    s->fixed = true;
    append(body, std::move(s));
  };
  fixed("local uint mail[" + std::to_string(group_) + "];");
  fixed("const uint lane = LANE, sub_group = SUB_GROUP, sub_groups = SUB_GROUP_COUNT, lane_count = LANE_COUNT;");
  variables_.push_back({"lane", {Base::u32, 1}, false, true});
  variables_.push_back({"sub_group", {Base::u32, 1}, false, true});
  variables_.push_back({"sub_groups", {Base::u32, 1}, true, true});
  variables_.push_back({"lane_count", {Base::u32, 1}, false, true});
}

/// A reduction of all active work-items, a scan, or a reduction of a cluster.
Generator::Collective Generator::combination(Type type, bool all) {
  static const std::vector<std::string> numbers = {"add", "min", "max", "add", "mul"};
  static const std::vector<std::string> integers = {"add", "min", "max", "mul", "and", "or", "xor"};
  const std::string op = random_.pick(type.is_float() ? numbers : integers);
  const std::string start = identity(op, type);
  const auto emulated = [&](const std::string& from, const std::string& to) {
    return "combine_" + op + "(others, active, " + from + ", " + to + ", " + start + ")";
  };
  Collective c{type, type, "", "", op};
  const bool core = all && (op == "add" || op == "min" || op == "max") && random_.percent(50);
  const std::string prefix = core ? "sub_group_" : "sub_group_non_uniform_";
  switch (random_.below(4)) {
    case 0: {
      unsigned cluster = 1;
      while (cluster < program_.sub_group_size && random_.percent(70)) cluster *= 2;
      const std::string size = std::to_string(cluster) + "u";
      c.native = "sub_group_clustered_reduce_" + op + "(x, " + size + ")";
      c.emulated = emulated("l - l % " + size, "min(l - l % " + size + " + " + size + ", L)");
      break;
    }
    case 1:
      c.native = prefix + "scan_inclusive_" + op + "(x)";
      c.emulated = emulated("FIRST", "l + 1");
      break;
    case 2:
      c.native = prefix + "scan_exclusive_" + op + "(x)";
      c.emulated = emulated("FIRST", "l");
      break;
    default:
      c.native = prefix + "reduce_" + op + "(x)";
      c.emulated = emulated("FIRST", "END");
  }
  return c;
}

/// Votes, ballots and logical combinations of a condition.
Generator::Collective Generator::vote() {
  struct Row {
    const char* native;
    const char* emulated;
  };
  static constexpr Row rows[] = {
      {"BITS(sub_group_ballot(x))", "BALLOT"},
      {"BITS(sub_group_ballot(x))", "BALLOT"},
      {"(sub_group_non_uniform_all(x) != 0)", "(BALLOT == PRESENT)"},
      {"(sub_group_non_uniform_any(x) != 0)", "(BALLOT != 0)"},
      {"(sub_group_elect() != 0)", "((PRESENT & BELOW_LANE) == 0)"},
      {"sub_group_ballot_bit_count(sub_group_ballot(x))", "popcount(BALLOT)"},
      {"sub_group_ballot_inclusive_scan(sub_group_ballot(x))", "popcount(BALLOT & UP_TO_LANE)"},
      {"sub_group_ballot_exclusive_scan(sub_group_ballot(x))", "popcount(BALLOT & BELOW_LANE)"},
      {"sub_group_ballot_find_lsb(sub_group_ballot(1))", "ctz(PRESENT)"},
      {"sub_group_ballot_find_msb(sub_group_ballot(1))", "63 - clz(PRESENT)"},
      {"(sub_group_inverse_ballot(sub_group_ballot(x)) != 0)", "(others[l] != 0)"},
      {"(sub_group_ballot_bit_extract(sub_group_ballot(x), (LANE * 3u) % SIZE) != 0)",
       "((BALLOT >> ((LANE * 3u) % SIZE)) & 1)"},
      {"(sub_group_non_uniform_reduce_logical_and(x) != 0)", "(BALLOT == PRESENT)"},
      {"(sub_group_non_uniform_reduce_logical_xor(x) != 0)", "(popcount(BALLOT) & 1)"},
      {"(sub_group_non_uniform_scan_inclusive_logical_or(x) != 0)", "((BALLOT & UP_TO_LANE) != 0)"},
      {"(sub_group_non_uniform_scan_exclusive_logical_and(x) != 0)",
       "((BALLOT & BELOW_LANE) == (PRESENT & BELOW_LANE))"},
      {"(sub_group_clustered_reduce_logical_xor(x, 4u) != 0)", "(popcount(BALLOT & (15ul << (LANE & ~3u))) & 1)"},
      {"(BITS(get_sub_group_ge_mask()) ^ BITS(get_sub_group_lt_mask()))", "(~0ul >> (64 - SIZE))"},
      {"(BITS(get_sub_group_gt_mask()) ^ BITS(get_sub_group_eq_mask()))", "(~0ul >> (64 - SIZE) & ~BELOW_LANE)"},
  };
  const Row& row = rows[random_.below(std::size(rows))];
  return {{Base::i32, 1}, {Base::u64, 1}, row.native, row.emulated, ""};
}

/// The value of the first active work-item, or whether all have the same.
Generator::Collective Generator::agreement(Type type) {
  const std::string first = "others[FIRST + ctz(PRESENT)]";
  if (type.is_float() || random_.percent(60)) return {type, type, "sub_group_broadcast_first(x)", first, ""};
  const std::string t = type.name();
  return {type,
          {Base::u64, 1},
          "(sub_group_non_uniform_all_equal(x) != 0)",
          "(combine_and(others, active, FIRST, END, (" + t + ")~(" + t +
              ")0) == combine_or(others, active, FIRST, END, (" + t + ")0))",
          ""};
}

/// A value of another work-item; all must be active. `index` is a variable's name.
Generator::Collective Generator::movement(Type type, const std::string& index) {
  const std::string t = type.name();
  const std::string d = std::to_string(random_.between(1, program_.sub_group_size - 1)) + "u";
  const std::string intel = random_.percent(30) ? "intel_" : "";
  const std::string read = "others[FIRST + ";
  const auto moved = [&](const std::string& call, const std::string& condition, const std::string& from) {
    return Collective{type, type, "({ const " + t + " y = " + call + "; " + condition + " ? y : x; })",
                      condition + " ? " + read + from + "] : others[l]", ""};
  };
  switch (random_.below(9)) {
    case 0:
      return {type, type, "sub_group_broadcast(x, (u + 3u) % LANES)", read + "(u + 3u) % LANES]", ""};
    case 1:
      return {type, type, intel + "sub_group_shuffle(x, " + index + " % LANES)", read + index + " % LANES]", ""};
    case 2:
      return moved(intel + "sub_group_shuffle_xor(x, " + d + ")", "(LANE ^ " + d + ") < LANES", "(LANE ^ " + d + ")");
    case 3:
      return moved("sub_group_shuffle_up(x, " + d + ")", "LANE >= " + d, "LANE - " + d);
    case 4:
      return moved("sub_group_shuffle_down(x, " + d + ")", "LANE + " + d + " < LANES", "LANE + " + d);
    case 5:
      return moved("sub_group_rotate(x, " + d + ")", "LANES == SIZE", "(LANE + " + d + ") % SIZE");
    case 6:
      return moved("sub_group_clustered_rotate(x, 3, 4u)", "LANES % 4 == 0", "(LANE & ~3u) + ((LANE + 3) & 3u)");
    case 7:
      return moved("intel_sub_group_shuffle_down(x, (" + t + ")7, " + d + ")", "LANE + " + d + " < LANES",
                   "LANE + " + d);
    default:
      return {type, type, "sub_group_non_uniform_broadcast(x, LANES - 1)", "others[END - 1]", ""};
  }
}

Tree Generator::sub_group_statement() {
  const std::string r = name("r");
  const unsigned form = random_.below(10);
  if (form == 0) {
    // Local memory that only the sub-group reads.
    Tree made = statement("mail[l] = ", value({Base::u32, 1}, false, 2),
                          "; SUB_GROUP_FENCE uint " + r + " = mail[FIRST + (LANE + " +
                              std::to_string(random_.below(9)) + "u) % LANES]; SUB_GROUP_FENCE");
    made->whole = true;
    variables_.push_back({r, {Base::u32, 1}, false, false});
    return made;
  }
  if (form == 1) {
    const std::string some = std::to_string(random_.below(8)) + "u";
    Tree made = statement("\n#ifdef EMULATED\n  uint " + r + " = in_uint[" + some + " + LANE];\n#else\n  uint " + r +
                          " = intel_sub_group_block_read(in_uint + " + some + ");\n#endif\n");
    variables_.push_back({r, {Base::u32, 1}, false, false});
    return made;
  }
  return form < 6 ? together_by_all(r) : together_by_some(r);
}

/// An operation where all work-items are active.
Tree Generator::together_by_all(const std::string& r) {
  const Type type = scalar_type();
  const std::string index = name("x");
  Tree made = statement("const uint " + index + " = ", value({Base::u32, 1}, false, 2), "; ");
  const unsigned kind = random_.below(8);
  Collective c;
  if (kind < 4)
    c = movement(type, index);
  else if (kind < 6)
    c = combination(type, true);
  else
    c = kind == 6 ? vote() : agreement(type);
  if (kind == 7 && random_.percent(60)) {
    const Type vector = type.of(random_.pick(std::vector<unsigned>{2, 3, 4}));
    c = {vector, vector, "sub_group_broadcast(x, (uint)n % LANES)", "others[FIRST + (uint)n % LANES]", ""};
  }
  const std::string t = c.operand.name();
  append(*made, c.result.name() + " " + r + " = (" + c.result.name() + ")(0); IF_TOGETHER(" + t + ", " + r + ", 1, ");
  append(*made, operand(c));
  append(*made, ", " + c.native + ", " + c.emulated + ")");
  made->whole = true;
  variables_.push_back({r, c.result, false, false});
  return made;
}

/// An operation under a condition, on both sides of one, or in a loop that work-items leave at different times.
Tree Generator::together_by_some(const std::string& r) {
  const Type type = scalar_type();
  const unsigned kind = random_.below(10);
  const auto any = [&] { return kind < 6 ? combination(type, false) : kind < 8 ? vote() : agreement(type); };
  Collective c = any();
  const std::string t = c.operand.name();
  const std::string result = c.result.name();
  Tree made = statement(result + " " + r + " = (" + result + ")(3); ");
  made->whole = true;
  const unsigned form = random_.below(4);
  if (form == 0) {
    append(*made, "IF_TOGETHER(" + t + ", " + r + ", ");
    append(*made,
           random_.percent(25) ? make(Node::Kind::expression, "int", "(sub_group % 3u == 1)") : condition(false, 2));
    append(*made, ", ");
    append(*made, operand(c));
    append(*made, ", " + c.native + ", " + c.emulated + ")");
  } else if (form == 1) {
    Collective other = c;
    for (unsigned i = 0; i < 6; ++i)
      if (Collective found = any(); found.operand == c.operand && found.result == c.result) other = found;
    append(*made, "ELSE_TOGETHER(" + t + ", " + r + ", ");
    append(*made, condition(false, 2));
    append(*made, ", ");
    append(*made, operand(c));
    append(*made, ", " + c.native + ", " + c.emulated + ", ");
    append(*made, operand(other));
    append(*made, ", " + other.native + ", " + other.emulated + ")");
  } else {
    const bool whole = !c.result.is_float() && !c.result.is_signed();
    const std::string before = whole ? "(" + result + ")(" + r + " * 3u + " : "(";
    append(*made, std::string(form == 2 ? "LOOP" : "BREAK") + "_TOGETHER(" + t + ", " + r + ", ");
    append(*made, index(false, 8, 2));
    append(*made, ", 8u, ");
    variables_.push_back({"turn", {Base::u32, 1}, false, true});
    append(*made, operand(c));
    variables_.pop_back();
    append(*made, ", " + before + c.native + "), " + before + c.emulated + "))");
  }
  variables_.push_back({r, c.result, false, false});
  return made;
}

}  // namespace lanewise::fuzz
