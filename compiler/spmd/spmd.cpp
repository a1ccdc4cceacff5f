// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/spmd.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/spmd/cost.h"
#include "compiler/spmd/emitter.h"
#include "compiler/spmd/legality.h"
#include "compiler/spmd/normalise.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// Private variables of all lanes together; threads' stacks are of unknown size.
constexpr std::uint64_t kMostPrivateBytes = std::uint64_t{32} * 1024;
/// No range of local ids begins above this, so that none wraps as a 32-bit number.
constexpr std::uint64_t kLargestId = std::uint64_t{1} << 31U;

struct ItemLoop {
  llvm::Loop* loop = nullptr;
  llvm::PHINode* id = nullptr;
  Value* size = nullptr;  ///< the trip count
};

/// The loop's only phi counts from 0 by 1 up to an invariant size.
std::string find_count(ItemLoop& items) {
  BasicBlock* header = items.loop->getHeader();
  BasicBlock* latch = items.loop->getLoopLatch();
  items.id = llvm::dyn_cast<llvm::PHINode>(&header->front());
  if (items.id == nullptr || !llvm::hasSingleElement(header->phis())) return "the work-item loop has an unusual form";
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  const auto* compare =
      branch == nullptr || !branch->isConditional() ? nullptr : llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (compare == nullptr || compare->getPredicate() != llvm::CmpInst::ICMP_ULT || branch->getSuccessor(0) != header ||
      compare->getOperand(0) != items.id->getIncomingValueForBlock(latch) ||
      !items.loop->isLoopInvariant(compare->getOperand(1)))
    return "the work-item loop has an unusual form";
  items.size = compare->getOperand(1);
  return "";
}

void set_loop_metadata(BasicBlock& latch, llvm::ArrayRef<const char*> names) {
  llvm::LLVMContext& c = latch.getContext();
  llvm::SmallVector<llvm::Metadata*> operands{nullptr};
  for (const char* name : names) {
    auto* key = llvm::MDString::get(c, name);
    const bool is_switch = llvm::StringRef(name).contains("enable") || llvm::StringRef(name).contains("isvectorized");
    if (!is_switch) {
      operands.push_back(llvm::MDNode::get(c, {key}));
      continue;
    }
    const bool on = llvm::StringRef(name).contains("isvectorized");
    auto* value = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(c), on ? 1 : 0));
    operands.push_back(llvm::MDNode::get(c, {key, value}));
  }
  auto* id = llvm::MDNode::getDistinct(c, operands);
  id->replaceOperandWith(0, id);
  latch.getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, id);
}

/// The vector loop in front of the scalar one, which keeps the rest.
void emit_loop(const ItemLoop& items, Body& body, const Shapes& shapes, unsigned width,
               const llvm::TargetTransformInfo& target) {
  BasicBlock* header = items.loop->getHeader();
  BasicBlock* before = items.loop->getLoopPreheader();
  BasicBlock* latch = items.loop->getLoopLatch();
  BasicBlock* exit = items.loop->getUniqueExitBlock();
  llvm::Function* function = header->getParent();
  const auto block = [&](const char* suffix) {
    return BasicBlock::Create(function->getContext(), header->getName() + suffix, function, header);
  };
  BasicBlock* enter = block(".vector.enter");
  BasicBlock* top = block(".vector");
  BasicBlock* done = block(".vector.end");

  IRBuilder<> b(before->getTerminator());
  Value* count = b.CreateAnd(items.size, b.getInt64(~std::uint64_t{width - 1}), "vector.items");
  Value* go = b.CreateIsNotNull(count);
  for (Value* base : shapes.bounded_bases())
    go = b.CreateAnd(go, b.CreateICmpULE(b.CreateAdd(base, items.size), b.getInt64(kLargestId)));
  // Sums that wrap around 2^64 are no ids either.
  for (Value* base : shapes.bounded_bases()) go = b.CreateAnd(go, b.CreateICmpULE(base, b.getInt64(kLargestId)));
  llvm::BranchInst::Create(enter, header, go, before->getTerminator()->getIterator());
  before->getTerminator()->eraseFromParent();

  llvm::BranchInst::Create(top, enter);
  b.SetInsertPoint(top);
  llvm::PHINode* id = b.CreatePHI(b.getInt64Ty(), 2, items.id->getName() + ".vector");
  id->addIncoming(b.getInt64(0), enter);
  Emitter(body, shapes, *items.id, width, target).emit(b, id);
  Value* next = b.CreateNUWAdd(id, b.getInt64(width));
  id->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpULT(next, count), top, done);
  set_loop_metadata(*b.GetInsertBlock(), {"llvm.loop.isvectorized"});

  b.SetInsertPoint(done);
  b.CreateCondBr(b.CreateICmpEQ(count, items.size), exit, header);
  items.id->addIncoming(count, done);
  set_loop_metadata(*latch, {"llvm.loop.vectorize.enable", "llvm.loop.unroll.disable"});
}

class Vectoriser {
 public:
  Vectoriser(llvm::Function& function, llvm::TargetMachine& machine, const Options& options)
      : function_(function), options_(options), builder_(&machine) {
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(sccs_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, sccs_, modules_);
  }

