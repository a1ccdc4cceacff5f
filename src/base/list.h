// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lists of objects that contain their links: adding and removing allocates nothing and does not fail. A list owns
/// nothing and does not know whether its objects are alive. Its use by several threads needs a lock.
///
/// An object may be in several lists, with a link for each. A class tells a list where the link is:
///
///     struct Scratch::InAll { static ListLink<Scratch>& of(Scratch& scratch) { return scratch.in_all_; } };
///     List<Scratch, Scratch::InAll> all;
///
/// The type of the objects may be incomplete until one of the functions is used.
#pragma once

namespace lanewise {

/// The place of an object in a List. Any class with these two members will do.
template <class T>
struct ListLink {
  T* next = nullptr;
  T* previous = nullptr;
};

/// A doubly linked list: any object can leave it at any time.
template <class T, class Links>
class List {
 public:
  constexpr List() = default;
  List(const List&) = delete;
  List& operator=(const List&) = delete;

  [[nodiscard]] bool empty() const { return first_ == nullptr; }
  /// The first object; null: the list is empty.
  [[nodiscard]] T* first() const { return first_; }
  /// The next object; null: the object is the last one.
  [[nodiscard]] static T* after(T& object) { return Links::of(object).next; }

  /// Adds an object that is not in the list.
  void push_front(T& object) {
    auto& link = Links::of(object);
    link.next = first_;
    link.previous = nullptr;
    (first_ != nullptr ? Links::of(*first_).previous : last_) = &object;
    first_ = &object;
  }
  void push_back(T& object) {
    auto& link = Links::of(object);
    link.next = nullptr;
    link.previous = last_;
    (last_ != nullptr ? Links::of(*last_).next : first_) = &object;
    last_ = &object;
  }
  /// Removes an object that is in the list.
  void remove(T& object) {
    const auto& link = Links::of(object);
    (link.previous != nullptr ? Links::of(*link.previous).next : first_) = link.next;
    (link.next != nullptr ? Links::of(*link.next).previous : last_) = link.previous;
  }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;
};

/// A singly linked list, from which only the first object can be removed: a queue by `push_back`, a stack by
/// `push_front`. `Links::of(object)` is the pointer to the next object.
template <class T, class Links>
class ForwardList {
 public:
  [[nodiscard]] constexpr bool empty() const { return first_ == nullptr; }

  /// Adds an object that is not in the list.
  void push_front(T& object) {
    Links::of(object) = first_;
    if (first_ == nullptr) last_ = &object;
    first_ = &object;
  }
  void push_back(T& object) {
    Links::of(object) = nullptr;
    (last_ != nullptr ? Links::of(*last_) : first_) = &object;
    last_ = &object;
  }
  /// Removes and returns the first object, which may then be destroyed. Null: the list is empty.
  T* pop() {
    T* object = first_;
    if (object == nullptr) return nullptr;
    first_ = Links::of(*object);
    if (first_ == nullptr) last_ = nullptr;
    return object;
  }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;
};

}  // namespace lanewise
