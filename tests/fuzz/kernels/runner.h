// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs a program in several forms and compares their results in memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "include/lanewise/compiler_abi.h"
#include "include/lanewise/image_abi.h"
#include "tests/fuzz/kernels/program.h"

namespace lanewise::fuzz {

/// One way to compile a kernel.
struct Form {
  Isa isa;
  unsigned width = 1;  ///< 0: the compiler chooses, 1: scalar
  bool optimise = true;
  bool specialised = false;      ///< second tier: for the program's local size (Program::is_plain)
  unsigned team_groups = 0;      ///< abi::Specialisation::team_groups, where they may run as a team
  unsigned iteration_lanes = 1;  ///< abi::Specialisation::iteration_lanes, where work-items fill no vectors

  bool operator==(const Form&) const = default;
  [[nodiscard]] std::string name() const;
};

using Memory = std::vector<std::vector<std::byte>>;

/// A kernel's buffers and images, each ending where a page without access begins.
class Buffers {
 public:
  /// Filled from the program's seed.
  explicit Buffers(const Program& program);
  ~Buffers();
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;
  /// Fills again.
  void reset();
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  /// For code without a runtime: images are descriptions, samplers are words.
  [[nodiscard]] const std::vector<test::Arg>& arguments() const { return arguments_; }
  /// What launches have in common of each argument (abi::Specialisation::known_arguments).
  [[nodiscard]] std::vector<Bytes> known_arguments() const;
  /// The memory of a buffer or image; null for other parameters.
  [[nodiscard]] char* data(std::size_t parameter) const { return data_[parameter]; }
  [[nodiscard]] Memory contents() const;

 private:
  struct Mapping {
    char* begin = nullptr;
    std::size_t bytes = 0;
  };
  char* map(std::size_t bytes);
  void add_image(const Parameter& p);

  const std::vector<Parameter> parameters_;
  std::uint64_t seed_;
  std::vector<Mapping> mappings_;
  std::vector<char*> data_;
  std::vector<test::Arg> arguments_;
  std::vector<std::unique_ptr<lanewise_image>> images_;
};

/// The progress of the runs, for the parent process.
struct Progress {
  std::uint64_t seed = 0;
  char what[160] = {};    ///< the form being compiled or run
  char fault[2000] = {};  ///< not empty: what went wrong
  std::uint64_t kernels = 0;
  std::uint64_t launches = 0;
  std::uint64_t vectors = 0;      ///< kernels of which some form had vectors
  std::uint64_t sub_groups = 0;   ///< kernels with sub-groups
  std::uint64_t collectives = 0;  ///< kernels with functions of the work-group
  std::uint64_t images = 0;       ///< kernels with images
  std::uint64_t teams = 0;        ///< kernels whose groups ran as teams in some form
};

/// Compiles and runs the program in each form and compares with scalar code. False: `progress.fault` says why. A crash
/// ends the process and an endless loop keeps it running; `progress.what` then says where. `driver`: also through that
/// OpenCL library, if not empty.
bool check(const Program& program, const std::vector<Form>& forms, const std::string& driver, Progress& progress);

/// The levels of this architecture that this processor runs, up to that one, each with the features that the processor has.
std::vector<Isa> isas_up_to(IsaLevel most);

/// All forms up to that level but those of the second tier.
std::vector<Form> all_forms(IsaLevel most);

/// Runs the program's kernel on the first CPU device of an OpenCL library. Returns an empty string or the error.
std::string run_with_driver(const std::string& library, const Program& program, Buffers& buffers);

}  // namespace lanewise::fuzz
