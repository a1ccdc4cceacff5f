// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes the vector form of a work-item loop's body: one iteration does the work of `width` work-items.
///
///     items:                                          items.vector:
///       %id = phi i64 [0, ...], [%next, ...]            %id = phi i64 [0, ...], [%next, ...]      ; lane 0
///       %p = getelementptr float, ptr %a, i64 %id =>    %p = getelementptr float, ptr %a, i64 %id ; lane 0
///       %v = load float, ptr %p                         %v = load <8 x float>, ptr %p
///       %c = fcmp olt float %v, 0.0                     %c = fcmp olt <8 x float> %v, zeroinitializer
///       br i1 %c, label %then, label %items.end         ; `then` follows, its stores masked with %c
///
/// Uniform and strided values stay scalar (lane 0); they become vectors where one is needed. Memory is touched for
/// active lanes only; where the code wants an address for no lane at all, it is that of a dummy on the stack.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/spmd/body.h"
#include "compiler/spmd/shapes.h"

namespace lanewise::spmd {

/// What a value of the body is in the vector form.
struct Lanes {
  llvm::Value* base = nullptr;               ///< lane 0; uniform and strided values
  llvm::SmallVector<llvm::Value*, 1> parts;  ///< one vector for a scalar, one per component of a vector or struct
  llvm::Value* holds = nullptr;              ///< i1, checked strided values: `base` and the stride say it all
};

/// Variables on the stack that all vector forms of a loop use, one after the other.
struct LaneStorage {
  llvm::DenseMap<const llvm::AllocaInst*, llvm::Value*> private_copies;
  llvm::DenseMap<std::pair<llvm::Type*, unsigned>, llvm::Value*> dummies;
};

class Emitter {
 public:
  Emitter(Body& body, const Shapes& shapes, llvm::PHINode& local_id, unsigned width,
          const llvm::TargetTransformInfo& target, LaneStorage& storage);

  /// Emits the body for the lanes that begin at `id`, from the current place of `builder`; it ends where the body's
  /// latch would increment the id. `mask` are the lanes that exist, lane 0 among them; null: all. Once only.
  /// `full`, if given: whether that are all of them, which nearly always is so. Accesses that a mask makes dear ask
  /// first. Never fails: what cannot be emitted was refused before.
  void emit(llvm::IRBuilder<>& builder, llvm::Value* id, llvm::Value* mask, llvm::Value* full = nullptr);

 private:
  using Value = llvm::Value;
  using BasicBlock = llvm::BasicBlock;
  using Instruction = llvm::Instruction;
  using Edge = std::pair<const BasicBlock*, const BasicBlock*>;

  // control.cpp: levels, regions, loops. A mask of null means all lanes.
  void emit_level(Level& level, Value* mask);
  void emit_real_terminator(Level& level, Node& node);
  BasicBlock* entry_of(Level& level, const BasicBlock* block);
  void emit_region(Level& level, Node& head);
  void emit_chain(Level& level, llvm::ArrayRef<Node*> nodes);
  void emit_linear_block(Node& node, Value* mask);
  void emit_linear_loop(Node& node, Value* mask);
  void emit_loop(Level& level, Value* mask);
  void emit_divergent_loop(Level& level, Value* mask);
  void emit_uniform_loop(Level& level, Value* mask);
  void emit_real_phis(Level& level, Node& node);
  void blend(llvm::PHINode& phi);
  Value* mask_of(Node& node);
  void set_edges(const BasicBlock& block, Value* mask);
  Value* edge(const BasicBlock* from, const BasicBlock* to);
  void begin_header_phis(Level& level, BasicBlock* from);
  void end_header_phis(Level& level, BasicBlock* from);
  void merge_after_guard(const BasicBlock& block, BasicBlock* skipped, BasicBlock* done);
  void merge_lanes(Lanes& lanes, BasicBlock* skipped, BasicBlock* done);
  [[nodiscard]] bool wants_guard(const BasicBlock& block) const;
  BasicBlock* new_block(const llvm::Twine& name);
  Value* any(Value* mask);

  // widen.cpp: everything without memory.
  void emit_instructions(const BasicBlock& block, Value* mask);
  void emit_instruction(const Instruction& i, Value* mask);
  void emit_scalar(const Instruction& i, Value* mask, const Shape& shape);
  void emit_vector(const Instruction& i, Value* mask);
  Value* widened(const Instruction& i, Value* mask);
  Value* interleaved_address(const llvm::GetElementPtrInst& address, bool all_lanes);
  Value* widened_call(const llvm::CallInst& call);

  // arithmetic.cpp: what processors have no vector instruction for.
  Value* widened_division(const llvm::BinaryOperator& i, Value* mask);
  Value* saturated(const llvm::CallInst& call);
  bool emit_parts(const Instruction& i);
  bool emit_reinterpreted(const llvm::BitCastInst& cast);
  Value* holds_of(const Instruction& i, Value* base);
  Value* base(const Value* v);
  Value* vector(const Value* v, unsigned part = 0);
  Value* lane(const Value* v, unsigned number);
  Value* splat(Value* v) { return b_.CreateVectorSplat(width_, v); }
  Value* all_false() { return llvm::ConstantInt::getFalse(llvm::FixedVectorType::get(b_.getInt1Ty(), width_)); }
  Value* all_true() { return llvm::ConstantInt::getTrue(llvm::FixedVectorType::get(b_.getInt1Ty(), width_)); }
  llvm::VectorType* wide(llvm::Type* type) const { return llvm::FixedVectorType::get(type, width_); }
  Value* from_lanes(llvm::ArrayRef<Value*> lanes);
  Value* concatenate(llvm::ArrayRef<Value*> pieces);
  Value* repeat_each(Value* mask, unsigned times);

