// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sequences: several small works as one work, which a single thread runs one after the other.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/exec/work.h"

namespace lanewise {

class Sequence final : public Work {
 public:
  /// @param outgrown  set when one of the works turns out not to be small
  explicit Sequence(std::shared_ptr<std::atomic<bool>> outgrown) : outgrown_(std::move(outgrown)) {}

  void add(WorkPtr work);

  [[nodiscard]] std::uint64_t pieces() const override { return parts_.empty() ? 0 : 1; }
  [[nodiscard]] std::uint64_t piece_ns() const override { return ns_; }
  [[nodiscard]] std::uint64_t stack_bytes() const override { return stack_bytes_; }
  [[nodiscard]] bool stoppable() const override { return stoppable_; }
  [[nodiscard]] Imported imported() const noexcept override {
    Imported worst = Imported::none;
    for (const RecordedWork& part : parts_) worst = worse(worst, part.work->imported());
    return worst;
  }
  cl_int run(Worker& worker, std::uint64_t first, std::uint64_t last) const noexcept override;

 private:
  struct RecordedWork {
    WorkPtr work;
    std::uint64_t pieces;
    cl_int run(Worker& worker) const noexcept;
  };
  cl_int run_measured(Worker& worker) const noexcept;

  std::vector<RecordedWork> parts_;
  std::uint64_t ns_ = 0;           ///< nanoseconds of all works; 0: not known
  std::uint64_t stack_bytes_ = 0;  ///< the most that one of the works needs
  bool stoppable_ = true;
  std::shared_ptr<std::atomic<bool>> outgrown_;
};

}  // namespace lanewise
