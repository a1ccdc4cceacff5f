// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/range_function.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <cstddef>
#include <string>

#include "compiler/base/address_spaces.h"
#include "compiler/base/marks.h"
#include "compiler/groups/generic_pointers.h"
#include "compiler/groups/strips.h"
#include "include/lanewise/image_abi.h"
#include "include/lanewise/kernel_abi.h"

namespace lanewise {
namespace {

using llvm::BasicBlock;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

static_assert(sizeof(lanewise_launch::global_offset[0]) == 8 && sizeof(lanewise_launch::work_dim) == 4);
static_assert(offsetof(lanewise_launch, work_dim) == 96 && sizeof(void*) == 8);

/// Sizes and counts of plain launches are positive 32-bit numbers.
llvm::LoadInst* bounded(llvm::LoadInst* field) {
  llvm::MDBuilder metadata(field->getContext());
  field->setMetadata(llvm::LLVMContext::MD_range,
                     metadata.createRange(llvm::APInt(64, 1), llvm::APInt(64, std::uint64_t{1} << 31U)));
  return field;
}

class FrameBuilder {
 public:
  FrameBuilder(const WorkItemFunction& item, const abi::KernelInfo& info, bool strips, bool plain)
      : item_(item), info_(info), strips_(strips), plain_(plain), b_(item.function->getContext()) {}

  RangeFunction build() {
    // Sub-groups count work-items of several dimensions, and a strip is a row of groups in x.
    if (!strips_ && item_.sub_group_size == 1) r_.row = item_.row;
    make_function();
    load_launch();
    load_worker();
    load_arguments();
    make_group_loop();
    return std::move(r_);
  }

 private:
  static constexpr const char* kDims[3] = {".x", ".y", ".z"};

  void set(ContextParameter which, unsigned dim, Value* value) {
    r_.parameters[item_.context(which, dim)->getArgNo()] = value;
  }
  Value* get(ContextParameter which, unsigned dim = 0) { return r_.parameter(item_, which, dim); }

  Value* at(Value* base, std::uint64_t offset) { return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), base, offset); }

