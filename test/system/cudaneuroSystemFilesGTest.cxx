// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What differs between systems, for the programs and the library of files.

#include "system/TemporaryFolder.h"
#include "files/system/LargePages.h"
#include "files/system/Requests.h"
#include "files/system/Streams.h"
#include "files/system/SystemFile.h"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fstream>

using namespace cudaneuro::files;
namespace fs = std::filesystem;

namespace
{

constexpr bool isWindows = fs::path::preferred_separator == '\\';

void
MakeFile(const fs::path & path, const std::string & text = "text")
{
  std::ofstream(path) << text;
}

std::string
ContentOf(const fs::path & path)
{
  std::string text;
  std::ifstream(path) >> text;
  return text;
}

std::atomic<int> notedSignal{ 0 };

} // namespace

TEST(SystemFile, IdentityIsThatOfAllNames)
{
  const TemporaryFolder folder;
  const fs::path        file = folder.GetPath() / "file";
  const fs::path        other = folder.GetPath() / "other";
  EXPECT_EQ(IdentityOf(file).rfind("name ", 0), 0U);
  EXPECT_EQ(IdentityOf(file) == IdentityOf(folder.GetPath() / "FILE"), isWindows);
  MakeFile(file);
  MakeFile(other);
  EXPECT_EQ(IdentityOf(file).rfind("file ", 0), 0U);
  EXPECT_NE(IdentityOf(file), IdentityOf(other));
  EXPECT_EQ(IdentityOf(file), IdentityOf(folder.GetPath() / "." / "file"));
  fs::create_hard_link(file, folder.GetPath() / "link");
  EXPECT_EQ(IdentityOf(file), IdentityOf(folder.GetPath() / "link"));
}

TEST(SystemFile, SaysWhatIsNotReplaced)
{
  const TemporaryFolder folder;
  const fs::path        file = folder.GetPath() / "file";
  EXPECT_EQ(ReasonNotToReplace(file), "");
  EXPECT_FALSE(IsReadable(file));
  MakeFile(file);
  EXPECT_EQ(ReasonNotToReplace(file), "");
  EXPECT_TRUE(IsReadable(file));
  EXPECT_EQ(ReasonNotToReplace(folder.GetPath()), "it is the name of a folder");
  EXPECT_EQ(ReasonNotToReplace(folder.GetPath() / "nul.nii"),
            isWindows ? "it is a device, and results go to regular files" : "");
  EXPECT_NO_THROW(TakePermissionsOf(file, file));
}

TEST(SystemFile, AFileReplacesAnother)
{
  const TemporaryFolder folder;
  // Names beyond ASCII, with blanks, and a path of more than 260 characters.
  const fs::path deep = folder.GetPath() / fs::u8path("\u00e4 \u65e5") / std::string(120, 'x') / std::string(120, 'y');
  fs::create_directories(deep);
  MakeFile(deep / "from", "new");
  MakeFile(deep / "to", "old");
  MoveIntoPlace(deep / "from", deep / "to");
  EXPECT_EQ(ContentOf(deep / "to"), "new");
  EXPECT_FALSE(fs::exists(deep / "from"));
  EXPECT_EQ(FilesOfFolder(deep), std::vector<fs::path>{ deep / "to" });
  EXPECT_THROW(FilesOfFolder(deep / "from"), std::system_error);
  EXPECT_THROW(MoveIntoPlace(deep / "from", deep / "to"), std::system_error);
  EXPECT_EQ(ContentOf(deep / "to"), "new");
}

TEST(SystemFile, AnOpenFileIsNotReplacedOnWindows)
{
  const TemporaryFolder folder;
  const fs::path        from = folder.GetPath() / "from";
  const fs::path        file = folder.GetPath() / "file";
  MakeFile(from, "new");
  MakeFile(file, "old");
  std::ifstream open(file);
  EXPECT_EQ(ReasonNotToReplace(file), isWindows ? "another program has it open" : "");
  if (isWindows)
  {
    EXPECT_THROW(MoveIntoPlace(from, file), std::system_error);
    EXPECT_EQ(ContentOf(file), "old");
    EXPECT_TRUE(fs::exists(from));
  }
  open.close();
  EXPECT_EQ(ReasonNotToReplace(file), "");
  MoveIntoPlace(from, file);
  EXPECT_EQ(ContentOf(file), "new");
}

