// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/groups/lowering.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/base/address_spaces.h"
#include "compiler/base/context.h"
#include "compiler/base/diagnostics.h"
#include "compiler/base/marks.h"
#include "compiler/base/transformations.h"
#include "compiler/builtins/known_functions.h"
#include "compiler/groups/constant_fields.h"
#include "compiler/groups/debug_info.h"
#include "compiler/groups/dimension_order.h"
#include "compiler/groups/gathered_turns.h"
#include "compiler/groups/live_values.h"
#include "compiler/groups/private_memory.h"
#include "compiler/groups/range_function.h"
#include "compiler/groups/region_loops.h"
#include "compiler/groups/region_order.h"
#include "compiler/groups/regions.h"
#include "compiler/groups/split_inductions.h"
#include "compiler/groups/strips.h"
#include "compiler/groups/teams.h"
#include "compiler/groups/work_item_function.h"
#include "include/lanewise/kernel_abi.h"

namespace lanewise {
namespace {

/// Whether the values that live across barriers fit the stack of a thread, for which the size of groups must be known.
/// Private variables stay in item scratch, where generic pointers look for them, but for those without such pointers.
bool fit_frame(const LiveValues& live, const PrivateMemory& memory, const WorkItemFunction& item) {
  constexpr std::uint64_t kMostBytes = 16384;
  std::uint64_t bytes = live.item_bytes;
  for (const std::uint64_t size : item.known_size)
    if (size == 0 || __builtin_mul_overflow(bytes, size, &bytes)) return false;
  return bytes <= kMostBytes && llvm::none_of(memory.variables, [](const PrivateVariable& v) {
           return v.place == PrivatePlace::item_scratch && v.element == 0;
         });
}

/// Columns become rows. The first dimension if groups are a single work-item, or of a size that is not known.
unsigned first_long_dimension(const std::array<std::uint64_t, 3>& size) {
  for (unsigned d = 0; d < 3; ++d)
    if (size[d] > 1) return d;
  return 0;
}

/// Where groups are known to be one work-item wide, ids are constants, so that what follows from them is the same for
/// all work-items. A group at the border is no wider. Not in x: neighbouring groups may run as one row, in which the id
/// counts on from group to group.
void fold_single_ids(const WorkItemFunction& item) {
  for (unsigned d = 1; d < 3; ++d) {
    llvm::Argument* id = item.context(ContextParameter::local_id, d);
    if (item.known_size[d] == 1) id->replaceAllUsesWith(llvm::ConstantInt::get(id->getType(), 0));
  }
}

/// Decided before anything that treats x differently from other dimensions. Images are not looked at: their texels lie
/// in memory as those of buffers, but kernels on images name x first.
unsigned order_dimensions(const WorkItemFunction& item, const abi::KernelInfo& info, const WorkgroupOptions& options) {
  unsigned first = options.launches != nullptr ? options.launches->first_dimension : 0;
  const auto is_image = [](const abi::ArgInfo& arg) { return arg.kind == abi::ArgKind::image; };
  if (options.launches == nullptr && options.merge_groups && info.reqd_work_group_size[0] == 0 &&
      llvm::none_of(info.args, is_image) && can_merge_groups(item, info, false) && is_blind_to_groups(item))
    first = choose_first_dimension(item);
  if (first != 0) {
    tally(Transformation::exchange_dimensions);
    exchange_dimensions(item, first);
  }
  return first;
}

/// Groups that can be merged become rows, whose dimensions have been put in order.
void form_team_where_possible(WorkItemFunction& item, const abi::KernelInfo& info, const WorkgroupOptions& options) {
  item.known_size = info.reqd_work_group_size;
  const unsigned groups = options.launches != nullptr ? options.launches->team_groups : 0;
  if (groups < 2 || !options.merge_groups || info.shape.first_dimension != 0) return;
  if (!can_merge_groups(item, info, has_barrier(*item.function))) form_team(item, info, groups, options.always_teams);
}

/// Where values that live across barriers, large private arrays and the local memory of a team lie.
void describe_scratch(WorkItemFunction& item, const PrivateMemory& memory, const LiveValues& live, bool slots_in_frame,
                      abi::KernelInfo& info) {
  info.item_bytes = slots_in_frame ? 0 : live.item_bytes * item.team.groups;
  info.group_bytes = memory.group_bytes;
  if (item.team.local_bytes == 0) return;
  item.team.local_offset = llvm::alignTo(memory.group_bytes, LANEWISE_SCRATCH_ALIGN);
  info.group_bytes = item.team.local_offset + item.team.local_bytes;
}

/// The work-items of a team's groups, in x.
std::uint32_t row_of_team(const Team& team) {
  return static_cast<std::uint32_t>(team.groups * team.group_size[0]);
}

void forget(llvm::Function& kernel, const WorkItemFunction& item) {
  llvm::Module& module = *kernel.getParent();
  item.function->eraseFromParent();
  if (kernel.use_empty()) kernel.eraseFromParent();
  for (llvm::GlobalVariable& g : llvm::make_early_inc_range(module.globals())) {
    if (g.getAddressSpace() != local_space) continue;
    g.removeDeadConstantUsers();
    if (g.use_empty()) g.eraseFromParent();
  }
}

llvm::Error verify(const llvm::Function& function, const std::string& kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!llvm::verifyFunction(function, &stream)) return llvm::Error::success();
  return llvm::createStringError("internal: kernel '" + kernel + "' is broken after work-group lowering: " + text);
}

}  // namespace

