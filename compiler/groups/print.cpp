// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// printf: the arguments are packed into records in a private variable, and the runtime formats them.
///
///     %r = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @f, i32 %x, <2 x float> %y)
///
///     store i32 0x00010469, ptr %records            ; 'i', 4 bytes, 1 element
///     store i32 %x, ptr %records+4
///     store i32 0x00020466, ptr %records+8          ; 'f', 4 bytes, 2 elements
///     store <2 x float> %y, ptr %records+12
///     %r = call i32 %print(ptr %worker, i64 %group, ptr %f, ptr %records, i32 20, i32 2)
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <cstddef>
#include <string>

#include "compiler/groups/load_pointer.h"
#include "compiler/groups/queries.h"
#include "include/lanewise/kernel_abi.h"

namespace lanewise {
namespace {

using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

/// The conversion letters of a format, one per argument that it takes (OpenCL C has no '*' width).
std::string conversions(llvm::StringRef format) {
  std::string letters;
  for (std::size_t i = format.find('%'); i != llvm::StringRef::npos; i = format.find('%', i)) {
    i = format.find_first_not_of("-+ #0123456789.vhljzt", i + 1);
    if (i == llvm::StringRef::npos) break;
    if (format[i] != '%') letters += format[i];
    ++i;
  }
  return letters;
}

struct PrintRecord {
  Value* value;
  char kind;
  unsigned element_bytes;
  unsigned elements;
  unsigned offset;  ///< of the header; the elements follow
};

PrintRecord describe(Value* value, char conversion, unsigned offset, const llvm::DataLayout& layout) {
  Type* type = value->getType();
  Type* element = type->getScalarType();
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  char kind = 'i';
  if (element->isFloatingPointTy()) kind = 'f';
  if (element->isPointerTy()) {
    // A format that is not known may print it either way.
    kind = conversion == 0 || conversion == 's' ? 's' : 'p';
  }
  return {value, kind, static_cast<unsigned>(layout.getTypeStoreSize(element).getFixedValue()),
          vector == nullptr ? 1 : vector->getNumElements(), offset};
}

void store_record(IRBuilder<>& b, const PrintRecord& r, Value* buffer) {
  const unsigned header = static_cast<unsigned char>(r.kind) | r.element_bytes << 8U | r.elements << 16U;
  b.CreateAlignedStore(b.getInt32(header), b.CreateConstGEP1_32(b.getInt8Ty(), buffer, r.offset), llvm::Align(4));
  b.CreateAlignedStore(r.value, b.CreateConstGEP1_32(b.getInt8Ty(), buffer, r.offset + 4), llvm::Align(4));
}

}  // namespace

void lower_print(llvm::CallInst& call, const WorkItemFunction& item) {
  IRBuilder<> b(&call);
  const llvm::DataLayout& layout = call.getModule()->getDataLayout();
  llvm::StringRef format;
  const bool known = llvm::getConstantStringInfo(call.getArgOperand(0)->stripPointerCasts(), format);
  const std::string letters = known ? conversions(format) : std::string();

  llvm::SmallVector<PrintRecord> records;
  unsigned bytes = 0;
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    records.push_back(describe(call.getArgOperand(i), i <= letters.size() ? letters[i - 1] : '\0', bytes, layout));
    bytes += 4 + static_cast<unsigned>(llvm::alignTo(records.back().element_bytes * records.back().elements, 4));
  }

  // The buffer is used by this call alone, so it never lives across a barrier.
  IRBuilder<> entry(&item.function->getEntryBlock(), item.function->getEntryBlock().begin());
  auto* buffer = entry.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), std::max(bytes, 4U)), nullptr, "print.records");
  buffer->setAlignment(llvm::Align(8));
  for (const PrintRecord& r : records) store_record(b, r, buffer);

  Value* worker = item.context(ContextParameter::worker);
  Value* services = load_pointer(b, worker, offsetof(lanewise_worker, services), "services");
  Value* print = load_pointer(b, services, offsetof(lanewise_services, print), "print");
  Value* text = b.CreatePointerBitCastOrAddrSpaceCast(call.getArgOperand(0), b.getPtrTy());
  auto* type = llvm::FunctionType::get(
      b.getInt32Ty(), {b.getPtrTy(), b.getInt64Ty(), b.getPtrTy(), b.getPtrTy(), b.getInt32Ty(), b.getInt32Ty()},
      false);
  auto* result = b.CreateCall(type, print,
                              {worker, item.context(ContextParameter::group_linear), text, buffer, b.getInt32(bytes),
                               b.getInt32(static_cast<unsigned>(records.size()))});
  result->addParamAttr(3, llvm::Attribute::getWithCaptureInfo(b.getContext(), llvm::CaptureInfo::none()));
  result->setDoesNotThrow();
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

}  // namespace lanewise
