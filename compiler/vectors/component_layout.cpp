// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/component_layout.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ProfDataUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <cmath>
#include <map>

#include "compiler/base/context.h"
#include "compiler/base/marks.h"
#include "compiler/base/transformations.h"
#include "compiler/vectors/component_shuffles.h"

namespace lanewise::spmd {
namespace {

using llvm::BasicBlock;
using llvm::FixedVectorType;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// How a group becomes one value by item.
enum class GroupForm : unsigned char {
  whole,      ///< it is the parts of one already
  same,       ///< all components are one value, which is repeated
  constant,   ///< constants
  splats,     ///< each component is the same for all work-items
  operation,  ///< the same operation for each component
  phi,
  joined,  ///< anything else is put together where it is made
};

struct GroupLayout {
  GroupForm form = GroupForm::joined;
  Value* by_item = nullptr;  ///< once it is built
  llvm::SmallVector<Group, 4> operands{};
};

/// All components are one value, or each a splat of the same scalar.
bool are_same(const Group& group) {
  const Value* scalar = llvm::getSplatValue(group[0]);
  return llvm::all_of(group, [&](const Value* part) {
    return part == group[0] || (scalar != nullptr && llvm::getSplatValue(part) == scalar);
  });
}

bool are_in_one_block(const Group& group) {
  const auto* first = llvm::dyn_cast<Instruction>(group[0]);
  return first != nullptr && llvm::all_of(group, [&](const Value* part) {
           const auto* made = llvm::dyn_cast<Instruction>(part);
           return made != nullptr && made->getParent() == first->getParent() && !made->isTerminator();
         });
}

/// How often a block runs, of the times that what is around it does.
double share_of(const BasicBlock& block) {
  constexpr double kSeldom = 0.01;
  const BasicBlock* before = block.getSinglePredecessor();
  if (before == nullptr) return 1;
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
  if (branch == nullptr || !branch->isConditional()) return 1;
  const bool first = branch->getSuccessor(0) == &block;
  if (branch->hasMetadata(marks::kForms)) return first ? 1 : kSeldom;
  std::uint64_t yes = 0;
  std::uint64_t no = 0;
  if (!llvm::extractBranchWeights(*branch, yes, no)) return 1;
  return (first ? yes < no : no < yes) ? kSeldom : 1;
}

/// Does the same to each element, whatever the number of elements is.
bool is_elementwise(const Instruction& i) {
  if (llvm::isa<llvm::BinaryOperator>(i)) return !i.isIntDivRem();
  if (llvm::isa<llvm::UnaryOperator, llvm::SelectInst, llvm::CmpInst, llvm::FreezeInst>(i)) return true;
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&i)) {
    const auto* from = llvm::dyn_cast<FixedVectorType>(cast->getSrcTy());
    const auto* to = llvm::dyn_cast<FixedVectorType>(cast->getDestTy());
    return from != nullptr && to != nullptr && from->getNumElements() == to->getNumElements();
  }
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  return call != nullptr && llvm::isTriviallyVectorizable(call->getIntrinsicID()) &&
         llvm::all_of(call->args(), [&](const Value* a) { return a->getType() == i.getType(); });
}

unsigned operand_count(const Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  return call != nullptr ? call->arg_size() : i.getNumOperands();
}

bool are_alike(const Instruction& a, const Instruction& b) {
  if (a.getParent() != b.getParent() || !a.isSameOperationAs(&b)) return false;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&a);
  return call == nullptr || call->getCalledOperand() == llvm::cast<llvm::CallBase>(b).getCalledOperand();
}

/// The form of everything that a value by item at one place is made of, and what it costs.
class Layout {
 public:
  Layout(llvm::Function& function, const llvm::LoopInfo& loops, unsigned width)
      : function_(function), loops_(loops), width_(width) {}

