// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/ErrorStream.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>

#include <unistd.h>

using namespace cudaneuro::files;

namespace
{

/** What a function writes to standard error. */
template <typename TFunction>
std::string
TextOnStandardError(const TFunction & function)
{
  std::FILE * const file = std::tmpfile();
  const int         original = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  function();
  dup2(original, STDERR_FILENO);
  close(original);
  std::string text(static_cast<std::size_t>(lseek(fileno(file), 0, SEEK_END)), '\0');
  const bool  isRead = pread(fileno(file), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  std::fclose(file);
  return isRead ? text : "the file could not be read";
}

} // namespace

/** MetaIO flushes all streams of the process when it reads an image, which programs do in other threads than that which
 * writes messages. */
TEST(ErrorStream, LinesAreWrittenOnce)
{
  constexpr int     numberOfLines = 20000;
  const std::string line = "a line of the length of a warning, which is long enough to be seen when it is there twice";
  std::atomic<bool> isDone{ false };
  const std::string text = TextOnStandardError([&] {
    std::thread flushing([&] {
      while (!isDone)
      {
        std::fflush(nullptr);
      }
    });
    {
      const ErrorStreamCapture capture;
      for (int i = 0; i < numberOfLines; ++i)
      {
        WriteErrorLine(line);
      }
    }
    WriteErrorLine("the end");
    isDone = true;
    flushing.join();
  });
  std::string       expected;
  for (int i = 0; i < numberOfLines; ++i)
  {
    expected += line + '\n';
  }
  EXPECT_TRUE(text == expected + "the end\n") << text.size() << " characters instead of " << expected.size() + 8;
}
