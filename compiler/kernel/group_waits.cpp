// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/kernel/group_waits.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/base/address_spaces.h"
#include "compiler/base/context.h"
#include "compiler/builtins/known_functions.h"

namespace lanewise {
namespace {

using llvm::AtomicCmpXchgInst;
using llvm::AtomicRMWInst;
using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

/// Null for calls of what the compiler implements, and of what has no body.
llvm::Function* body_of(const llvm::CallBase& call) {
  llvm::Function* callee = call.getCalledFunction();
  return callee == nullptr || callee->isDeclaration() ? nullptr : callee;
}

/// Whom a work-item may wait for: those of other groups share global memory with it, those of its own group also local
/// memory.
enum class Others : unsigned char { of_other_groups, of_any_group };

/// Others may change it.
bool is_shared(unsigned space, Others others) {
  if (space == local_space) return others == Others::of_any_group;
  return space != private_space && space != constant_space;
}

unsigned space_of(const Instruction& access) {
  return llvm::getLoadStorePointerOperand(&access) != nullptr ? llvm::getLoadStoreAddressSpace(&access)
         : llvm::isa<AtomicRMWInst>(access) ? llvm::cast<AtomicRMWInst>(access).getPointerAddressSpace()
                                            : llvm::cast<AtomicCmpXchgInst>(access).getPointerAddressSpace();
}

bool is_exchange(const Instruction& i) {
  return llvm::isa<AtomicRMWInst, AtomicCmpXchgInst>(i);
}

/// Shows in each round of a loop what others have written.
bool is_watchful(const Instruction& i, Others others) {
  if (is_exchange(i)) return is_shared(space_of(i), others);
  return llvm::isa<llvm::LoadInst>(i) && (i.isVolatile() || i.isAtomic()) && is_shared(space_of(i), others);
}

/// What others have written may be seen by the loads that follow.
bool is_fence(const Instruction& i) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) return llvm::isStrongerThanMonotonic(load->getOrdering());
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
    return llvm::isStrongerThanMonotonic(store->getOrdering());
  if (const auto* atomic = llvm::dyn_cast<AtomicRMWInst>(&i))
    return llvm::isStrongerThanMonotonic(atomic->getOrdering());
  if (const auto* exchange = llvm::dyn_cast<AtomicCmpXchgInst>(&i))
    return llvm::isStrongerThanMonotonic(exchange->getMergedOrdering());
  if (llvm::isa<llvm::FenceInst>(i)) return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  if (call == nullptr) return false;
  const Known known = known_call(*call);
  return is_barrier(i) || known == Known::mem_fence || known == Known::work_item_fence ||
         known == Known::sub_group_barrier;
}

/// What a function does, with everything that it calls.
struct Summary {
  bool watches = false;
  bool reads = false;  ///< memory that is shared, in a plain way
  bool fences = false;

  void add(const Instruction& i, Others others) {
    watches |= is_watchful(i, others);
    fences |= is_fence(i);
    reads |= llvm::isa<llvm::LoadInst>(i) && is_shared(space_of(i), others);
  }

  /// Whether it can wait at all. Few functions can.
  [[nodiscard]] bool may_wait() const { return watches || (reads && fences); }
};

/// The functions that `first` may run, itself included.
llvm::SetVector<llvm::Function*> reachable_from(llvm::Function& first) {
  llvm::SetVector<llvm::Function*> found;
  found.insert(&first);
  for (unsigned k = 0; k < found.size(); ++k)
    for (const Instruction& i : llvm::instructions(found[k]))
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i))
        if (llvm::Function* callee = body_of(*call)) found.insert(callee);
  return found;
}

Summary summary_of(llvm::Function& function, Others others) {
  Summary summary;
  for (const llvm::Function* f : reachable_from(function))
    for (const Instruction& i : llvm::instructions(f)) summary.add(i, others);
  return summary;
}

/// The value without what keeps its bits.
Value* bits_of(Value* v) {
  while (llvm::isa<llvm::BitCastInst, llvm::FreezeInst, llvm::IntToPtrInst, llvm::PtrToIntInst>(v))
    v = llvm::cast<Instruction>(v)->getOperand(0);
  return v;
}

/// The exchange of which `v` is the part with this number; else null.
AtomicCmpXchgInst* exchange_of(Value* v, unsigned part) {
  auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(bits_of(v));
  if (extract == nullptr || extract->getIndices()[0] != part) return nullptr;
  return llvm::dyn_cast<AtomicCmpXchgInst>(extract->getAggregateOperand());
}