TEST(SystemFile, FilesThatAreOpenCanBeRemoved)
{
  const TemporaryFolder folder;
  std::ofstream         elsewhere(folder.GetPath() / "elsewhere");
  const fs::path        path = folder.GetPath() / "a";
  ASSERT_TRUE(MakeFolder(path));
  std::ofstream     first(path / "first");
  std::FILE * const second = std::fopen((path / "second").string().c_str(), "wb");
  ASSERT_NE(second, nullptr);
  CloseToRemove(FilesOfFolder(path));
  std::error_code error;
  fs::remove_all(path, error);
  EXPECT_FALSE(fs::exists(path)) << error.message();
  std::fclose(second);
  elsewhere << "text" << std::flush;
  EXPECT_TRUE(elsewhere.good());
}

TEST(SystemFile, FoldersAreMadeOnce)
{
  const TemporaryFolder folder;
  EXPECT_TRUE(MakeFolder(folder.GetPath() / "a"));
  EXPECT_FALSE(MakeFolder(folder.GetPath() / "a"));
  EXPECT_THROW(MakeFolder(folder.GetPath() / "nowhere" / "a"), std::system_error);
}

TEST(SystemFile, OneHoldsTheLockOfAFolder)
{
  const TemporaryFolder folder;
  const fs::path        path = folder.GetPath() / "a";
  ASSERT_TRUE(MakeFolder(path));
  const FolderLock first = LockFolder(path);
  ASSERT_EQ(first.state, FolderLock::State::Held);
  const FolderLock second = LockFolder(path);
  EXPECT_EQ(second.state, FolderLock::State::Busy);
  UnlockFolder(second.handle);
  UnlockFolder(first.handle);
  const FolderLock third = LockFolder(path);
  EXPECT_EQ(third.state, FolderLock::State::Held);
  // Its holder may remove it.
  EXPECT_TRUE(fs::remove(path));
  UnlockFolder(third.handle);
  EXPECT_EQ(LockFolder(path).state, FolderLock::State::Busy);
}

TEST(Streams, StandardErrorIsCaptured)
{
  std::fflush(stderr);
  const RedirectedErrors redirected = RedirectStandardError();
  ASSERT_GE(redirected.captured, 0);
  std::fputs("a text", stderr);
  std::fflush(stderr);
  char              bytes[100];
  const std::size_t count = ReadFromPipe(redirected.captured, bytes, sizeof(bytes));
  EXPECT_EQ(ReadFromPipe(redirected.captured, bytes + count, sizeof(bytes) - count), 0U);
  // More than the pipe takes is dropped, not waited for.
  WriteToDescriptor(DescriptorOfStandardError(), std::string(std::size_t{ 8 } << 20, 'x'));
  RestoreStandardError(redirected);
  EXPECT_EQ(std::string(bytes, count), "a text");
}

TEST(Requests, AreNotedAndWaitedFor)
{
  ASSERT_TRUE(CatchRequests([](int signal) { notedSignal = signal; }));
  EXPECT_FALSE(WaitForRequest(0));
  for (int time = 0; time < 2; ++time)
  {
    notedSignal = 0;
    std::raise(SIGTERM);
    EXPECT_EQ(notedSignal, SIGTERM);
    EXPECT_TRUE(WaitForRequest(1000));
    EXPECT_FALSE(WaitForRequest(10));
  }
  EXPECT_LT(SIGTERM, numberOfSignals);
  for (const int signal : { SIGINT, SIGTERM })
  {
    std::signal(signal, SIG_DFL);
  }
}

TEST(LargePages, BeginAtAPage)
{
  void * const memory = AllocateAligned(largePageBytes, 3 * largePageBytes);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % largePageBytes, 0U);
  AdviseLargePages(memory, 3 * largePageBytes);
  static_cast<char *>(memory)[3 * largePageBytes - 1] = 1;
  FreeAligned(memory);
}
