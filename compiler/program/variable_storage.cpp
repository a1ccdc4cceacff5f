// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/program/variable_storage.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <optional>

#include "compiler/base/address_spaces.h"
#include "compiler/base/diagnostics.h"
#include "compiler/base/marks.h"

namespace lanewise {
namespace {

using llvm::Constant;
using llvm::GlobalVariable;

/// Larger constants are in the storage only, so that they are not kept a second time in the code.
constexpr std::uint64_t kLargestValue = std::uint64_t{1} << 20;

/// Every global that `constant` names, but not what those name.
llvm::SmallSetVector<llvm::GlobalValue*, 4> named_by(Constant& constant) {
  llvm::SmallSetVector<llvm::GlobalValue*, 4> globals;
  llvm::SmallVector<Constant*, 8> work{&constant};
  llvm::SmallPtrSet<const Constant*, 16> seen;
  while (!work.empty()) {
    Constant* next = work.pop_back_val();
    if (auto* global = llvm::dyn_cast<llvm::GlobalValue>(next)) {
      globals.insert(global);
      continue;
    }
    if (!seen.insert(next).second) continue;
    for (const llvm::Use& operand : next->operands()) work.push_back(llvm::cast<Constant>(operand.get()));
  }
  return globals;
}

bool is_candidate(const GlobalVariable& variable) {
  return variable.hasInitializer() && is_buffer_space(variable.getAddressSpace());
}

/// The decoration HostAccessINTEL (SPV_INTEL_global_variable_host_access), as the SPIR-V translator passes it on.
struct HostAccess {
  bool readable = false;
  bool writable = false;
  llvm::StringRef name;
};

/// Nothing: the variable does not have it.
std::optional<HostAccess> host_access(const GlobalVariable& variable) {
  constexpr std::uint64_t kDecoration = 6188;
  const llvm::MDNode* decorations = variable.getMetadata("spirv.Decorations");
  if (decorations == nullptr) return std::nullopt;
  for (const llvm::MDOperand& operand : decorations->operands()) {
    const auto* decoration = llvm::dyn_cast<llvm::MDNode>(operand);
    if (decoration == nullptr || decoration->getNumOperands() != 3) continue;
    const auto* kind = llvm::mdconst::dyn_extract<llvm::ConstantInt>(decoration->getOperand(0));
    const auto* mode = llvm::mdconst::dyn_extract<llvm::ConstantInt>(decoration->getOperand(1));
    const auto* name = llvm::dyn_cast<llvm::MDString>(decoration->getOperand(2));
    if (kind == nullptr || !kind->equalsInt(kDecoration) || mode == nullptr || name == nullptr) continue;
    const std::uint64_t bits = mode->getZExtValue();  // 0: none, 1: read, 2: write, 3: both
    return HostAccess{(bits & 1) != 0, (bits & 2) != 0, name->getString()};
  }
  return std::nullopt;
}

/// The variables that have to be placed, in the order of the module.
class Chosen {
 public:
  explicit Chosen(llvm::Module& module) {
    for (GlobalVariable& variable : module.globals())
      if (is_candidate(variable) && variable.getAddressSpace() == global_space) chosen_.insert(&variable);
    if (chosen_.empty()) return;
    for (GlobalVariable& variable : module.globals())
      if (is_candidate(variable)) names_[&variable] = named_by(*variable.getInitializer());
    for (bool grown = true; grown;) {
      const std::size_t before = chosen_.size();
      for (auto& [variable, named] : names_) follow(*variable, named);
      grown = chosen_.size() != before;
    }
  }

  [[nodiscard]] std::vector<GlobalVariable*> variables() const {
    std::vector<GlobalVariable*> in_order;
    for (const auto& entry : names_)
      if (chosen_.contains(entry.first)) in_order.push_back(entry.first);
    return in_order;
  }

 private:
  void follow(GlobalVariable& variable, const llvm::SmallSetVector<llvm::GlobalValue*, 4>& named) {
    const auto is_chosen = [&](llvm::GlobalValue* global) {
      return chosen_.contains(llvm::dyn_cast<GlobalVariable>(global));
    };
    if (llvm::any_of(named, is_chosen)) chosen_.insert(&variable);
    if (!chosen_.contains(&variable)) return;
    for (llvm::GlobalValue* global : named) {
      auto* other = llvm::dyn_cast<GlobalVariable>(global);
      if (other != nullptr && is_candidate(*other)) chosen_.insert(other);
    }
  }

  llvm::MapVector<GlobalVariable*, llvm::SmallSetVector<llvm::GlobalValue*, 4>> names_;
  llvm::SmallPtrSet<const GlobalVariable*, 16> chosen_;
};

/// A number, or a place in the storage.
struct StoredNumber {
  bool in_storage = false;
  std::uint64_t number = 0;
};

class StoragePlacement {
 public:
  explicit StoragePlacement(llvm::Module& module) : layout_(module.getDataLayout()) {}