/// What decides where the block continues; null: nothing.
Value* condition_of(const BasicBlock& block) {
  const Instruction* end = block.getTerminator();
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(end))
    return branch->isConditional() ? branch->getCondition() : nullptr;
  return end->getNumSuccessors() > 1 ? end->getOperand(0) : nullptr;
}

/// The compare-exchanges of a loop that update a value in memory: they expect what was read there.
class Updates {
 public:
  Updates(const Loop& loop, const llvm::DominatorTree& tree) : loop_(loop), tree_(tree) {}

  /// Whether another round follows only where such an exchange has failed, because of the success of another thread.
  [[nodiscard]] bool lead_out() const {
    llvm::SmallVector<BasicBlock*> latches;
    loop_.getLoopLatches(latches);
    llvm::SmallVector<BasicBlock*> exiting;
    loop_.getExitingBlocks(exiting);
    return llvm::any_of(exiting, [&](const BasicBlock* block) {
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      return branch != nullptr &&
             llvm::all_of(latches, [&](const BasicBlock* latch) { return tree_.dominates(block, latch); }) &&
             succeeded(branch->getCondition(), !loop_.contains(branch->getSuccessor(0)));
    });
  }

 private:
  /// Whether the condition has the value `expected` wherever an update has succeeded.
  bool succeeded(Value* condition, bool expected) const {
    using namespace llvm::PatternMatch;
    Value* a = nullptr;
    Value* b = nullptr;
    if (match(condition, m_Not(m_Value(a)))) return succeeded(a, !expected);
    if (expected ? match(condition, m_LogicalOr(m_Value(a), m_Value(b)))
                 : match(condition, m_LogicalAnd(m_Value(a), m_Value(b))))
      return succeeded(a, expected) || succeeded(b, expected);
    if (const auto* exchange = exchange_of(condition, 1)) return expected && updates(*exchange);
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
    if (compare == nullptr || !compare->isEquality() || expected != (compare->getPredicate() == llvm::CmpInst::ICMP_EQ))
      return false;
    return compares(compare->getOperand(0), compare->getOperand(1)) ||
           compares(compare->getOperand(1), compare->getOperand(0));
  }

  bool compares(Value* found, Value* with) const {
    const auto* exchange = exchange_of(found, 0);
    return exchange != nullptr && lanewise::bits_of(with) == lanewise::bits_of(exchange->getOperand(1)) &&
           updates(*exchange);
  }

  [[nodiscard]] bool updates(const AtomicCmpXchgInst& exchange) const {
    Seen seen;
    return was_read({exchange.getOperand(1), kWhole}, *exchange.getPointerOperand(), seen);
  }

  static constexpr std::uint64_t kWhole = ~std::uint64_t{0};
  /// A value, or an element of a vector.
  using Part = std::pair<Value*, std::uint64_t>;
  using Seen = llvm::SmallDenseSet<Part, 8>;

  /// The part without what keeps its bits.
  static Part bits_of(Part part) {
    for (auto [v, element] = part;;) {
      Value* next = lanewise::bits_of(v);
      const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(v->getType());
      const auto* before = llvm::dyn_cast<llvm::FixedVectorType>(next->getType());
      // Where elements have another size, all of them are looked at.
      if (element != kWhole && (before == nullptr || vector->getNumElements() != before->getNumElements()))
        element = kWhole;
      v = next;
      auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(v);
      const auto* index = extract == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
      if (index == nullptr) return {v, element};
      v = extract->getVectorOperand();
      element = index->getZExtValue();
    }
  }

