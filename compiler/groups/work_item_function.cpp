// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/work_item_function.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/base/address_spaces.h"
#include "compiler/base/marks.h"
#include "compiler/builtins/sub_group_operations.h"
#include "compiler/groups/generic_pointers.h"
#include "compiler/groups/lowering.h"
#include "compiler/groups/queries.h"
#include "compiler/groups/stored_variables.h"
#include "compiler/kernel/flattening.h"
#include "include/lanewise/kernel_abi.h"

namespace lanewise {
namespace {

using llvm::Argument;
using llvm::BasicBlock;
using llvm::Function;
using llvm::Instruction;
using llvm::Type;
using llvm::Value;

llvm::Error refuse(const Function& kernel, const llvm::Twine& reason) {
  return llvm::createStringError("kernel '" + kernel.getName() + "': " + reason);
}

llvm::Error check(const Function& kernel) {
  for (const Instruction& i : llvm::instructions(kernel)) {
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i)) {
      if (!llvm::isa<llvm::ConstantInt>(variable->getArraySize()))
        return refuse(kernel, "private array of variable size");
    }
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
    const Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee == nullptr || callee->isDeclaration()) continue;
    if (needs_flattening(*callee)) return refuse(kernel, "recursion through '" + callee->getName() + "'");
  }
  return llvm::Error::success();
}

void append_context_types(llvm::LLVMContext& context, llvm::SmallVectorImpl<Type*>& types) {
  types.append(static_cast<unsigned>(ContextParameter::work_dim), Type::getInt64Ty(context));
  types.push_back(Type::getInt32Ty(context));
  types.push_back(Type::getInt64Ty(context));
  types.push_back(llvm::PointerType::get(context, local_space));
  types.push_back(llvm::PointerType::get(context, private_space));
  types.append(2 * static_cast<std::size_t>(Area::count), Type::getInt64Ty(context));
  types.push_back(llvm::PointerType::get(context, global_space));
  types.push_back(Type::getInt64Ty(context));
}

void name_context(const WorkItemFunction& item) {
  static constexpr const char* kTriples[] = {"group.id",    "group.base",    "enqueued.size",
                                             "global.size", "global.offset", "num.groups"};
  static constexpr const char* kDims[] = {".x", ".y", ".z"};
  for (unsigned d = 0; d < 3; ++d) {
    item.context(ContextParameter::local_id, d)->setName(llvm::Twine("local.id") + kDims[d]);
    item.context(ContextParameter::local_size, d)->setName(llvm::Twine("local.size") + kDims[d]);
    for (unsigned t = 0; t < 6; ++t)
      item.function->getArg(item.kernel_args + static_cast<unsigned>(ContextParameter::group_id) + 3 * t + d)
          ->setName(llvm::Twine(kTriples[t]) + kDims[d]);
  }
  item.context(ContextParameter::local_linear)->setName("local.linear");
  item.context(ContextParameter::sub_group_id)->setName("sub.group.id");
  item.context(ContextParameter::sub_group_local_id)->setName("sub.group.local.id");
  item.context(ContextParameter::sub_group_size)->setName("sub.group.size");
  item.context(ContextParameter::work_dim)->setName("work.dim");
  item.context(ContextParameter::group_linear)->setName("group.linear");
  item.context(ContextParameter::local_memory)->setName("local.memory");
  item.context(ContextParameter::worker)->setName("worker");
  item.context(ContextParameter::variables)->setName("variables");
  item.context(ContextParameter::full_group)->setName("full.group");
  static constexpr const char* kAreas[] = {"local", "stack", "item.scratch", "group.scratch"};
  for (unsigned a = 0; a < static_cast<unsigned>(Area::count); ++a) {
    item.area(static_cast<Area>(a)).begin->setName(llvm::Twine(kAreas[a]) + ".begin");
    item.area(static_cast<Area>(a)).bytes->setName(llvm::Twine(kAreas[a]) + ".bytes");
  }
}