  void place(GlobalVariable& variable) {
    const std::uint64_t bytes = layout_.getTypeAllocSize(variable.getValueType()).getFixedValue();
    const std::uint64_t align = layout_.getPreferredAlign(&variable).value();
    storage_.bytes = llvm::alignTo(storage_.bytes, align);
    offsets_[&variable] = storage_.bytes;
    // A variable of no size has a place of its own too.
    storage_.bytes += std::max<std::uint64_t>(bytes, 1);
    storage_.align = std::max(storage_.align, align);
    storage_.largest = std::max(storage_.largest, bytes);
  }

  llvm::Error initialise(const GlobalVariable& variable) {
    const Constant& value = *variable.getInitializer();
    if (value.isNullValue() || llvm::isa<llvm::UndefValue>(value)) return llvm::Error::success();
    if (write(value, offsets_.lookup(&variable))) return llvm::Error::success();
    return failure("the initialiser of '" + variable.getName() + "' is not a constant that a variable can have");
  }

  /// How the application finds a variable that has been placed.
  void name(const GlobalVariable& variable) {
    const llvm::MDNode* names = variable.getMetadata(marks::kNames);
    if (names == nullptr) return;
    const std::optional<HostAccess> access = host_access(variable);
    for (const llvm::MDOperand& name : names->operands())
      storage_.names.push_back({.name = llvm::cast<llvm::MDString>(name)->getString().str(),
                                .at = offset(variable),
                                .bytes = layout_.getTypeAllocSize(variable.getValueType()).getFixedValue(),
                                .readable = !access || access->readable,
                                .writable = !variable.isConstant() && (!access || access->writable)});
  }

  [[nodiscard]] std::uint64_t offset(const GlobalVariable& variable) const { return offsets_.lookup(&variable); }
  abi::VariableStorage take() {
    const auto last = std::find_if(storage_.initial.rbegin(), storage_.initial.rend(), [](auto b) { return b != 0; });
    storage_.initial.erase(last.base(), storage_.initial.end());
    return std::move(storage_);
  }

 private:
  bool write(const Constant& value, std::uint64_t at) {
    if (value.isNullValue() || llvm::isa<llvm::UndefValue>(value)) return true;
    llvm::Type* type = value.getType();
    if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&value))
      return write_bits(number->getValueAPF().bitcastToAPInt(), at);
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value)) return write_bits(number->getValue(), at);
    if (type->isPointerTy() || type->isIntegerTy()) return write_value(value, at);
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      const llvm::StructLayout& fields = *layout_.getStructLayout(structure);
      return write_elements(value, structure->getNumElements(),
                            [&](unsigned i) { return at + fields.getElementOffset(i).getFixedValue(); });
    }
    std::uint64_t count = 0;
    llvm::Type* element = nullptr;
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      count = array->getNumElements();
      element = array->getElementType();
    } else if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
      count = vector->getNumElements();
      element = vector->getElementType();
    } else {
      return false;
    }
    const std::uint64_t stride = layout_.getTypeAllocSize(element).getFixedValue();
    return write_elements(value, count, [&](std::uint64_t i) { return at + i * stride; });
  }

  template <class Place>
  bool write_elements(const Constant& value, std::uint64_t count, Place place) {
    for (unsigned i = 0; i < count; ++i) {
      const Constant* element = value.getAggregateElement(i);
      if (element == nullptr || !write(*element, place(i))) return false;
    }
    return true;
  }

  bool write_bits(const llvm::APInt& bits, std::uint64_t at) {
    const std::uint64_t end = at + llvm::divideCeil(bits.getBitWidth(), 8);
    if (storage_.initial.size() < end) storage_.initial.resize(end);
    for (unsigned i = 0; i < bits.getBitWidth(); i += 8)
      storage_.initial[at + i / 8] =
          static_cast<std::uint8_t>(bits.extractBitsAsZExtValue(std::min(8U, bits.getBitWidth() - i), i));
    return true;
  }

  /// A pointer, or an integer made from one.
  bool write_value(const Constant& value, std::uint64_t at) {
    const auto found = evaluate(value);
    const std::uint64_t bits = layout_.getTypeSizeInBits(value.getType()).getFixedValue();
    if (!found || (found->in_storage && bits != 64)) return false;
    if (!found->in_storage)
      return write_bits(llvm::APInt(64, found->number).zextOrTrunc(static_cast<unsigned>(bits)), at);
    storage_.pointers.push_back({at, found->number});
    return true;
  }

  [[nodiscard]] std::optional<StoredNumber> evaluate(const Constant& value) const {
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value))
      return number->getBitWidth() <= 64 ? std::optional(StoredNumber{false, number->getZExtValue()}) : std::nullopt;
    if (value.isNullValue() || llvm::isa<llvm::UndefValue>(value)) return StoredNumber{};
    if (const auto* variable = llvm::dyn_cast<GlobalVariable>(&value)) {
      const auto found = offsets_.find(variable);
      return found == offsets_.end() ? std::nullopt : std::optional(StoredNumber{true, found->second});
    }
    const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&value);
    return expression == nullptr ? std::nullopt : evaluate(*expression);
  }

  [[nodiscard]] std::optional<StoredNumber> evaluate(const llvm::ConstantExpr& expression) const {
    const auto first = evaluate(*expression.getOperand(0));
    if (!first) return std::nullopt;
    switch (expression.getOpcode()) {
      case llvm::Instruction::AddrSpaceCast:
      case llvm::Instruction::BitCast:
        return first;
      case llvm::Instruction::PtrToInt:
      case llvm::Instruction::IntToPtr:
      case llvm::Instruction::Trunc:
        return resized(*first, expression);
      case llvm::Instruction::GetElementPtr: {
        llvm::APInt offset(64, 0);
        if (!llvm::cast<llvm::GEPOperator>(expression).accumulateConstantOffset(layout_, offset)) return std::nullopt;
        return StoredNumber{first->in_storage, first->number + offset.getZExtValue()};
      }
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
        break;
      default:
        return std::nullopt;
    }
    const auto second = evaluate(*expression.getOperand(1));
    if (!second) return std::nullopt;
    if (expression.getOpcode() == llvm::Instruction::Sub) {
      if (second->in_storage && !first->in_storage) return std::nullopt;
      return StoredNumber{first->in_storage != second->in_storage, first->number - second->number};
    }
    if (first->in_storage && second->in_storage) return std::nullopt;
    return StoredNumber{first->in_storage || second->in_storage, first->number + second->number};
  }

  /// An address keeps its meaning only with all of its bits.
  [[nodiscard]] std::optional<StoredNumber> resized(StoredNumber value, const llvm::ConstantExpr& expression) const {
    const std::uint64_t bits = layout_.getTypeSizeInBits(expression.getType()).getFixedValue();
    if (bits >= 64) return value;
    if (value.in_storage) return std::nullopt;
    return StoredNumber{false, value.number & llvm::maskTrailingOnes<std::uint64_t>(static_cast<unsigned>(bits))};
  }

  const llvm::DataLayout& layout_;
  llvm::DenseMap<const GlobalVariable*, std::uint64_t> offsets_;
  abi::VariableStorage storage_;
};