  /// Shuffles that are saved, weighted by how often they run; less than 0 if there would be more.
  /// @param roots  where the same parts are put together
  double gain(llvm::ArrayRef<Join> roots) {
    for (const Join& root : roots) saved_ += kShuffles * times(*root.shuffle->getParent());
    for (const Join& root : roots) inside_.insert(root.halves.begin(), root.halves.end());
    visit(roots.front().parts);
    if (!possible_) return -1;
    for (const auto& [group, node] : nodes_) {
      const bool outside = is_used_outside(group);
      const auto* made = llvm::dyn_cast<Instruction>(group[0]);
      if (node.form == GroupForm::whole && !outside) saved_ += kShuffles * times(*made->getParent());
      // What is needed by component as well is computed twice.
      if ((node.form == GroupForm::operation || node.form == GroupForm::phi) && outside)
        saved_ -= kComponents * times(*made->getParent());
    }
    return saved_;
  }

  Value* build(const Group& group);

 private:
  static constexpr double kShuffles = 10;  ///< to take four components apart, or to put them together
  static constexpr double kRepeats = 5;    ///< to repeat one value
  static constexpr unsigned kMostNodes = 256;

  [[nodiscard]] double times(const BasicBlock& block) const {
    return std::pow(8.0, loops_.getLoopDepth(&block)) * share_of(block);
  }

  void visit(const Group& group);
  bool visit_operation(const Group& group, GroupLayout& node);
  void visit_joined(const Group& group);
  [[nodiscard]] bool is_used_outside(const Group& group) const;

  [[nodiscard]] FixedVectorType* by_item_type(const Value& part) const {
    return FixedVectorType::get(llvm::cast<FixedVectorType>(part.getType())->getElementType(), width_ * kComponents);
  }
  Value* repeated(Value& v);
  Value* constants(const Group& group);
  Value* splats(const Group& group);
  Value* joined(const Group& group);
  Value* operation(const Group& group, const GroupLayout& node);
  Value* phi(const Group& group, GroupLayout& node);

  llvm::Function& function_;
  const llvm::LoopInfo& loops_;
  unsigned width_;
  std::map<Group, GroupLayout> nodes_;
  llvm::SmallPtrSet<const Value*, 32> inside_;
  double saved_ = 0;
  bool possible_ = true;
};

void Layout::visit(const Group& group) {
  const auto [place, is_new] = nodes_.try_emplace(group);
  if (!is_new || !possible_) return;
  GroupLayout& node = place->second;
  if (nodes_.size() > kMostNodes) {
    possible_ = false;
    return;
  }
  if (whole_of(group) != nullptr) {
    node.form = GroupForm::whole;
    return;
  }
  if (llvm::all_of(group, [](const Value* part) { return llvm::isa<llvm::Constant>(part); })) {
    node.form = GroupForm::constant;
    return;
  }
  if (llvm::all_of(group, llvm::getSplatValue)) {
    node.form = are_same(group) ? GroupForm::same : GroupForm::splats;
    possible_ &= node.form == GroupForm::same || are_in_one_block(group);
    return;
  }
  if (are_same(group)) {
    node.form = GroupForm::same;
    const auto* made = llvm::dyn_cast<Instruction>(group[0]);
    saved_ -= kRepeats * (made != nullptr ? times(*made->getParent()) : 1);
    return;
  }
  if (!visit_operation(group, node)) visit_joined(group);
}

