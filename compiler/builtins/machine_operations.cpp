// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/machine_operations.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <vector>

#include "compiler/base/context.h"
#include "compiler/builtins/dot_products.h"
#include "compiler/builtins/register_pieces.h"

namespace lanewise {
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

struct MachineOperation {
  llvm::StringLiteral name;
  Intrinsic::ID narrow, half, full;  ///< of 128, 256, 512 bits

  [[nodiscard]] bool is_lookup() const { return llvm::StringRef(name).starts_with("lookup"); }
  /// Without mask and rounding, up to 256 bits.
  [[nodiscard]] bool is_plain() const { return full == Intrinsic::not_intrinsic; }
  [[nodiscard]] unsigned least_bits() const { return is_lookup() ? most_bits() : kLeastBits; }
  [[nodiscard]] unsigned most_bits() const { return is_plain() ? kRegisterBits / 2 : kRegisterBits; }
};

constexpr MachineOperation kOperations[] = {
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
    {"rcp12_f", Intrinsic::x86_sse_rcp_ps, Intrinsic::x86_avx_rcp_ps_256, Intrinsic::not_intrinsic},
    {"rsqrt12_f", Intrinsic::x86_sse_rsqrt_ps, Intrinsic::x86_avx_rsqrt_ps_256, Intrinsic::not_intrinsic},
    {"lookup_f", Intrinsic::not_intrinsic, Intrinsic::not_intrinsic, Intrinsic::x86_avx512_permvar_sf_512},
    {"lookup8_f", Intrinsic::not_intrinsic, Intrinsic::x86_avx2_permps, Intrinsic::not_intrinsic},
    {"lookup4_d", Intrinsic::not_intrinsic, Intrinsic::x86_avx2_permd, Intrinsic::not_intrinsic},
    {"lookup8_d", Intrinsic::not_intrinsic, Intrinsic::x86_avx2_permd, Intrinsic::not_intrinsic},
    {"lookup8_h", Intrinsic::not_intrinsic, Intrinsic::x86_avx2_permd, Intrinsic::not_intrinsic},
    {"lookup_d", Intrinsic::not_intrinsic, Intrinsic::not_intrinsic, Intrinsic::x86_avx512_vpermi2var_pd_512},
};

struct DotOperation {
  llvm::StringLiteral name;
  DotProduct product;
};

constexpr DotOperation kDotProducts[] = {
    {"dot_us", {.a_signed = false, .b_signed = true, .saturates = false}},
    {"dot_ss", {.a_signed = true, .b_signed = true, .saturates = false}},
    {"dot_uu", {.a_signed = false, .b_signed = false, .saturates = false}},
    {"dot_sat_us", {.a_signed = false, .b_signed = true, .saturates = true}},
};

/// Replaces one call by instructions on whole registers.
class OperationLowering {
 public:
  OperationLowering(llvm::CallInst& call, const MachineOperation& operation)
      : call_(call),
        operation_(operation),
        builder_(&call),
        pieces_(builder_, *call.getType(), operation.least_bits(), operation.most_bits()) {}

  Value* run() {
    llvm::SmallVector<Value*> results;
    for (unsigned p = 0; p < pieces_.count(); ++p) results.push_back(instruction(p));
    return pieces_.joined(results);
  }

 private:
  Value* instruction(unsigned p) {
    if (operation_.is_lookup()) return lookup(p);
    const bool full = pieces_.bits() == kRegisterBits;
    const Intrinsic::ID id = full ? operation_.full : pieces_.bits() == 256 ? operation_.half : operation_.narrow;
    std::vector<Value*> operands;
    for (Value* operand : call_.args()) operands.push_back(pieces_.part(operand, p));
    if (operation_.is_plain()) return builder_.CreateIntrinsic(id, {}, operands);
    llvm::Type* type = operands.front()->getType();
    const bool estimate = operation_.name.contains("14");
    if (operation_.name.starts_with("getmant")) operands.push_back(builder_.getInt32(kSignificand));
    if (operation_.name.starts_with("mantissa")) operands.push_back(builder_.getInt32(kMantissa));
    operands.push_back(llvm::Constant::getNullValue(type));
    operands.push_back(llvm::Constant::getAllOnesValue(builder_.getIntNTy(std::max(pieces_.lanes(), 8U))));
    if (full && !estimate) operands.push_back(builder_.getInt32(kCurrentRounding));
    return builder_.CreateIntrinsic(id, {}, operands);
  }