llvm::Expected<llvm::Function*> lower_kernel(llvm::Function& kernel, const WorkgroupOptions& options,
                                             abi::KernelInfo& info) {
  const std::string name = kernel.getName().str();
  auto item = make_work_item_function(kernel, options.sub_group_size);
  if (!item) return item.takeError();
  const bool takes_turns = item->sub_group_size > 1 && gather_turns(*item);
  if (info.symbol == name) kernel.setName(name + ".kernel");
  info.shape.first_dimension = order_dimensions(*item, info, options);
  info.shape.crosses = options.merge_groups && crosses_dimensions(*item);
  form_team_where_possible(*item, info, options);
  item->row = first_long_dimension(item->known_size);
  if (!options.every_value) fold_single_ids(*item);
  split_inductions(*item);
  auto barriers = isolate_barriers(*item);
  PrivateMemory memory = place_private_variables(*item, barriers, options.every_value);
  if (!options.every_value) interleave_arrays(*item, memory);
  if (llvm::Error error = verify(*item->function, name)) return error;
  Uniformity uniformity(*item);
  const RegionGraph graph = form_regions(*item, std::move(barriers), uniformity, options.copied_instructions_limit);
  const LiveValues live = find_live_values(*item, graph, memory, uniformity);
  const bool mergeable =
      options.merge_groups && !item->team.exists() && can_merge_groups(*item, info, !graph.barriers.empty());
  const bool any_local_size = mergeable && is_blind_to_groups(*item);
  // Groups that a launch makes squares, so that lines of memory meet in the cache, must not become rows.
  const bool strips = mergeable && !(info.shape.crosses && any_local_size);
  const bool slots_in_frame = fit_frame(live, memory, *item) && !options.every_value;
  describe_scratch(*item, memory, live, slots_in_frame, info);
  if (strips) tally(Transformation::merge_groups);
  if (slots_in_frame && live.item_bytes != 0) tally(Transformation::keep_values_in_frame);
  auto range = make_range_function(*item, info, strips, options.launches != nullptr);
  if (!range) return range.takeError();
  DebugInfo debug(*item, *range, options.every_value);
  if (takes_turns) range->function->addFnAttr(marks::kTakesTurns);
  const bool as_written = strips || item->sub_group_size != 1 || options.every_value || options.debug_barriers;
  RegionOrders orders = as_written ? same_order(graph, range->row) : order_regions(*item, graph, memory, live);
  emit_regions(*range, {*item, graph, memory, live, std::move(orders), slots_in_frame, options.debug_barriers, debug});
  hoist_constant_fields(*range);
  llvm::removeUnreachableBlocks(*range->function);
  debug.finish();
  if (llvm::Error error = verify(*range->function, name)) return error;

  info.local_bytes = item->local_bytes;
  info.private_bytes = live.item_bytes;
  for (const PrivateVariable& v : memory.variables)
    if (v.place != PrivatePlace::item_scratch) info.private_bytes += v.bytes;
  info.has_barrier = !graph.barriers.empty();
  info.uses_print = item->uses_print;
  info.enqueues = item->enqueues;
  info.shape.team_groups = item->team.exists() ? item->team.groups : 0;
  info.shape.row_items = item->team.exists() ? row_of_team(item->team) : strips ? 1 : 0;
  info.shape.any_local_size = any_local_size;
  forget(kernel, *item);
  return range->function;
}

llvm::PreservedAnalyses LowerWorkGroupsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
  KernelContext& context = context_of(module, analyses);
  for (abi::KernelInfo* info : context.kernels) {
    if (context.lowered.contains(info)) continue;
    llvm::Function* kernel = module.getFunction(info->name);
    auto range = kernel != nullptr ? lower_kernel(*kernel, context.workgroup, *info)
                                   : failure("internal compiler error: kernel " + info->name + " is gone");
    if (range) continue;
    context.fail(range.takeError());
    break;
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace lanewise
