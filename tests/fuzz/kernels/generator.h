// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of `generate` (program.h): one object makes one program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/kernels/program.h"
#include "tests/fuzz/kernels/random.h"
#include "tests/fuzz/kernels/types.h"

namespace lanewise::fuzz {

/// Which statements are allowed at a place of the program.
struct Place {
  bool uniform = true;      ///< all work-items of the group reach it together
  bool barriers = true;     ///< a barrier is allowed
  bool can_break = false;   ///< after a break or continue `uniform` still holds for what follows
  bool can_return = false;  ///< so it does after a return under a varying condition
  bool in_helper = false;   ///< no ids, no arguments of the kernel
  enum class Local { none, own, any } local = Local::none;  ///< which elements of local memory may be accessed
  unsigned loops = 0;                                       ///< around it
  unsigned depth = 0;                                       ///< statements around it
  std::vector<unsigned> labels;                             ///< behind blocks around it that a goto may leave
};

struct Variable {
  std::string name;
  Type type;
  bool uniform = false;
  bool constant = false;  ///< a loop counter or parameter
};

/// A private array, or a pointer to memory of the work-item's own.
struct Array {
  std::string name;
  Type type;
  unsigned size = 8;             ///< a power of two
  bool visible = false;          ///< its elements may be results, so they are no NaN
  bool constant = false;         ///< read only
  bool generic = false;          ///< a pointer whose address space data decides
  bool global_or_local = false;  ///< not private
};

/// Memory that a work-group shares: an element for each work-item, or counters.
struct Shared {
  std::string name;
  Type type;
  bool global = false;    ///< a part of a buffer or of a variable of the program
  unsigned elements = 0;  ///< of counters
};

struct Image {
  std::string name;
  unsigned coordinates = 1;  ///< in use; three are passed as a vector of four
  Type colour;               ///< of what is read and written
  bool read = false;
  bool write = false;
  bool samplers = true;  ///< can be read with one
  std::array<unsigned, 3> extent{1, 1, 1};
};

struct Helper {
  std::string name;
  Type result;
  std::vector<Type> parameters;
  bool exchange = false;        ///< has barriers: (local memory, own id, items, value, distance)
  std::optional<Type> pointer;  ///< last parameter: a generic pointer to two elements
};

class Generator {
 public:
  Generator(std::uint64_t seed, const Features& features) : random_(seed), features_(features) { program_.seed = seed; }
  Program run();

 private:
  // generator.cpp: the frame
  void choose_range();
  void add_parameters();
  void add_constants();
  void add_helpers();
  Helper make_helper(unsigned number);
  void open_body(Node& body);
  void open_shared(Node& body);
  void close_body(Node& body);

  // expressions.cpp, operators.cpp: values. `uniform`: the same in all work-items of a group.
  Type any_type();
  Type any_integer();
  Type scalar_type();
  Tree value(Type type, bool uniform, unsigned depth);
  Tree literal(Type type);
  Tree leaf(Type type, bool uniform);
  Tree vector_value(Type type, bool uniform, unsigned depth);
  Tree integer_value(Type type, bool uniform, unsigned depth);
  Tree integer_function(Type type, bool uniform, unsigned depth);
  Tree float_value(Type type, bool uniform, unsigned depth);
  Tree float_function(Type type, bool uniform, unsigned depth);
  Tree division(Type type, bool uniform, unsigned depth);
  Tree converted(Type type, bool uniform, unsigned depth);
  Tree through_float(Type type, bool uniform, unsigned depth);
  Tree selected(Type type, bool uniform, unsigned depth);
  Tree load(Type type, bool uniform, unsigned depth);
  Tree input_load(Type type, bool uniform, unsigned depth);
  Tree behind_load(Type type, const std::string& open, unsigned depth);
  Tree call(const Helper& helper, unsigned depth);
  Tree condition(bool uniform, unsigned depth);
  /// Integer arithmetic that wraps whatever the type promotes to.
  Tree wrapped(Type type, const char* op, Tree a, Tree b);
  /// The same with every NaN replaced, because the bits of a NaN depend on the instruction.
  Tree number(Type type, Tree value);
  Tree index(bool uniform, unsigned size, unsigned depth);
  std::string id();

  // statements.cpp: control flow
  Tree block(const Place& place, unsigned statements);
  void fill(Node& block, const Place& place, unsigned statements);
  Tree any_statement(const Place& place);
  Tree simple_statement(const Place& place);
  Tree conditional(const Place& place);
  Tree counted_loop(const Place& place);
  Tree while_loop(const Place& place);
  Tree switch_statement(const Place& place);
  Tree goto_region(const Place& place);
  Tree irreducible_region(const Place& place);
  Tree leave(const Place& place);
  Place inside(const Place& place, bool uniform) const;

