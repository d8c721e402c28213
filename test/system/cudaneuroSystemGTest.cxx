// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What differs between systems, for the engine.

#include "system/TemporaryFolder.h"
#include "cudaneuro/detail/NewFile.h"
#include "system/Environment.h"
#include "system/FloatLanes.h"
#include "system/OpenedLibrary.h"
#include "system/PathNames.h"
#include "system/SystemMemory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace cudaneuro;
namespace fs = std::filesystem;

namespace
{

void
WriteNew(const fs::path & path, const std::string & text)
{
  detail::NewFile file(path);
  file.Write(text.data(), text.size());
  file.Close();
}

std::string
ContentOf(const fs::path & path)
{
  std::ifstream file(path, std::ios::binary);
  return { std::istreambuf_iterator<char>(file), {} };
}

} // namespace

TEST(System, FreeMemoryIsPartOfAll)
{
  EXPECT_LE(system::FreeMemory(), system::TotalMemory());
}

TEST(System, NamesOfPathsComeBack)
{
  for (const std::string name : { "a",
                                  "folder/b c.state",
                                  "G\xc3\xb6\xc3\x9f"
                                  "e/\xe8\x84\xb3" })
  {
    EXPECT_EQ(system::NameOf(system::PathOf(name)), name);
  }
}

TEST(System, VariablesAreReplaced)
{
  for (const std::string value : { "one", "two" })
  {
    system::SetVariable("CUDANEURO_TEST_OF_SYSTEM", value.c_str());
    const char * const now = std::getenv("CUDANEURO_TEST_OF_SYSTEM");
    ASSERT_NE(now, nullptr);
    EXPECT_EQ(now, value);
  }
}

TEST(System, LibrariesThatAreNotThereHaveAReason)
{
  std::string reason;
  EXPECT_EQ(system::OpenLibrary("cudaneuro-no-such-library", reason), nullptr);
  EXPECT_NE(reason, "");
  EXPECT_EQ(system::NamesHere({ { "a" }, { "a" }, { "a" } }), std::vector<std::string>{ "a" });
}

/** No byte is changed on its way, ends of lines neither. */
TEST(NewFile, HoldsWhatIsWritten)
{
  const TemporaryFolder folder;
  const fs::path        path = folder.GetPath() / "file";
  const std::string     text("a\nb\r\n\x1a\0c", 8);
  WriteNew(path, "longer than what replaces it");
  WriteNew(path, text);
  EXPECT_NO_THROW(detail::FlushToDisk(path));
  EXPECT_NO_THROW(detail::FlushToDisk(folder.GetPath()));
  EXPECT_EQ(ContentOf(path), text);
  EXPECT_THROW(detail::NewFile(folder.GetPath() / "nowhere" / "file"), std::system_error);
  EXPECT_THROW(detail::FlushToDisk(folder.GetPath() / "nothing"), std::system_error);
}

/** A file that somebody reads is replaced, or remains as it was. */
TEST(NewFile, ReplacesOrLeavesWhole)
{
  const TemporaryFolder folder;
  const fs::path        path = folder.GetPath() / "file";
  const fs::path        next = folder.GetPath() / "next";
  WriteNew(path, "old");
  WriteNew(next, "new");
  std::error_code error;
  {
    std::ifstream reader(path, std::ios::binary);
    ASSERT_EQ(reader.get(), 'o');
    fs::rename(next, path, error);
    EXPECT_EQ(reader.get(), 'l');
  }
  EXPECT_EQ(ContentOf(path), error ? "old" : "new");
  EXPECT_EQ(fs::exists(next), static_cast<bool>(error));
}

TEST(FloatLanes, AreAddedAndMultiplied)
{
  constexpr int count = 4;
  const float   a[count] = { 1.0f, 2.0f, 3.0f, 4.0f };
  const float   b[count] = { 0.5f, -1.0f, 8.0f, 0.25f };
  float         result[count];
  const auto    lanes = cpu::ReadLanes<count>(a) * cpu::ReadLanes<count>(b) + 2.0f * cpu::ReadLanes<count>(a);
  cpu::WriteLanes<count>(lanes, result);
  for (int i = 0; i < count; ++i)
  {
    EXPECT_EQ(result[i], a[i] * b[i] + 2.0f * a[i]);
  }
}
