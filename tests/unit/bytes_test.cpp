// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The encoding of messages, cache entries and program binaries: what is written can be read, and damage is detected.
#include "src/base/bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace lanewise {
namespace {

enum class Colour : std::uint16_t { red = 7, green = 0xffff };

TEST(Bytes, WhatIsWrittenIsRead) {
  ByteWriter writer;
  writer.number<std::uint8_t>(200);
  writer.number<std::int64_t>(std::numeric_limits<std::int64_t>::min());
  writer.number(1.5);
  writer.number(Colour::green);
  writer.text("");
  writer.text(std::string("a\0b", 3));
  writer.blob(Bytes{1, 2, 3});
  writer.list(std::vector<int>{4, 5}, [&](int value) { writer.number(value); });
  const Bytes bytes = writer.take();

  ByteReader reader(bytes);
  EXPECT_EQ(reader.number<std::uint8_t>(), 200);
  EXPECT_EQ(reader.number<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(reader.number<double>(), 1.5);
  EXPECT_EQ(reader.number<Colour>(), Colour::green);
  EXPECT_EQ(reader.text(), "");
  EXPECT_EQ(reader.text(), std::string("a\0b", 3));
  EXPECT_EQ(reader.blob(), (Bytes{1, 2, 3}));
  EXPECT_EQ(reader.list<int>([&] { return reader.number<int>(); }), (std::vector<int>{4, 5}));
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(reader.at_end());
}

TEST(Bytes, NumbersAreLittleEndian) {
  ByteWriter writer;
  writer.number<std::uint32_t>(0x01020304);
  EXPECT_EQ(writer.bytes(), (Bytes{4, 3, 2, 1}));
}

TEST(Bytes, ReadingPastTheEndFailsAndStaysFailed) {
  const Bytes three{1, 2, 3};
  ByteReader reader(three);
  EXPECT_EQ(reader.number<std::uint32_t>(), 0u);
  EXPECT_FALSE(reader.ok());
  // After a failure the rest is not used: a half-read message has no meaning.
  EXPECT_EQ(reader.number<std::uint8_t>(), 0);
  EXPECT_EQ(reader.text(), "");
  EXPECT_TRUE(reader.blob_view().empty());
  EXPECT_FALSE(reader.ok());
}

TEST(Bytes, LengthsThatLieAreRefused) {
  for (const std::uint64_t length : {std::uint64_t{4}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    ByteWriter writer;
    writer.number(length);
    writer.number<std::uint8_t>(1);
    ByteReader reader(writer.bytes());
    EXPECT_TRUE(reader.blob().empty());
    EXPECT_FALSE(reader.ok());
  }
}

TEST(Bytes, CountsThatLieEndWithTheInput) {
  ByteWriter writer;
  writer.number(~std::uint32_t{0});
  writer.number<std::uint64_t>(1);
  ByteReader reader(writer.bytes());
  const auto values = reader.list<std::uint64_t>([&] { return reader.number<std::uint64_t>(); });
  EXPECT_LE(values.size(), 2u);
  EXPECT_FALSE(reader.ok());
}

TEST(Bytes, TruncationIsAlwaysSeen) {
  ByteWriter writer;
  writer.text("some text");
  writer.list(std::vector<std::string>{"x", "yy", ""}, [&](const std::string& s) { writer.text(s); });
  writer.number<std::uint16_t>(3);
  const Bytes whole = writer.take();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ByteReader reader(std::span(whole).first(size));
    reader.text();
    reader.list<std::string>([&] { return reader.text(); });
    reader.number<std::uint16_t>();
    EXPECT_FALSE(reader.ok()) << size;
  }
}

TEST(Bytes, RandomInputIsSafe) {
  std::mt19937 random(5);
  for (int round = 0; round < 5000; ++round) {
    Bytes noise(random() % 64);
    for (auto& byte : noise) byte = static_cast<std::uint8_t>(random() % 4 == 0 ? random() : 0);
    ByteReader reader(noise);
    while (reader.ok() && !reader.at_end()) {
      switch (random() % 4) {
        case 0:
          reader.number<std::uint16_t>();
          break;
        case 1:
          EXPECT_LE(reader.text().size(), noise.size());
          break;
        case 2:
          EXPECT_LE(reader.blob_view().size(), noise.size());
          break;
        default:
          reader.list<std::uint8_t>([&] { return reader.number<std::uint8_t>(); });
      }
    }
  }
}

}  // namespace
}  // namespace lanewise
