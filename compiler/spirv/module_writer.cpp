// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/module_writer.h"

#include <spirv-tools/libspirv.h>

namespace lanewise::spirv {

void ModuleWriter::emit(Words instruction) {
  if (out_ == &declarations_) append(declarations_, types.added());
  append(*out_, resized(std::move(instruction)));
}

void ModuleWriter::declare(Words instruction) {
  if (out_ == &declarations_)
    emit(std::move(instruction));
  else
    append(late_, resized(std::move(instruction)));
}

Words ModuleWriter::words(View header) {
  Words all(header.begin(), header.end());
  all[kBoundWord] = types.bound();
  append(all, declarations_);
  append(all, types.added());
  for (const Words* part : {&late_, &imports_, &functions_}) append(all, *part);
  return all;
}

void ModuleWriter::refuse(std::uint32_t opcode, const char* what) {
  fault = std::string(spvOpcodeString(opcode)) + " of " + what + " is not supported";
}

std::uint32_t ModuleWriter::number(std::uint32_t type, std::uint32_t value) {
  std::uint32_t& id = numbers_[{type, value}];
  if (id != 0) return id;
  id = types.new_id();
  declare(types.bits(type) == 64 ? Words{op_constant, type, id, value, 0} : Words{op_constant, type, id, value});
  return id;
}

std::uint32_t ModuleWriter::in_structure(std::uint32_t type) {
  std::uint32_t& id = structures_[type];
  if (id != 0) return id;
  id = types.new_id();
  declare({op_type_struct, id, type});
  return id;
}

std::uint32_t ModuleWriter::pointer_to(std::uint32_t pointee, std::uint32_t pointer) {
  return types.type({op_type_pointer, types.storage(types.of(pointer)), pointee});
}

std::uint32_t ModuleWriter::typed(std::uint32_t pointer, std::uint32_t pointee) {
  const std::uint32_t id = types.new_id();
  emit({op_bitcast, pointer_to(pointee, pointer), id, pointer});
  return id;
}

std::uint32_t ModuleWriter::imported(const std::string& name, std::uint32_t result, const Words& parameters) {
  constexpr std::uint32_t kLinkageAttributes = 41, kImport = 1;
  std::uint32_t& function = imported_[name];
  if (function != 0) return function;
  function = types.new_id();
  Words decoration = text_instruction(op_decorate, name);
  decoration.insert(decoration.begin() + 1, {function, kLinkageAttributes});
  decoration.push_back(kImport);
  append(imports_, resized(std::move(decoration)));
  Words type{op_type_function, result};
  append(type, parameters);
  append(imports_, resized({op_function, result, function, 0, types.type(type)}));
  for (const std::uint32_t parameter : parameters)
    append(imports_, resized({op_function_parameter, parameter, types.new_id()}));
  append(imports_, resized({op_function_end}));
  return function;
}

}  // namespace lanewise::spirv
