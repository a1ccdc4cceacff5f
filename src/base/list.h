// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lists of objects that contain their links: adding and removing allocates nothing and does not fail. A list owns
/// nothing and does not know whether its objects are alive; who uses it from several threads needs a lock.
///
/// An object may be in several lists, by links of its own for each. How a list finds them is a class:
///
///     struct Scratch::InAll { static Link<Scratch>& of(Scratch& scratch) { return scratch.in_all_; } };
///     List<Scratch, Scratch::InAll> all;
///
/// The objects may be of an incomplete type until one of the functions is used.
#pragma once

namespace lanewise {

/// The place of an object in a List. Any class with these two members will do.
template <class T>
struct Link {
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
  /// Null: it is empty.
  [[nodiscard]] T* first() const { return first_; }
  /// Null: the object is the last one.
  [[nodiscard]] static T* after(T& object) { return Links::of(object).next; }

  /// The object is not in the list.
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
  /// The object is in the list.
  void remove(T& object) {
    const auto& link = Links::of(object);
    (link.previous != nullptr ? Links::of(*link.previous).next : first_) = link.next;
    (link.next != nullptr ? Links::of(*link.next).previous : last_) = link.previous;
  }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;
};

/// A singly linked list, from which only the first object can leave: a queue by `push_back`, a stack by `push_front`.
/// `Links::of` gives the pointer to the next object.
template <class T, class Links>
class ForwardList {
 public:
  [[nodiscard]] constexpr bool empty() const { return first_ == nullptr; }

  /// The object is not in the list.
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
  /// Removes the first object, which may be destroyed from then on. Null: the list is empty.
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
