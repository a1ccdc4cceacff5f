// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/plan/accesses.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instructions.h>

#include "compiler/lanes/analysis/components.h"
#include "compiler/lanes/plan/costs.h"
#include "src/base/rounding.h"

namespace lanewise::spmd {
namespace {

constexpr std::uint64_t kWord = 4;
constexpr std::uint64_t kPair = 8;
constexpr std::uint64_t kMostPairs = 2;

/// A small vector is gathered 32 or 64 bits at a time, with few instructions for what is loaded together anyway. Null:
/// the value is loaded with fewer, or there are no gathers of that size.
llvm::Type* gather_unit_of(llvm::Type& type, const llvm::DataLayout& layout) {
  const std::uint64_t bytes = layout.getTypeStoreSize(&type);
  if (!type.isVectorTy()) {
    const bool has_gather = bytes == kWord || bytes == kPair;
    return has_gather && llvm::VectorType::isValidElementType(&type) ? &type : nullptr;
  }
  // Three components are stored as three, which may end where the memory ends.
  const unsigned bits = type.getScalarSizeInBits() * components(type);
  if (bits != 8 * bytes || (bytes != kWord && (bytes % kPair != 0 || bytes > kMostPairs * kPair))) return nullptr;
  return llvm::Type::getIntNTy(type.getContext(), bytes == kWord ? 32 : 64);
}

AccessForm form_of(const Shape& shape, std::int64_t bytes) {
  if (shape.is_uniform()) return AccessForm::uniform;
  if (shape.kind != Kind::strided) return AccessForm::gathered;
  if (shape.stride == bytes) return shape.checked ? AccessForm::tested : AccessForm::wide;
  if (shape.stride == -bytes) return shape.checked ? AccessForm::tested_reversed : AccessForm::reversed;
  return AccessForm::gathered;
}

}  // namespace

AccessRecipe::AccessRecipe(const llvm::Instruction& access, const Shapes& shapes, Isa isa, bool masked)
    : access_(access), isa_(isa), masked_(masked) {
  llvm::Type* type = llvm::getLoadStoreType(&access);
  const llvm::DataLayout& layout = access.getDataLayout();
  const Shape shape = shapes.of(*llvm::getLoadStorePointerOperand(&access));
  strided_ = shape.kind == Kind::strided;
  private_ = shapes.interleaved(*llvm::getLoadStorePointerOperand(&access)) != nullptr;
  form_ = form_of(shape, static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedValue()));
  if (form_ != AccessForm::gathered && form_ != AccessForm::tested && form_ != AccessForm::tested_reversed) return;
  // Lanes at distances that are known and without a mask are put together by later passes (columns of a tile).
  const bool joins = !masked && strided_;
  if (isa.has_fast_gathers() && !joins) unit_ = gather_unit_of(*type, layout);
  const bool scatters = !type->isVectorTy() && isa.has_mask_registers();
  if (llvm::isa<llvm::StoreInst>(access) && !scatters) unit_ = nullptr;
  if (unit_ == nullptr && form_ == AccessForm::gathered) form_ = AccessForm::lane_by_lane;
}

double AccessRecipe::price(unsigned width, double registers, bool waits) const {
  const llvm::Type* type = llvm::getLoadStoreType(&access_);
  const double count = components(*type);
  const double mask = masked_ ? costs::wide_mask : 0;
  switch (form_) {
    case AccessForm::uniform:
      return costs::one_access;
    case AccessForm::wide:
    case AccessForm::tested:
      return registers * count * (count > 1 ? costs::wide_components : 1) + mask;
    case AccessForm::reversed:
    case AccessForm::tested_reversed:
      return costs::reversed * registers * count * (count > 1 ? costs::wide_components : 1) + mask;
    case AccessForm::gathered:
      if (!waits && llvm::isa<llvm::LoadInst>(access_)) {
        const std::uint64_t bytes = access_.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access_));
        const std::uint64_t pairs = divide_up(bytes, kPair);
        return costs::gathered_lane * width * static_cast<double>(pairs) + costs::gather;
      }
      [[fallthrough]];
    case AccessForm::lane_by_lane:
      break;
  }
  const double scattered = (private_ && !masked_ ? costs::private_lane : costs::scattered_lane).at(isa_);
  const double lane = strided_    ? costs::strided_lane * (count > 1 ? costs::lane_components : 1)
                      : count > 1 ? costs::scattered_components
                                  : scattered;
  return width * lane + (masked_ ? width * costs::lane_mask : 0);
}

}  // namespace lanewise::spmd
