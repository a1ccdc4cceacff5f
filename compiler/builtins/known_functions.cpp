// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/builtins/known_functions.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace lanewise {
namespace {

using llvm::StringRef;

constexpr std::pair<StringRef, Known> kFunctions[] = {
    {"_Z7barrierj", Known::barrier},
    {"_Z18work_group_barrierj", Known::barrier},
    {"_Z18work_group_barrierj12memory_scope", Known::barrier},
    {"_Z29intel_work_group_barrier_waitj", Known::barrier},
    {"_Z29intel_work_group_barrier_waitj12memory_scope", Known::barrier},
    {"_Z9mem_fencej", Known::mem_fence},
    {"_Z31intel_work_group_barrier_arrivej", Known::mem_fence},
    {"_Z31intel_work_group_barrier_arrivej12memory_scope", Known::mem_fence},
    {"_Z14read_mem_fencej", Known::mem_fence},
    {"_Z15write_mem_fencej", Known::mem_fence},
    {"_Z22atomic_work_item_fencej12memory_order12memory_scope", Known::work_item_fence},
    {"printf", Known::print},
    {"__lw_enqueue", Known::enqueue},
    {"__lw_device_queue", Known::device_queue},
    {"__lw_check", Known::check},
    {"__lw_check_shared", Known::check_shared},
    {"__lw_check_bounds", Known::check_bounds},
    {"__lw_check_races", Known::check_races},
    {"__lw_check_id", Known::check_id},
    {"__to_global", Known::to_global},
    {"__to_local", Known::to_local},
    {"__to_private", Known::to_private},
    {"_Z9get_fencePU3AS4v", Known::get_fence},
    {"_Z9get_fencePU3AS4Kv", Known::get_fence},
    {"__lw_sampler_word", Known::sampler_word},
    {"__translate_sampler_initializer", Known::sampler_initializer},
    {"_Z13get_global_idj", Known::global_id},
    {"_Z12get_local_idj", Known::local_id},
    {"_Z12get_group_idj", Known::group_id},
    {"_Z14get_local_sizej", Known::local_size},
    {"_Z23get_enqueued_local_sizej", Known::enqueued_local_size},
    {"_Z15get_global_sizej", Known::global_size},
    {"_Z14get_num_groupsj", Known::num_groups},
    {"_Z17get_global_offsetj", Known::global_offset},
    {"_Z12get_work_dimv", Known::work_dim},
    {"_Z12get_work_dim", Known::work_dim},
    {"_Z20get_global_linear_idv", Known::global_linear_id},
    {"_Z19get_local_linear_idv", Known::local_linear_id},
    {"_Z17sub_group_barrierj", Known::sub_group_barrier},
    {"_Z17sub_group_barrierj12memory_scope", Known::sub_group_barrier},
    {"_Z18named_barrier_initi", Known::named_barrier},
    {"_Z18get_sub_group_sizev", Known::sub_group_size},
    {"_Z22get_max_sub_group_sizev", Known::max_sub_group_size},
    {"_Z18get_num_sub_groupsv", Known::num_sub_groups},
    {"_Z27get_enqueued_num_sub_groupsv", Known::enqueued_num_sub_groups},
    {"_Z16get_sub_group_idv", Known::sub_group_id},
    {"_Z22get_sub_group_local_idv", Known::sub_group_local_id},
};

constexpr StringRef kImageDescriptor = "_Z21__lw_image_descriptor";
constexpr StringRef kSubGroupPrefix = "__lw_sub_group_";
constexpr StringRef kWorkGroupPrefix = "__lw_work_group_";
/// The part of the name after the prefix. T, or OP_T where values are combined, follows it.
constexpr std::pair<StringRef, SubGroupOperation> kOperations[] = {
    {"ballot", SubGroupOperation::ballot},
    {"broadcast_", SubGroupOperation::broadcast},
    {"shuffle_", SubGroupOperation::shuffle},
    {"reduce_", SubGroupOperation::reduce},
    {"scan_inclusive_", SubGroupOperation::scan_inclusive},
    {"scan_exclusive_", SubGroupOperation::scan_exclusive},
    {"clustered_", SubGroupOperation::clustered},
};
constexpr std::pair<StringRef, Combine> kCombinations[] = {
    {"add", Combine::add},     {"mul", Combine::mul},   {"min", Combine::min},     {"max", Combine::max},
    {"and", Combine::bit_and}, {"or", Combine::bit_or}, {"xor", Combine::bit_xor},
};

/// With the first letter of a pointer's type, which every overload begins with.
constexpr StringRef kCopies[] = {"_Z21async_work_group_copyP", "_Z29async_work_group_strided_copyP",
                                 "_Z26async_work_group_copy_2D2DP", "_Z26async_work_group_copy_3D3DP"};
constexpr StringRef kWaitForCopies = "_Z17wait_group_eventsi";

Known of_name(StringRef name) {
  static const auto* const map = [] {  // never destroyed: threads may compile while the process ends
    auto* made = new llvm::StringMap<Known>;
    for (const auto& [function, known] : kFunctions) (*made)[function] = known;
    return made;
  }();
  return map->lookup(name);
}

/// The type's name, after that of the combination if there is one.
std::optional<SubGroupCall> of_operation(SubGroupOperation what, StringRef rest) {
  SubGroupCall call{what};
  if (what == SubGroupOperation::ballot) return rest.empty() ? std::optional(call) : std::nullopt;
  if (what != SubGroupOperation::broadcast && what != SubGroupOperation::shuffle) {
    const auto [op, type] = rest.split('_');
    for (const auto& [name, combine] : kCombinations)
      if (op == name) call.combine = combine;
    if (call.combine == Combine::none) return std::nullopt;
    rest = type;
  }
  call.is_signed = !rest.starts_with("u");
  return call;
}

std::optional<SubGroupCall> operation_of(const llvm::Function& function, StringRef prefix) {
  StringRef name = function.getName();
  if (!function.isDeclaration() || !name.consume_front(prefix)) return std::nullopt;
  for (const auto& [kind, what] : kOperations)
    if (name.consume_front(kind)) return of_operation(what, name);
  return std::nullopt;
}

const llvm::Function* callee_of(const llvm::Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  return call == nullptr ? nullptr : call->getCalledFunction();
}

}  // namespace

