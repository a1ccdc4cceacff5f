// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/check/images.h"

#include <llvm/IR/InstIterator.h>

#include <optional>
#include <string>

#include "compiler/base/context.h"
#include "compiler/check/calls.h"

namespace lanewise {
namespace {

using llvm::IRBuilder;
using llvm::Value;

/// A call of an image function, by its mangled name: `_Z12write_imagef14ocl_image2d_woDv2_iDv4_f`.
struct ImageAccess {
  bool writes = false;
  std::string type;         ///< "14ocl_image2d_wo"
  const char* second = "";  ///< the query of the second coordinate's limit, with its length; "": there is none
  const char* third = "";
};

constexpr const char* kHeight = "16get_image_height";
constexpr const char* kDepth = "15get_image_depth";
constexpr const char* kLayers = "20get_image_array_size";

std::optional<ImageAccess> access_of(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr || !callee->isDeclaration() || call.arg_size() < 2) return std::nullopt;
  llvm::StringRef name = callee->getName();
  if (!name.consume_front("_Z")) return std::nullopt;
  name = name.drop_while([](char c) { return c >= '0' && c <= '9'; });
  ImageAccess access;
  access.writes = name.consume_front("write_image");
  if (!access.writes && !name.consume_front("read_image")) return std::nullopt;
  // More operands are a sampler, a mip level or a sample.
  if (call.arg_size() != (access.writes ? 3U : 2U)) return std::nullopt;
  name = name.drop_while([](char c) { return c < '0' || c > '9'; });
  unsigned length = 0;
  llvm::StringRef type = name;
  if (type.consumeInteger(10, length) || type.size() < length) return std::nullopt;
  access.type = name.take_front(name.size() - type.size() + length).str();
  type = type.take_front(length);
  if (type.starts_with("ocl_image2d")) access.second = kHeight;
  if (type.starts_with("ocl_image2d_array")) access.third = kLayers;
  if (type.starts_with("ocl_image1d_array")) access.second = kLayers;
  if (type.starts_with("ocl_image3d")) {
    access.second = kHeight;
    access.third = kDepth;
  }
  return access;
}

/// The argument of its function that an image is; null: it is not known.
const llvm::Argument* argument_of(const Value& image) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&image);
  if (load == nullptr) return llvm::dyn_cast<llvm::Argument>(&image);
  const llvm::Argument* found = nullptr;
  for (const llvm::User* user : load->getPointerOperand()->users()) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store == nullptr) continue;
    if (found != nullptr) return nullptr;
    found = llvm::dyn_cast<llvm::Argument>(store->getValueOperand());
  }
  return found;
}

CheckedObject object_of(const Value& image, const KernelContext& context) {
  const llvm::Argument* argument = argument_of(image);
  if (argument == nullptr) return {"image"};
  // Clang's body of a kernel, renamed as a function of the user.
  llvm::StringRef function = argument->getParent()->getName().split('.').first;
  function.consume_front("__clang_ocl_kern_imp_");
  if (context.compiles(function)) return {"argument", std::to_string(argument->getArgNo())};
  return {"image", argument->getName().str()};
}

class ImageChecks {
 public:
  ImageChecks(llvm::Module& module, const KernelContext& context)
      : module_(module), context_(context), calls_(module) {}

  void test(llvm::CallInst& call, const ImageAccess& access) {
    IRBuilder<> b(&call);
    b.SetCurrentDebugLocation(call.getDebugLoc());
    Value* at[3] = {coordinate(b, call, 0), nullptr, nullptr};
    Value* bad = is_outside(b, call, at[0], "15get_image_width" + access.type);
    for (unsigned axis = 1; axis < 3; ++axis) {
      const std::string limit = axis == 1 ? access.second : access.third;
      at[axis] = limit.empty() ? b.getInt32(0) : coordinate(b, call, axis);
      if (!limit.empty()) bad = b.CreateOr(bad, is_outside(b, call, at[axis], limit + access.type));
    }
    b.SetInsertPoint(&rare_block_if(b.CreateFreeze(bad), call));
    b.SetCurrentDebugLocation(call.getDebugLoc());
    check::CheckCall report{.event = check::CheckEvent::texel};
    report.flags = access.writes ? check::writes : check::reads;
    const auto wide = [&](Value* value) { return b.CreateZExt(value, b.getInt64Ty()); };
    calls_.check(b, report, call.getDebugLoc(), object_of(*call.getArgOperand(0), context_),
                 b.CreateOr(wide(at[0]), b.CreateShl(wide(at[1]), 32)), wide(at[2]));
  }

 private:
  static Value* coordinate(IRBuilder<>& b, const llvm::CallInst& call, unsigned axis) {
    Value* at = call.getArgOperand(1);
    return at->getType()->isVectorTy() ? b.CreateExtractElement(at, axis) : at;
  }

  /// Whether a coordinate is negative or not below what a query of the image returns.
  Value* is_outside(IRBuilder<>& b, const llvm::CallInst& call, Value* at, const std::string& query) {
    Value* image = call.getArgOperand(0);
    llvm::Type* result = query.starts_with(kLayers) ? b.getInt64Ty() : b.getInt32Ty();
    llvm::FunctionCallee function =
        module_.getOrInsertFunction("_Z" + query, llvm::FunctionType::get(result, {image->getType()}, false));
    llvm::CallInst* limit = b.CreateCall(function, {image});
    limit->setCallingConv(call.getCallingConv());
    llvm::cast<llvm::Function>(function.getCallee())->setCallingConv(call.getCallingConv());
    limit->setDoesNotThrow();
    return b.CreateICmpUGE(at, b.CreateZExtOrTrunc(limit, b.getInt32Ty()));
  }

  llvm::Module& module_;
  const KernelContext& context_;
  CheckCalls calls_;
};

}  // namespace

llvm::PreservedAnalyses CheckImagesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  ImageChecks checks(module, context_of(module, analyses));
  llvm::SmallVector<std::pair<llvm::CallInst*, ImageAccess>> found;
  for (llvm::Function& function : module)
    for (llvm::Instruction& i : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
        if (auto access = access_of(*call)) found.emplace_back(call, std::move(*access));
  for (const auto& [call, access] : found) checks.test(*call, access);
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise
