// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lanes/analysis/field_groups.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <bit>

#include "compiler/lanes/analysis/bent_lines.h"
#include "compiler/lanes/analysis/linear_form.h"

namespace lanewise::spmd {
namespace {

using llvm::Instruction;
using llvm::Value;

bool has_plain_elements(const llvm::Type& type) {
  const llvm::Type* scalar = type.getScalarType();
  if (type.isStructTy() || type.isArrayTy() || (!scalar->isIntegerTy() && !scalar->isFloatingPointTy())) return false;
  const unsigned bits = scalar->getScalarSizeInBits();
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

}  // namespace

struct FieldGroups::Access {
  const Instruction* instruction = nullptr;
  LinearForm address;
  std::int64_t stride = 0;  ///< in bytes; 0: it is not known
  std::int64_t guess = 0;   ///< the stride that a test will look for; 0: none
  std::int64_t bytes = 0;
  unsigned element_bytes = 0;
  bool suits = false;    ///< may be in a group; else it only keeps others from being moved
  bool apart = false;    ///< suits a group that is `apart`; no stride then
  bool checked = false;  ///< lanes may be elsewhere, as the index wraps

  [[nodiscard]] bool is_parallel(const Access& other) const {
    return stride == other.stride && address.is_parallel(other.address);
  }
  [[nodiscard]] std::int64_t distance(const Access& other) const {
    return static_cast<std::int64_t>(address.offset - other.address.offset);
  }
  /// Of two parallel ones: some lane's bytes are some lane's bytes of the other. A lane whose index wraps is at least
  /// 2^32 bytes away, which is more than their distance and that of the lanes.
  [[nodiscard]] bool overlaps(const Access& other) const {
    constexpr std::int64_t kFar = std::int64_t{1} << 30U;
    if (bytes > stride || other.bytes > stride) return true;
    if ((checked || other.checked) && std::abs(distance(other)) > kFar) return true;
    const std::int64_t d = ((distance(other) % stride) + stride) % stride;
    return d < other.bytes || stride - d < bytes;
  }
};

/// Walks over a block, with the groups that another access may still join.
class FieldGroupFinder {
 public:
  using Access = FieldGroups::Access;
  struct Open {
    llvm::SmallVector<Access, 8> members;
    llvm::SmallVector<Access, 8> written;  ///< since the first member; loads only
  };

  FieldGroupFinder(const Body& body, const Shapes& shapes, unsigned width, bool masked)
      : body_(body), shapes_(shapes), width_(width), masked_(masked) {}

  std::vector<std::unique_ptr<FieldGroup>> run(const llvm::BasicBlock& block) {
    for (const Instruction& i : block) {
      if (!i.mayReadOrWriteMemory() || i.isDebugOrPseudoInst()) continue;
      if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i); call != nullptr && call->isAssumeLikeIntrinsic())
        continue;
      const Access access = described(i);
      if (i.mayWriteToMemory())
        write(access);
      else
        read(access);
    }
    close(loads_, false);
    close(stores_, true);
    return std::move(found_);
  }