/// The new function with the kernel's body, parameters and attributes.
WorkItemFunction take_body(Function& kernel) {
  llvm::SmallVector<Type*, 48> types(kernel.getFunctionType()->params());
  append_context_types(kernel.getContext(), types);
  auto* type = llvm::FunctionType::get(Type::getVoidTy(kernel.getContext()), types, false);
  WorkItemFunction item;
  item.kernel_args = static_cast<unsigned>(kernel.arg_size());
  item.function = Function::Create(type, Function::InternalLinkage, kernel.getName() + ".item", kernel.getParent());
  item.function->splice(item.function->begin(), &kernel);
  item.function->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  const llvm::AttributeList attributes = kernel.getAttributes();
  item.function->addFnAttrs(llvm::AttrBuilder(kernel.getContext(), attributes.getFnAttrs()));
  for (Argument& argument : kernel.args()) {
    Argument* to = item.function->getArg(argument.getArgNo());
    llvm::AttrBuilder kept(kernel.getContext(), attributes.getParamAttrs(argument.getArgNo()));
    item.function->addParamAttrs(argument.getArgNo(), kept);
    to->takeName(&argument);
    argument.replaceAllUsesWith(to);
  }
  name_context(item);
  return item;
}

/// Moves the private variables to a block of their own before all other code.
BasicBlock* separate_private_variables(Function& function) {
  BasicBlock* body = &function.getEntryBlock();
  body->setName("body");
  BasicBlock* variables = BasicBlock::Create(function.getContext(), "private.variables", &function, body);
  llvm::SmallVector<llvm::AllocaInst*> allocas;
  for (Instruction& i : llvm::instructions(function))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i)) allocas.push_back(variable);
  for (llvm::AllocaInst* variable : allocas) {
    variable->removeFromParent();
    variable->insertInto(variables, variables->end());
  }
  llvm::BranchInst::Create(body, variables);
  return body;
}

/// True if nothing is written through `pointer`, and it does not escape.
bool only_read(const Value& pointer) {
  for (const llvm::Use& use : pointer.uses()) {
    const auto* user = llvm::cast<Instruction>(use.getUser());
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      if (load->isVolatile() || load->isAtomic()) return false;
    } else if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst, llvm::BitCastInst>(user)) {
      if (!only_read(*user)) return false;
    } else if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user)) {
      if (copy->isVolatile() || use.getOperandNo() != 1) return false;
    } else {
      return false;
    }
  }
  return true;
}

/// By-value structs are in the argument block, which all work-items share; a struct that is written to is copied.
void lower_by_value(const WorkItemFunction& item, BasicBlock& body) {
  const llvm::DataLayout& layout = item.function->getDataLayout();
  for (unsigned i = 0; i < item.kernel_args; ++i) {
    Argument* argument = item.function->getArg(i);
    Type* type = argument->getParamByValType();
    if (type == nullptr) continue;
    const llvm::Align align = std::max(argument->getParamAlign().valueOrOne(), layout.getABITypeAlign(type));
    item.function->removeParamAttr(i, llvm::Attribute::ByVal);
    item.function->addParamAttr(i, llvm::Attribute::get(item.function->getContext(), marks::kConstantPointee));
    if (only_read(*argument)) continue;
    llvm::IRBuilder<> variables(item.function->getEntryBlock().getTerminator());
    auto* copy = variables.CreateAlloca(type, nullptr, argument->getName() + ".copy");
    copy->setAlignment(align);
    argument->replaceAllUsesWith(copy);
    llvm::IRBuilder<> b(&body, body.begin());
    b.CreateMemCpy(copy, align, argument, align, layout.getTypeAllocSize(type).getFixedValue());
  }
}

