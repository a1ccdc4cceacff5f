// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/children.h"

#include <utility>

#include "runtime/exec/command.h"

namespace lanewise {

namespace {
Family* family_of_root(Event& running) {
  auto& command = static_cast<Command&>(running);
  return command.parent() == nullptr ? command.make_family() : command.root().family();
}
}  // namespace

FamilyGoods* goods_of(Event& running) {
  const Family* family = static_cast<Command&>(running).root().family();
  return family == nullptr ? nullptr : family->goods.load(std::memory_order_acquire);
}

FamilyGoods* share_goods(Event& running, std::unique_ptr<FamilyGoods> fresh) {
  Family* family = family_of_root(running);
  return family == nullptr ? nullptr : &family->share(std::move(fresh));
}

void capture_times(Event& event, std::uint64_t* to) {
  if (event.is_user()) return;
  auto& command = static_cast<Command&>(event);
  Family* family = command.profiled() ? command.family() : nullptr;
  if (family == nullptr || family->captures.add(to)) return;
  const RunTimes times = command.run_times();
  to[0] = times.run;
  to[1] = times.all;
}

}  // namespace lanewise
