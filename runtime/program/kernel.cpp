// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/program/kernel.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace lanewise {

namespace {

/// More scratch than this for one group's values across barriers costs more than smaller groups would.
constexpr std::uint64_t kMaxGroupScratch = 64ull << 20;

bool same_definition(const abi::KernelInfo& a, const abi::KernelInfo& b) {
  return std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(),
                    [](const abi::ArgInfo& x, const abi::ArgInfo& y) {
                      return x.kind == y.kind && x.size == y.size && x.offset == y.offset && x.type_name == y.type_name;
                    });
}

}  // namespace

Kernel::Kernel(Program& program, std::vector<Variant> variants, const abi::KernelInfo& info)
    : program_(program),
      variants_(std::move(variants)),
      info_(&info),
      arguments_(info, program.context(), *variants_.front().device) {}

void Kernel::detach() noexcept {
  if (std::exchange(attached_, false)) program_->detach_kernel();
}

Result<Ref<Kernel>> Kernel::create(Program& program, std::string_view name) {
  // Booked first: from here on no build can take the executables away.
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
    auto artifact = program.executable(*device);
    if (!artifact) continue;
    any_executable = true;
    const auto index = artifact->find(name);
    if (index < 0) continue;
    const auto& found = artifact->reply.kernels[index];
    if (info == nullptr) info = &found;
    if (!same_definition(*info, found))
      return Error{CL_INVALID_KERNEL_DEFINITION, "the kernel's arguments differ between devices"};
    lanewise_range_fn* code = artifact->code[index];
    auto variables = program.variables(*device, *artifact);
    if (!variables) return variables.error();
    variants.push_back({device.get(), code, std::move(artifact), static_cast<std::size_t>(index), variables.value()});
  }
  if (!any_executable) return Error{CL_INVALID_PROGRAM_EXECUTABLE, "no executable has been built"};
  if (variants.empty()) return Error{CL_INVALID_KERNEL_NAME, "the program has no kernel of this name"};
  return Ref<Kernel>::adopt(new Kernel(program, std::move(variants), *info));
}

Result<Ref<Kernel>> Kernel::clone() const {
  auto made = create(*program_, info_->name);
  if (!made) return made;
  Kernel& copy = *made.value();
  copy.arguments_.take_values(arguments_);
  return made;
}

Ref<Kernel> Kernel::copy() const {
  auto made = Ref<Kernel>::adopt(new Kernel(*program_, variants_, *info_));
  Kernel& own = *made;
  own.attached_ = false;
  own.arguments_.take_values(arguments_);
  // The application has no part in it.
  Ref<Kernel> kept(own);
  made.detach()->release_api();
  return kept;
}

std::optional<Kernel::ScalarForm> Kernel::scalar_form(const Device& device) const {
  for (const auto& variant : variants_) {
    if (variant.device != &device || variant.artifact->scalar == nullptr) continue;
    const Artifact& scalar = *variant.artifact->scalar;
    const std::ptrdiff_t index = scalar.find(info_->name);
    // Of one IR, so arguments and variables lie where they lie in the other form.
    if (index < 0 || scalar.reply.kernels[static_cast<std::size_t>(index)].args_bytes != info_->args_bytes ||
        scalar.reply.variables != variant.artifact->reply.variables)
      return {};
    return ScalarForm{scalar.code[static_cast<std::size_t>(index)],
                      &scalar.reply.kernels[static_cast<std::size_t>(index)]};
  }
  return {};
}

Ref<KernelImage> Kernel::image(const Device& device) const {
  for (const auto& variant : variants_)
    if (variant.device == &device) return variant.artifact->image;
  return nullptr;
}

std::size_t Kernel::max_work_group_size(const Device& device) const {
  const std::size_t limit = device.facts().max_work_group_size;
  if (info_->item_bytes == 0 || info_->item_bytes <= kMaxGroupScratch / limit) return limit;
  const std::uint64_t fits = std::bit_floor(std::max<std::uint64_t>(kMaxGroupScratch / info_->item_bytes, 1));
  const auto& required = info_->reqd_work_group_size;
  return std::min<std::uint64_t>(limit, std::max(fits, required[0] * required[1] * required[2]));
}

Result<LaunchArgs> Kernel::snapshot() const {
  LaunchArgs args;
  if (const cl_int code = snapshot(args); code != CL_SUCCESS) return Error{code, "an argument is not set"};
  return args;
}

}  // namespace lanewise
