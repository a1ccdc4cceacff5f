// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/exec/dependency.h"

#include <utility>

namespace lanewise {

namespace {
/// The head of a list of successors that have been notified: no more can be added.
constinit Edge g_closed{};
}  // namespace

bool Dependent::wait_for(Successors& list, Edge& edge, bool carries_error) {
  edge.dependent = this;
  edge.carries_error = carries_error;
  open_.fetch_add(1, std::memory_order_relaxed);
  if (list.add(edge)) return true;
  open_.fetch_sub(1, std::memory_order_relaxed);  // never the last one: the enqueue itself is still open
  return false;
}

bool Successors::add(Edge& edge) {
  Edge* head = head_.load(std::memory_order_acquire);
  do {
    if (head == &g_closed) return false;
    edge.next = head;
  } while (!head_.compare_exchange_weak(head, &edge, std::memory_order_acq_rel, std::memory_order_acquire));
  return true;
}

void Successors::tell(cl_int status, DependentList& ready) {
  Edge* stack = head_.exchange(&g_closed, std::memory_order_acq_rel);
  Edge* in_order = nullptr;  // the list is a stack; dependants become ready in the order in which they were enqueued
  while (stack != nullptr) {
    Edge* edge = std::exchange(stack, stack->next);
    edge->next = in_order;
    in_order = edge;
  }
  while (in_order != nullptr) {
    // The edge is a part of the dependent, which may end and be destroyed as soon as its count has dropped.
    Edge* edge = std::exchange(in_order, in_order->next);
    Dependent& dependent = *edge->dependent;
    if (status < 0 && edge->carries_error) dependent.fail();
    if (dependent.drop_dependency()) ready.push(dependent);
  }
}

}  // namespace lanewise
