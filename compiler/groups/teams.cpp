// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/teams.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/base/transformations.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/groups/dimension_order.h"
#include "compiler/groups/interleaving.h"
#include "compiler/groups/regions.h"
#include "compiler/groups/uniformity.h"
#include "include/lanewise/kernel_abi.h"

namespace lanewise {
namespace {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// Local memory of all groups of a team, which should stay in the nearest cache.
constexpr std::uint64_t kMostLocalBytes = 32768;
/// Work-items of a team, because each has values that live across barriers.
constexpr std::uint64_t kMostItems = 8192;
/// Fewer are less than a vector.
constexpr unsigned kFewestGroups = 8;

/// How many groups make a team, of `most`; 0: too few would stay in the cache.
unsigned groups_of_team(const WorkItemFunction& item, unsigned most) {
  std::uint64_t groups = most;
  if (item.local_bytes != 0) groups = std::min(groups, kMostLocalBytes / item.local_bytes);
  for (const std::uint64_t size : item.known_size)
    if (size == 0) return 0;
  groups = llvm::bit_floor(std::min(groups, kMostItems / (item.known_size[0] * item.known_size[1])));
  return groups < kFewestGroups ? 0 : static_cast<unsigned>(groups);
}

/// Groups could tell that they run together, or wait for each other: by atomics, fences and volatile accesses.
bool concerns_other_groups(const Instruction& i) {
  if (i.isAtomic() || i.isVolatile()) return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  if (call == nullptr || known_call(*call) == Known::barrier) return false;
  const bool known = llvm::isa<llvm::IntrinsicInst>(call) || call->onlyReadsMemory();
  return !known || call->isConvergent() || is_barrier(i);
}

bool may_form_teams(const WorkItemFunction& item) {
  const auto& size = item.known_size;
  if (size[2] != 1 || item.sub_group_size != 1 || item.uses_print || item.enqueues) return false;
  if (!item.zeroed_local.empty()) return false;
  // Debug info describes one work-group.
  if (item.function->getSubprogram() != nullptr) return false;
  for (const ContextParameter which : {ContextParameter::sub_group_id, ContextParameter::sub_group_local_id,
                                       ContextParameter::sub_group_size, ContextParameter::worker})
    if (!item.context(which)->use_empty()) return false;
  for (unsigned a = 0; a < static_cast<unsigned>(Area::count); ++a) {
    const AreaParameters area = item.area(static_cast<Area>(a));
    if (!area.begin->use_empty() || !area.bytes->use_empty()) return false;
  }
  return llvm::none_of(llvm::instructions(*item.function), concerns_other_groups);
}

/// The arguments that point to local memory and are used.
llvm::SmallVector<llvm::Argument*> local_arguments(const WorkItemFunction& item, const abi::KernelInfo& info) {
  llvm::SmallVector<llvm::Argument*> arguments;
  for (unsigned i = 0; i < item.kernel_args; ++i)
    if (info.args[i].kind == abi::ArgKind::local_pointer && !item.function->getArg(i)->use_empty())
      arguments.push_back(item.function->getArg(i));
  return arguments;
}

/// Whether the groups of a team can share the memory of an argument, whose size is not known, element by element.
bool has_local_arguments_of_elements(const WorkItemFunction& item, const abi::KernelInfo& info) {
  return llvm::all_of(local_arguments(item, info), [&](llvm::Argument* argument) {
    return Interleaving(*argument, item.function->getDataLayout()).find_element() != 0;
  });
}

/// Gives the context parameters of a copy the meaning that they have in teams.
class TeamWriter {
 public:
  TeamWriter(WorkItemFunction& item, const abi::KernelInfo& info, unsigned groups)
      : item_(item),
        info_(info),
        groups_(groups),
        size_(item.known_size),
        b_(&*item.function->getEntryBlock().getSingleSuccessor()->getFirstNonPHIIt()) {}

  void write() {
    number_items();
    number_groups();
    place_local_memory();
    for (llvm::Argument* argument : local_arguments(item_, info_)) place_local_argument(*argument);
    item_.known_size = {groups_, size_[0], size_[1]};
  }

 private:
  Value* get(ContextParameter which, unsigned dim = 0) { return item_.context(which, dim); }

  void replace(ContextParameter which, unsigned dim, Value* with) { get(which, dim)->replaceAllUsesWith(with); }

  /// The instruction that `write` returns for a parameter takes its place everywhere else.
  template <class Write>
  void replace(ContextParameter which, const Write& write) {
    replace_uses(*get(which), write);
  }
  template <class Write>
  void replace_uses(Value& parameter, const Write& write) {
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : parameter.uses()) uses.push_back(&use);
    if (uses.empty()) return;
    Value* value = write(&parameter);
    for (llvm::Use* use : uses) use->set(value);
  }

