// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spmd/machine_operations.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <vector>

namespace lanewise::spmd {
namespace {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

constexpr llvm::StringLiteral kPrefix = "__lw_op_";
constexpr unsigned kRegisterBits = 512;
constexpr unsigned kLeastBits = 128;

/// Operands of the masked intrinsics, besides the vectors.
constexpr int kCurrentRounding = 4;
/// Interval [0.75, 1.5), NaN for negative numbers; interval [1, 2), no sign.
constexpr int kSignificand = 3 | 2 << 2;
constexpr int kMantissa = 0 | 1 << 2;

struct Operation {
  llvm::StringLiteral name;
  Intrinsic::ID narrow, half, full;  ///< of 128, 256, 512 bits
};

constexpr Operation kOperations[] = {
    {"scalef_f", Intrinsic::x86_avx512_mask_scalef_ps_128, Intrinsic::x86_avx512_mask_scalef_ps_256,
     Intrinsic::x86_avx512_mask_scalef_ps_512},
    {"scalef_d", Intrinsic::x86_avx512_mask_scalef_pd_128, Intrinsic::x86_avx512_mask_scalef_pd_256,
     Intrinsic::x86_avx512_mask_scalef_pd_512},
    {"getexp_f", Intrinsic::x86_avx512_mask_getexp_ps_128, Intrinsic::x86_avx512_mask_getexp_ps_256,
     Intrinsic::x86_avx512_mask_getexp_ps_512},
    {"getexp_d", Intrinsic::x86_avx512_mask_getexp_pd_128, Intrinsic::x86_avx512_mask_getexp_pd_256,
     Intrinsic::x86_avx512_mask_getexp_pd_512},
    {"getmant_f", Intrinsic::x86_avx512_mask_getmant_ps_128, Intrinsic::x86_avx512_mask_getmant_ps_256,
     Intrinsic::x86_avx512_mask_getmant_ps_512},
    {"getmant_d", Intrinsic::x86_avx512_mask_getmant_pd_128, Intrinsic::x86_avx512_mask_getmant_pd_256,
     Intrinsic::x86_avx512_mask_getmant_pd_512},
    {"mantissa_f", Intrinsic::x86_avx512_mask_getmant_ps_128, Intrinsic::x86_avx512_mask_getmant_ps_256,
     Intrinsic::x86_avx512_mask_getmant_ps_512},
    {"mantissa_d", Intrinsic::x86_avx512_mask_getmant_pd_128, Intrinsic::x86_avx512_mask_getmant_pd_256,
     Intrinsic::x86_avx512_mask_getmant_pd_512},
    {"rcp14_f", Intrinsic::x86_avx512_rcp14_ps_128, Intrinsic::x86_avx512_rcp14_ps_256,
     Intrinsic::x86_avx512_rcp14_ps_512},
    {"rcp14_d", Intrinsic::x86_avx512_rcp14_pd_128, Intrinsic::x86_avx512_rcp14_pd_256,
     Intrinsic::x86_avx512_rcp14_pd_512},
    {"rsqrt14_f", Intrinsic::x86_avx512_rsqrt14_ps_128, Intrinsic::x86_avx512_rsqrt14_ps_256,
     Intrinsic::x86_avx512_rsqrt14_ps_512},
    {"rsqrt14_d", Intrinsic::x86_avx512_rsqrt14_pd_128, Intrinsic::x86_avx512_rsqrt14_pd_256,
     Intrinsic::x86_avx512_rsqrt14_pd_512},
    {"lookup_f", Intrinsic::not_intrinsic, Intrinsic::not_intrinsic, Intrinsic::x86_avx512_permvar_sf_512},
    {"lookup_d", Intrinsic::not_intrinsic, Intrinsic::not_intrinsic, Intrinsic::x86_avx512_vpermi2var_pd_512},
};

unsigned lanes_of(const Value& value) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
  return vector == nullptr ? 1 : vector->getNumElements();
}

/// Replaces one call by instructions on whole registers.
class Lowering {
 public:
  Lowering(llvm::CallInst& call, const Operation& operation)
      : call_(call),
        operation_(operation),
        builder_(&call),
        bits_(call.getType()->getScalarSizeInBits()),
        lanes_(lanes_of(call)) {
    const unsigned least = operation.half == Intrinsic::not_intrinsic ? kRegisterBits : kLeastBits;
    piece_ = std::clamp(llvm::PowerOf2Ceil(lanes_) * bits_, std::uint64_t{least}, std::uint64_t{kRegisterBits}) / bits_;
  }

  void run() {
    const auto pieces = static_cast<unsigned>(llvm::divideCeil(lanes_, piece_));
    std::vector<Value*> results;
    for (unsigned p = 0; p < pieces; ++p) results.push_back(instruction(p));
    call_.replaceAllUsesWith(joined(results));
    call_.eraseFromParent();
  }

 private:
  /// Lanes [p piece, (p + 1) piece) of an operand as one register.
  Value* part(Value* all, unsigned p) {
    if (lanes_ == 1 && !all->getType()->isVectorTy())
      return builder_.CreateInsertElement(llvm::PoisonValue::get(llvm::FixedVectorType::get(all->getType(), piece())),
                                          all, std::uint64_t{0});
    if (lanes_ == piece_) return all;
    std::vector<int> order;
    for (unsigned l = 0; l < piece_; ++l) {
      const unsigned lane = p * piece() + l;
      order.push_back(lane < lanes_ ? static_cast<int>(lane) : llvm::PoisonMaskElem);
    }
    return builder_.CreateShuffleVector(all, order);
  }

