// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The values of lanes while a body is emitted (compare LLVM's VPTransformState): for each value of the original, its
/// vector form.
///
/// Uniform and strided values are kept as the scalar of lane 0; they become vectors where one is needed, at the
/// place of the builder. All other values are vectors from the beginning.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/TargetTransformInfo.h>

#include "compiler/lanes/analysis/body.h"
#include "compiler/lanes/analysis/shapes.h"
#include "compiler/lanes/emit/lane_builder.h"
#include "compiler/lanes/emit/lane_storage.h"
#include "src/base/isa.h"

namespace lanewise::spmd {

/// How much code a body may become.
struct Economy {
  bool brief = false;           ///< loops are not to be unrolled
  bool few_forms = false;       ///< Plan::few_forms
  bool calls_in_loops = false;  ///< Plan::calls_in_loops
};

/// What is emitted: a body, what is known of it, and how many lanes it gets.
struct BodyForm {
  const Body& body;
  const Shapes& shapes;
  const llvm::PHINode& local_id;
  unsigned width = 0;
  const llvm::TargetTransformInfo& target;
  Isa isa;
  Economy economy = {};
  bool bounded = true;  ///< Shape::bounded holds; else only where more lanes than the first are active
};

/// The vector form of a value of the body.
struct Lanes {
  llvm::Value* base = nullptr;               ///< lane 0; uniform and strided values
  llvm::SmallVector<llvm::Value*, 1> parts;  ///< one vector for a scalar, one per component of a vector or struct
  llvm::Value* holds = nullptr;              ///< i1, checked strided values: whether `base` and the stride are right
};

class VectorState {
 public:
  VectorState(const BodyForm& form, LaneStorage& storage);

  /// Lane 0 of a uniform or strided value.
  llvm::Value* base(const llvm::Value* v);
  /// All lanes of a value, or of one of its components.
  llvm::Value* vector(const llvm::Value* v, unsigned part = 0);
  /// One lane of a value, as a scalar of the original's type.
  llvm::Value* lane(const llvm::Value* v, unsigned number);
  /// Whether a checked value is strided, as an i1; null for all others.
  [[nodiscard]] llvm::Value* holds(const llvm::Value* v) const;
  [[nodiscard]] Shape shape(const llvm::Value* v) const { return shapes.of(*v); }

  void set(const llvm::Value& v, Lanes lanes) { lanes_[&v] = std::move(lanes); }
  void set_base(const llvm::Value& v, llvm::Value* base) { lanes_[&v].base = base; }
  void set_parts(const llvm::Value& v, llvm::ArrayRef<llvm::Value*> parts);
  /// The vector form that was set; null if none was.
  Lanes* find(const llvm::Value& v);

  llvm::BasicBlock* new_block(const llvm::Twine& name);
  llvm::Value* dummy(llvm::Type* type, unsigned address_space) {
    return storage_.dummy(function, *type, address_space);
  }
  llvm::Value* slot(llvm::Type* type, unsigned number) { return storage_.slot(function, *type, number); }

  const Body& body;
  const Shapes& shapes;
  const llvm::TargetTransformInfo& target;
  const Isa isa;
  const unsigned width;
  const Economy economy;
  const bool bounded;  ///< BodyForm::bounded
  llvm::Function& function;
  const llvm::DataLayout& layout;
  LaneBuilder b;  ///< builder at the place where code is emitted

 private:
  llvm::DenseMap<const llvm::Value*, Lanes> lanes_;
  LaneStorage& storage_;
};

}  // namespace lanewise::spmd
