// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/item_nest.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/base/loop_properties.h"
#include "compiler/base/marks.h"

namespace lanewise {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

namespace {

/// With more regions than this, compile time matters more than unrolled work-item loops.
constexpr std::size_t kUnrolledRegions = 16;

/// The quotient of numbers below 2^31, by a division as double, which is exact; there is no vector form for integers.
Value* quotient(IRBuilder<>& b, Value* dividend, Value* divisor) {
  const auto number = [&](Value* v) { return b.CreateSIToFP(b.CreateTrunc(v, b.getInt32Ty()), b.getDoubleTy()); };
  Value* ratio = b.CreateFDiv(number(dividend), number(divisor));
  return b.CreateZExt(b.CreateFPToSI(ratio, b.getInt32Ty()), b.getInt64Ty());
}

/// Skips the row where it is not wanted. The loop keeps a block before it that leads nowhere else.
void skip_row(const RowEntry& row, const std::string& name, BasicBlock* behind) {
  BasicBlock* enter = llvm::SplitBlock(row.begin, row.begin->getTerminator());
  enter->setName(name);
  llvm::ReplaceInstWithInst(row.begin->getTerminator(), llvm::BranchInst::Create(enter, behind, row.wanted));
}

}  // namespace

ItemNest::ItemNest(RegionShared& shared, std::string name, Order order, unsigned inner)
    : s_(shared), name_(std::move(name)), order_(order) {
  if (order == Order::flattened) inner = 0;
  loops_.push_back(inner);
  for (unsigned d = order == Order::flattened ? 3 : s_.range.row; d < 3; ++d)
    if (d != inner) loops_.push_back(d);
}

void ItemNest::open(BasicBlock* begin) {
  begin_ = begin;
  if (order_ == Order::nested)
    open_nested();
  else
    open_flattened();
  number_in_sub_group();
}

void ItemNest::close() {
  if (order_ == Order::nested)
    close_nested();
  else
    close_flattened();
}

void ItemNest::open_nested() {
  IRBuilder<> b(begin_);
  static constexpr const char* kNames[] = {"", ".y", ".z"};
  static constexpr const char* kIds[] = {"local.id.x", "local.id.y", "local.id.z"};
  const bool in_order = llvm::is_sorted(loops_);
  const unsigned slots = s_.in.orders.slots;
  const bool own_places = slots != s_.range.row;
  const auto of_linear = in_order ? std::array<Value*, 3>{} : strides(b, 0);
  const auto of_place = own_places ? strides(b, slots) : std::array<Value*, 3>{};
  const auto step = [&](Value* from, Value* id, Value* stride, const char* name) {
    const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(stride);
    return b.CreateNUWAdd(from, factor != nullptr && factor->isOne() ? id : b.CreateNUWMul(id, stride), name);
  };
  Value* linear = b.getInt64(0);
  place_ = linear;
  for (unsigned d = 0; d < s_.range.row; ++d) id_[d] = linear;
  for (const unsigned d : llvm::reverse(loops_)) {
    const bool innermost = d == loops_.front();
    head_[d] = s_.block(name_ + ".items" + kNames[d]);
    b.CreateBr(head_[d]);
    BasicBlock* from = b.GetInsertBlock();
    b.SetInsertPoint(head_[d]);
    auto* id = b.CreatePHI(b.getInt64Ty(), 2, kIds[d]);
    id->addIncoming(b.getInt64(0), from);
    id_[d] = id;
    if (innermost) row_entry_ = {from, linear, nullptr};
    if (own_places) place_ = step(place_, id, of_place[d], innermost ? "place" : "");
    if (!in_order)
      linear = step(linear, id, of_linear[d], innermost ? "local.linear" : "");
    else if (innermost)
      linear = b.CreateNUWAdd(linear, id, "local.linear");
    else
      linear = b.CreateNUWMul(d == 2 ? id : b.CreateNUWAdd(linear, id), size(d - 1), d == loops_[1] ? "row" : "");
  }
  linear_ = linear;
  if (!own_places) place_ = linear;
  item_end_ = s_.block(name_ + ".items.end");
}

std::array<Value*, 3> ItemNest::strides(IRBuilder<>& b, unsigned first) const {
  std::array<Value*, 3> result{};
  result[first] = b.getInt64(1);
  Value* next = size(first);
  for (unsigned d = 0; d < 3; ++d) {
    if (d == first) continue;
    result[d] = next;
    next = b.CreateNUWMul(next, size(d));
  }
  return result;
}

void ItemNest::open_flattened() {
  IRBuilder<> b(begin_);
  head_[0] = s_.block(name_ + ".items");
  b.CreateBr(head_[0]);
  b.SetInsertPoint(head_[0]);
  auto* number = b.CreatePHI(b.getInt64Ty(), 2, "local.linear");
  number->addIncoming(b.getInt64(0), begin_);
  linear_ = place_ = number;
  Value* rows = quotient(b, number, size(0));
  Value* planes = quotient(b, rows, size(1));
  id_[0] = b.CreateSub(number, b.CreateMul(rows, size(0)), "local.id.x");
  id_[1] = b.CreateSub(rows, b.CreateMul(planes, size(1)), "local.id.y");
  id_[2] = planes;
  item_end_ = s_.block(name_ + ".items.end");
}

/// In sub-groups of several work-items a vector is a sub-group: loops begin at multiples of its size.
void ItemNest::number_in_sub_group() {
  const unsigned width = s_.in.item.sub_group_size;
  IRBuilder<> b(item());
  if (width == 1) {
    sub_group_[0] = linear_;
    sub_group_[1] = b.getInt64(0);
    sub_group_[2] = b.getInt64(1);
    return;
  }
  const auto mark = [&](Value* v, const char* what) {
    if (auto* i = llvm::dyn_cast<Instruction>(v)) i->setMetadata(what, llvm::MDNode::get(s_.context(), {}));
    return v;
  };
  sub_group_[0] = mark(b.CreateLShr(linear_, llvm::Log2_32(width), "sub.group.id"), marks::kUniform);
  sub_group_[1] = mark(b.CreateAnd(linear_, b.getInt64(width - 1), "sub.group.local.id"), marks::kLane);
  Value* items = b.CreateNUWMul(b.CreateNUWMul(size(0), size(1)), size(2));
  Value* rest = b.CreateNUWSub(items, b.CreateNUWMul(sub_group_[0], b.getInt64(width)));
  sub_group_[2] = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, rest, b.getInt64(width));
}