  /// The index is the low bits of each lane's high word, so that one permutation finds the high words of all lanes.
  Value* lookup_of_words(unsigned p) {
    auto* words = llvm::FixedVectorType::get(builder_.getInt32Ty(), 2 * pieces_.lanes());
    auto* whole = llvm::FixedVectorType::get(call_.getType()->getScalarType(), pieces_.lanes());
    llvm::SmallVector<int> both, blend, apart;
    llvm::SmallVector<llvm::Constant*> upper;
    for (unsigned n = 0; n < words->getNumElements(); ++n) {
      both.push_back(static_cast<int>(n | 1U));
      blend.push_back(static_cast<int>(n % 2 == 0 ? n : words->getNumElements() + n));
      apart.push_back(static_cast<int>(2 * n % 8 + n / 4));
      upper.push_back(builder_.getInt32(n % 2 * 4));
    }
    Value* index = pieces_.part(call_.getArgOperand(call_.arg_size() - 1), p);
    index = builder_.CreateBitCast(index, words);
    if (operation_.name != "lookup8_h") index = builder_.CreateShuffleVector(index, both);
    if (operation_.name == "lookup4_d") {  // the low words are made the lower half of the table
      index = builder_.CreateOr(index, llvm::ConstantVector::get(upper));
      Value* table = builder_.CreateAlignedLoad(words, call_.getArgOperand(0), llvm::Align(8));
      table = builder_.CreateShuffleVector(table, apart);
      return builder_.CreateBitCast(builder_.CreateIntrinsic(operation_.half, {}, {table, index}), whole);
    }
    const auto found = [&](unsigned operand) -> Value* {
      Value* table = builder_.CreateAlignedLoad(words, call_.getArgOperand(operand), llvm::Align(4));
      return builder_.CreateIntrinsic(operation_.half, {}, {table, index});
    };
    Value* high = found(0);
    Value* low = operation_.name == "lookup8_d" ? found(1) : llvm::Constant::getNullValue(words);
    return builder_.CreateBitCast(builder_.CreateShuffleVector(low, high, blend), whole);
  }

  Value* lookup(unsigned p) {
    if (operation_.half == Intrinsic::x86_avx2_permd) return lookup_of_words(p);
    Value* table = call_.getArgOperand(0);
    llvm::Type* type = llvm::FixedVectorType::get(call_.getType()->getScalarType(), pieces_.lanes());
    const auto align = llvm::Align(call_.getType()->getScalarSizeInBits() / 8);
    Value* index = pieces_.part(call_.getArgOperand(1), p);
    Value* low = builder_.CreateAlignedLoad(type, table, align);
    if (operation_.is_plain()) return builder_.CreateIntrinsic(operation_.half, {}, {low, index});
    if (operation_.full == Intrinsic::x86_avx512_permvar_sf_512)
      return builder_.CreateIntrinsic(operation_.full, {}, {low, index});
    Value* next = builder_.CreateConstInBoundsGEP1_64(type, table, 1);
    Value* high = builder_.CreateAlignedLoad(type, next, align);
    return builder_.CreateIntrinsic(operation_.full, {}, {low, index, high});
  }

  llvm::CallInst& call_;
  const MachineOperation& operation_;
  llvm::IRBuilder<> builder_;
  RegisterPieces pieces_;
};

template <class Row>
const Row* find(llvm::ArrayRef<Row> table, llvm::StringRef name) {
  const auto* row = std::find_if(table.begin(), table.end(), [&](const Row& r) { return r.name == name; });
  return row == table.end() ? nullptr : row;
}

/// Null: not an operation of the tables.
Value* lowered(llvm::CallInst& call, llvm::StringRef name, const llvm::TargetMachine& machine) {
  if (const auto* dot = find<DotOperation>(kDotProducts, name)) return lowered_dot_product(call, dot->product, machine);
  if (const auto* operation = find<MachineOperation>(kOperations, name))
    return OperationLowering(call, *operation).run();
  return nullptr;
}

}  // namespace

bool is_machine_operation(const llvm::Function& function) {
  return function.isDeclaration() && function.getName().starts_with(kPrefix);
}

llvm::Function& machine_operation(llvm::Module& module, llvm::StringRef name, llvm::FunctionType& type) {
  return *llvm::cast<llvm::Function>(module.getOrInsertFunction((kPrefix + name).str(), &type).getCallee());
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

bool lower_machine_operations(llvm::Module& module, const llvm::TargetMachine& machine) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& f : module)
    if (is_machine_operation(f)) functions.push_back(&f);
  for (llvm::Function* f : functions) {
    const llvm::StringRef name = f->getName().drop_front(kPrefix.size()).split('.').first;
    std::vector<llvm::CallInst*> calls;
    for (llvm::User* user : f->users())
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) calls.push_back(call);
    for (llvm::CallInst* call : calls) {
      Value* result = lowered(*call, name, machine);
      if (result == nullptr) break;
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
    if (f->use_empty()) f->eraseFromParent();
  }
  return !functions.empty();
}

llvm::PreservedAnalyses LowerMachineOperationsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  return unless_changed(lower_machine_operations(module, context_of(module, analyses).machine));
}

}  // namespace lanewise