 private:
  [[nodiscard]] Access described(const Instruction& i) const {
    Access access;
    access.instruction = &i;
    const Value* pointer = llvm::getLoadStorePointerOperand(&i);
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
    if ((load == nullptr || !load->isSimple()) && (store == nullptr || !store->isSimple())) return access;
    const Shape shape = shapes_.of(*pointer);
    if (shape.is_uniform() || shapes_.interleaved(*pointer) != nullptr) return access;
    const llvm::DataLayout& layout = i.getDataLayout();
    const llvm::Type& type = *llvm::getLoadStoreType(&i);
    access.bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(const_cast<llvm::Type*>(&type)).getFixedValue());
    access.element_bytes = type.getScalarSizeInBits() / 8;
    const bool plain = has_plain_elements(type);
    const bool structure = plain && is_structure(shape, access);
    const bool apart = shape.kind == Kind::varying || std::abs(shape.stride) > access.bytes;
    access.apart = plain && apart && !structure && load != nullptr && !type.isVectorTy();
    if (access.apart && shape.kind == Kind::varying) access.guess = guess_of(*pointer, access);
    if (!access.apart && (shape.kind != Kind::strided || shape.stride <= 0)) return access;
    access.address = linear_form(*pointer, layout);
    access.checked = shape.checked;
    if (access.checked && !access.apart && !wraps_far(access.address)) return access;
    access.stride = access.apart ? 0 : shape.stride;
    access.suits = structure || access.apart;
    return access;
  }

  /// Each index that may wrap has at least 32 bits.
  static bool wraps_far(const LinearForm& address) {
    return llvm::all_of(address.terms, [](const LinearForm::Term& t) {
      return t.extension == Extension::none || t.value->getType()->getScalarSizeInBits() >= 32;
    });
  }

  /// The distance of lanes that are often neighbouring structures, smaller than a window: those are loaded as well one
  /// by one.
  [[nodiscard]] std::int64_t guess_of(const Value& pointer, const Access& access) const {
    BentLines lines(body_, shapes_);
    if (lines.guess(pointer) != BentLines::Guess::often) return 0;
    const std::int64_t step = lines.step(pointer).value_or(0);
    const std::int64_t element_bytes = access.element_bytes;
    const std::int64_t most =
        std::min<std::int64_t>(FieldGroup::kMostInterleaved * element_bytes, FieldGroup::kWindowBytes - 1);
    return step > access.bytes && step <= most && step % element_bytes == 0 ? step : 0;
  }

  static bool is_structure(const Shape& shape, const Access& access) {
    return shape.kind == Kind::strided && access.bytes < shape.stride && shape.stride % access.element_bytes == 0 &&
           shape.stride / access.element_bytes <= 64;
  }

  void read(const Access& access) {
    close_touched(stores_, access, true);
    if (!access.suits) return;
    for (Open& open : loads_)
      if (open.members.front().is_parallel(access) &&
          llvm::none_of(open.written, [&](const Access& w) { return w.overlaps(access); })) {
        open.members.push_back(access);
        return;
      }
    loads_.push_back({{access}, {}});
  }

  void write(const Access& access) {
    // Later loads are not moved before it, unless they are of other fields.
    std::vector<Open> kept;
    std::vector<Open> closed;
    for (Open& open : loads_) {
      const bool known = access.stride != 0 && open.members.front().is_parallel(access);
      if (known) open.written.push_back(access);
      (known ? kept : closed).push_back(std::move(open));
    }
    loads_ = std::move(kept);
    close(closed, false);
    close_touched(stores_, access, true);
    if (!access.suits) return;
    // What is left is parallel to it, and so is one group.
    if (stores_.empty())
      stores_.push_back({{access}, {}});
    else
      stores_.front().members.push_back(access);
  }

  /// Groups of stores end at an access that they cannot be moved over.
  void close_touched(std::vector<Open>& groups, const Access& access, bool stores) {
    std::vector<Open> kept;
    std::vector<Open> closed;
    for (Open& open : groups) {
      const bool known = access.stride != 0 && open.members.front().is_parallel(access) &&
                         llvm::none_of(open.members, [&](const Access& m) { return m.overlaps(access); });
      (known ? kept : closed).push_back(std::move(open));
    }
    groups = std::move(kept);
    close(closed, stores);
  }

  void close(std::vector<Open>& groups, bool stores) {
    for (Open& open : groups) divide(open.members, stores);
    groups.clear();
  }

  // --- parallel accesses that may be made at one place, divided into groups ------------------------------------------

  void divide(llvm::SmallVector<Access, 8>& members, bool stores) {
    for (const unsigned bytes : {1U, 2U, 4U, 8U}) {
      llvm::SmallVector<const Access*, 8> same;
      for (const Access& m : members)
        if (m.element_bytes == bytes) same.push_back(&m);
      llvm::sort(same, [](const Access* a, const Access* b) {
        const std::int64_t distance = a->distance(*b);
        return distance != 0 ? distance < 0 : a->instruction->comesBefore(b->instruction);
      });
      // A field that does not lie on the elements of the first one would need shuffles of bytes.
      if (!same.empty()) llvm::erase_if(same, [&](const Access* a) { return a->distance(*same[0]) % bytes != 0; });
      for (std::size_t begin = 0; begin < same.size();) begin = take(same, begin, stores);
    }
  }

  /// The accesses from `begin` on that fit: into the stride, or, of wide structures, into a window.
  std::size_t take(llvm::ArrayRef<const Access*> same, std::size_t begin, bool stores) {
    const Access& first = *same[begin];
    const unsigned bytes = first.element_bytes;
    auto group = std::make_unique<FieldGroup>();
    group->element_bytes = bytes;
    group->guessed = first.guess != 0;
    const std::int64_t stride = group->guessed ? first.guess : first.stride;
    group->stride = static_cast<std::uint64_t>(stride) / bytes;
    group->apart = first.apart && !group->guessed;
    group->window = FieldGroup::kWindowBytes / bytes;
    if (group->apart) group->window = std::min(group->window, width_);
    const bool rows = group->is_by_windows();
    const std::int64_t limit = rows ? std::int64_t{group->window} * bytes : stride;
    std::size_t end = begin;
    for (; end < same.size(); ++end) {
      const Access& a = *same[end];
      const std::int64_t offset = a.distance(first);
      if (offset + a.bytes > limit) break;
      group->fields.push_back({a.instruction, offset});
      group->span = std::max<std::uint64_t>(group->span, static_cast<std::uint64_t>(offset + a.bytes) / bytes);
      group->used |= ((std::uint64_t{1} << (a.bytes / bytes)) - 1) << (offset / bytes);
      if (group->place == nullptr || a.instruction->comesBefore(group->place) != stores) group->place = a.instruction;
    }
    if (group->fields.empty()) return begin + 1;
    const auto used = static_cast<unsigned>(std::popcount(group->used));
    const unsigned window = group->window;
    const unsigned least = group->apart ? window : std::max(2U, window / 2);
    const bool pays = stores  ? !rows && used == group->stride
                      : !rows ? !group->guessed || group->fields.size() > 1
                              : !masked_ && width_ >= window && used >= least;
    if (pays) found_.push_back(std::move(group));
    return end;
  }

  const Body& body_;
  const Shapes& shapes_;
  const unsigned width_;
  const bool masked_;
  std::vector<Open> loads_;
  std::vector<Open> stores_;
  std::vector<std::unique_ptr<FieldGroup>> found_;
};

FieldGroups::FieldGroups(const llvm::BasicBlock& block, const Body& body, const Shapes& shapes, unsigned width,
                         bool masked)
    : all_(FieldGroupFinder(body, shapes, width, masked).run(block)) {
  for (const auto& group : all_)
    for (const Field& field : group->fields) groups_[field.access] = group.get();
}

}  // namespace lanewise::spmd