Value* ItemNest::size(unsigned d) const {
  return s_.range.parameter(s_.in.item, ContextParameter::local_size, d);
}

void ItemNest::close_flattened() {
  IRBuilder<> b(item_end_);
  auto* number = llvm::cast<llvm::PHINode>(linear_);
  Value* next = b.CreateNUWAdd(number, b.getInt64(1));
  number->addIncoming(next, item_end_);
  end_ = s_.block(name_ + ".end");
  IRBuilder<> begin(begin_->getTerminator());
  Value* items = begin.CreateNUWMul(begin.CreateNUWMul(size(0), size(1)), size(2), "group.items");
  describe_loop(*b.CreateCondBr(b.CreateICmpULT(next, items), head_[0], end_), true, false);
}

void ItemNest::close_nested() {
  static constexpr const char* kNames[] = {".x", ".y", ".z"};
  BasicBlock* latch = item_end_;
  for (unsigned k = 0; k < loops_.size(); ++k) {
    const unsigned d = loops_[k];
    IRBuilder<> b(latch);
    Value* next = b.CreateNUWAdd(id_[d], b.getInt64(1));
    llvm::cast<llvm::PHINode>(id_[d])->addIncoming(next, latch);
    const bool last = k + 1 == loops_.size();
    BasicBlock* after = s_.block(last ? name_ + ".end" : name_ + ".items.end" + kNames[loops_[k + 1]]);
    auto* branch = b.CreateCondBr(b.CreateICmpULT(next, size(d)), head_[d], after);
    describe_loop(*branch, k == 0, k != 0 || s_.in.graph.regions.size() > kUnrolledRegions);
    if (k == 0 && row_entry_.wanted != nullptr) skip_row(row_entry_, name_ + ".items.row", after);
    latch = after;
  }
  end_ = latch;
}

/// The innermost loop is marked for the vectoriser (compiler/lanes), with a reason where it must leave it alone.
/// Unrolling the outer loops gains nothing, and LLVM's time for it grows with the square of the number of loops.
void ItemNest::describe_loop(llvm::BranchInst& branch, bool innermost, bool do_not_unroll) const {
  llvm::LLVMContext& c = branch.getContext();
  llvm::SmallVector<llvm::MDNode*, 3> properties;
  if (innermost) {
    llvm::SmallVector<llvm::Metadata*, 2> mark{llvm::MDString::get(c, marks::kItems)};
    if (const char* reason = not_vectorisable()) mark.push_back(llvm::MDString::get(c, reason));
    properties.push_back(llvm::MDNode::get(c, mark));
    if (s_.in.item.sub_group_size > 1) properties.push_back(sub_group_mark(c));
  }
  if (do_not_unroll) properties.push_back(metadata_of(c, kNoUnrolling));
  branch.setMetadata(llvm::LLVMContext::MD_loop, llvm::makePostTransformationMetadata(c, nullptr, {}, properties));
}

llvm::MDNode* ItemNest::sub_group_mark(llvm::LLVMContext& c) const {
  auto* width = llvm::ConstantInt::get(llvm::Type::getInt32Ty(c), s_.in.item.sub_group_size);
  llvm::SmallVector<llvm::Metadata*, 3> mark{llvm::MDString::get(c, marks::kSubGroup),
                                             llvm::ConstantAsMetadata::get(width)};
  if (order_ == Order::flattened) mark.push_back(llvm::MDString::get(c, "flattened"));
  return llvm::MDNode::get(c, mark);
}

/// Why work-items have to run one after the other, if they do; null if they need not.
const char* ItemNest::not_vectorisable() const {
  if (s_.report != nullptr) return "barriers are being debugged";
  for (const PrivateVariable& v : s_.in.memory.variables)
    if (v.place == PrivatePlace::group_scratch) return "large private arrays";
  return nullptr;
}

}  // namespace lanewise
