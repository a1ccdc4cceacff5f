// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/lane_functions.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "compiler/base/context.h"
#include "compiler/builtins/register_pieces.h"
#include "src/base/rounding.h"

namespace lanewise {
namespace {

using llvm::Function;
using llvm::Type;
using llvm::Value;

constexpr unsigned kSlotAlign = 64;

unsigned components_of(const Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector == nullptr ? 1 : vector->getNumElements();
}

/// Places on the stack of a function that its calls share: one for each parameter and the result.
class Slots {
 public:
  Value* get(Function& function, unsigned number, unsigned bytes) {
    llvm::AllocaInst*& slot = slots_[{&function, number}];
    auto* type = llvm::ArrayType::get(Type::getInt8Ty(function.getContext()), bytes);
    if (slot == nullptr) {
      llvm::BasicBlock& entry = function.getEntryBlock();
      slot = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type, nullptr, "lanes");
      slot->setAlignment(llvm::Align(kSlotAlign));
    } else if (slot->getAllocatedType()->getArrayNumElements() < bytes) {
      slot->setAllocatedType(type);
    }
    return slot;
  }

 private:
  llvm::DenseMap<std::pair<Function*, unsigned>, llvm::AllocaInst*> slots_;
};

/// The function that the call becomes. The memory that it reads through addresses in registers is not known to LLVM.
llvm::FunctionCallee machine_function(const Function& scalar) {
  const bool returns = !scalar.getReturnType()->isVoidTy();
  llvm::LLVMContext& context = scalar.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::SmallVector<Type*> parameters(scalar.arg_size() + 1 + (returns ? 1 : 0), pointer);
  parameters[1] = Type::getInt64Ty(context);
  auto* type = llvm::FunctionType::get(Type::getVoidTy(context), parameters, false);
  auto* module = const_cast<llvm::Module*>(scalar.getParent());
  llvm::FunctionCallee callee = module->getOrInsertFunction((scalar.getName() + "_all").str(), type);
  auto* function = llvm::cast<Function>(callee.getCallee());
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  function->setDSOLocal(true);
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(llvm::Attribute::NoCallback);
  function->addFnAttr(llvm::Attribute::Cold);
  for (unsigned p = 0; p < parameters.size(); ++p) {
    if (!parameters[p]->isPointerTy()) continue;
    function->addParamAttr(p, llvm::Attribute::getWithCaptureInfo(context, llvm::CaptureInfo::none()));
    if (!returns || p + 1 < parameters.size()) function->addParamAttr(p, llvm::Attribute::ReadOnly);
  }
  if (returns) function->setMemoryEffects(llvm::MemoryEffects::readOnly() | llvm::MemoryEffects::argMemOnly());
  return callee;
}

/// Replaces one call. A scalar call is one of a vector with a single lane.
class CallLowering {
 public:
  CallLowering(llvm::CallInst& call, const Function& scalar, unsigned lanes, Slots& slots)
      : call_(call),
        scalar_(scalar),
        lanes_(lanes),
        slots_(slots),
        b_(&call),
        wide_(call.getCalledFunction() != &scalar),
        width_(wide_ ? components_of(*call.getArgOperand(1)->getType()) : 1) {}

  /// The call's result: by component, a vector of the width; a scalar of width one.
  void run() {
    const llvm::FunctionCallee machine = machine_function(scalar_);
    const unsigned pieces = divide_up(width_, lanes_);
    const unsigned count = components_of(*scalar_.getReturnType());
    std::vector<llvm::SmallVector<Value*>> results(count);
    for (unsigned p = 0; p < pieces; ++p) {
      llvm::SmallVector<Value*> operands = stored_operands(p);
      if (scalar_.getReturnType()->isVoidTy()) {
        b_.CreateCall(machine, operands);
        continue;
      }
      Type* row = llvm::FixedVectorType::get(scalar_.getReturnType()->getScalarType(), lanes_);
      Value* slot = slot_of(0, scalar_.getReturnType());
      operands.push_back(slot);
      b_.CreateCall(machine, operands);
      for (unsigned c = 0; c < count; ++c)
        results[c].push_back(b_.CreateAlignedLoad(row, b_.CreateConstInBoundsGEP1_64(row, slot, c), llvm::Align(32)));
    }
    if (!scalar_.getReturnType()->isVoidTy()) replace(results);
  }

 private:
  /// Component `c` of the scalar function's parameter `a`.
  Value* component(unsigned a, unsigned c) {
    if (wide_) {
      unsigned number = 1;
      for (unsigned before = 0; before < a; ++before)
        number += before == 0 ? 1 : components_of(*scalar_.getArg(before)->getType());
      return call_.getArgOperand(number + c);
    }
    Value* operand = call_.getArgOperand(a);
    return operand->getType()->isVectorTy() ? b_.CreateExtractElement(operand, c) : operand;
  }

  Value* slot_of(unsigned number, Type* type) {
    const unsigned bytes = type->getScalarSizeInBits() / 8 * lanes_ * components_of(*type);
    return slots_.get(*call_.getFunction(), number, bytes);
  }