bool Layout::visit_operation(const Group& group, GroupLayout& node) {
  const auto* first = llvm::dyn_cast<Instruction>(group[0]);
  if (first == nullptr) return false;
  for (const Value* part : group)
    if (!llvm::isa<Instruction>(part) || !are_alike(*first, *llvm::cast<Instruction>(part))) return false;
  const bool is_phi = llvm::isa<llvm::PHINode>(first);
  if (!is_phi && !is_elementwise(*first)) return false;
  // The scalar condition of a select stays one.
  const unsigned begin = llvm::isa<llvm::SelectInst>(first) && !first->getOperand(0)->getType()->isVectorTy() ? 1 : 0;
  for (const Value* part : group)
    if (begin == 1 && llvm::cast<Instruction>(part)->getOperand(0) != first->getOperand(0)) return false;
  node.form = is_phi ? GroupForm::phi : GroupForm::operation;
  for (const Value* part : group) inside_.insert(part);
  llvm::SmallVector<Group, 4> operands;
  for (unsigned o = begin; o < operand_count(*first); ++o) {
    Group operand;
    for (unsigned c = 0; c < kComponents; ++c) {
      auto* part = llvm::cast<Instruction>(group[c]);
      operand[c] = is_phi ? llvm::cast<llvm::PHINode>(part)->getIncomingValueForBlock(
                                llvm::cast<llvm::PHINode>(first)->getIncomingBlock(o))
                          : part->getOperand(o);
    }
    operands.push_back(operand);
  }
  node.operands = operands;
  for (const Group& operand : operands) visit(operand);
  return true;
}

void Layout::visit_joined(const Group& group) {
  possible_ &= are_in_one_block(group);
  if (possible_) saved_ -= kShuffles * times(*llvm::cast<Instruction>(group[0])->getParent());
}

bool Layout::is_used_outside(const Group& group) const {
  return llvm::any_of(group, [&](const Value* part) {
    return llvm::any_of(part->users(), [&](const llvm::User* u) { return !inside_.contains(u); });
  });
}

Value* Layout::build(const Group& group) {
  GroupLayout& node = nodes_.find(group)->second;
  if (node.by_item != nullptr) return node.by_item;
  switch (node.form) {
    case GroupForm::whole:
      return node.by_item = whole_of(group);
    case GroupForm::same:
      return node.by_item = repeated(*group[0]);
    case GroupForm::constant:
      return node.by_item = constants(group);
    case GroupForm::splats:
      return node.by_item = splats(group);
    case GroupForm::operation:
      return node.by_item = operation(group, node);
    case GroupForm::phi:
      return phi(group, node);
    case GroupForm::joined:
      return node.by_item = joined(group);
  }
  llvm_unreachable("no such form");
}

/// The place after a value, where the value is known.
IRBuilder<> behind(Value& v, llvm::Function& function) {
  if (auto* i = llvm::dyn_cast<Instruction>(&v)) return {i->getParent(), *i->getInsertionPointAfterDef()};
  BasicBlock& entry = function.getEntryBlock();
  return {&entry, entry.getFirstNonPHIOrDbgOrAlloca()};
}

Value* Layout::repeated(Value& v) {
  IRBuilder<> b = behind(v, function_);
  if (Value* scalar = llvm::getSplatValue(&v)) return b.CreateVectorSplat(width_ * kComponents, scalar);
  const auto mask = llvm::createReplicatedMask(kComponents, width_);
  if (!v.getType()->isIntOrIntVectorTy(1)) return b.CreateShuffleVector(&v, mask);
  // Masks are registers of their own width only.
  Value* wide = b.CreateSExt(&v, FixedVectorType::get(b.getInt32Ty(), width_));
  wide = b.CreateShuffleVector(wide, mask);
  return b.CreateICmpSLT(wide, llvm::Constant::getNullValue(wide->getType()));
}

Value* Layout::constants(const Group& group) {
  llvm::SmallVector<llvm::Constant*> all;
  for (unsigned item = 0; item < width_; ++item)
    for (Value* part : group) all.push_back(llvm::cast<llvm::Constant>(part)->getAggregateElement(item));
  return llvm::ConstantVector::get(all);
}

/// The last of the parts in their block.
Instruction& last_of(const Group& group) {
  auto* last = llvm::cast<Instruction>(group[0]);
  for (Value* part : group)
    if (last->comesBefore(llvm::cast<Instruction>(part))) last = llvm::cast<Instruction>(part);
  return *last;
}

