// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the operands of an atomic operation combine, so that several operations at one address become one.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace lanewise::spmd {

/// The identity of the operation; null for operations that are not combined over the lanes.
llvm::Constant* neutral_of(const llvm::AtomicRMWInst& atomic);

/// One step of the operation, on scalars or vectors.
llvm::Value* combine(llvm::IRBuilder<>& b, llvm::AtomicRMWInst::BinOp operation, llvm::Value* left, llvm::Value* right);

/// The operation that combines operands: what is subtracted in one step is added up before.
llvm::AtomicRMWInst::BinOp combination_of(llvm::AtomicRMWInst::BinOp operation);

/// The combination of the operands of all lanes, of floating-point numbers a sum in any order.
llvm::Value* reduce(llvm::IRBuilder<>& b, llvm::AtomicRMWInst::BinOp operation, llvm::Value* values);

bool is_float_sum(llvm::AtomicRMWInst::BinOp operation);

/// Whether operations need not be combined in the order of the lanes: they do not round, or options allow it.
bool in_any_order(const llvm::AtomicRMWInst& atomic);

}  // namespace lanewise::spmd
