// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every reason of the vectoriser to leave a loop scalar (compiler/lanes/analysis/refusal.def), with a loop that has it.
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/lanes/analysis/facts.h"
#include "compiler/lanes/analysis/legality.h"
#include "compiler/lanes/vectorise.h"
#include "compiler/target/machine.h"

namespace lanewise::test {
namespace {

using spmd::Reason;

/// What is tested: the vectoriser as a whole, or one of its steps where no such loop gets past the step before it.
enum class Step : unsigned char { vectorise, analyse, check_divergence };

struct Case {
  Reason reason;
  const char* name;
  std::string ir;
  unsigned width = 8;
  Step step = Step::vectorise;
};

constexpr const char* kMetadata = "\n!0 = distinct !{!0, !1}\n!1 = !{!\"lanewise.items\"}\n";

/// `for (id = 0; id < size; ++id) body`, where the body branches to %items.end. `before`: in the entry block.
std::string items(const std::string& body, const std::string& size = "%size", const std::string& before = "",
                  const std::string& attributes = "") {
  return "define void @f(ptr %a, ptr %b, i64 %size, i1 %u, {i32, {i32, i32}} %s) " + attributes + " {\nentry:\n" +
         before + "  br label %items\nitems:\n  %id = phi i64 [ 0, %entry ], [ %next, %items.end ]\n" + body + R"(
items.end:
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, )" +
         size + R"(
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
)" + kMetadata;
}

/// The same with a body of one block.
std::string straight(const std::string& body) {
  return items(body + "  br label %items.end");
}

std::string many_blocks() {
  std::string body = "  br label %b0\n";
  for (unsigned i = 0; i < 1600; ++i)
    body +=
        "b" + std::to_string(i) + ":\n  br label %" + (i == 1599 ? "items.end" : "b" + std::to_string(i + 1)) + "\n";
  return items(body);
}

/// Four vectors of the source in a loop: they fit into the registers for one work-item, not for sixteen.
std::string carried_vectors() {
  std::string phis;
  std::string sums;
  std::string stores;
  for (const std::string& k : {"0", "1", "2", "3"}) {
    phis += "  %v" + k + " = phi <16 x float> [ %s0, %items ], [ %w" + k + ", %loop ]\n";
    sums += "  %w" + k + " = fmul <16 x float> %v" + k + ", %v" + k + "\n";
    stores += "  store <16 x float> %w" + k + ", ptr %p\n";
  }
  return items(
      "  %p = getelementptr <16 x float>, ptr %a, i64 %id\n  %s0 = load <16 x float>, ptr %p\n  br label %loop\n"
      "loop:\n  %i = phi i64 [ 0, %items ], [ %i1, %loop ]\n" +
      phis + sums + "  %i1 = add i64 %i, 1\n  %again = icmp ult i64 %i1, 100\n" +
      "  br i1 %again, label %loop, label %after\nafter:\n" + stores + "  br label %items.end");
}

/// So many operations on full registers that they are not taken apart to see what lanes would cost.
std::string many_full_vectors() {
  std::string body = "  %p = getelementptr <2048 x i32>, ptr %a, i64 %id\n  %v0 = load <2048 x i32>, ptr %p\n";
  for (unsigned k = 1; k <= 7; ++k)
    body += "  %v" + std::to_string(k) + " = mul <2048 x i32> %v" + std::to_string(k - 1) + ", %v0\n";
  return straight(body + "  store <2048 x i32> %v7, ptr %p\n");
}

/// A loop that each work-item leaves at its own time.
constexpr const char* kDivergentLoop = R"(
  br label %loop
loop:
  %i = phi i64 [ 0, %items ], [ %i1, %loop ]
  %i1 = add i64 %i, 1
  %again = icmp ult i64 %i1, %id
  br i1 %again, label %loop, label %items.end
)";

constexpr const char* kElement = "  %p = getelementptr i32, ptr %a, i64 %id\n";