Value* Layout::splats(const Group& group) {
  Value* item = llvm::PoisonValue::get(
      FixedVectorType::get(llvm::cast<FixedVectorType>(group[0]->getType())->getElementType(), kComponents));
  IRBuilder<> b = behind(last_of(group), function_);
  for (unsigned c = 0; c < kComponents; ++c) item = b.CreateInsertElement(item, llvm::getSplatValue(group[c]), c);
  llvm::SmallVector<int> mask;
  for (unsigned e = 0; e < width_ * kComponents; ++e) mask.push_back(static_cast<int>(e % kComponents));
  return b.CreateShuffleVector(item, mask);
}

Value* Layout::joined(const Group& group) {
  Instruction& last = last_of(group);
  IRBuilder<> b = behind(last, function_);
  return join(b, group, width_);
}

Value* Layout::operation(const Group& group, const GroupLayout& node) {
  auto* first = llvm::cast<Instruction>(group[0]);
  llvm::SmallVector<Value*> operands;
  const unsigned begin = operand_count(*first) - static_cast<unsigned>(node.operands.size());
  if (begin == 1) operands.push_back(first->getOperand(0));
  for (const Group& operand : node.operands) operands.push_back(build(operand));
  Instruction& last = last_of(group);
  IRBuilder<> b = behind(last, function_);
  Instruction* made = nullptr;
  if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(first)) {
    made = b.CreateIntrinsic(by_item_type(*first), call->getIntrinsicID(), operands);
  } else if (auto* cast = llvm::dyn_cast<llvm::CastInst>(first)) {
    made = b.Insert(llvm::CastInst::Create(cast->getOpcode(), operands[0], by_item_type(*first)));
  } else if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(first)) {
    made = b.Insert(llvm::CmpInst::Create(compare->getOpcode(), compare->getPredicate(), operands[0], operands[1]));
  } else {
    made = first->clone();
    made->mutateType(by_item_type(*first));
    for (unsigned o = 0; o < operands.size(); ++o) made->setOperand(o, operands[o]);
    b.Insert(made);
  }
  made->copyIRFlags(first);
  for (Value* part : group) made->andIRFlags(part);
  return made;
}

Value* Layout::phi(const Group& group, GroupLayout& node) {
  auto* first = llvm::cast<llvm::PHINode>(group[0]);
  auto* made = llvm::PHINode::Create(by_item_type(*first), first->getNumIncomingValues(), first->getName() + ".items",
                                     first->getIterator());
  node.by_item = made;
  for (unsigned k = 0; k < first->getNumIncomingValues(); ++k)
    made->addIncoming(build(node.operands[k]), first->getIncomingBlock(k));
  return made;
}

/// Changes the layout where that saves shuffles. @returns whether something has changed
bool lay_out_by_item(llvm::Function& function) {
  llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  llvm::MapVector<Group, llvm::SmallVector<Join, 2>, std::map<Group, unsigned>> roots;
  for (Instruction& i : llvm::instructions(function))
    if (const auto join = join_at(i)) roots[join->parts].push_back(*join);
  bool changed = false;
  for (const auto& [parts, joins] : roots) {
    Layout layout(function, loops, joins.front().width);
    if (layout.gain(joins) <= 0) continue;
    // What is left without a use goes later: parts of others may be among it.
    for (const Join& join : joins) join.shuffle->replaceAllUsesWith(layout.build(parts));
    changed = true;
  }
  return changed;
}

/// Rows for `transpose`, of a value by item; null if it would take more than it saves.
std::optional<Group> rows_of(IRBuilder<>& b, Value& whole, unsigned width, bool of_loads) {
  Group rows;
  for (unsigned j = 0; j < kComponents; ++j) {
    llvm::SmallVector<Value*> pieces;
    llvm::SmallVector<int> mask;
    for (unsigned item = j; item < width; item += kComponents) {
      if (Value* piece = piece_of(whole, item * kComponents)) pieces.push_back(piece);
      for (unsigned c = 0; c < kComponents; ++c) mask.push_back(static_cast<int>(item * kComponents + c));
    }
    const bool in_pieces = pieces.size() * kComponents == width;
    if (!in_pieces && !of_loads) return std::nullopt;
    rows[j] = in_pieces ? llvm::concatenateVectors(b, pieces) : b.CreateShuffleVector(&whole, mask);
  }
  return rows;
}