  // emulation.cpp: functions of sub-groups and work-groups
  struct Collective {
    Type operand;
    Type result;
    std::string native;    ///< expression on `x`
    std::string emulated;  ///< the same, from the values of all work-items
    std::string op;        ///< of a combination
    bool uniform = false;  ///< the result is the same in all work-items of the group
  };
  void add_emulation();
  void open_emulation(Node& body);
  static std::string identity(const std::string& op, Type type);
  Tree operand(const Collective& c);

  // collectives.cpp: functions of work-groups
  Collective group_combination(Type type);
  Collective group_broadcast(Type type);
  Tree work_group_statement();

  // sub_groups.cpp: functions of sub-groups
  void add_sub_group_prelude();
  void open_sub_groups(Node& body);
  Collective combination(Type type, bool all);
  Collective vote();
  Collective agreement(Type type);
  Collective movement(Type type, const std::string& index);
  Tree sub_group_statement();
  Tree together_by_all(const std::string& r);
  Tree together_by_some(const std::string& r);

  // memory.cpp: variables, arrays, buffers, barriers
  Tree declaration(const Place& place);
  Tree assignment(const Place& place);
  Tree array_declaration(const Place& place);
  Tree record_use(const Place& place);
  Tree row_walk(const Place& place);
  std::string shared_walk(const std::string& v);
  std::string wide_row(const std::string& v);
  Tree transform();
  Tree additions();
  Tree search();
  std::string small_elements(const std::string& x, unsigned lanes);
  Tree array_store(const Place& place);
  Tree output_store(const Place& place);
  std::string own_place(Type element, const std::string& slot);
  Tree store_of(Type type, Tree value);
  Tree shared_store(const Place& place);
  Tree phase(const Place& place);
  Tree broadcast(const Place& place);
  Tree exchange_call(const Place& place);
  std::string fence();

  // pointers.cpp
  static constexpr unsigned kOwn = 4;     ///< elements of the memory that open_own_memory declares
  static constexpr unsigned kSlots = 32;  ///< elements of each output buffer that a work-item has
  Tree pointer_declaration(const Place& place);
  void open_own_memory(Node& body);
  std::string own_row(Type type, unsigned elements);
  Tree generic_pointer();
  Tree readable_pointer();
  Tree address_space(const Array& p);

  // filters.cpp: rows and columns around the work-item's own
  void add_picture();
  Tree folded_index(const std::string& v, Tree start, const std::string& size, unsigned fold);
  std::string add_tap(Node& body, Type type, const std::string& i, std::optional<unsigned> fold);
  void use_rows(Node& made, Type type, const std::string& d, unsigned outputs, unsigned rows);
  Tree filter(const Place& place);

  // variables.cpp: variables of the program
  void add_tables();
  Tree table_value(bool uniform, unsigned depth);

  // images.cpp
  enum class Sampling : unsigned char { texels, nearest, linear };  ///< texels: coordinates may be integers
  void add_images();
  Image make_image();
  void add_samplers();
  Tree image_statement(const Place& place);
  Tree image_read(const Image& image, bool uniform);
  Tree image_write(const Image& image);
  std::string own_texel(const Image& image);
  Tree texel_near(const Image& image, bool uniform);
  Tree spot_near(const Image& image, bool uniform);

  // atomics.cpp
  void add_counters();
  void open_counters(Node& body);
  static std::string space_of(const Shared* counters);
  std::string order_and_scope(bool group);
  Tree atomic(const Place& place);
  Tree counting(const Place& place);
  Tree ticket(const Place& place);
  Tree exchange_loop(const Place& place);
  Tree own_atomic();

  std::string name(const char* stem) { return stem + std::to_string(names_++); }
  Variable* variable(const std::vector<Variable*>& list);
  std::vector<Variable*> variables(std::optional<Type> type, bool uniform, bool assignable);

  Random random_;
  Features features_;
  Program program_;
  Place place_;  ///< of the statement being made
  std::vector<Variable> variables_;
  std::vector<Array> arrays_;
  std::vector<Shared> shared_;
  std::vector<Shared> group_counters_;
  std::optional<Shared> group_words_;  ///< tickets and loops that exchange
  std::vector<Helper> helpers_;
  std::vector<Image> images_;
  unsigned names_ = 0;
  unsigned left_ = 0;   ///< statements that may still be made
  unsigned slot_ = 0;   ///< next place of the work-item in the output buffers
  unsigned items_ = 0;  ///< of the launch
  unsigned group_ = 0;  ///< work-items of a full group
  unsigned groups_ = 0;
  bool barriers_ = false;
  bool collectives_ = false;
  bool phases_ = false;         ///< barriers for more than the emulation
  bool group_atomics_ = false;  ///< counters of a work-group
  bool tables_ = false;         ///< variables of the program that nobody writes
  bool stored_ = false;         ///< variables of the program that are written
  unsigned layout_ = 0;         ///< of the output buffers
};

}  // namespace lanewise::fuzz
