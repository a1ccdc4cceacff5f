// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A program as text with just enough structure to be reduced: blocks of statements, expressions with a type.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lanewise::fuzz {

struct Node;
using Tree = std::unique_ptr<Node>;

struct Node {
  enum class Kind {
    text,
    expression,  ///< may be replaced by a part of it of the same type, or by a constant
    statement,   ///< may be left out of its block
    block,       ///< statements between braces
    list,        ///< statements without braces
  };
  Kind kind = Kind::text;
  std::string text;    ///< of a text
  std::string type;    ///< of an expression
  bool fixed = false;  ///< statement: must stay as it is (declarations that others need, initial values)
  bool whole = false;  ///< statement: may be removed, but not replaced by its blocks (barriers)
  std::vector<Tree> kids;
};

inline void append(Node& parent, Tree kid) {
  parent.kids.push_back(std::move(kid));
}
inline void append(Node& parent, std::string text) {
  auto kid = std::make_unique<Node>();
  kid->text = std::move(text);
  parent.kids.push_back(std::move(kid));
}

template <class... Parts>
Tree make(Node::Kind kind, std::string type, Parts&&... parts) {
  auto node = std::make_unique<Node>();
  node->kind = kind;
  node->type = std::move(type);
  (append(*node, std::forward<Parts>(parts)), ...);
  return node;
}

/// A statement of `parts`: texts, expressions and blocks.
template <class... Parts>
Tree statement(Parts&&... parts) {
  return make(Node::Kind::statement, {}, std::forward<Parts>(parts)...);
}

Tree clone(const Node& node);
std::string render(const Node& node);

}  // namespace lanewise::fuzz