  Value* instruction(unsigned p) {
    if (operation_.half == Intrinsic::not_intrinsic) return lookup(p);
    const unsigned register_bits = piece() * bits_;
    const bool full = register_bits == kRegisterBits;
    const Intrinsic::ID id = full ? operation_.full : register_bits == 256 ? operation_.half : operation_.narrow;
    std::vector<Value*> operands;
    for (Value* operand : call_.args()) operands.push_back(part(operand, p));
    llvm::Type* type = operands.front()->getType();
    const bool estimate = operation_.name.contains("14");
    if (operation_.name.starts_with("getmant")) operands.push_back(builder_.getInt32(kSignificand));
    if (operation_.name.starts_with("mantissa")) operands.push_back(builder_.getInt32(kMantissa));
    operands.push_back(llvm::Constant::getNullValue(type));
    operands.push_back(llvm::Constant::getAllOnesValue(builder_.getIntNTy(std::max(piece(), 8U))));
    if (full && !estimate) operands.push_back(builder_.getInt32(kCurrentRounding));
    return builder_.CreateIntrinsic(id, {}, operands);
  }

  Value* lookup(unsigned p) {
    Value* table = call_.getArgOperand(0);
    llvm::Type* type = llvm::FixedVectorType::get(call_.getType()->getScalarType(), piece());
    const auto align = llvm::Align(bits_ / 8);
    Value* index = part(call_.getArgOperand(1), p);
    Value* low = builder_.CreateAlignedLoad(type, table, align);
    if (operation_.full == Intrinsic::x86_avx512_permvar_sf_512)
      return builder_.CreateIntrinsic(operation_.full, {}, {low, index});
    Value* next = builder_.CreateConstInBoundsGEP1_64(type, table, 1);
    Value* high = builder_.CreateAlignedLoad(type, next, align);
    return builder_.CreateIntrinsic(operation_.full, {}, {low, index, high});
  }

  Value* joined(std::vector<Value*> parts) {
    if (!call_.getType()->isVectorTy()) return builder_.CreateExtractElement(parts.front(), std::uint64_t{0});
    while (parts.size() > 1) {
      std::vector<Value*> pairs;
      const int count = static_cast<int>(lanes_of(*parts.front()));
      std::vector<int> order;
      for (int l = 0; l < 2 * count; ++l) order.push_back(l);
      for (std::size_t i = 0; i < parts.size(); i += 2) {
        Value* second = i + 1 < parts.size() ? parts[i + 1] : llvm::PoisonValue::get(parts[i]->getType());
        pairs.push_back(builder_.CreateShuffleVector(parts[i], second, order));
      }
      parts = pairs;
    }
    if (lanes_of(*parts.front()) == lanes_) return parts.front();
    std::vector<int> order;
    for (unsigned l = 0; l < lanes_; ++l) order.push_back(static_cast<int>(l));
    return builder_.CreateShuffleVector(parts.front(), order);
  }

  unsigned piece() const { return static_cast<unsigned>(piece_); }

  llvm::CallInst& call_;
  const Operation& operation_;
  llvm::IRBuilder<> builder_;
  unsigned bits_;
  unsigned lanes_;
  std::uint64_t piece_ = 0;
};

}  // namespace

bool is_machine_operation(const llvm::Function& function) {
  return function.isDeclaration() && function.getName().starts_with(kPrefix);
}

llvm::Function& wide_machine_operation(const llvm::Function& scalar, unsigned width) {
  const auto wide = [&](llvm::Type* type) -> llvm::Type* {
    return type->isPointerTy() ? type : llvm::FixedVectorType::get(type, width);
  };
  llvm::SmallVector<llvm::Type*> parameters;
  for (const llvm::Argument& a : scalar.args()) parameters.push_back(wide(a.getType()));
  auto* type = llvm::FunctionType::get(wide(scalar.getReturnType()), parameters, false);
  const std::string name = (scalar.getName() + "." + llvm::Twine(width)).str();
  auto* module = const_cast<llvm::Module*>(scalar.getParent());
  auto* function = llvm::cast<llvm::Function>(module->getOrInsertFunction(name, type).getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return *function;
}

void lower_machine_operations(llvm::Module& module) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& f : module)
    if (is_machine_operation(f)) functions.push_back(&f);
  for (llvm::Function* f : functions) {
    const llvm::StringRef name = f->getName().drop_front(kPrefix.size()).split('.').first;
    const auto* operation = std::find_if(std::begin(kOperations), std::end(kOperations),
                                         [&](const Operation& o) { return o.name == name; });
    if (operation == std::end(kOperations)) continue;
    std::vector<llvm::CallInst*> calls;
    for (llvm::User* user : f->users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) calls.push_back(call);
    for (llvm::CallInst* call : calls) Lowering(*call, *operation).run();
    if (f->use_empty()) f->eraseFromParent();
  }
}

}  // namespace lanewise::spmd