  /// Whether it is what an access in the loop has found at `place`. What is expected in the first round does not
  /// matter.
  bool was_read(Part part, const Value& place, Seen& seen) const {
    const auto [v, element] = bits_of(part);
    auto* i = llvm::dyn_cast<Instruction>(v);
    if (i == nullptr || !loop_.contains(i)) return false;
    if (!seen.insert({i, element}).second) return true;
    if (const auto* exchange = exchange_of(i, 0)) return is_same(*exchange->getPointerOperand(), place);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(i))
      return (element == 0 || element == kWhole) && is_same(*load->getPointerOperand(), place);
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(i))
      return was_read({select->getTrueValue(), element}, place, seen) &&
             was_read({select->getFalseValue(), element}, place, seen);
    if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(i)) {
      const auto* index = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
      const bool same = index != nullptr && index->equalsInt(element);
      const bool other = element != kWhole && index != nullptr && !same;
      return (other || was_read({insert->getOperand(1), kWhole}, place, seen)) &&
             (same || was_read({insert->getOperand(0), element}, place, seen));
    }
    auto* phi = llvm::dyn_cast<llvm::PHINode>(i);
    return phi != nullptr && llvm::all_of(llvm::seq(phi->getNumIncomingValues()), [&](unsigned k) {
             return !loop_.contains(phi->getIncomingBlock(k)) ||
                    was_read({phi->getIncomingValue(k), element}, place, seen);
           });
  }

  static bool is_same(const Value& a, const Value& b) {
    const Value* first = a.stripPointerCasts();
    const Value* second = b.stripPointerCasts();
    const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(first);
    const auto* other = llvm::dyn_cast<llvm::GetElementPtrInst>(second);
    return first == second || (address != nullptr && other != nullptr && address->isIdenticalTo(other));
  }

  const Loop& loop_;
  const llvm::DominatorTree& tree_;
};

/// What the end of a loop depends on.
class LoopEnd {
 public:
  LoopEnd(const Loop& loop, const llvm::LoopInfo& loops, const llvm::DominatorTree& tree, Others others)
      : loop_(loop), loops_(loops), tree_(tree), others_(others) {
    for (const BasicBlock* block : loop.blocks())
      for (const Instruction& i : *block) {
        contents_.add(i, others);
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
        llvm::Function* body = call == nullptr ? nullptr : body_of(*call);
        if (body != nullptr) contents_.fences |= summary_of(*body, others).fences;
      }
  }

  /// Whether that is something which others may change.
  bool depends_on_others() {
    add_ends(loop_);
    // NOLINTNEXTLINE(modernize-loop-convert): `follow` adds values.
    for (unsigned k = 0; k < values_.size(); ++k)
      if (follow(*values_[k])) return true;
    return false;
  }

 private:
  void add(Value* v) {
    auto* i = llvm::dyn_cast_or_null<Instruction>(v);
    if (i != nullptr && loop_.contains(i)) values_.insert(i);
  }
  void add_operands(const Instruction& i) {
    for (Value* operand : i.operands()) add(operand);
  }
  void add_conditions(const Loop& loop) {
    for (const BasicBlock* block : loop.blocks()) add(condition_of(*block));
  }

  /// The conditions on which the loop ends and, if a round may come by without a test, on which that depends.
  void add_ends(const Loop& loop) {
    if (!ended_.insert(&loop).second) return;
    llvm::SmallVector<BasicBlock*> latches;
    loop.getLoopLatches(latches);
    llvm::SmallVector<BasicBlock*> exiting;
    loop.getExitingBlocks(exiting);
    for (const BasicBlock* block : exiting) {
      add(condition_of(*block));
      if (!llvm::all_of(latches, [&](const BasicBlock* latch) { return tree_.dominates(block, latch); }))
        add_conditions(loop);
    }
  }