std::optional<SubGroupCall> sub_group_operation(const llvm::Function& function) {
  return operation_of(function, kSubGroupPrefix);
}

std::optional<SubGroupCall> work_group_operation(const llvm::Function& function) {
  const auto call = operation_of(function, kWorkGroupPrefix);
  const bool of_sub_groups_only =
      call && (call->what == SubGroupOperation::ballot || call->what == SubGroupOperation::shuffle ||
               call->what == SubGroupOperation::clustered);
  return of_sub_groups_only ? std::nullopt : call;
}

std::optional<SubGroupCall> sub_group_call(const llvm::Instruction& i) {
  const llvm::Function* callee = callee_of(i);
  return callee == nullptr ? std::nullopt : sub_group_operation(*callee);
}

std::optional<SubGroupCall> work_group_call(const llvm::Instruction& i) {
  const llvm::Function* callee = callee_of(i);
  return callee == nullptr ? std::nullopt : work_group_operation(*callee);
}

Known known_function(const llvm::Function& function) {
  if (!function.isDeclaration() || function.isIntrinsic()) return Known::none;
  if (sub_group_operation(function)) return Known::sub_group_operation;
  if (function.getName().starts_with(kImageDescriptor)) return Known::image_descriptor;
  return work_group_operation(function) ? Known::work_group_operation : of_name(function.getName());
}

Known known_call(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee == nullptr ? Known::none : known_function(*callee);
}

bool is_work_group_copy(const llvm::Function& function) {
  return llvm::any_of(kCopies, [&](StringRef prefix) { return function.getName().starts_with(prefix); });
}

bool is_wait_for_copies(const llvm::Function& function) {
  return function.getName().starts_with(kWaitForCopies);
}

bool beyond_work_group(const llvm::CallBase& call, unsigned index) {
  const auto* scope = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(index));
  if (scope == nullptr) return true;
  return scope->equalsInt(scope_device) || scope->equalsInt(scope_all_devices);
}

}  // namespace lanewise
