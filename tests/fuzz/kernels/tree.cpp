// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/kernels/tree.h"

namespace lanewise::fuzz {
namespace {

void render_into(const Node& node, unsigned depth, std::string& out) {
  switch (node.kind) {
    case Node::Kind::text:
      out += node.text;
      return;
    case Node::Kind::expression:
    case Node::Kind::statement:
      for (const Tree& kid : node.kids) render_into(*kid, depth, out);
      return;
    case Node::Kind::block:
    case Node::Kind::list:
      break;
  }
  const bool braces = node.kind == Node::Kind::block;
  const unsigned inner = braces ? depth + 1 : depth;
  if (braces) out += "{\n";
  for (const Tree& kid : node.kids) {
    out.append(2 * std::size_t{inner}, ' ');
    render_into(*kid, inner, out);
    out += '\n';
  }
  if (braces) out.append(2 * std::size_t{depth}, ' ') += '}';
}

}  // namespace

Tree clone(const Node& node) {
  auto copy = std::make_unique<Node>();
  copy->kind = node.kind;
  copy->text = node.text;
  copy->type = node.type;
  copy->fixed = node.fixed;
  copy->whole = node.whole;
  for (const Tree& kid : node.kids) copy->kids.push_back(clone(*kid));
  return copy;
}

std::string render(const Node& node) {
  std::string out;
  render_into(node, 0, out);
  return out;
}

}  // namespace lanewise::fuzz