  std::vector<Decision> run() {
    normalise(function_, functions_);
    auto& loops = functions_.getResult<llvm::LoopAnalysis>(function_);
    const auto& target = functions_.getResult<llvm::TargetIRAnalysis>(function_);
    std::vector<Decision> decisions;
    llvm::SmallVector<llvm::Loop*> items;
    for (llvm::Loop* loop : loops.getLoopsInPreorder())
      if (items_metadata(*loop) != nullptr) items.push_back(loop);
    for (llvm::Loop* loop : items) {
      decisions.emplace_back();
      decisions.back().loop = loop->getHeader()->getName().str();
      vectorise(*loop, loops, target, decisions.back());
    }
    return decisions;
  }

 private:
  void vectorise(llvm::Loop& loop, const llvm::LoopInfo& loops, const llvm::TargetTransformInfo& target,
                 Decision& decision) {
    const llvm::MDNode* metadata = items_metadata(loop);
    if (metadata->getNumOperands() > 1) {
      decision.reason = llvm::cast<llvm::MDString>(metadata->getOperand(1))->getString().str();
      return;
    }
    ItemLoop items;
    items.loop = &loop;
    Body body;
    if (decision.reason = check_loop(loop); !decision.reason.empty()) return;
    if (decision.reason = find_count(items); !decision.reason.empty()) return;
    if (decision.reason = body.build(loop, loops); !decision.reason.empty()) return;
    Shapes shapes(body, *items.id);
    shapes.run();
    if (decision.reason = check_shapes(body, shapes); !decision.reason.empty()) return;
    const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(items.size);
    const Choice choice = choose_width(body, shapes, options_.isa_level, options_.forced_width,
                                       fixed != nullptr ? fixed->getZExtValue() : 64);
    decision.reason = choice.reason;
    if (choice.width == 0) return;
    if (private_bytes(loop) * choice.width > kMostPrivateBytes) {
      decision.reason = "large private arrays";
      return;
    }
    emit_loop(items, body, shapes, choice.width, target);
    decision.width = choice.width;
  }

  llvm::Function& function_;
  const Options& options_;
  llvm::PassBuilder builder_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager sccs_;
  llvm::ModuleAnalysisManager modules_;
};

/// Every use of a work-item's own variable is in some work-item loop, where it can be given lanes.
bool private_variables_are_local(llvm::Function& function, const llvm::LoopInfo& loops) {
  for (Instruction& i : function.getEntryBlock()) {
    if (Shapes::private_variable(i) == nullptr) continue;
    for (const llvm::User* user : i.users()) {
      const llvm::Loop* loop = loops.getLoopFor(llvm::cast<Instruction>(user)->getParent());
      while (loop != nullptr && items_metadata(*loop) == nullptr) loop = loop->getParentLoop();
      if (loop == nullptr) return false;
    }
  }
  return true;
}

void take_body(llvm::Function& to, llvm::Function& from) {
  to.deleteBody();
  to.splice(to.begin(), &from);
  to.setLinkage(llvm::GlobalValue::ExternalLinkage);
  for (llvm::Argument& argument : from.args()) {
    argument.replaceAllUsesWith(to.getArg(argument.getArgNo()));
    to.getArg(argument.getArgNo())->takeName(&argument);
  }
}

}  // namespace

std::vector<Decision> vectorise(llvm::Function& function, llvm::TargetMachine& machine, const Options& options) {
  // On a copy: a function in which nothing is vectorised keeps the form it had.
  llvm::ValueToValueMapTy map;
  llvm::Function* copy = llvm::CloneFunction(&function, map);
  std::vector<Decision> decisions;
  {
    llvm::DominatorTree dominators(*copy);
    llvm::LoopInfo loops(dominators);
    if (private_variables_are_local(*copy, loops))
      decisions = Vectoriser(*copy, machine, options).run();
    else
      decisions.push_back({"", 1, "a private variable is used between work-item loops"});
  }
  bool any = false;
  for (const Decision& d : decisions) any |= d.width > 1;
  if (any && llvm::verifyFunction(*copy)) {
    any = false;
    for (Decision& d : decisions) d = {d.loop, 1, "internal: the vector form is not valid"};
  }
  if (any) {
    // The copy has a subprogram of its own, which its locations refer to.
    llvm::DISubprogram* subprogram = copy->getSubprogram();
    copy->setSubprogram(nullptr);
    const auto linkage = function.getLinkage();
    take_body(function, *copy);
    function.setLinkage(linkage);
    function.setSubprogram(subprogram);
  }
  copy->eraseFromParent();
  return decisions;
}

std::string describe(const std::string& kernel, const std::vector<Decision>& decisions) {
  std::string text;
  for (const Decision& d : decisions) {
    text += "vectorise: " + kernel + (d.loop.empty() ? "" : " " + d.loop) + ": ";
    text += d.width > 1 ? "width " + std::to_string(d.width) : "scalar, " + d.reason;
    text += '\n';
  }
  return text;
}

}  // namespace lanewise::spmd
