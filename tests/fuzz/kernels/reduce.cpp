// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/kernels/reduce.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace lanewise::fuzz {
namespace {

class Reducer {
 public:
  Reducer(Program& program, const std::function<bool(const Program&)>& fails, double seconds)
      : program_(program),
        fails_(fails),
        end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}

  void run() {
    do {
      changed_ = false;
      visit(*program_.body);
      visit(*program_.globals);
    } while (changed_ && !late());
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool late() const { return Clock::now() >= end_; }
  bool still_fails() {
    if (late() || !fails_(program_)) return false;
    changed_ = true;
    return true;
  }

  void visit(Node& node) {
    if (late()) return;
    if (node.kind == Node::Kind::block || node.kind == Node::Kind::list) {
      for (std::size_t size = std::max<std::size_t>(node.kids.size() / 2, 1);; size /= 2) {
        for (std::size_t at = 0; at < node.kids.size();)
          if (!leave_out(node, at, size)) at += size;
        if (size <= 1) break;
      }
      for (Tree& kid : node.kids) unwrap(kid);
    }
    for (Tree& kid : node.kids) {
      if (kid->kind == Node::Kind::expression) simplify(kid);
      visit(*kid);
    }
  }

  bool leave_out(Node& node, std::size_t at, std::size_t size) {
    std::vector<Tree> before;
    std::vector<Tree> without;
    const std::size_t end = std::min(at + size, node.kids.size());
    for (std::size_t i = at; i < end; ++i)
      if (node.kids[i]->fixed) return false;
    for (std::size_t i = 0; i < node.kids.size(); ++i) before.push_back(clone(*node.kids[i]));
    node.kids.erase(node.kids.begin() + static_cast<std::ptrdiff_t>(at),
                    node.kids.begin() + static_cast<std::ptrdiff_t>(end));
    if (still_fails()) return true;
    node.kids = std::move(before);
    return false;
  }

  /// A statement becomes one of its blocks.
  void unwrap(Tree& kid) {
    if (kid->kind != Node::Kind::statement || kid->fixed || kid->whole) return;
    for (const Tree& part : kid->kids) {
      if (part->kind != Node::Kind::block) continue;
      // A break or continue would then leave another loop.
      const std::string text = render(*part);
      const bool loop = render(*kid).find("if (") != 0;
      if (loop && (text.find("break;") != std::string::npos || text.find("continue;") != std::string::npos)) continue;
      Tree before = clone(*kid);
      Tree inner = clone(*part);
      kid = statement(std::move(inner));
      if (still_fails()) return;
      kid = std::move(before);
      return;
    }
  }

  void simplify(Tree& node) {
    if (node->kids.size() > 1 || render(*node).size() > 14) {
      for (const char* constant : {"1", "2"}) {
        Tree before = clone(*node);
        node = make(Node::Kind::expression, before->type, "(" + before->type + ")(" + constant + ")");
        if (still_fails()) return;
        node = std::move(before);
        if (late()) return;
      }
    }
    for (std::size_t i = 0; i < node->kids.size(); ++i) {
      const Node& part = *node->kids[i];
      if (part.kind != Node::Kind::expression || part.type != node->type) continue;
      Tree before = clone(*node);
      node = clone(part);
      if (still_fails()) return simplify(node);
      node = std::move(before);
    }
  }

  Program& program_;
  const std::function<bool(const Program&)>& fails_;
  Clock::time_point end_;
  bool changed_ = false;
};

}  // namespace

void reduce(Program& program, const std::function<bool(const Program&)>& fails, double seconds) {
  Reducer(program, fails, seconds).run();
}

}  // namespace lanewise::fuzz
