// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/spirv/library_calls.h"

#include <algorithm>
#include <utility>

namespace lanewise::spirv {

namespace {

constexpr std::uint32_t kWorkgroup = 4;  // storage class
constexpr std::uint32_t kAligned = 2;    // memory operand

Words::const_iterator word(const Instruction& i, std::size_t at) {
  return i.words.begin() + static_cast<std::ptrdiff_t>(at);
}

}  // namespace

void LibraryCalls::call(const std::string& function, const Instruction& i, const Words& parameters,
                        const Words& arguments) {
  Words made{op_function_call, i.type, i.id, out_.imported(function, i.type, parameters)};
  append(made, arguments);
  out_.emit(std::move(made));
}

bool LibraryCalls::are_of_type(const Instruction& i, std::size_t first, std::size_t last, std::uint32_t type) {
  const bool good = type != 0 && i.words.size() > last &&
                    std::all_of(word(i, first), word(i, last + 1), [&](auto id) { return types_.of(id) == type; });
  if (!good) out_.refuse(i.opcode, "operands of other types");
  return good;
}

void LibraryCalls::round_to_tf32(const Instruction& i) {
  const bool single = types_.is_float(i.type) && types_.bits(i.type) == 32;
  if (are_of_type(i, 3, 3, single ? i.type : 0))
    call("_Z12__lw_to_tf32" + mangled(types_, i.type, "f"), i, {i.type}, {i.words[3]});
}

void LibraryCalls::bitwise_function(const Instruction& i) {
  const std::uint32_t bits = types_.is_float(i.type) ? 0 : types_.bits(i.type);
  if (!are_of_type(i, 3, 5, bits == 0 ? 0 : i.type) || !are_of_type(i, 6, 6, types_.integers(32, 1))) return;
  const std::string element = bits == 8 ? "h" : bits == 16 ? "t" : bits == 32 ? "j" : "m";
  const std::string again = types_.count(i.type) == 1 ? element : "S_";
  call("_Z21__lw_bitwise_function" + mangled(types_, i.type, element) + again + again + "j", i,
       {i.type, i.type, i.type, types_.of(i.words[6])}, {word(i, 3), i.words.end()});
}

void LibraryCalls::predicated_access(const Instruction& i) {
  const bool loads = i.opcode == op_predicated_load;
  const std::size_t first = loads ? 3 : 1;
  const std::size_t mask = first + 3;
  const bool aligned = mask + 1 < i.words.size() && (i.words[mask] & kAligned) != 0;
  const Words arguments(word(i, first), word(i, mask));
  Words parameters;
  std::string name = loads ? "__lw_predicated_load." : "__lw_predicated_store.";
  name += std::to_string(aligned ? i.words[mask + 1] : 0);
  for (const std::uint32_t argument : arguments) {
    parameters.push_back(types_.of(argument));
    name += "." + std::to_string(parameters.back());
  }
  Instruction made = i;
  if (!loads) {
    made.type = types_.type({op_type_void});
    made.id = types_.new_id();
  }
  call(name, made, parameters, arguments);
}

void LibraryCalls::named_barrier(const Instruction& i) {
  const std::uint32_t number = types_.integers(32, 1);
  if (i.opcode == op_named_barrier_initialize) {
    if (are_of_type(i, 3, 3, number)) call("_Z18named_barrier_initi", i, {number}, {i.words[3]});
    return;
  }
  Instruction made = i;
  made.type = types_.type({op_type_void});
  made.id = types_.new_id();
  call("_Z24work_group_named_barrierPU3AS314__namedBarrierj", made, {types_.of(i.words[1]), number},
       {i.words[1], out_.number(number, 0)});
}

void LibraryCalls::async_copy(const Instruction& i) {
  const std::uint32_t to = i.words[4];
  const std::uint32_t from = i.words[5];
  const std::uint32_t bytes = i.words[6];
  const std::uint32_t elements = i.words[7];
  const std::uint32_t stride = i.words[8];
  const std::uint32_t size = types_.integers(64, 1);
  if (!are_of_type(i, 6, 8, size) || !are_of_type(i, 9, 9, i.type)) return;
  const bool pointers = types_.is_pointer(types_.of(to)) && types_.is_pointer(types_.of(from));
  if (!pointers || types_.opcode_of(i.type) != op_type_event) return out_.refuse(i.opcode, "operands of other types");
  const bool to_local = types_.storage(types_.of(to)) == kWorkgroup;
  const std::uint32_t byte = types_.integers(8, 1);
  const std::uint32_t target = out_.typed(to, byte);
  const std::uint32_t source = out_.typed(from, byte);
  const std::uint32_t zero = out_.number(size, 0);
  const std::uint32_t one = out_.number(size, 1);
  const std::uint32_t source_type = out_.pointer_to(byte, from);
  const std::uint32_t target_type = out_.pointer_to(byte, to);
  call(to_local ? "_Z26async_work_group_copy_2D2DPU3AS3vmPU3AS1Kvmmmmmm9ocl_event"
                : "_Z26async_work_group_copy_2D2DPU3AS1vmPU3AS3Kvmmmmmm9ocl_event",
       i, {target_type, size, source_type, size, size, size, size, size, size, i.type},
       {target, zero, source, zero, one, bytes, elements, to_local ? stride : bytes, to_local ? bytes : stride,
        i.words[9]});
}

}  // namespace lanewise::spirv