void mark(GlobalVariable& variable, std::uint64_t offset) {
  llvm::LLVMContext& context = variable.getContext();
  auto* number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), offset);
  variable.setMetadata(marks::kStored, llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
}

/// By size, so that large variables, which may end in many zeros, come late. Those that are zero come last, so that the
/// image of initial values need not contain them.
std::vector<GlobalVariable*> in_order_of_storage(llvm::Module& module) {
  std::vector<GlobalVariable*> variables = Chosen(module).variables();
  std::vector<std::pair<std::uint64_t, std::size_t>> keys;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const llvm::Constant* value = variables[i]->getInitializer();
    const bool zeros = value->isNullValue() || llvm::isa<llvm::UndefValue>(value);
    const auto bytes = module.getDataLayout().getTypeAllocSize(variables[i]->getValueType()).getFixedValue();
    keys.emplace_back(zeros ? ~std::uint64_t{0} : bytes, i);
  }
  llvm::sort(keys);
  std::vector<GlobalVariable*> sorted;
  sorted.reserve(keys.size());
  for (const auto& key : keys) sorted.push_back(variables[key.second]);
  return sorted;
}

}  // namespace

void name_variables(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  for (GlobalVariable& variable : module.globals()) {
    if (!is_candidate(variable) || variable.getAddressSpace() != global_space) continue;
    llvm::SmallVector<llvm::Metadata*, 2> names;
    if (const auto access = host_access(variable)) names.push_back(llvm::MDString::get(context, access->name));
    if (!variable.hasLocalLinkage()) names.push_back(llvm::MDString::get(context, variable.getName()));
    if (!names.empty()) variable.setMetadata(marks::kNames, llvm::MDNode::get(context, names));
  }
}

llvm::Expected<abi::VariableStorage> place_variables(llvm::Module& module) {
  const std::vector<GlobalVariable*> variables = in_order_of_storage(module);
  StoragePlacement placement(module);
  for (GlobalVariable* variable : variables) placement.place(*variable);
  for (const GlobalVariable* variable : variables)
    if (llvm::Error error = placement.initialise(*variable)) return error;
  for (const GlobalVariable* variable : variables) placement.name(*variable);
  // These lists name variables that the module will no longer define.
  for (const char* list : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable* used = module.getNamedGlobal(list); used != nullptr && !variables.empty())
      used->eraseFromParent();
  std::vector<GlobalVariable*> outside;
  for (GlobalVariable* variable : variables) {
    mark(*variable, placement.offset(*variable));
    const bool is_value = variable->isConstant() && named_by(*variable->getInitializer()).empty() &&
                          module.getDataLayout().getTypeAllocSize(variable->getValueType()) <= kLargestValue;
    if (!is_value) outside.push_back(variable);
  }
  unsigned number = 0;
  for (GlobalVariable* variable : outside) {
    variable->setInitializer(nullptr);
    variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
    // A name that the library does not use.
    variable->setName("lanewise.variable." + llvm::Twine(number++));
  }
  return placement.take();
}

}  // namespace lanewise
