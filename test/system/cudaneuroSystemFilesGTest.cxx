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

void
MakeFile(const fs::path & path)
{
  std::ofstream(path) << "text";
}

std::atomic<int> notedSignal{ 0 };

} // namespace

TEST(SystemFile, IdentityIsThatOfAllNames)
{
  const TemporaryFolder folder;
  const fs::path        file = folder.GetPath() / "file";
  const fs::path        other = folder.GetPath() / "other";
  EXPECT_EQ(IdentityOf(file).rfind("name ", 0), 0U);
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
  EXPECT_NO_THROW(TakePermissionsOf(file, file));
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