/// Instructions that have no vector form.
std::vector<Case> instructions() {
  const std::string p = kElement;
  return {
      {Reason::terminator, "Terminator",
       R"(
declare i32 @personality(...)
declare void @throws()
)" + items(R"(  invoke void @throws() to label %items.end unwind label %pad
pad:
  %e = landingpad { ptr, i32 } cleanup
  br label %items.end)",
           "%size", "", "personality ptr @personality")},
      {Reason::private_in_body, "PrivateInBody", straight("  %v = alloca i32\n  store i32 1, ptr %v\n")},
      {Reason::unusual_instruction, "UnusualInstruction",
       straight(p + "  %v = va_arg ptr %b, i32\n  store i32 %v, ptr %p\n")},
      {Reason::aggregate_value, "AggregateValue",
       straight("  %v = load [2 x i32], ptr %a\n  %w = extractvalue [2 x i32] %v, 0\n  store i32 %w, ptr %b\n")},
      {Reason::nested_aggregate, "NestedAggregate",
       straight(p + "  %v = extractvalue {i32, {i32, i32}} %s, 1, 0\n  store i32 %v, ptr %p\n")},
      {Reason::built_aggregate, "BuiltAggregate",
       straight(p + "  %v = load i32, ptr %p\n  %w = insertvalue {i32, {i32, i32}} %s, i32 %v, 0\n"
                    "  %x = extractvalue {i32, {i32, i32}} %w, 0\n  store i32 %x, ptr %p\n")},
      {Reason::odd_load, "OddLoad",
       straight(p + "  %v = load i24, ptr %p\n  %w = zext i24 %v to i32\n  store i32 %w, ptr %p\n")},
      {Reason::odd_store, "OddStore",
       straight(p + "  %v = load i32, ptr %p\n  %w = trunc i32 %v to i24\n  store i24 %w, ptr %p\n")},
      {Reason::inline_assembly, "InlineAssembly", straight("  call void asm sideeffect \"nop\", \"\"()\n")},
  };
}

/// Forms of loops.
std::vector<Case> forms() {
  return {
      {Reason::unusual_loop, "UnusualLoop", R"(define void @f(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr i32, ptr %a, i64 %id
  store i32 1, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ne i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret void
}
)" + std::string(kMetadata)},
      {Reason::too_large, "TooLarge", many_blocks()},
      {Reason::value_leaves, "ValueLeaves", R"(define i32 @f(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr i32, ptr %a, i64 %id
  %v = load i32, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  ret i32 %v
}
)" + std::string(kMetadata)},
      // normalise leaves no loop of these three forms.
      {Reason::several_exits, "SeveralExits", items(R"(  br label %loop
loop:
  br i1 %u, label %left, label %second
second:
  br i1 %u, label %loop, label %right
left:
  br label %items.end
right:
  br label %items.end)"),
       8, Step::analyse},
      {Reason::not_simplified, "NotSimplified", items(R"(  br i1 %u, label %left, label %loop
left:
  br label %loop
loop:
  br i1 %u, label %loop, label %items.end)"),
       8, Step::analyse},
      {Reason::irreducible, "Irreducible", items(R"(  br i1 %u, label %left, label %right
left:
  br i1 %u, label %right, label %items.end
right:
  br label %left)"),
       8, Step::analyse},
  };
}