  /// Launch, worker and argument block do not change while a range runs.
  llvm::LoadInst* load(Type* type, Value* base, std::uint64_t offset, llvm::Align align, const llvm::Twine& name) {
    auto* load = b_.CreateAlignedLoad(type, at(base, offset), align, name);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b_.getContext(), {}));
    return load;
  }

  void make_function() {
    Function& source = *item_.function;
    auto* pointer = b_.getPtrTy();
    auto* type =
        llvm::FunctionType::get(b_.getVoidTy(), {pointer, pointer, pointer, b_.getInt64Ty(), b_.getInt64Ty()}, false);
    r_.function = Function::Create(type, Function::ExternalLinkage, info_.symbol, source.getParent());
    static constexpr const char* kNames[] = {"launch", "args", "worker", "first", "last"};
    for (llvm::Argument& a : r_.function->args()) {
      a.setName(kNames[a.getArgNo()]);
      if (a.getArgNo() < 3) a.addAttr(llvm::Attribute::NonNull);
    }
    // Target CPU and features, floating-point environment, frame pointers: all string attributes but those of groups.
    for (const llvm::Attribute& a : source.getAttributes().getFnAttrs())
      if (a.isStringAttribute() && a.getKindAsString() != "uniform-work-group-size" &&
          a.getKindAsString() != "stack-probe-size" && a.getKindAsString() != "probe-stack")
        r_.function->addFnAttr(a);
    for (const auto kind : {llvm::Attribute::StrictFP, llvm::Attribute::OptimizeNone, llvm::Attribute::NoInline,
                            llvm::Attribute::SanitizeAddress, llvm::Attribute::UWTable, llvm::Attribute::VScaleRange})
      if (source.hasFnAttribute(kind)) r_.function->addFnAttr(source.getFnAttribute(kind));
    r_.function->addFnAttr("no-stack-arg-probe");
    r_.function->setDoesNotThrow();
    r_.function->setDSOLocal(true);
    r_.function->setSubprogram(source.getSubprogram());
    source.setSubprogram(nullptr);

    r_.parameters.resize(source.arg_size());
    r_.entry = BasicBlock::Create(b_.getContext(), "entry", r_.function);
    r_.range = BasicBlock::Create(b_.getContext(), "range", r_.function);
    r_.group = BasicBlock::Create(b_.getContext(), "group", r_.function);
    r_.group_end = BasicBlock::Create(b_.getContext(), "group.end", r_.function);
    done_ = BasicBlock::Create(b_.getContext(), "done", r_.function);
    b_.SetInsertPoint(r_.entry);
    b_.CreateCondBr(b_.CreateICmpULT(first(), last()), r_.range, done_);
    b_.SetInsertPoint(done_);
    b_.CreateRetVoid();
    b_.SetInsertPoint(r_.range);
  }

  Value* first() { return r_.function->getArg(3); }
  Value* last() { return r_.function->getArg(4); }

  void load_launch() {
    Value* launch = r_.function->getArg(0);
    struct Field {
      ContextParameter which;
      std::size_t offset;
      const char* name;
    };
    static constexpr Field kFields[] = {
        {ContextParameter::global_offset, offsetof(lanewise_launch, global_offset), "global.offset"},
        {ContextParameter::global_size, offsetof(lanewise_launch, global_size), "global.size"},
        {ContextParameter::enqueued_size, offsetof(lanewise_launch, local_size), "enqueued.size"},
        {ContextParameter::num_groups, offsetof(lanewise_launch, group_count), "num.groups"},
    };
    const bool fixed = item_.known_size[0] != 0;
    for (const Field& f : kFields)
      for (unsigned d = 0; d < 3; ++d) {
        Value* value = nullptr;
        if (fixed && f.which == ContextParameter::enqueued_size) {
          value = b_.getInt64(item_.known_size[d]);
        } else if (plain_ && f.which == ContextParameter::global_offset) {
          value = b_.getInt64(0);
        } else {
          llvm::LoadInst* field = load(b_.getInt64Ty(), launch, f.offset + std::size_t{8} * d, llvm::Align(8),
                                       llvm::Twine(f.name) + kDims[d]);
          value = plain_ ? bounded(field) : field;
        }
        set(f.which, d, value);
      }
    set(ContextParameter::work_dim, 0,
        load(b_.getInt32Ty(), launch, offsetof(lanewise_launch, work_dim), llvm::Align(4), "work.dim"));
    Value* plane = b_.CreateNUWMul(get(ContextParameter::enqueued_size, 0), get(ContextParameter::enqueued_size, 1));
    r_.full_group = b_.CreateNUWMul(plane, get(ContextParameter::enqueued_size, 2), "full.group");
    set(ContextParameter::full_group, 0, r_.full_group);
  }

  void load_worker() {
    Value* worker = r_.function->getArg(2);
    const auto area = [&](std::size_t offset, const char* name) {
      return load(b_.getPtrTy(), worker, offset, llvm::Align(8), name);
    };
    set(ContextParameter::worker, 0, worker);
    Value* local = area(offsetof(lanewise_worker, local_memory), "local.memory");
    r_.item_scratch = area(offsetof(lanewise_worker, item_scratch), "item.scratch");
    r_.group_scratch = area(offsetof(lanewise_worker, group_scratch), "group.scratch");
    Value* arguments = local;
    if (item_.team.local_bytes != 0) local = at(r_.group_scratch, item_.team.local_offset);
    set(ContextParameter::local_memory, 0, b_.CreateAddrSpaceCast(local, b_.getPtrTy(local_space)));
    local_arguments_ = arguments == local ? get(ContextParameter::local_memory)
                                          : b_.CreateAddrSpaceCast(arguments, b_.getPtrTy(local_space));
    describe_areas(b_, r_, item_, info_, *local);
  }

  void load_arguments() {
    Value* block = r_.function->getArg(1);
    for (unsigned i = 0; i < item_.kernel_args; ++i) {
      const llvm::Argument& parameter = *item_.function->getArg(i);
      const abi::ArgInfo& arg = info_.args[i];
      const std::string name = parameter.getName().str();
      r_.argument_offsets.push_back(std::nullopt);
      if (arg.kind == abi::ArgKind::image) {
        Value* description = load(parameter.getType(), block, arg.offset, llvm::Align(1), name + ".handle");
        r_.parameters[i] = copy(description, sizeof(lanewise_image), alignof(lanewise_image), name);
      } else if (parameter.hasAttribute(marks::kConstantPointee)) {
        r_.parameters[i] = copy(at(block, arg.offset), arg.size, arg.align, name);
      } else if (arg.kind == abi::ArgKind::local_pointer) {
        Value* offset = load(b_.getInt64Ty(), block, arg.offset, llvm::Align(1), name + ".offset");
        if (item_.team.exists()) offset = b_.CreateNUWMul(offset, b_.getInt64(item_.team.groups));
        r_.parameters[i] = b_.CreateGEP(b_.getInt8Ty(), local_arguments_, offset, name);
      } else {
        // The block is aligned to 8 only; wider vectors are loaded once per range, so that costs nothing.
        const auto align = llvm::commonAlignment(llvm::Align(8), arg.offset);
        r_.parameters[i] = load(parameter.getType(), block, arg.offset, align, name);
        r_.argument_offsets.back() = arg.offset;
      }
    }
    Value* variables = llvm::PoisonValue::get(b_.getPtrTy(global_space));
    if (info_.has_variables)
      variables = load(b_.getPtrTy(global_space), block, info_.variables_offset, llvm::Align(8), "variables");
    set(ContextParameter::variables, 0, variables);
  }

  /// A copy of memory that does not change: the copy is aligned, and SROA can split it.
  llvm::AllocaInst* copy(Value* from, std::uint32_t size, std::uint32_t align, llvm::StringRef name) {
    IRBuilder<> allocas(r_.entry, r_.entry->begin());
    auto* copy = allocas.CreateAlloca(llvm::ArrayType::get(b_.getInt8Ty(), size), nullptr, name);
    copy->setAlignment(std::max(llvm::Align(std::max(align, 1U)), llvm::Align(8)));
    b_.CreateMemCpy(copy, copy->getAlign(), from, llvm::Align(1), size);
    r_.copies.push_back(copy);
    return copy;
  }

  /// The largest number of groups in a strip.
  Value* strip_limit() {
    Value* rows = b_.CreateNUWMul(get(ContextParameter::enqueued_size, 1), get(ContextParameter::enqueued_size, 2));
    Value* items =
        b_.CreateSelect(b_.CreateICmpEQ(rows, b_.getInt64(1)), b_.getInt64(kLongStripItems), b_.getInt64(kStripItems));
    Value* groups = b_.CreateUDiv(items, get(ContextParameter::enqueued_size, 0));
    return b_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, groups, b_.getInt64(1), {}, "strip.limit");
  }

  /// Writes the loop over the groups, which run in linear order, x fastest.
  void make_group_loop() {
    llvm::PHINode* number[3];
    Value* rest = first();
    Value* start[3];
    for (unsigned d = 0; d < 2; ++d) {
      start[d] = b_.CreateURem(rest, get(ContextParameter::num_groups, d));
      rest = b_.CreateUDiv(rest, get(ContextParameter::num_groups, d));
    }
    start[2] = rest;
    Value* limit = strips_ ? strip_limit() : item_.team.exists() ? b_.getInt64(item_.team.groups) : nullptr;
    b_.CreateBr(r_.group);

    b_.SetInsertPoint(r_.group);
    auto* linear = b_.CreatePHI(b_.getInt64Ty(), 2, "group.linear");
    linear->addIncoming(first(), r_.range);
    for (unsigned d = 0; d < 3; ++d) {
      number[d] = b_.CreatePHI(b_.getInt64Ty(), 2, llvm::Twine("group.id") + kDims[d]);
      number[d]->addIncoming(start[d], r_.range);
      set(ContextParameter::group_id, d, number[d]);
    }
    set(ContextParameter::group_linear, 0, linear);
    Value* groups = b_.getInt64(1);
    if (limit != nullptr) {
      const auto least = [&](Value* a, Value* b) { return b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b); };
      Value* row = b_.CreateNUWSub(get(ContextParameter::num_groups, 0), number[0]);
      groups = least(least(row, b_.CreateNUWSub(last(), linear)), limit);
      groups->setName("strip.groups");
    }
    if (item_.team.exists())
      describe_team(*number[0], groups);
    else
      for (unsigned d = 0; d < 3; ++d) describe_group(d, d == 0 ? groups : b_.getInt64(1));
    for (const auto& [offset, bytes] : item_.zeroed_local)
      b_.CreateMemSet(b_.CreateConstGEP1_64(b_.getInt8Ty(), get(ContextParameter::local_memory), offset), b_.getInt8(0),
                      bytes, llvm::Align(1));

    b_.SetInsertPoint(r_.group_end);
    Value* next_linear = b_.CreateNUWAdd(linear, groups);
    linear->addIncoming(next_linear, r_.group_end);
    Value* carry = nullptr;
    for (unsigned d = 0; d < 3; ++d) {
      Value* next = b_.CreateNUWAdd(number[d], d == 0 ? groups : b_.CreateZExt(carry, b_.getInt64Ty()));
      if (d < 2) {
        carry = b_.CreateICmpEQ(next, get(ContextParameter::num_groups, d));
        next = b_.CreateSelect(carry, b_.getInt64(0), next);
      }
      number[d]->addIncoming(next, r_.group_end);
    }
    b_.CreateCondBr(b_.CreateICmpULT(next_linear, last()), r_.group, done_);
  }

  /// Computes base and size of `groups` neighbouring groups as if they were one.
  void describe_group(unsigned d, Value* groups) {
    Value* skipped = b_.CreateNUWMul(get(ContextParameter::group_id, d), get(ContextParameter::enqueued_size, d));
    Value* base = b_.CreateAdd(get(ContextParameter::global_offset, d), skipped, llvm::Twine("group.base") + kDims[d]);
    set(ContextParameter::group_base, d, base);
    if (d == r_.row)
      if (auto* sum = llvm::dyn_cast<llvm::Instruction>(base))
        sum->setMetadata(marks::kBase, llvm::MDNode::get(b_.getContext(), {}));
    Value* full = b_.CreateNUWMul(get(ContextParameter::enqueued_size, d), groups);
    Value* size = full;
    if (!plain_) {
      Value* rest = b_.CreateNUWSub(get(ContextParameter::global_size, d), skipped);
      size = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, full, rest);
      size->setName(llvm::Twine("local.size") + kDims[d]);
    }
    set(ContextParameter::local_size, d, size);
  }

  /// The work-items of x are `groups` groups, from number `first` on.
  void describe_team(llvm::PHINode& first, Value* groups) {
    first.setMetadata(marks::kBase, llvm::MDNode::get(b_.getContext(), {}));
    set(ContextParameter::group_base, 0, llvm::PoisonValue::get(b_.getInt64Ty()));  // teams.h has replaced it
    set(ContextParameter::local_size, 0, groups);
    for (unsigned d = 1; d < 3; ++d) {
      Value* size = b_.getInt64(item_.team.group_size[d]);
      set(ContextParameter::group_base, d,
          b_.CreateNUWMul(get(ContextParameter::group_id, d), size, llvm::Twine("group.base") + kDims[d]));
      set(ContextParameter::local_size, d, get(ContextParameter::enqueued_size, d));
    }
  }

  const WorkItemFunction& item_;
  const abi::KernelInfo& info_;
  bool strips_;
  bool plain_;
  IRBuilder<> b_;
  RangeFunction r_;
  Value* local_arguments_ = nullptr;  ///< what offsets of local arguments count from
  BasicBlock* done_ = nullptr;
};

}  // namespace

llvm::Expected<RangeFunction> make_range_function(const WorkItemFunction& item, const abi::KernelInfo& info,
                                                  bool strips, bool plain) {
  if (info.args.size() != item.kernel_args)
    return llvm::createStringError("internal: kernel '" + info.name + "' is described with " +
                                   llvm::Twine(info.args.size()) + " arguments, has " + llvm::Twine(item.kernel_args));
  if (item.function->getParent()->getNamedValue(info.symbol) != nullptr)
    return llvm::createStringError("internal: symbol '" + info.symbol + "' is taken");
  return FrameBuilder(item, info, strips, plain).build();
}

}  // namespace lanewise