  /// Adds what the value depends on. True: on others.
  bool follow(Instruction& i) {
    for (const Loop* inner = loops_.getLoopFor(i.getParent()); inner != &loop_; inner = inner->getParentLoop())
      add_ends(*inner);
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&i)) add_ways(*phi);
    if (llvm::isa<llvm::LoadInst>(i) || is_exchange(i)) return follow_access(i);
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) return follow_call(*call);
    add_operands(i);
    return false;
  }

  /// On which ways of the flow the value of the phi depends.
  void add_ways(const llvm::PHINode& phi) {
    const BasicBlock* block = phi.getParent();
    if (const Loop* of = loops_.getLoopFor(block); of->getHeader() == block) {
      if (of->getLoopLatch() == nullptr) add_conditions(*of);
      return;
    }
    const BasicBlock* parting = tree_.getNode(block)->getIDom()->getBlock();
    llvm::SmallVector<const BasicBlock*> work(llvm::predecessors(block));
    llvm::SmallPtrSet<const BasicBlock*, 16> seen;
    while (!work.empty()) {
      const BasicBlock* b = work.pop_back_val();
      if (!seen.insert(b).second) continue;
      add(condition_of(*b));
      if (b != parting) llvm::append_range(work, llvm::predecessors(b));
    }
  }

  bool follow_access(const Instruction& i) {
    if (is_counter(i)) return false;
    if (is_watchful(i, others_)) return true;
    const bool constant = i.hasMetadata(llvm::LLVMContext::MD_invariant_load);
    if (is_shared(space_of(i), others_) && !constant && contents_.fences) return true;
    add_operands(i);
    if (space_of(i) != constant_space && space_of(i) != global_space) add_stored();
    return false;
  }

  /// Each round changes it, so that the loop ends by itself.
  static bool is_counter(const Instruction& i) {
    const auto* atomic = llvm::dyn_cast<AtomicRMWInst>(&i);
    if (atomic == nullptr) return false;
    const auto* step = llvm::dyn_cast<llvm::ConstantInt>(atomic->getValOperand());
    const bool adds = atomic->getOperation() == AtomicRMWInst::Add || atomic->getOperation() == AtomicRMWInst::Sub;
    return adds && step != nullptr && !step->isZero();
  }

  /// Anything that the loop writes to private and local memory, which may hold what was read elsewhere.
  void add_stored() {
    if (std::exchange(stored_, true)) return;
    add_conditions(loop_);
    for (BasicBlock* block : loop_.blocks())
      for (Instruction& i : *block) {
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
        const bool call = llvm::isa<llvm::CallBase>(i) && i.mayWriteToMemory();
        if (store != nullptr && store->getPointerAddressSpace() != global_space) add_operands(i);
        if (call || (is_exchange(i) && space_of(i) != global_space)) add(&i);
      }
  }

  bool follow_call(const llvm::CallBase& call) {
    add_operands(call);
    if (const llvm::Function* body = body_of(call)) {
      const Summary summary = summary_of(const_cast<llvm::Function&>(*body), others_);
      return summary.watches || (summary.reads && contents_.fences);
    }
    if (known_call(call) != Known::none) return false;
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
      return contents_.fences && call.mayReadFromMemory() && !intrinsic->isAssumeLikeIntrinsic();
    return !call.doesNotAccessMemory();
  }

  const Loop& loop_;
  const llvm::LoopInfo& loops_;
  const llvm::DominatorTree& tree_;
  Others others_;
  Summary contents_;
  bool stored_ = false;
  llvm::SmallPtrSet<const Loop*, 4> ended_;
  llvm::SmallSetVector<Instruction*, 32> values_;
};

bool waits(const Loop& loop, const llvm::LoopInfo& loops, const llvm::DominatorTree& tree, Others others) {
  return !Updates(loop, tree).lead_out() && LoopEnd(loop, loops, tree, others).depends_on_others();
}

bool is_irreducible(const llvm::Function& function, const llvm::LoopInfo& loops) {
  const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function);
  return llvm::containsIrreducibleCFG<const BasicBlock*>(order, loops);
}

bool may_wait_in(llvm::Function& function) {
  llvm::DominatorTree tree(function);
  const llvm::LoopInfo loops(tree);
  if (is_irreducible(function, loops)) return true;
  return llvm::any_of(loops.getLoopsInPreorder(),
                      [&](const Loop* loop) { return waits(*loop, loops, tree, Others::of_other_groups); });
}

bool may_wait_for_groups(llvm::Function& kernel) {
  if (!summary_of(kernel, Others::of_other_groups).may_wait()) return false;
  return llvm::any_of(reachable_from(kernel), [](llvm::Function* function) { return may_wait_in(*function); });
}

}  // namespace

llvm::SmallVector<BasicBlock*> headers_of_waiting_loops(llvm::Function& function) {
  if (!summary_of(function, Others::of_any_group).may_wait()) return {};
  const llvm::DominatorTree tree(function);
  const llvm::LoopInfo loops(tree);
  llvm::SmallVector<BasicBlock*> headers;
  for (const Loop* loop : loops.getLoopsInPreorder())
    if (waits(*loop, loops, tree, Others::of_any_group)) headers.push_back(loop->getHeader());
  return headers;
}

bool may_wait_without_header(llvm::Function& function) {
  if (!summary_of(function, Others::of_any_group).may_wait()) return false;
  llvm::DominatorTree tree(function);
  return is_irreducible(function, llvm::LoopInfo(tree));
}

llvm::PreservedAnalyses FindGroupWaitsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  for (abi::KernelInfo* info : context_of(module, analyses).kernels)
    if (llvm::Function* kernel = module.getFunction(info->name)) info->waits = may_wait_for_groups(*kernel);
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses PrintGroupWaitsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  for (llvm::Function& f : module)
    if (!f.isDeclaration()) out_ << f.getName() << (may_wait_for_groups(f) ? ": may wait\n" : ": no wait\n");
  return llvm::PreservedAnalyses::all();
}

}  // namespace lanewise
