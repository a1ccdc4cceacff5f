// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/dependency.h"

#include <utility>

#include "src/base/happens_before.h"

namespace lanewise {

bool Dependent::wait_for(Successors& list, Edge& edge, bool carries_error) {
  edge.dependent = this;
  edge.carries_error = carries_error;
  open_.fetch_add(1, std::memory_order_relaxed);
  if (list.add(edge)) return true;
  acquired(&list);
  open_.fetch_sub(1, std::memory_order_relaxed);  // never the last one: the enqueue itself is still open
  return false;
}

void Successors::tell(cl_int status, DependentList& ready) {
  released(this);
  // Dependants become ready in the order in which they were enqueued.
  for (Edge* next = edges_.close_in_order(); next != nullptr;) {
    // The edge is a part of the dependent, which may end and be destroyed as soon as its count has dropped.
    const Edge* edge = std::exchange(next, next->next);
    Dependent& dependent = *edge->dependent;
    if (status < 0 && edge->carries_error) dependent.fail();
    released(&dependent);
    if (dependent.drop_dependency()) ready.push_back(dependent);
  }
}

}  // namespace lanewise