  void number_items() {
    for (unsigned d = 0; d < 3; ++d)
      for (const ContextParameter which : {ContextParameter::local_size, ContextParameter::enqueued_size})
        replace(which, d, b_.getInt64(size_[d]));
    replace(ContextParameter::local_id, 2, b_.getInt64(0));
    replace(ContextParameter::local_id, 1, get(ContextParameter::local_id, 2));
    replace(ContextParameter::local_id, 0, get(ContextParameter::local_id, 1));
    replace(ContextParameter::local_linear, [&](Value*) {
      Value* row = b_.CreateNUWMul(get(ContextParameter::local_id, 2), b_.getInt64(size_[0]));
      return b_.CreateNUWAdd(row, get(ContextParameter::local_id, 1));
    });
  }

  void number_groups() {
    const auto behind = [&](Value* first) {
      return b_.CreateAdd(first, get(ContextParameter::local_id, 0), "", /*HasNUW=*/true, /*HasNSW=*/true);
    };
    replace(ContextParameter::group_id, behind);  // first of all, because the base is computed from that of the team
    replace(ContextParameter::group_linear, behind);
    replace(ContextParameter::group_base,
            [&](Value*) { return b_.CreateNUWMul(behind(get(ContextParameter::group_id)), b_.getInt64(size_[0])); });
  }

  void place_local_memory() {
    if (item_.local_bytes == 0) return;
    Interleaving interleaving(*get(ContextParameter::local_memory), item_.function->getDataLayout());
    const std::uint64_t element = interleaving.find_element();
    const std::uint64_t bytes = llvm::alignTo(item_.local_bytes, element != 0 ? element : LANEWISE_SCRATCH_ALIGN);
    item_.team.local_bytes = bytes * groups_;
    place_groups(*get(ContextParameter::local_memory), element != 0 ? element : bytes);
    if (element != 0) spread(interleaving);
  }

  /// The range function places all groups' memory of an argument (range_function.h).
  void place_local_argument(llvm::Argument& argument) {
    Interleaving interleaving(argument, item_.function->getDataLayout());
    place_groups(argument, interleaving.find_element());
    spread(interleaving);
  }

  /// The memory of a group begins so many bytes after that of the group before it.
  void place_groups(Value& memory, std::uint64_t distance) {
    replace_uses(memory, [&](Value* all) {
      Value* skipped = b_.CreateNUWMul(get(ContextParameter::local_id, 0), b_.getInt64(distance));
      return b_.CreateInBoundsGEP(b_.getInt8Ty(), all, skipped, "local.memory.of.group");
    });
  }

  /// Erases instructions, perhaps that at which `b_` writes.
  void spread(Interleaving& interleaving) {
    interleaving.spread(*b_.getInt64(groups_));
    b_.SetInsertPoint(&*item_.function->getEntryBlock().getSingleSuccessor()->getFirstNonPHIIt());
  }

  WorkItemFunction& item_;
  const abi::KernelInfo& info_;
  unsigned groups_;
  std::array<std::uint64_t, 3> size_;
  IRBuilder<> b_;
};

bool pays(const WorkItemFunction& team) {
  const auto costs = access_costs(team);
  const unsigned items = team.known_size[1] == 1 ? 2 : 1;  // groups of one column have their rows in y
  return kExchangeGain * costs[0] <= costs[items];
}

bool all_come_to_barriers(const WorkItemFunction& team) {
  const auto barriers = isolate_barriers(team);
  if (barriers.empty()) return true;
  Uniformity uniformity(team);
  return !may_part_before_barriers(team, barriers, uniformity);
}

}  // namespace

void form_team(WorkItemFunction& item, const abi::KernelInfo& info, unsigned most, bool always) {
  const unsigned groups = groups_of_team(item, most);
  if (groups == 0 || !may_form_teams(item) || !has_local_arguments_of_elements(item, info)) return;
  // On a copy, because what depends on the group is seen when its number does.
  WorkItemFunction team = item;
  llvm::ValueToValueMapTy map;
  team.function = llvm::CloneFunction(item.function, map);
  team.team.groups = groups;
  team.team.group_size = item.known_size;
  TeamWriter(team, info, groups).write();
  const bool good = (always || pays(team)) && all_come_to_barriers(team);
  if (good) {
    tally(Transformation::form_teams);
    team.function->takeName(item.function);
    std::swap(item, team);
  }
  team.function->eraseFromParent();
}

}  // namespace lanewise