/// Refusals because of divergence.
std::vector<Case> divergence() {
  const std::string p = kElement;
  return {
      // All work-items leave a work-item loop together; only a wrong divergence analysis could say otherwise.
      {Reason::items_diverge, "ItemsDiverge", straight(p + "  store i32 1, ptr %p\n"), 8, Step::check_divergence},
      {Reason::shared_bodies, "SharedBodies", items(kDivergentLoop, "%size", "", "\"lanewise-shared-bodies\"")},
      {Reason::divergent_atomics, "DivergentAtomics", items(R"(  br label %loop
loop:
  %old = atomicrmw xchg ptr %a, i32 1 acquire
  %c = icmp eq i32 %old, 1
  br i1 %c, label %loop, label %items.end)")},
  };
}

/// Refusals because of the cost of vectors.
std::vector<Case> costs() {
  const std::string p = kElement;
  return {
      {Reason::small_local_size, "SmallLocalSize", items(p + "  store i32 1, ptr %p\n  br label %items.end", "1")},
      {Reason::expensive, "Expensive",
       straight(p + "  %v = call i32 @g(ptr %p)\n  store i32 %v, ptr %p\n") + "declare i32 @g(ptr)\n", 0},
      {Reason::spills, "Spills", carried_vectors(), 0},
      {Reason::fills, "Fills", many_full_vectors(), 0},
      {Reason::passing, "Passing",
       straight("  %q = getelementptr <4 x float>, ptr %a, i64 %id\n  %v = load <4 x float>, ptr %q\n"
                "  %w = shufflevector <4 x float> %v, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>\n"
                "  store <4 x float> %w, ptr %q\n"),
       0},
      {Reason::large_private, "LargePrivate",
       items("  %p = getelementptr i32, ptr %v, i64 %size\n  store i32 1, ptr %p\n  br label %items.end", "%size",
             "  %v = alloca [2000 x i32], !lanewise.private !2\n") +
           "!2 = !{}\n"},
  };
}

/// Refusals because of the function as a whole.
std::vector<Case> functions() {
  return {
      {Reason::shared_private, "SharedPrivate",
       items("  store i32 1, ptr %v\n  br label %items.end", "%size",
             "  %v = alloca i32, !lanewise.private !2\n  store i32 0, ptr %v\n") +
           "!2 = !{}\n"},
      // A valid function never gives an invalid vector form, so this one is invalid: %y comes before %x.
      {Reason::invalid, "Invalid", R"(define i64 @f(ptr %a, i64 %size) {
entry:
  br label %items
items:
  %id = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr i32, ptr %a, i64 %id
  store i32 1, ptr %p
  %next = add nuw i64 %id, 1
  %more = icmp ult i64 %next, %size
  br i1 %more, label %items, label %exit, !llvm.loop !0
exit:
  %y = add i64 %x, 1
  %x = mul i64 %size, %size
  ret i64 %y
}
)" + std::string(kMetadata)},
  };
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& some : {instructions(), forms(), divergence(), costs(), functions()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

std::string printed(const llvm::Function& function) {
  std::string text;
  llvm::raw_string_ostream out(text);
  function.print(out);
  return text;
}

/// The refusal of the first work-item loop by one step alone, with branches that all diverge for `check_divergence`.
spmd::Refusal refusal_by_step(llvm::Function& function, Step step) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  llvm::Loop& loop = *loops.getTopLevelLoops().front();
  if (step == Step::check_divergence) {
    spmd::Body body;
    EXPECT_FALSE(body.build(loop, loops).refused());
    spmd::Divergence divergence(body);
    divergence.update([](const llvm::BasicBlock&) { return true; }, [](const llvm::BasicBlock&) { return false; });
    return spmd::check_divergence(body, divergence);
  }
  const auto facts = spmd::analyse(loop, loops, {});
  const auto* refusal = std::get_if<spmd::Refusal>(&facts);
  return refusal == nullptr ? spmd::Refusal() : *refusal;
}

class VectorRefusal : public testing::TestWithParam<Case> {};

TEST_P(VectorRefusal, IsGivenAndNothingChanges) {
  const Case& c = GetParam();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseAssemblyString(c.ir, diagnostic, context);
  ASSERT_NE(module, nullptr) << diagnostic.getMessage().str() << " in line " << diagnostic.getLineNo() << '\n' << c.ir;
  auto machine = make_target_machine(IsaLevel::x86_64_v4, true);
  ASSERT_TRUE(static_cast<bool>(machine));
  module->setTargetTriple((*machine)->getTargetTriple());
  module->setDataLayout((*machine)->createDataLayout());
  llvm::Function& function = *module->getFunction("f");
  const std::string before = printed(function);
  if (c.step != Step::vectorise) {
    EXPECT_EQ(refusal_by_step(function, c.step).text(), spmd::text_of(c.reason));
    return;
  }
  const spmd::Options options{.isa = Isa(IsaLevel::x86_64_v4), .forced_width = c.width};
  const auto decisions = spmd::vectorise(function, **machine, options);
  ASSERT_EQ(decisions.size(), 1U);
  EXPECT_EQ(decisions.front().width, 1U);
  const std::string& reason = decisions.front().reason;
  EXPECT_EQ(reason.substr(0, reason.find(':', reason.starts_with("internal:") ? 9 : 0)), spmd::text_of(c.reason));
  EXPECT_EQ(printed(function), before);
}

INSTANTIATE_TEST_SUITE_P(Loops, VectorRefusal, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

TEST(VectorRefusals, EachReasonHasALoop) {
  const std::vector<Case> all = cases();
#define LANEWISE_REFUSAL(name, text)                                                        \
  EXPECT_EQ(llvm::count_if(all, [](const Case& c) { return c.reason == Reason::name; }), 1) \
      << "a reason of refusal.def without a test: " #name;
#include "compiler/lanes/analysis/refusal.def"
#undef LANEWISE_REFUSAL
}

}  // namespace
}  // namespace lanewise::test
