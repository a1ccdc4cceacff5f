// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vectors/element_tests.h"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>
#include <utility>

namespace lanewise {
namespace {

using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

/// Fewer comparisons than this are as fast one by one.
constexpr unsigned kFewest = 4;
constexpr unsigned kMostElements = 64;

/// Comparisons of elements of one vector in the same way, or elements of a vector of comparisons.
struct Group {
  llvm::CmpInst::Predicate predicate = llvm::CmpInst::BAD_ICMP_PREDICATE;
  Value* vector = nullptr;
  Value* other = nullptr;   ///< a scalar, or a vector if `by_element`; null: the vector itself has the results
  bool by_element = false;  ///< element k with element k
  llvm::APInt lanes;        ///< those that are compared
};

/// Operands of `value` if it is true where one of them is (`any`), or where both are.
bool match_link(Value* value, bool any, Value*& first, Value*& second) {
  return any ? match(value, m_LogicalOr(m_Value(first), m_Value(second)))
             : match(value, m_LogicalAnd(m_Value(first), m_Value(second)));
}

/// A test of which not every use is a part of a larger one of the same kind.
bool is_root(Instruction& test, bool any) {
  Value *first = nullptr, *second = nullptr;
  if (!test.getType()->isIntegerTy(1) || !match_link(&test, any, first, second)) return false;
  return llvm::any_of(test.users(), [&](llvm::User* user) { return !match_link(user, any, first, second); });
}

/// The operands of a chain of `||` or `&&`, in the order in which they are asked.
void collect(Value* root, bool any, llvm::SmallVectorImpl<Value*>& leaves) {
  llvm::SmallVector<Value*> open{root};
  llvm::SmallPtrSet<Value*, 32> seen;  // what is asked twice need not be asked again
  while (!open.empty()) {
    Value* next = open.pop_back_val();
    if (!seen.insert(next).second) continue;
    Value *first = nullptr, *second = nullptr;
    if (match_link(next, any, first, second)) {
      open.push_back(second);
      open.push_back(first);
    } else {
      leaves.push_back(next);
    }
  }
}

/// An element with a constant index.
struct Element {
  Value* vector = nullptr;
  unsigned index = 0;
  unsigned of = 0;
};

std::optional<Element> element_of(Value* value) {
  Element e;
  std::uint64_t index = 0;
  if (!match(value, m_ExtractElt(m_Value(e.vector), m_ConstantInt(index)))) return std::nullopt;
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(e.vector->getType());
  if (type == nullptr || index >= type->getNumElements() || type->getNumElements() > kMostElements) return std::nullopt;
  if (type->getElementType()->isPointerTy()) return std::nullopt;
  if (!llvm::isPowerOf2_32(type->getNumElements())) return std::nullopt;
  e.index = static_cast<unsigned>(index);
  e.of = type->getNumElements();
  return e;
}

std::optional<Group> single(Value* leaf) {
  Group group;
  if (const auto element = element_of(leaf)) {
    group.vector = element->vector;
    group.lanes = llvm::APInt::getOneBitSet(element->of, element->index);
    return group;
  }
  auto* compare = llvm::dyn_cast<llvm::CmpInst>(leaf);
  if (compare == nullptr) return std::nullopt;
  auto first = element_of(compare->getOperand(0)), second = element_of(compare->getOperand(1));
  group.predicate = compare->getPredicate();
  group.other = compare->getOperand(1);
  if (!first && second) {
    std::swap(first, second);
    group.predicate = compare->getSwappedPredicate();
    group.other = compare->getOperand(0);
  }
  if (!first) return std::nullopt;
  if (second && second->index == first->index && second->of == first->of) {
    group.by_element = true;
    group.other = second->vector;
  }
  group.vector = first->vector;
  group.lanes = llvm::APInt::getOneBitSet(first->of, first->index);
  return group;
}

bool belongs(const Group& one, const Group& group) {
  if (one.by_element != group.by_element) return false;
  if (one.predicate == group.predicate && one.vector == group.vector && one.other == group.other) return true;
  return one.by_element && llvm::CmpInst::getSwappedPredicate(one.predicate) == group.predicate &&
         one.vector == group.other && one.other == group.vector;
}

bool pays(const Group& group) {
  const unsigned count = group.lanes.popcount();
  return count >= kFewest && 2 * count >= group.lanes.getBitWidth();
}

Value* emit(llvm::IRBuilder<>& builder, const Group& group, bool any) {
  const unsigned elements = group.lanes.getBitWidth();
  Value* each = group.vector;
  if (group.other != nullptr) {
    Value* other = group.by_element ? group.other : builder.CreateVectorSplat(elements, group.other);
    each = builder.CreateCmp(group.predicate, group.vector, other);
  }
  Value* bits = builder.CreateBitCast(builder.CreateFreeze(each), builder.getIntNTy(elements));
  if (!group.lanes.isAllOnes()) bits = builder.CreateAnd(bits, builder.getInt(group.lanes));
  return any ? builder.CreateIsNotNull(bits) : builder.CreateICmpEQ(bits, builder.getInt(group.lanes));
}

/// Takes the leaves that form groups that pay. The others keep their order.
llvm::SmallVector<Group> take_groups(llvm::SmallVectorImpl<Value*>& leaves) {
  llvm::SmallVector<Group> groups;
  for (Value* leaf : leaves) {
    const auto one = single(leaf);
    if (!one) continue;
    auto* found = llvm::find_if(groups, [&](const Group& g) { return belongs(*one, g); });
    if (found == groups.end())
      groups.push_back(*one);
    else
      found->lanes |= one->lanes;
  }
  llvm::erase_if(groups, [](const Group& g) { return !pays(g); });
  llvm::erase_if(leaves, [&](Value* leaf) {
    const auto one = single(leaf);
    return one && llvm::any_of(groups, [&](const Group& g) { return belongs(*one, g); });
  });
  return groups;
}

Value* join(llvm::IRBuilder<>& builder, Value* first, Value* second, bool any) {
  return any ? builder.CreateLogicalOr(first, second) : builder.CreateLogicalAnd(first, second);
}

bool rewrite(Instruction& root, bool any) {
  llvm::SmallVector<Value*> leaves;
  collect(&root, any, leaves);
  if (leaves.size() < kFewest) return false;
  const llvm::SmallVector<Group> groups = take_groups(leaves);
  if (groups.empty()) return false;
  llvm::IRBuilder<> builder(&root);
  Value* result = nullptr;
  for (const Group& group : groups) {
    Value* test = emit(builder, group, any);
    result = result == nullptr ? test : join(builder, result, test, any);
  }
  for (Value* leaf : leaves) result = join(builder, result, leaf, any);
  root.replaceAllUsesWith(result);
  llvm::RecursivelyDeleteTriviallyDeadInstructions(&root);
  return true;
}

bool compare_elements_together(llvm::Function& function) {
  llvm::SmallVector<std::pair<llvm::WeakTrackingVH, bool>> roots;
  for (Instruction& i : llvm::instructions(function)) {
    if (is_root(i, true)) roots.emplace_back(&i, true);
    if (is_root(i, false)) roots.emplace_back(&i, false);
  }
  bool changed = false;
  for (const auto& [root, any] : roots)
    if (auto* test = llvm::dyn_cast_or_null<Instruction>(root)) changed |= rewrite(*test, any);
  return changed;
}

}  // namespace

llvm::PreservedAnalyses CompareElementsTogetherPass::run(llvm::Module& module,
                                                         llvm::ModuleAnalysisManager& /*analyses*/) {
  return keeping_blocks(change_functions(module, compare_elements_together));
}

}  // namespace lanewise
