// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/program/kernel_info.h"

#include <CL/cl.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include "compiler/base/address_spaces.h"
#include "compiler/program/blocks.h"
#include "compiler/spirv/protocol.h"

namespace lanewise {
namespace {

using llvm::StringRef;

/// The string number `index` of a per-argument metadata node; empty where there is none.
StringRef text_of(const llvm::Function& kernel, StringRef node_name, unsigned index) {
  const llvm::MDNode* node = kernel.getMetadata(node_name);
  if (node == nullptr || index >= node->getNumOperands()) return {};
  const auto* text = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(index));
  return text == nullptr ? StringRef() : text->getString();
}

const llvm::ConstantInt* number_of(const llvm::MDNode& node, unsigned index) {
  if (index >= node.getNumOperands()) return nullptr;
  return llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node.getOperand(index));
}

unsigned address_space_of(const llvm::Argument& argument) {
  // The metadata says `__constant` even where the type is a handle; without metadata the type decides.
  if (const llvm::MDNode* node = argument.getParent()->getMetadata("kernel_arg_addr_space"))
    if (const llvm::ConstantInt* number = number_of(*node, argument.getArgNo()))
      return static_cast<unsigned>(number->getZExtValue());
  if (argument.hasByValAttr()) return private_space;
  const auto* pointer = llvm::dyn_cast<llvm::PointerType>(argument.getType());
  return pointer == nullptr ? private_space : pointer->getAddressSpace();
}

std::uint32_t address_qualifier(unsigned space) {
  switch (space) {
    case global_space:
      return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case constant_space:
      return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case local_space:
      return CL_KERNEL_ARG_ADDRESS_LOCAL;
    default:
      return CL_KERNEL_ARG_ADDRESS_PRIVATE;
  }
}

std::uint32_t access_qualifier(StringRef text) {
  if (text == "read_only") return CL_KERNEL_ARG_ACCESS_READ_ONLY;
  if (text == "write_only") return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
  if (text == "read_write") return CL_KERNEL_ARG_ACCESS_READ_WRITE;
  return CL_KERNEL_ARG_ACCESS_NONE;
}

std::uint64_t type_qualifier(StringRef text) {
  std::uint64_t bits = CL_KERNEL_ARG_TYPE_NONE;
  llvm::SmallVector<StringRef, 4> words;
  text.split(words, ' ');
  for (const StringRef word : words) {
    if (word == "const") bits |= CL_KERNEL_ARG_TYPE_CONST;
    if (word == "restrict") bits |= CL_KERNEL_ARG_TYPE_RESTRICT;
    if (word == "volatile") bits |= CL_KERNEL_ARG_TYPE_VOLATILE;
    if (word == "pipe") bits |= CL_KERNEL_ARG_TYPE_PIPE;
  }
  return bits;
}

/// API 5.9.4: the type as declared, white space removed, no qualifiers; `unsigned int` is `uint`, and so on.
std::string type_name(StringRef declared) {
  std::string name = declared.str();
  constexpr const char* kUnsigned = "unsigned ";
  for (std::size_t at; (at = name.find(kUnsigned)) != std::string::npos;) name.replace(at, 9, "u");
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    // Without its space `struct S` would be another name: keep one space between two words.
    const bool space = name[i] == ' ';
    const bool between = space && i > 0 && i + 1 < name.size() && llvm::isAlnum(name[i - 1]) &&
                         (llvm::isAlnum(name[i + 1]) || name[i + 1] == '_');
    if (!space || between) out += name[i];
  }
  return out;
}

abi::ArgKind handle_kind(const llvm::TargetExtType& type) {
  const StringRef name = type.getName();
  if (name == "spirv.Sampler") return abi::ArgKind::sampler;
  if (name == "spirv.Pipe") return abi::ArgKind::pipe;
  if (name == "spirv.Queue" || name == "spirv.DeviceEvent") return abi::ArgKind::queue;
  return abi::ArgKind::image;
}

abi::ArgKind pointer_kind(unsigned space) {
  if (space == local_space) return abi::ArgKind::local_pointer;
  return space == constant_space ? abi::ArgKind::constant_pointer : abi::ArgKind::global_pointer;
}

void lay_out(const llvm::Argument& argument, abi::ArgInfo& info) {
  const llvm::DataLayout& layout = argument.getParent()->getParent()->getDataLayout();
  if (const auto* handle = llvm::dyn_cast<llvm::TargetExtType>(argument.getType())) {
    info.kind = handle_kind(*handle);
    info.size = info.align = 8;
    return;
  }
  const auto* pointer = llvm::dyn_cast<llvm::PointerType>(argument.getType());
  if (pointer != nullptr && !argument.hasByValAttr()) {
    info.kind = pointer_kind(pointer->getAddressSpace());
    info.size = info.align = 8;
    return;
  }
  llvm::Type* type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
  const llvm::Align natural = layout.getABITypeAlign(type);
  info.kind = abi::ArgKind::value;
  info.size = static_cast<std::uint32_t>(layout.getTypeAllocSize(type).getFixedValue());
  info.align = static_cast<std::uint32_t>(std::max(natural, argument.getParamAlign().value_or(natural)).value());
}

