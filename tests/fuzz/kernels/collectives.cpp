// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of work-groups, each use in the two forms of emulation.cpp.
#include "tests/fuzz/kernels/generator.h"

namespace lanewise::fuzz {

/// A reduction or a scan, also of truth values.
Generator::Collective Generator::group_combination(Type type) {
  static const std::vector<std::string> numbers = {"add", "min", "max", "add", "mul"};
  static const std::vector<std::string> integers = {"add", "min", "max", "mul", "and", "or", "xor"};
  static const std::vector<std::string> truths = {"logical_and", "logical_or", "logical_xor"};
  struct Form {
    const char* name;
    const char* end;  ///< behind the work-items that it combines
    bool uniform;
  };
  static const std::vector<Form> forms = {
      {"reduce_", "L", true}, {"scan_inclusive_", "l + 1", false}, {"scan_exclusive_", "l", false}};
  const bool truth = type == Type{Base::i32, 1} && random_.percent(40);
  const std::string op = random_.pick(truth ? truths : type.is_float() ? numbers : integers);
  const Form form = random_.pick(forms);
  const std::string emulated = "combine_" + op + "(others, active, 0, " + form.end + ", " + identity(op, type) + ")";
  return {type, type, "work_group_" + (form.name + op) + "(x)", emulated, truth ? "" : op, form.uniform};
}

/// The value of one work-item, which all name by the same uniform numbers.
Generator::Collective Generator::group_broadcast(Type type) {
  static const std::vector<std::string> numbers = {"u", "q", "(uint)n", "7u", "0u", "(L / 2u)"};
  std::string native = "work_group_broadcast(x";
  std::string at;
  std::string stride;
  for (unsigned d = 0; d < program_.range.dims; ++d) {
    const std::string size = "(uint)get_local_size(" + std::to_string(d) + ")";
    const std::string id = "(" + random_.pick(numbers) + " % " + size + ")";
    native += ", " + id;
    at += (d == 0 ? "" : " + ") + stride + id;
    stride += size + " * ";
  }
  return {type, type, native + ")", "others[" + at + "]", "", true};
}

Tree Generator::work_group_statement() {
  static const std::vector<Base> bases = {Base::i32, Base::i32, Base::u32, Base::u32, Base::i64,
                                          Base::u64, Base::f32, Base::f32, Base::f64, Base::f16};
  Type type{random_.pick(bases), 1};
  if (type.base == Base::f16 && !features_.half) type.base = Base::f32;
  const Type truth{Base::i32, 1};
  const unsigned kind = random_.below(10);
  Collective c;
  if (kind < 5)
    c = group_combination(type);
  else if (kind < 7)
    c = group_broadcast(type);
  else if (kind == 7)
    c = {truth, truth, "(work_group_all(x) != 0)", "combine_logical_and(others, active, 0, L, 1)", "", true};
  else if (kind == 8)
    c = {truth, truth, "(work_group_any(x) != 0)", "combine_logical_or(others, active, 0, L, 0)", "", true};
  else
    c = group_combination(truth);
  const std::string r = name("r");
  const std::string t = c.operand.name();
  const bool may_be_nan = c.op.empty() && c.operand.is_float();
  Tree x = c.op.empty() && c.operand == truth && random_.percent(50) ? condition(false, 2) : operand(c);
  if (may_be_nan) x = number(c.operand, std::move(x));
  Tree made = statement(t + " " + r + " = (" + t + ")(0); IF_TOGETHER(" + t + ", " + r + ", 1, ", std::move(x),
                        ", " + c.native + ", " + c.emulated + ")");
  made->whole = true;
  program_.collectives = true;
  variables_.push_back({r, c.result, c.uniform, false});
  return made;
}

}  // namespace lanewise::fuzz