  // memory.cpp
  void emit_load(const llvm::LoadInst& load, Value* mask);
  void emit_store(const llvm::StoreInst& store, Value* mask);
  Value* uniform_address(Value* pointer, Value* mask, llvm::Type* type);
  Value* dummy(llvm::Type* type, unsigned address_space);
  void load_consecutive(const llvm::LoadInst& load, Value* mask, Lanes& result);
  void load_lanes(const llvm::LoadInst& load, Value* mask, Lanes& result);
  void load_rarely(const llvm::LoadInst& load, Value* mask, Lanes& result);
  void load_backwards(const llvm::LoadInst& load, Value* mask, Lanes& result);
  void load_full_or_masked(const llvm::LoadInst& load, Value* mask, Lanes& result);
  void store_full_or_masked(const llvm::StoreInst& store, Value* mask);
  using LoadForm = llvm::function_ref<void(Lanes&)>;
  void load_either(Value* test, LoadForm fast, LoadForm slow, Lanes& result);
  void store_either(Value* test, llvm::function_ref<void()> fast, llvm::function_ref<void()> slow);
  void store_backwards(const llvm::StoreInst& store, Value* mask);
  void load_by_test(const llvm::LoadInst& load, Value* test, Value* mask, Lanes& result);
  void store_by_test(const llvm::StoreInst& store, Value* test, Value* mask);
  Value* first_address(const Instruction& access);
  struct NarrowElement {
    const llvm::GetElementPtrInst* address = nullptr;
    const Value* index = nullptr;  ///< null: the pointer is something else
    bool is_signed = false;
  };
  [[nodiscard]] NarrowElement narrow_element(const Instruction& access) const;
  Value* indices_are_consecutive(const NarrowElement& element, Value* mask);
  Value* lanes_are_consecutive(const Instruction& access, std::uint64_t bytes, Value* mask);
  void store_consecutive(const llvm::StoreInst& store, Value* mask);
  void store_lanes(const llvm::StoreInst& store, Value* mask);
  void store_rarely(const llvm::StoreInst& store, Value* mask);
  void store_uniform(const llvm::StoreInst& store, Value* mask);
  llvm::Align lane_alignment(const Instruction& access);
  void split_lanes(Value* flat, unsigned components, Lanes& result);
  Value* join_parts(const Value* v, unsigned components);
  llvm::SmallVector<Value*> lane_addresses(const Value* pointer, Value* mask, llvm::Type* type);

  // sub_group_operations.cpp: between lanes.
  void emit_sub_group(const llvm::CallInst& call, Value* mask);
  Value* ballot(const llvm::CallInst& call, Value* mask);
  Value* broadcast(const llvm::CallInst& call, Value* mask);
  Value* shuffle(const llvm::CallInst& call);
  Value* masked_operand(const llvm::CallInst& call, Value* mask);
  Value* scan(const llvm::CallInst& call, Value* mask);
  Value* clustered(const llvm::CallInst& call, Value* mask);
  Value* reduce(const llvm::CallInst& call, Value* mask);
  Value* shifted(Value* v, unsigned by, Value* fill);

  // per_lane.cpp: one lane after the other, for what has no vector form.
  void emit_per_lane(const Instruction& i, Value* mask);

  Body& body_;
  const Shapes& shapes_;
  llvm::PHINode& local_id_;
  unsigned width_;
  const llvm::TargetTransformInfo& target_;
  llvm::IRBuilder<> b_;
  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const Value*, Lanes> lanes_;
  llvm::DenseMap<const BasicBlock*, BasicBlock*> entries_;  ///< of blocks that are not linear
  llvm::DenseMap<const BasicBlock*, BasicBlock*> ends_;     ///< where the vector form of a block, or region, ended
  llvm::DenseMap<const Node*, Value*> masks_;
  llvm::DenseMap<Edge, Value*> edges_;
  LaneStorage& storage_;
  Value* top_mask_ = nullptr;    ///< of the lanes that exist
  Value* full_ = nullptr;        ///< i1: those are all; null: unknown, or nobody's concern
  Value* level_mask_ = nullptr;  ///< never empty where a level runs
  Value* guard_mask_ = nullptr;  ///< not empty here: a branch has seen to it
};

/// Metadata of an alloca that holds a private variable of every lane.
inline constexpr const char* kLanesMetadata = "lanewise.lanes";

/// Number of components of a value's type: 1 for scalars, N for vectors and structs.
unsigned components(const llvm::Type& type);
llvm::Type* component_type(llvm::Type& type, unsigned part);

}  // namespace lanewise::spmd