/// Lays out the __local variables that the kernel uses, in the order of the module, from the start of local memory.
void lower_local_variables(WorkItemFunction& item, BasicBlock& body) {
  const llvm::DataLayout& layout = item.function->getDataLayout();
  llvm::SmallVector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& g : item.function->getParent()->globals())
    if (g.getAddressSpace() == local_space && !g.use_empty()) variables.push_back(&g);
  // All of them before the first address is made: the conversion puts instructions at the start of the body, and the
  // addresses must come before those.
  for (llvm::GlobalVariable* g : variables) llvm::convertUsersOfConstantsToInstructions({g}, item.function);
  llvm::IRBuilder<> b(&body, body.getFirstNonPHIIt());
  for (llvm::GlobalVariable* g : variables) {
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : g->uses()) {
      auto* user = llvm::dyn_cast<Instruction>(use.getUser());
      if (user != nullptr && user->getFunction() == item.function) uses.push_back(&use);
    }
    if (uses.empty()) continue;
    const std::uint64_t size = layout.getTypeAllocSize(g->getValueType()).getFixedValue();
    item.local_bytes = llvm::alignTo(item.local_bytes, layout.getPreferredAlign(g));
    Value* address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), item.context(ContextParameter::local_memory),
                                                  item.local_bytes, g->getName());
    for (llvm::Use* use : uses) use->set(address);
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> described;
    g->getDebugInfo(described);
    for (llvm::DIGlobalVariableExpression* info : described) item.described_local.push_back({item.local_bytes, info});
    const bool zeroed = g->hasInitializer() && !llvm::isa<llvm::UndefValue>(g->getInitializer());
    if (zeroed) item.zeroed_local.push_back({item.local_bytes, size});
    item.local_bytes += size;
  }
}

/// A barrier of its own for each call, whoever comes there: {count, 0, 0}, as kernels-builtin/subgroup/named_barrier.cl
/// has it. All work-items of a group write the same count.
void lower_named_barrier(llvm::CallInst& call, WorkItemFunction& item) {
  constexpr std::uint64_t kAlign = 4;
  constexpr std::uint64_t kSize = 12;
  item.local_bytes = llvm::alignTo(item.local_bytes, kAlign);
  llvm::IRBuilder<> b(&call);
  Value* barrier = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), item.context(ContextParameter::local_memory),
                                                item.local_bytes, "named.barrier");
  b.CreateStore(call.getArgOperand(0), barrier);
  item.zeroed_local.push_back({item.local_bytes, kSize});
  item.local_bytes += kSize;
  call.replaceAllUsesWith(barrier);
  call.eraseFromParent();
}

void lower_calls(WorkItemFunction& item) {
  llvm::SmallVector<llvm::CallInst*> calls;
  for (Instruction& i : llvm::instructions(*item.function)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
    if (call != nullptr && known_call(*call) != Known::none) calls.push_back(call);
  }
  for (llvm::CallInst* call : calls) {
    const Known what = known_call(*call);
    if (is_query(what)) lower_query(*call, what, item);
    if (asks_address_space(what)) lower_address_space_query(*call, what, item);
    if (what == Known::mem_fence || what == Known::work_item_fence || what == Known::sub_group_barrier)
      lower_fence(*call, what);
    if (what == Known::print) {
      lower_print(*call, item);
      item.uses_print = true;
    }
    if (what == Known::named_barrier) lower_named_barrier(*call, item);
    if (is_check(what)) lower_check_call(*call, what, item);
    if (what == Known::enqueue || what == Known::device_queue) {
      lower_device_queue_call(*call, what, item);
      item.enqueues = true;
    }
  }
}

}  // namespace

llvm::Expected<WorkItemFunction> make_work_item_function(Function& kernel, unsigned sub_group_size) {
  if (kernel.isDeclaration()) return refuse(kernel, "has no body");
  if (llvm::Error error = check(kernel)) return error;
  WorkItemFunction item = take_body(kernel);
  item.sub_group_size = sub_group_size;
  llvm::removeUnreachableBlocks(*item.function);
  BasicBlock* body = separate_private_variables(*item.function);
  lower_by_value(item, *body);
  lower_local_variables(item, *body);
  lower_stored_variables(item, *body);
  lower_calls(item);
  if (sub_group_size == 1) lower_at_size_one(*item.function);
  return item;
}

}  // namespace lanewise
