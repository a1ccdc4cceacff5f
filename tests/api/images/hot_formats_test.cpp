// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Code for the formats of a kernel's images is made after a few pictures, and is there from the first launch on in the
/// next process, or where the program is built again: it is in the cache on disk.
#include <chrono>
#include <cstdlib>
#include <thread>

#include "tests/api/code_in_memory.h"
#include "tests/api/images/kernel_fixture.h"
#include "tests/time_limits.h"

namespace lanewise::test {

namespace {

using Clock = std::chrono::steady_clock;

class HotFormats : public WithImageKernels {
 protected:
  static constexpr std::size_t kSize = 256;

  void SetUp() override {
    WithImageKernels::SetUp();
    for (const char* name :
         {"LANEWISE_TIER", "LANEWISE_CACHE", "LANEWISE_DEBUG", "LANEWISE_VERIFY", "LANEWISE_VECTORIZE"})
      if (std::getenv(name) != nullptr) GTEST_SKIP() << name << " is set";
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = kSize;
    desc.image_height = kSize;
    from_ = image(format, desc);
    to_ = image(format, desc);
  }
  [[nodiscard]] KernelPtr smooth(const ProgramPtr& program) const {
    auto made = kernel(program, "smooth");
    set(made, from_.get(), to_.get());
    return made;
  }
  void launch(const KernelPtr& made) const {
    run(made, kSize, kSize);
    ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  }

  Mem from_, to_;
};

TEST_F(HotFormats, AreInTheCodeOfTheNextProgramFromItsFirstLaunchOn) {
  // A number that makes the program one that is in no cache.
  const std::string salt = std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
  const std::string source =
      "// " + salt +
      "\nkernel void smooth(read_only image2d_t from, write_only image2d_t to) {\n"
      "  const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
      "  float4 sum = 0.0f;\n"
      "  for (int i = -8; i <= 8; ++i)\n"
      "    for (int j = -8; j <= 8; ++j) sum += read_imagef(from, clamp(at + (int2)(i, j), 0, 255));\n"
      "  write_imagef(to, at, sum / 289.0f);\n"
      "}\n";
  const auto before = code_objects();
  {
    const ProgramPtr program = build(source);
    const auto made = smooth(program);
    launch(made);
    const auto generic = code_objects();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    ASSERT_EQ(code_objects_since(generic), 0U) << "nothing is hot after one launch";
    ASSERT_TRUE(within(std::chrono::minutes(1), [&] {
      launch(made);
      return code_objects_since(generic) != 0;
    }));
  }
  ASSERT_TRUE(within(std::chrono::minutes(1), [&] { return code_objects_since(before) == 0; }))
      << "the program goes with its code";
  const ProgramPtr program = build(source);
  const auto made = smooth(program);
  launch(made);
  EXPECT_TRUE(within(std::chrono::minutes(1), [&] { return code_objects_since(before) == 2; }));
}

}  // namespace

}  // namespace lanewise::test
