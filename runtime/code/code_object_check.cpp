// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/code/code_object_check.h"

#include <CL/cl.h>
#include <elf.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

#include "src/base/rounding.h"
#include "src/host/topology.h"

namespace lanewise {

namespace {

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
constexpr Elf64_Xword kRelative = R_X86_64_RELATIVE;
#elif defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
constexpr Elf64_Xword kRelative = R_AARCH64_RELATIVE;
#endif

/// The code model allows 2 GiB; sums of addresses below this cannot overflow.
constexpr std::uint64_t kLargestCodeObject = std::uint64_t{1} << 31U;
constexpr unsigned kMostSegments = 32;

/// Thrown when the code object is refused; `why` is the reason in words.
struct Refused {
  const char* why;
};

void require(bool holds, const char* why) {
  if (!holds) throw Refused{why};
}

bool within(std::uint64_t offset, std::uint64_t size, std::uint64_t limit) {
  return offset <= limit && size <= limit - offset;
}

struct AddressSpan {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  [[nodiscard]] bool holds(std::uint64_t address, std::uint64_t bytes) const {
    return address >= begin && within(address - begin, bytes, size);
  }
  [[nodiscard]] bool meets(std::uint64_t address, std::uint64_t bytes) const {
    return address < begin + size && begin < address + bytes;
  }
};

class ElfFile {
 public:
  explicit ElfFile(std::span<const std::uint8_t> elf) : elf_(elf) {}

  CodeObjectTraits check() {
    check_header();
    check_loads();
    for (const Elf64_Phdr& segment : segments_) check_segment(segment);
    require(dynamic_.size != 0, "no dynamic section");
    require(
        std::count_if(segments_.begin(), segments_.end(), [](const auto& s) { return s.p_type == PT_GNU_STACK; }) == 1,
        "not one header for the stack");
    read_dynamic();
    check_dynamic();
    check_symbols();
    check_relocations();
    return {.has_variables = has_variables(), .code = code_.begin, .code_bytes = code_.size};
  }

 private:
  template <class T>
  [[nodiscard]] T at(std::uint64_t offset) const {
    require(within(offset, sizeof(T), elf_.size()), "a table ends outside of the file");
    T out;
    std::memcpy(&out, elf_.data() + offset, sizeof out);
    return out;
  }

  void check_header() {
    const auto header = at<Elf64_Ehdr>(0);
    const unsigned char* id = header.e_ident;
    require(std::memcmp(id, ELFMAG, SELFMAG) == 0 && id[EI_CLASS] == ELFCLASS64 && id[EI_DATA] == ELFDATA2LSB &&
                id[EI_VERSION] == EV_CURRENT && id[EI_OSABI] == ELFOSABI_SYSV && id[EI_ABIVERSION] == 0,
            "not an ELF file for this system");
    require(header.e_type == ET_DYN && header.e_machine == kMachine && header.e_version == EV_CURRENT,
            "not a shared object for this machine");
    require(header.e_phentsize == sizeof(Elf64_Phdr) && header.e_phnum <= kMostSegments &&
                header.e_phoff % alignof(Elf64_Phdr) == 0,
            "a table of segments of another form");
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      require(header.e_phoff <= elf_.size(), "a table of segments outside of the file");
      segments_.push_back(at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr)));
      const Elf64_Phdr& segment = segments_.back();
      require(within(segment.p_offset, segment.p_filesz, elf_.size()), "a segment outside of the file");
    }
    table_ = {header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)};
  }

  /// Loaded segments must be in ascending order, share no page, and never be both writable and executable.
  void check_loads() {
    const std::uint64_t page = host::page_bytes();  // the linker aligns segments to the largest one of the architecture
    std::uint64_t end = 0;
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type != PT_LOAD) continue;
      require(std::has_single_bit(segment.p_align) && segment.p_align >= page &&
                  segment.p_align <= kLargestCodeObject &&
                  segment.p_vaddr % segment.p_align == segment.p_offset % segment.p_align,
              "a segment that is not aligned");
      require(segment.p_filesz <= segment.p_memsz && segment.p_memsz != 0 &&
                  within(segment.p_vaddr, segment.p_memsz, kLargestCodeObject),
              "a segment of impossible size");
      require(segment.p_vaddr / page * page >= end, "segments that overlap or are out of order");
      require(!loads_.empty() || (segment.p_vaddr == 0 && segment.p_offset == 0),
              "a code object that does not begin at 0");
      const bool writable = (segment.p_flags & PF_W) != 0;
      const bool executable = (segment.p_flags & PF_X) != 0;
      require((segment.p_flags & PF_R) != 0 && (segment.p_flags & ~Elf64_Word{PF_R | PF_W | PF_X}) == 0,
              "a segment with other rights");
      require(!(writable && executable), "a segment that may be written and executed");
      require(!executable || code_.size == 0, "two segments of code");
      if (executable) code_ = {segment.p_vaddr, segment.p_memsz};
      // The dynamic linker writes zeros to the part of a segment that is not in the file.
      require(writable || segment.p_filesz == segment.p_memsz, "a constant segment that needs filling");
      end = round_up(segment.p_vaddr + segment.p_memsz, page);
      loads_.push_back(segment);
    }
    require(!loads_.empty(), "nothing to load");
  }

  /// The loaded segment that contains the range in its bytes from the file (with `memory`, in all bytes); null: none.
  [[nodiscard]] const Elf64_Phdr* load_of(std::uint64_t address, std::uint64_t bytes, bool memory = false) const {
    for (const Elf64_Phdr& load : loads_)
      if (AddressSpan{load.p_vaddr, memory ? load.p_memsz : load.p_filesz}.holds(address, bytes)) return &load;
    return nullptr;
  }

  void check_segment(const Elf64_Phdr& segment) {
    const Elf64_Phdr* load = load_of(segment.p_vaddr, segment.p_memsz, true);
    switch (segment.p_type) {
      case PT_LOAD:
        return;
      case PT_PHDR:
        require(load_of(segment.p_vaddr, table_.size) == loads_.data() && segment.p_vaddr == table_.begin &&
                    segment.p_offset == table_.begin && segment.p_memsz == table_.size,
                "a table of segments that is not where it is loaded");
        return;
      case PT_DYNAMIC:
        require(dynamic_.size == 0, "two dynamic sections");
        require(load_of(segment.p_vaddr, segment.p_filesz) != nullptr && segment.p_filesz == segment.p_memsz &&
                    segment.p_vaddr % alignof(Elf64_Dyn) == 0 && segment.p_filesz != 0 &&
                    segment.p_filesz % sizeof(Elf64_Dyn) == 0,
                "a dynamic section outside of its segment");
        // The dynamic linker replaces offsets in it by addresses.
        require((load_of(segment.p_vaddr, segment.p_filesz)->p_flags & PF_W) != 0, "a constant dynamic section");
        dynamic_ = {segment.p_vaddr, segment.p_filesz};
        return;
      case PT_GNU_RELRO:
        require(load != nullptr && (load->p_flags & PF_W) != 0 && relro_.size == 0, "constants outside of the data");
        relro_ = {segment.p_vaddr, segment.p_memsz};
        return;
      case PT_GNU_EH_FRAME:
        require(load != nullptr && (load->p_flags & PF_W) == 0, "unwind tables outside of the constants");
        return;
      case PT_GNU_STACK:
        require(segment.p_flags == (PF_R | PF_W), "an executable stack");
        require(segment.p_memsz == 0, "a stack of another size");
        return;
      default:
        throw Refused{"a segment that code objects do not have"};
    }
  }

  /// The file offset of a table that is loaded from the file and that cannot be changed afterwards.
  [[nodiscard]] std::uint64_t constant(std::uint64_t address, std::uint64_t bytes) const {
    const Elf64_Phdr* load = load_of(address, bytes);
    require(load != nullptr && (load->p_flags & PF_W) == 0, "a table outside of the constants");
    return load->p_offset + (address - load->p_vaddr);
  }

  std::optional<std::uint64_t>* place_of(Elf64_Sxword tag) {
    switch (tag) {
      case DT_SYMTAB:
        return &symbols_;
      case DT_SYMENT:
        return &symbol_bytes_;
      case DT_STRTAB:
        return &strings_;
      case DT_STRSZ:
        return &strings_bytes_;
      case DT_GNU_HASH:
        return &hash_;
      case DT_RELA:
        return &relocations_;
      case DT_RELASZ:
        return &relocations_bytes_;
      case DT_RELAENT:
        return &relocation_bytes_;
      case DT_RELACOUNT:
        return &relative_count_;
      case DT_FLAGS:
        return &flags_;
      default:
        return nullptr;
    }
  }

  void read_dynamic() {
    const Elf64_Phdr* load = load_of(dynamic_.begin, dynamic_.size);
    const std::uint64_t offset = load->p_offset + (dynamic_.begin - load->p_vaddr);
    for (std::uint64_t i = 0;; ++i) {
      require(i < dynamic_.size / sizeof(Elf64_Dyn), "a dynamic section without an end");
      const auto entry = at<Elf64_Dyn>(offset + i * sizeof(Elf64_Dyn));
      if (entry.d_tag == DT_NULL) return;
      // Any other entry could make the dynamic linker open other files or call code.
      std::optional<std::uint64_t>* place = place_of(entry.d_tag);
      require(place != nullptr, "an entry in the dynamic section that code objects do not have");
      require(!place->has_value(), "an entry twice in the dynamic section");
      *place = entry.d_un.d_val;
    }
  }

  void check_dynamic() {
    require(symbols_ && strings_ && strings_bytes_ && hash_, "no table of symbols");
    require(symbol_bytes_.value_or(sizeof(Elf64_Sym)) == sizeof(Elf64_Sym) && *symbols_ % alignof(Elf64_Sym) == 0,
            "symbols of another form");
    require(*strings_bytes_ != 0 && *strings_bytes_ < kLargestCodeObject, "names of impossible size");
    const std::uint64_t names = constant(*strings_, *strings_bytes_);
    require(elf_[names] == 0 && elf_[names + *strings_bytes_ - 1] == 0, "a name without an end");
    require((flags_.value_or(0) & ~std::uint64_t{DF_SYMBOLIC | DF_BIND_NOW}) == 0, "flags that code objects lack");
  }

  void check_symbol(std::uint64_t number) const {
    require(number < kLargestCodeObject / sizeof(Elf64_Sym), "too many symbols");
    const auto symbol = at<Elf64_Sym>(constant(*symbols_ + number * sizeof(Elf64_Sym), sizeof(Elf64_Sym)));
    require(symbol.st_name < *strings_bytes_, "a symbol without a name");
    if (number == 0) return;
    require(symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE, "a symbol without a definition");
    // An indirect function (STT_GNU_IFUNC) would be called by the look-up of its symbol.
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    require(type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE, "a symbol that is neither code nor data");
    // A unique symbol (STB_GNU_UNIQUE) would be that of all code objects, which then are never closed.
    const unsigned binding = ELF64_ST_BIND(symbol.st_info);
    require(binding == STB_LOCAL || binding == STB_GLOBAL || binding == STB_WEAK, "a symbol of all code objects");
    const Elf64_Phdr* load = load_of(symbol.st_value, 1, true);
    require(load != nullptr && (type != STT_FUNC || (load->p_flags & PF_X) != 0), "a symbol outside of its segment");
  }

  /// The hash table as the dynamic linker reads it: {number of buckets, first symbol, words of the filter, shift}, the
  /// filter, the buckets, and for each symbol its hash, whose lowest bit is set at the end of a chain.
  void check_symbols() const {
    constexpr std::uint64_t kHead = 4 * sizeof(std::uint32_t);
    require(*hash_ % sizeof(std::uint64_t) == 0, "a hash table that is not aligned");
    const std::uint64_t head = constant(*hash_, kHead);
    const auto bucket_count = at<std::uint32_t>(head);
    const auto first = at<std::uint32_t>(head + 4);
    const auto words = at<std::uint32_t>(head + 8);
    require(bucket_count != 0 && std::has_single_bit(words) && at<std::uint32_t>(head + 12) < 64 && first != 0,
            "a hash table of another form");
    const std::uint64_t buckets = *hash_ + kHead + std::uint64_t{words} * 8;
    const std::uint64_t chains = buckets + std::uint64_t{bucket_count} * 4;
    (void)constant(*hash_, chains - *hash_);
    for (std::uint64_t i = 0; i < first; ++i) check_symbol(i);
    // Chains follow each other in the order of their buckets, so each symbol is checked once.
    std::uint64_t next = first;
    for (std::uint32_t i = 0; i < bucket_count; ++i) {
      const auto begin = at<std::uint32_t>(constant(buckets + 4 * std::uint64_t{i}, 4));
      if (begin == 0) continue;
      require(begin >= next, "a hash table that leads to other symbols");
      next = begin;
      do check_symbol(next);
      while (!ends(chains, next++, first));
    }
  }

  [[nodiscard]] bool ends(std::uint64_t chains, std::uint64_t symbol, std::uint32_t first) const {
    return (at<std::uint32_t>(constant(chains + (symbol - first) * 4, 4)) & 1U) != 0;
  }

  /// The only legal relocation adds the address of the code object, to writable data, and gives an address in the code
  /// object.
  void check_relocations() const {
    const std::uint64_t bytes = relocations_bytes_.value_or(0);
    if (bytes == 0 && !relocations_) return;
    require(relocations_ && relocations_bytes_ && relocation_bytes_.value_or(0) == sizeof(Elf64_Rela) &&
                bytes % sizeof(Elf64_Rela) == 0 && bytes < kLargestCodeObject &&
                *relocations_ % alignof(Elf64_Rela) == 0,
            "relocations of another form");
    const std::uint64_t offset = constant(*relocations_, bytes);
    const std::uint64_t count = bytes / sizeof(Elf64_Rela);
    require(relative_count_.value_or(0) <= count, "DT_RELACOUNT exceeds the number of relocations");
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto entry = at<Elf64_Rela>(offset + i * sizeof(Elf64_Rela));
      require(entry.r_info == ELF64_R_INFO(0, kRelative), "a relocation of another kind");
      const Elf64_Phdr* target = load_of(entry.r_offset, 8, true);
      require(target != nullptr && (target->p_flags & PF_W) != 0 && !dynamic_.meets(entry.r_offset, 8),
              "a relocation outside of the data");
      const auto value = static_cast<std::uint64_t>(entry.r_addend);
      require(value <= loads_.back().p_vaddr + loads_.back().p_memsz, "a relocation to outside of the code object");
    }
  }

  /// Data that stays writable after relocation.
  [[nodiscard]] bool has_variables() const {
    return std::any_of(loads_.begin(), loads_.end(), [&](const Elf64_Phdr& load) {
      return (load.p_flags & PF_W) != 0 && !relro_.holds(load.p_vaddr, load.p_memsz);
    });
  }

  std::span<const std::uint8_t> elf_;
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Phdr> loads_;
  AddressSpan table_;  ///< of the segments, in the file
  AddressSpan dynamic_;
  AddressSpan relro_;
  AddressSpan code_;
  std::optional<std::uint64_t> symbols_, symbol_bytes_, strings_, strings_bytes_, hash_, flags_;
  std::optional<std::uint64_t> relocations_, relocations_bytes_, relocation_bytes_, relative_count_;
};

}  // namespace

Result<CodeObjectTraits> check_code_object(std::span<const std::uint8_t> elf) {
  try {
    return ElfFile(elf).check();
  } catch (const Refused& refused) {
    return Error{CL_INVALID_BINARY, std::string("the code object cannot be opened: ") + refused.why};
  }
}

}  // namespace lanewise
