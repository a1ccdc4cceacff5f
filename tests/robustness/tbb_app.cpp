// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An application that uses TBB itself: what it sees of TBB is not changed by the driver, and the driver's threads do
// not depend on the application's limit. Arguments: the limit that the application sets, or 0 for none.
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <cstdlib>
#include <memory>

#include "tests/robustness/driver.h"

namespace lanewise::robustness {
namespace {

void use_tbb() {
  std::atomic<int> ran{0};
  tbb::parallel_for(0, 1000, [&](int) { ++ran; });
  expect(ran == 1000, "iterations of TBB", ran);
}

int run(std::size_t limit, bool first) {
  using Control = tbb::global_control;
  std::unique_ptr<Control> own;
  if (limit != 0) own = std::make_unique<Control>(Control::max_allowed_parallelism, limit);
  const std::size_t before = Control::active_value(Control::max_allowed_parallelism);
  const std::size_t stack = Control::active_value(Control::thread_stack_size);
  if (first) use_tbb();
  Driver driver;
  Session session(driver);
  for (int i = 0; i < 3; ++i) session.compute(i);
  const std::size_t after = Control::active_value(Control::max_allowed_parallelism);
  expect(after == before, "TBB's limit", static_cast<long>(after));
  expect(Control::active_value(Control::thread_stack_size) == stack, "TBB's stack size");
  use_tbb();
  session.release();
  expect(Control::active_value(Control::max_allowed_parallelism) == before, "TBB's limit afterwards");
  return 0;
}

}  // namespace
}  // namespace lanewise::robustness

int main(int count, char** values) {
  return lanewise::robustness::run(count > 1 ? std::strtoul(values[1], nullptr, 10) : 0, count > 2);
}