bool is_for_transposes(const Value& part) {
  const auto* type = llvm::dyn_cast<FixedVectorType>(part.getType());
  return type != nullptr && type->getScalarSizeInBits() == 32 && type->getNumElements() % kComponents == 0;
}

void take_apart(const Group& parts, bool of_loads) {
  Value* whole = whole_of(parts);
  auto* made = llvm::dyn_cast<Instruction>(whole);
  if (made == nullptr) return;
  const unsigned width = llvm::cast<FixedVectorType>(parts[0]->getType())->getNumElements();
  IRBuilder<> b = behind(*whole, *made->getFunction());
  const auto rows = rows_of(b, *whole, width, of_loads);
  if (!rows) return;
  const Group transposed = transpose(b, *rows);
  for (unsigned c = 0; c < kComponents; ++c) parts[c]->replaceAllUsesWith(transposed[c]);
}

void put_together(const Join& join) {
  IRBuilder<> b(join.shuffle);
  const Group rows = transpose(b, join.parts);
  // Item by item: LLVM makes one shuffle of what is one shuffle of all rows, and a worse one.
  llvm::SmallVector<Value*> items;
  for (unsigned item = 0; item < join.width; ++item) {
    const auto first = static_cast<int>(item / kComponents * kComponents);
    items.push_back(b.CreateShuffleVector(rows[item % kComponents], {first, first + 1, first + 2, first + 3}));
  }
  join.shuffle->replaceAllUsesWith(llvm::concatenateVectors(b, items));
  llvm::RecursivelyDeleteTriviallyDeadInstructions(join.shuffle);
}

/// The shuffles that take values apart, by the value.
llvm::MapVector<Value*, Group> find_parts(llvm::Function& function) {
  llvm::MapVector<Value*, Group> found;
  for (Instruction& i : llvm::instructions(function)) {
    auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&i);
    if (shuffle == nullptr || !is_for_transposes(i)) continue;
    const auto first = static_cast<unsigned>(shuffle->getMaskValue(0));
    if (first < kComponents) found[shuffle->getOperand(0)][first] = shuffle;
  }
  found.remove_if(
      [](const auto& entry) { return llvm::is_contained(entry.second, nullptr) || whole_of(entry.second) == nullptr; });
  return found;
}

/// Takes apart and puts together four components of 32 bits by transposes within 128 bits.
/// @param of_loads  also what is loaded as one: without it only what is loaded item by item. For processors without
///        shuffles of any two registers
/// @returns whether something has changed
bool transpose_components(llvm::Function& function, bool of_loads) {
  llvm::SmallVector<Join> joins;
  for (Instruction& i : llvm::instructions(function))
    if (const auto join = join_at(i); join && of_loads && is_for_transposes(*join->parts[0])) joins.push_back(*join);
  const auto parts = find_parts(function);
  for (const auto& entry : parts) take_apart(entry.second, of_loads);
  for (const Join& join : joins) put_together(join);
  return !parts.empty() || !joins.empty();
}

}  // namespace

llvm::PreservedAnalyses LayOutComponentsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  const KernelContext& context = context_of(module, analyses);
  bool changed = false;
  for (llvm::Function* function : lowered_kernels(module, context)) {
    const bool by_item = lay_out_by_item(*function);
    const bool transposed = transpose_components(*function, !context.options.isa.has_mask_registers());
    if (by_item) tally(Transformation::lay_out_by_item);
    if (transposed) tally(Transformation::transpose_components);
    changed |= by_item || transposed;
  }
  return unless_changed(changed);
}

}  // namespace lanewise::spmd