void describe_arguments(const llvm::Function& kernel, abi::KernelInfo& info) {
  std::uint32_t end = 0;
  for (const llvm::Argument& argument : kernel.args()) {
    const unsigned index = argument.getArgNo();
    abi::ArgInfo arg;
    lay_out(argument, arg);
    arg.offset = static_cast<std::uint32_t>(llvm::alignTo(end, arg.align));
    end = arg.offset + arg.size;
    arg.address_qualifier = address_qualifier(address_space_of(argument));
    arg.access_qualifier = access_qualifier(text_of(kernel, "kernel_arg_access_qual", index));
    arg.type_qualifier = type_qualifier(text_of(kernel, "kernel_arg_type_qual", index));
    arg.type_name = type_name(text_of(kernel, "kernel_arg_type", index));
    arg.name = text_of(kernel, "kernel_arg_name", index).str();
    info.args.push_back(std::move(arg));
  }
  info.args_bytes = static_cast<std::uint32_t>(llvm::alignTo(end, 8));
}

void append_attribute(std::string& list, const std::string& attribute) {
  if (!list.empty()) list += ' ';
  list += attribute;
}

/// Three numbers, as `name(x,y,z)` in the attribute string and in `sizes`.
void describe_sizes(const llvm::Function& kernel, const char* name, std::array<std::uint64_t, 3>& sizes,
                    std::string& attributes) {
  const llvm::MDNode* node = kernel.getMetadata(name);
  if (node == nullptr) return;
  sizes = {1, 1, 1};
  for (unsigned i = 0; i < 3; ++i)
    if (const llvm::ConstantInt* number = number_of(*node, i)) sizes[i] = number->getZExtValue();
  append_attribute(attributes, std::string(name) + "(" + std::to_string(sizes[0]) + "," + std::to_string(sizes[1]) +
                                   "," + std::to_string(sizes[2]) + ")");
}

std::string element_name(const llvm::Type& type, bool is_signed) {
  if (type.isHalfTy()) return "half";
  if (type.isFloatTy()) return "float";
  if (type.isDoubleTy()) return "double";
  if (!type.isIntegerTy()) return "void";
  const char* name = "long";
  switch (type.getIntegerBitWidth()) {
    case 8:
      name = "char";
      break;
    case 16:
      name = "short";
      break;
    case 32:
      name = "int";
      break;
    default:
      break;
  }
  return (is_signed ? "" : "u") + std::string(name);
}

void describe_vector_hint(const llvm::Function& kernel, std::string& attributes) {
  const llvm::MDNode* node = kernel.getMetadata("vec_type_hint");
  if (node == nullptr || node->getNumOperands() < 2) return;
  const auto* value = llvm::dyn_cast_or_null<llvm::ValueAsMetadata>(node->getOperand(0));
  if (value == nullptr) return;
  const llvm::ConstantInt* is_signed = number_of(*node, 1);
  const llvm::Type& type = *value->getType();
  std::string name = element_name(*type.getScalarType(), is_signed != nullptr && !is_signed->isZero());
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
    name += std::to_string(vector->getNumElements());
  append_attribute(attributes, "vec_type_hint(" + name + ")");
}

}  // namespace

abi::KernelInfo describe_kernel(const llvm::Function& kernel) {
  abi::KernelInfo info;
  info.name = kernel.getName().str();
  info.symbol = info.name + ".range";  // no OpenCL identifier has a dot
  info.block = block_number(kernel);
  describe_arguments(kernel, info);
  describe_sizes(kernel, "reqd_work_group_size", info.reqd_work_group_size, info.attributes);
  describe_sizes(kernel, "work_group_size_hint", info.work_group_size_hint, info.attributes);
  describe_vector_hint(kernel, info.attributes);
  if (const llvm::MDNode* node = kernel.getMetadata("intel_reqd_sub_group_size"))
    if (const llvm::ConstantInt* number = number_of(*node, 0)) {
      info.reqd_sub_group_size = static_cast<std::uint32_t>(number->getZExtValue());
      append_attribute(info.attributes, "intel_reqd_sub_group_size(" + std::to_string(number->getZExtValue()) + ")");
    }
  if (const llvm::MDNode* node = kernel.getMetadata(spirv::kSubGroupCount))
    if (const llvm::ConstantInt* number = number_of(*node, 0))
      info.reqd_sub_groups = static_cast<std::uint32_t>(number->getZExtValue());
  return info;
}

void add_variables_address(abi::KernelInfo& info) {
  info.has_variables = true;
  info.variables_offset = static_cast<std::uint32_t>(llvm::alignTo(info.args_bytes, 8));
  info.args_bytes = info.variables_offset + 8;
}

}  // namespace lanewise