  /// Lanes `piece * lanes_` and following of a value for each of `width_` lanes.
  Value* piece_of(Value* all, unsigned piece) {
    const unsigned bits = all->getType()->getScalarSizeInBits() * lanes_;
    return RegisterPieces(b_, *all->getType(), bits, bits).part(all, piece);
  }

  Value* mask_of(unsigned piece) {
    if (!wide_) return b_.getInt64(1);
    Value* mask = call_.getArgOperand(1);
    const unsigned here = std::min(lanes_, width_ - piece * lanes_);
    llvm::SmallVector<int> picked;
    for (unsigned l = 0; l < here; ++l) picked.push_back(static_cast<int>(piece * lanes_ + l));
    if (here != width_) mask = b_.CreateShuffleVector(mask, picked);
    return b_.CreateZExt(b_.CreateBitCast(mask, b_.getIntNTy(here)), b_.getInt64Ty());
  }

  llvm::SmallVector<Value*> stored_operands(unsigned piece) {
    llvm::SmallVector<Value*> operands{call_.getArgOperand(0), mask_of(piece)};
    for (unsigned a = 1; a < scalar_.arg_size(); ++a) {
      Type* type = scalar_.getArg(a)->getType();
      Value* slot = slot_of(a, type);
      for (unsigned c = 0; c < components_of(*type); ++c) {
        Value* row = piece_of(component(a, c), piece);
        b_.CreateAlignedStore(row, b_.CreateConstInBoundsGEP1_64(row->getType(), slot, c), llvm::Align(32));
      }
      operands.push_back(slot);
    }
    return operands;
  }

  void replace(const std::vector<llvm::SmallVector<Value*>>& results) {
    Value* all = llvm::PoisonValue::get(call_.getType());
    for (unsigned c = 0; c < results.size(); ++c) {
      if (!wide_) {
        Value* lane = b_.CreateExtractElement(results[c].front(), std::uint64_t{0});
        all = call_.getType()->isVectorTy() ? b_.CreateInsertElement(all, lane, c) : lane;
        continue;
      }
      Type* type = llvm::FixedVectorType::get(call_.getType()->getStructElementType(c)->getScalarType(), width_);
      const unsigned bits = type->getScalarSizeInBits() * lanes_;
      all = b_.CreateInsertValue(all, RegisterPieces(b_, *type, bits, bits).joined(results[c]), c);
    }
    call_.replaceAllUsesWith(all);
  }

  llvm::CallInst& call_;
  const Function& scalar_;
  unsigned lanes_;
  Slots& slots_;
  llvm::IRBuilder<> b_;
  bool wide_;
  unsigned width_;
};

}  // namespace

bool is_lane_function(const Function& function) {
  return function.isDeclaration() && function.getName().starts_with(kLaneFunctionPrefix);
}

const llvm::CallInst* lane_call(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  const Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && is_lane_function(*callee) ? call : nullptr;
}

Function& wide_lane_function(const Function& scalar, unsigned width) {
  llvm::LLVMContext& context = scalar.getContext();
  const auto wide = [&](Type* type) -> Type* { return llvm::FixedVectorType::get(type->getScalarType(), width); };
  llvm::SmallVector<Type*> parameters{scalar.getArg(0)->getType(), wide(Type::getInt1Ty(context))};
  for (unsigned a = 1; a < scalar.arg_size(); ++a) {
    Type* type = scalar.getArg(a)->getType();
    parameters.append(components_of(*type), wide(type));
  }
  Type* result = scalar.getReturnType();
  if (!result->isVoidTy())
    result = llvm::StructType::get(context, llvm::SmallVector<Type*>(components_of(*result), wide(result)));
  const std::string name = (scalar.getName() + "." + llvm::Twine(width)).str();
  auto* module = const_cast<llvm::Module*>(scalar.getParent());
  auto* type = llvm::FunctionType::get(result, parameters, false);
  auto* function = llvm::cast<Function>(module->getOrInsertFunction(name, type).getCallee());
  function->setMemoryEffects(scalar.getMemoryEffects());
  function->setDoesNotThrow();
  function->setWillReturn();
  return *function;
}

llvm::PreservedAnalyses LowerLaneFunctionsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  std::vector<Function*> functions;
  for (Function& f : module)
    if (is_lane_function(f)) functions.push_back(&f);
  if (functions.empty()) return llvm::PreservedAnalyses::all();
  const Isa isa = context_of(module, analyses).options.isa;
  Slots slots;
  for (Function* f : functions) {
    const Function* scalar = module.getFunction(f->getName().split('.').first);
    std::vector<llvm::CallInst*> calls;
    for (llvm::User* user : f->users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) calls.push_back(call);
    for (llvm::CallInst* call : calls) {
      CallLowering(*call, *scalar, isa.usual_lanes(), slots).run();
      call->eraseFromParent();
    }
  }
  for (Function* f : functions)
    if (f->use_empty()) f->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise
