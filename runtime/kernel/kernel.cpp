// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/kernel/kernel.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "include/lanewise/variable_kernels.h"
#include "runtime/object/inner.h"

namespace lanewise {

namespace {

/// If one group needs more scratch memory than this for values across barriers, smaller groups are faster.
constexpr std::uint64_t kMaxGroupScratch = 64ull << 20;

bool same_definition(const abi::KernelInfo& a, const abi::KernelInfo& b) {
  return std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(),
                    [](const abi::ArgInfo& x, const abi::ArgInfo& y) {
                      return x.kind == y.kind && x.size == y.size && x.offset == y.offset && x.type_name == y.type_name;
                    });
}

}  // namespace

Kernel::Kernel(Program& program, std::vector<Variant> variants)
    : program_(program),
      variants_(std::move(variants)),
      code_(variants_.front().code),
      arguments_(code_->info(), program.context(), *variants_.front().device) {}

void Kernel::detach() noexcept {
  if (std::exchange(attached_, false)) program_->detach_kernel();
}

BlockKernels::~BlockKernels() = default;

template <class Variant>
std::shared_ptr<const BlockKernels> BlockKernels::create(Program& program, const Variant& like) {
  const Executable& executable = *like.executable;
  if (executable.blocks.empty()) return nullptr;
  auto made = std::make_shared<BlockKernels>();
  for (const std::size_t index : executable.blocks) {
    Variant variant{like.device, executable.code[index].get(), like.executable, index, like.variables, made.get()};
    auto kernel = Ref<Kernel>::adopt(new Kernel(program, {std::move(variant)}));
    kernel->attached_ = false;
    made->kernels_.push_back(without_application(std::move(kernel)));
  }
  return made;
}

Result<Ref<Kernel>> Kernel::create(Program& program, std::string_view name) {
  // Attached first, so that from here on no build can replace the executables.
  if (auto attached = program.attach_kernel(); !attached) return attached.error();
  struct Booking {
    Program& program;
    bool taken = false;
    ~Booking() {
      if (!taken) program.detach_kernel();
    }
  } booking{program};
  auto kernel = create_attached(program, name);
  booking.taken = kernel.ok();
  return kernel;
}

Result<Ref<Kernel>> Kernel::create_attached(Program& program, std::string_view name) {
  std::vector<Variant> variants;
  const abi::KernelInfo* info = nullptr;
  bool any_executable = false;
  for (const auto& device : program.devices()) {
    auto executable = program.executable(*device);
    if (!executable) continue;
    any_executable = true;
    const auto index = executable->artifact->find(name);
    if (index < 0 || is_variable_kernel(name)) continue;
    const auto& found = executable->artifact->reply.kernels[index];
    if (found.block != 0) continue;
    if (info == nullptr) info = &found;
    if (!same_definition(*info, found))
      return Error{CL_INVALID_KERNEL_DEFINITION, "the kernel's arguments differ between devices"};
    KernelCode* code = executable->code[index].get();
    auto variables = program.variables(*device, executable);
    if (!variables) return variables.error();
    variants.push_back({device.get(), code, std::move(executable), static_cast<std::size_t>(index), variables.value()});
    variants.back().kept = BlockKernels::create(program, variants.back());
    variants.back().blocks = variants.back().kept.get();
  }
  if (!any_executable) return Error{CL_INVALID_PROGRAM_EXECUTABLE, "no executable has been built"};
  if (variants.empty()) return Error{CL_INVALID_KERNEL_NAME, "the program has no kernel of this name"};
  for (const Variant& variant : variants) variant.code->ask(variant.executable);
  return Ref<Kernel>::adopt(new Kernel(program, std::move(variants)));
}

cl_int Kernel::wait_for_code(const Device& device) const {
  const cl_int first = code_->wait();
  return first != CL_SUCCESS ? first : variant_for(device)->code->wait();
}

std::string Kernel::take_code_fault(const Device& device) const {
  std::string first = code_->take_fault();
  return first.empty() ? variant_for(device)->code->take_fault() : first;
}

bool Kernel::tell_of_code(const Device& device, const Ref<UserEvent>& event) const {
  const Variant& variant = *variant_for(device);
  // The description comes with the first variant's code.
  if (variant.code != code_ && code_->wait() != CL_SUCCESS) return false;
  return variant.code->tell(variant.executable, event);
}

Result<Ref<Kernel>> Kernel::clone() const {
  auto made = create(*program_, info().name);
  if (!made) return made;
  Kernel& copy = *made.value();
  copy.arguments_.take_values(arguments_);
  return made;
}

Ref<Kernel> Kernel::copy() const {
  auto made = Ref<Kernel>::adopt(new Kernel(*program_, variants_));
  made->attached_ = false;
  made->arguments_.take_values(arguments_);
  return without_application(std::move(made));
}

std::optional<Kernel::ScalarForm> Kernel::scalar_form(const Device& device) const {
  const Variant* variant = variant_for(device);
  if (variant == nullptr || variant->executable->scalar == nullptr) return {};
  const Executable& scalar = *variant->executable->scalar;
  const std::ptrdiff_t found = scalar.artifact->find(info().name);
  if (found < 0) return {};
  const auto index = static_cast<std::size_t>(found);
  const abi::Reply& reply = scalar.artifact->reply;
  const abi::KernelInfo& info = reply.kernels[index];
  // Made from the same IR, so the layout of arguments and variables must be that of the other form.
  if (info.args_bytes != this->info().args_bytes || reply.variables != variant->executable->artifact->reply.variables)
    return {};
  return ScalarForm{scalar.code[index]->run(), &info};
}

std::size_t Kernel::max_work_group_size(const Device& device) const {
  const std::size_t limit = device.facts().max_work_group_size;
  const abi::KernelInfo& info = this->info();
  if (info.item_bytes == 0 || info.item_bytes <= kMaxGroupScratch / limit) return limit;
  const std::uint64_t fits = std::bit_floor(std::max<std::uint64_t>(kMaxGroupScratch / info.item_bytes, 1));
  const auto& required = info.reqd_work_group_size;
  return std::min<std::uint64_t>(limit, std::max(fits, required[0] * required[1] * required[2]));
}

}  // namespace lanewise
