// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages between runtime and compiler: every field is decoded as it was encoded, and no new field is forgotten.
#include <gtest/gtest.h>

#include <set>
#include <span>

#include "include/lanewise/compiler_abi.h"

namespace lanewise::abi {
namespace {

struct Everything {
  bool flag = false;
  double number = 0;
  std::string text;
  Bytes bytes;
  std::array<std::uint16_t, 2> pair{};
  std::vector<NamedText> list;
  Isa isa;

  template <class Self, class Fields>
  static void visit(Self& self, Fields& fields) {
    fields(self.flag, self.number, self.text, self.bytes, self.pair, self.list, self.isa);
  }
};

TEST(Fields, EveryKindComesBack) {
  const Everything sent{true, 1.5, "a", {1, 2}, {3, 4}, {{"n", "t"}, {}}, IsaLevel::x86_64_v3};
  FieldWriter writer;
  writer(sent);
  FieldReader reader(writer.bytes());
  Everything got;
  reader(got);
  EXPECT_TRUE(reader.complete());
  EXPECT_TRUE(got.flag);
  EXPECT_EQ(got.number, 1.5);
  EXPECT_EQ(got.text, "a");
  EXPECT_EQ(got.bytes, sent.bytes);
  EXPECT_EQ(got.pair, sent.pair);
  ASSERT_EQ(got.list.size(), 2u);
  EXPECT_EQ(got.list[0].text, "t");
  EXPECT_EQ(got.isa, sent.isa);
}

TEST(Fields, WhatIsCutIsNeverComplete) {
  FieldWriter writer;
  writer(Everything{true, 1.5, "a", {1, 2}, {3, 4}, {{"n", "t"}, {}}, IsaLevel::x86_64_v3});
  for (std::size_t size = 0; size < writer.bytes().size(); ++size) {
    FieldReader reader(std::span(writer.bytes()).first(size));
    Everything got;
    reader(got);
    EXPECT_FALSE(reader.complete()) << size;
  }
}

TEST(Fields, InstructionSetsThatDoNotExistAreRefused) {
  FieldWriter writer;
  writer(std::uint32_t{77}, std::uint32_t{0});
  FieldReader reader(writer.bytes());
  Isa isa;
  reader(isa);
  EXPECT_FALSE(reader.ok());
}

/// Each step sets one more field; the bytes change with each of them, and are decoded to the same fields.
template <class Message, class... Steps>
void expect_each_counts(Message message, Steps... steps) {
  Bytes before = encode(message);
  int number = 0;
  const auto check = [&](auto step) {
    SCOPED_TRACE(number++);
    step(message);
    const Bytes after = encode(message);
    EXPECT_NE(after, before);
    const auto decoded = decode<Message>(after);
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(encode(*decoded), after);
    before = after;
  };
  (check(steps), ...);
}

/// A change of a job, as one of the request.
template <class Job>
auto in(void (*change)(Job&)) {
  return [change](Request& request) { change(std::get<Job>(request)); };
}

// As many names as there are fields: a new one does not compile before it has its line below.

TEST(Messages, EveryFieldOfABuildCounts) {
  [[maybe_unused]] const auto& [text, il, constants, headers, options, directory, folder, extensions, macros] =
      Source();
  [[maybe_unused]] const auto& [isa, barriers, width, report, zero, time, checks] = CodeSettings();
  [[maybe_unused]] const auto& [source, code] = Build();
  expect_each_counts(
      Request(Build()), in<Build>([](Build& b) { b.source.text = "s"; }),
      in<Build>([](Build& b) { b.source.il = {1}; }), in<Build>([](Build& b) { b.source.constants = {{1, 0}}; }),
      in<Build>([](Build& b) { b.source.constants[0].value = 2; }),
      in<Build>([](Build& b) { b.source.headers = {{"n", "t"}}; }),
      in<Build>([](Build& b) { b.source.options = {"-w"}; }),
      in<Build>([](Build& b) { b.source.working_directory = "/w"; }),
      in<Build>([](Build& b) { b.source.folder = "/f"; }), in<Build>([](Build& b) { b.source.extensions = {"e"}; }),
      in<Build>([](Build& b) { b.source.macros = {"M=1"}; }),
      in<Build>([](Build& b) { b.code.isa = IsaLevel::x86_64_v4; }),
      in<Build>([](Build& b) { b.code.debug_barriers = true; }), in<Build>([](Build& b) { b.code.vector_width = 8; }),
      in<Build>([](Build& b) { b.code.report_vectors = true; }),
      in<Build>([](Build& b) { b.code.zero_private = true; }),
      in<Build>([](Build& b) { b.code.time = CodeTime::wanted; }), in<Build>([](Build& b) { b.code.checks = 1; }));
}

TEST(Messages, EveryFieldOfOtherJobsCounts) {
  [[maybe_unused]] const auto& [module] = Validate();
  expect_each_counts(Request(Validate()), in<Validate>([](Validate& v) { v.il = {1}; }));
  [[maybe_unused]] const auto& [source, report] = Compile();
  expect_each_counts(Request(Compile()), in<Compile>([](Compile& c) { c.source.text = "s"; }),
                     in<Compile>([](Compile& c) { c.report_vectors = true; }));
  [[maybe_unused]] const auto& [inputs, options, library, code_of_link] = Link();
  expect_each_counts(Request(Link()), in<Link>([](Link& l) { l.inputs = {{1}}; }),
                     in<Link>([](Link& l) { l.options = {"-w"}; }), in<Link>([](Link& l) { l.create_library = true; }),
                     in<Link>([](Link& l) { l.code.vector_width = 8; }));
  [[maybe_unused]] const auto& [program, launches, code] = Specialise();
  [[maybe_unused]] const auto& [kernel, local, known, copies, first, team, iterations, distinct] = Specialisation();
  expect_each_counts(Request(Specialise()), in<Specialise>([](Specialise& s) { s.program = {1}; }),
                     in<Specialise>([](Specialise& s) { s.launches.kernel = "k"; }),
                     in<Specialise>([](Specialise& s) { s.launches.local_size = {1, 2, 3}; }),
                     in<Specialise>([](Specialise& s) { s.launches.known_arguments = {{}, {1}}; }),
                     in<Specialise>([](Specialise& s) { s.launches.private_copies = true; }),
                     in<Specialise>([](Specialise& s) { s.launches.first_dimension = 1; }),
                     in<Specialise>([](Specialise& s) { s.launches.team_groups = 16; }),
                     in<Specialise>([](Specialise& s) { s.launches.iteration_lanes = 8; }),
                     in<Specialise>([](Specialise& s) { s.launches.distinct_buffers = true; }),
                     in<Specialise>([](Specialise& s) { s.code.vector_width = 8; }));
  [[maybe_unused]] const auto& [ir, name, large, code_of_kernel] = FirstCode();
  expect_each_counts(Request(FirstCode()), in<FirstCode>([](FirstCode& f) { f.program = {1}; }),
                     in<FirstCode>([](FirstCode& f) { f.kernel = "k"; }),
                     in<FirstCode>([](FirstCode& f) { f.large_program = true; }),
                     in<FirstCode>([](FirstCode& f) { f.code.vector_width = 8; }));
}

TEST(Messages, JobsAreToldApart) {
  const Request jobs[] = {Ping(), Validate(), Compile(), Link(), Build(), Specialise(), FirstCode()};
  ASSERT_EQ(std::size(jobs), std::variant_size_v<Request>);
  std::set<std::string> names;
  for (const Request& job : jobs) names.insert(job_name(job));
  EXPECT_EQ(names.size(), std::size(jobs));
  for (std::size_t i = 0; i < std::size(jobs); ++i) {
    const Bytes bytes = encode(jobs[i]);
    const auto decoded = decode<Request>(bytes);
    ASSERT_TRUE(decoded.has_value()) << i;
    EXPECT_EQ(decoded->index(), i);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_FALSE(decode<Request>(std::span(bytes).first(size)).has_value()) << i << ", " << size << " bytes";
    Bytes longer = bytes;
    longer.push_back(0);
    EXPECT_FALSE(decode<Request>(longer).has_value()) << i;
    // Behind the version is the number of the job.
    for (const std::size_t number : {std::size(jobs), std::size_t{255}}) {
      Bytes unknown = bytes;
      unknown[sizeof kCompilerAbiVersion] = static_cast<std::uint8_t>(number);
      EXPECT_FALSE(decode<Request>(unknown).has_value()) << i;
    }
  }
}

TEST(Messages, EveryFieldOfAReplyCounts) {
  [[maybe_unused]] const auto& [status, log, ir, image, kernels, variables, functions, dependencies, loops, lacks_code,
                                large, checks] = Reply();
  expect_each_counts(
      Reply(), [](Reply& r) { r.status = -11; }, [](Reply& r) { r.log = "l"; }, [](Reply& r) { r.ir = {1}; },
      [](Reply& r) { r.code_object = {2}; }, [](Reply& r) { r.kernels.resize(1); },
      [](Reply& r) { r.variables.bytes = 8; }, [](Reply& r) { r.functions.resize(1); },
      [](Reply& r) { r.dependencies.resize(1); }, [](Reply& r) { r.loops.resize(1); },
      [](Reply& r) { r.lacks_code = true; }, [](Reply& r) { r.large_program = true; }, [](Reply& r) { r.checks = 1; });
}

TEST(Messages, EveryFieldOfAPointerToAFunctionCounts) {
  [[maybe_unused]] const auto& [name, pointer] = FunctionPointer();
  Reply one;
  one.functions.resize(1);
  expect_each_counts(
      one, [](Reply& r) { r.functions[0].name = "f"; }, [](Reply& r) { r.functions[0].pointer = ~std::uint64_t{0}; });
}

TEST(Messages, EveryFieldOfVariablesCounts) {
  [[maybe_unused]] const auto& [bytes, align, largest, initial, pointers, names] = VariableStorage();
  [[maybe_unused]] const auto& [at, target] = VariableStorage::Pointer();
  [[maybe_unused]] const auto& [name, place, size, readable, writable] = VariableStorage::Name();
  expect_each_counts(
      Reply(), [](Reply& r) { r.variables.bytes = 8; }, [](Reply& r) { r.variables.align = 8; },
      [](Reply& r) { r.variables.largest = 8; }, [](Reply& r) { r.variables.initial = {1}; },
      [](Reply& r) { r.variables.pointers.resize(1); }, [](Reply& r) { r.variables.pointers[0].at = 8; },
      [](Reply& r) { r.variables.pointers[0].target = 8; }, [](Reply& r) { r.variables.names.resize(1); },
      [](Reply& r) { r.variables.names[0].name = "n"; }, [](Reply& r) { r.variables.names[0].at = 8; },
      [](Reply& r) { r.variables.names[0].bytes = 8; }, [](Reply& r) { r.variables.names[0].readable = false; },
      [](Reply& r) { r.variables.names[0].writable = false; });
}

TEST(Messages, EveryFieldOfADependencyCounts) {
  [[maybe_unused]] const auto& [path, low, high, state] = Dependency();
  Reply one;
  one.dependencies.resize(1);
  expect_each_counts(
      one, [](Reply& r) { r.dependencies[0].path = "/p"; }, [](Reply& r) { r.dependencies[0].hash_low = 1; },
      [](Reply& r) { r.dependencies[0].hash_high = 1; },
      [](Reply& r) { r.dependencies[0].state = Dependency::State::no_file; });
}

TEST(Messages, EveryFieldOfAKernelCounts) {
  [[maybe_unused]] const auto& [name, symbol, attributes, args, args_bytes, reqd, hint, local, item, group, priv,
                                sub_group, reqd_sub_group, sub_groups, shape, instructions, own, barrier, print,
                                enqueues, block, variables, place, accumulates, waits, distinct, elsewhere] =
      KernelInfo();
  Reply one;
  one.kernels.resize(1);
  const auto set = [](auto change) { return [change](Reply& r) { change(r.kernels[0]); }; };
  using K = KernelInfo;
  expect_each_counts(
      one, set([](K& k) { k.name = "n"; }), set([](K& k) { k.symbol = "s"; }), set([](K& k) { k.attributes = "a"; }),
      set([](K& k) { k.instructions.code = 7; }), set([](K& k) { k.instructions.item = 7; }),
      set([](K& k) { k.args.resize(1); }), set([](K& k) { k.args_bytes = 8; }),
      set([](K& k) { k.reqd_work_group_size[2] = 1; }), set([](K& k) { k.work_group_size_hint[1] = 1; }),
      set([](K& k) { k.local_bytes = 1; }), set([](K& k) { k.item_bytes = 1; }), set([](K& k) { k.group_bytes = 1; }),
      set([](K& k) { k.private_bytes = 1; }), set([](K& k) { k.sub_group_size = 8; }),
      set([](K& k) { k.reqd_sub_group_size = 8; }), set([](K& k) { k.reqd_sub_groups = 8; }),
      set([](K& k) { k.shape.row_items = 8; }), set([](K& k) { k.shape.rows = 4; }),
      set([](K& k) { k.has_barrier = true; }), set([](K& k) { k.uses_print = true; }),
      set([](K& k) { k.enqueues = true; }), set([](K& k) { k.block = 1; }), set([](K& k) { k.has_variables = true; }),
      set([](K& k) { k.variables_offset = 8; }), set([](K& k) { k.accumulates = true; }),
      set([](K& k) { k.waits = true; }), set([](K& k) { k.gains_by_distinct_buffers = true; }),
      set([](K& k) { k.writes_elsewhere = true; }), set([](K& k) { k.own_vectors = true; }),
      set([](K& k) { k.shape.any_local_size = true; }), set([](K& k) { k.shape.first_dimension = 1; }),
      set([](K& k) { k.shape.crosses = true; }), set([](K& k) { k.shape.team_groups = 16; }));
}

TEST(Messages, EveryFieldOfAnArgumentCounts) {
  [[maybe_unused]] const auto& [kind, size, align, offset, address, access, type, type_name, name, what, bytes,
                                written] = ArgInfo();
  Reply one;
  one.kernels.resize(1);
  one.kernels[0].args.resize(1);
  const auto set = [](auto change) { return [change](Reply& r) { change(r.kernels[0].args[0]); }; };
  using A = ArgInfo;
  expect_each_counts(one, set([](A& a) { a.kind = ArgKind::image; }), set([](A& a) { a.size = 4; }),
                     set([](A& a) { a.align = 4; }), set([](A& a) { a.offset = 4; }),
                     set([](A& a) { a.address_qualifier = 1; }), set([](A& a) { a.access_qualifier = 1; }),
                     set([](A& a) { a.type_qualifier = 1; }), set([](A& a) { a.type_name = "t"; }),
                     set([](A& a) { a.name = "n"; }), set([](A& a) { a.accumulation = Accumulation::bit_xor; }),
                     set([](A& a) { a.accumulated_bytes = 8; }), set([](A& a) { a.written = true; }));
}

TEST(Messages, EveryFieldOfALoopCounts) {
  [[maybe_unused]] const auto& [kernel, loop, width, tail, reason, rows, columns, line, cost, accesses] = LoopReport();
  [[maybe_unused]] const auto& [access_line, kind] = AccessReport();
  Reply one;
  one.loops.resize(1);
  const auto set = [](auto change) { return [change](Reply& r) { change(r.loops[0]); }; };
  using L = LoopReport;
  expect_each_counts(one, set([](L& l) { l.kernel = "k"; }), set([](L& l) { l.loop = "l"; }),
                     set([](L& l) { l.width = 8; }), set([](L& l) { l.tail = TailForm::masked; }),
                     set([](L& l) { l.reason = "r"; }), set([](L& l) { l.rows = 2; }), set([](L& l) { l.columns = 2; }),
                     set([](L& l) { l.line = 1; }), set([](L& l) { l.cost = 0.5; }),
                     set([](L& l) { l.accesses.resize(1); }), set([](L& l) { l.accesses[0].line = 1; }),
                     set([](L& l) { l.accesses[0].kind = "gather"; }));
}

TEST(VectorReport, LinesForPeople) {
  const LoopReport vectors{.kernel = "k",
                           .loop = "items",
                           .width = 8,
                           .tail = TailForm::masked,
                           .rows = 4,
                           .columns = 2,
                           .line = 3,
                           .cost = 0.314,
                           .accesses = {{5, "gather"}, {0, "scatter"}}};
  EXPECT_EQ(lines(vectors),
            (std::vector<std::string>{"k items: width 8, masked tail, blocks of 4 x 2 vectors, from line 3, estimated "
                                      "at 31% of the scalar cost",
                                      "k   line 5: gather", "k   scatter"}));
  EXPECT_EQ(log_text({{.kernel = "k", .reason = "a huge kernel"}}), "vectorise: k: scalar, a huge kernel\n");
}

TEST(Messages, OtherVersionsAreRefused) {
  Bytes bytes = encode(Reply());
  ASSERT_TRUE(decode<Reply>(bytes).has_value());
  ++bytes[0];
  EXPECT_FALSE(decode<Reply>(bytes).has_value());
}

}  // namespace
}  // namespace lanewise::abi
