// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Files of checkpoints where the disk is full, and where the process that writes them is killed. Systems of POSIX only.

#include "CheckpointTest.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace checkpointtests;

namespace
{

/** Runs \p body in a child process, which then ends; \returns its number. */
template <typename TBody>
pid_t
StartChild(const TBody & body)
{
  const pid_t child = fork();
  if (child == 0)
  {
    body();
    _exit(0);
  }
  return child;
}

/** Lets no file of this process grow beyond \p bytes: writing more fails as on a full disk, after a part was
 * written. */
void
LimitFiles(std::size_t bytes)
{
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{ bytes, bytes };
  setrlimit(RLIMIT_FSIZE, &limit);
}

} // namespace

TEST_F(Checkpoint, NoSpaceLeavesTheOlderOne)
{
  const std::string reason = std::generic_category().message(EFBIG);
  this->Write(1, 2, 5000);
  const int  files = this->CountFiles();
  const auto fails = [&](const auto & body, const fs::path & file) {
    const pid_t child = StartChild([&] { _exit(ExpectError(body, file) == reason ? 0 : 1); });
    int         status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(this->ExpectWhole(2, 5000), 1);
  };
  fails(
    [&] {
      LimitFiles(3000);
      this->WriteImages(2, 2, 5000);
    },
    this->ImageFile(0, 2));
  EXPECT_EQ(this->CountFiles(), files);
  fails(
    [&] {
      this->WriteImages(2, 2, 5000);
      LimitFiles(100);
      CheckpointWriter(m_Folder.string(), 2).Commit("generation 2\n", 2);
    },
    this->ListFile());
  EXPECT_FALSE(fs::exists(this->ListFile().string() + ".part"));
  this->Write(3, 2, 5000);
  EXPECT_EQ(this->ExpectWhole(2, 5000), 3);
  EXPECT_EQ(this->CountFiles(), files);
}

/** Kills a process that writes one generation after the other. It tells of every step, and is killed some time after a
 * step that differs from run to run; then the next one takes over. */
TEST_F(Checkpoint, SurvivesKills)
{
  constexpr int         kills = 30;
  constexpr int         images = 3;
  constexpr std::size_t size = 300000;
  this->Write(1, images, size);
  int generation = 1;
  for (int kill = 0; kill < kills; ++kill)
  {
    std::array<int, 2> pipeEnds{};
    ASSERT_EQ(pipe(pipeEnds.data()), 0);
    const pid_t child = StartChild([&] {
      for (int next = cudaneuro::NextGeneration(m_Folder.string());; ++next)
      {
        for (int index = 0; index < images; ++index)
        {
          const Bytes state = StateOf(index, next, size);
          CheckpointWriter(m_Folder.string(), next).WriteImage(index, { { state.data(), state.size() } });
          [[maybe_unused]] const auto written = write(pipeEnds[1], "i", 1);
        }
        CheckpointWriter(m_Folder.string(), next).Commit("generation " + std::to_string(next) + "\n", images);
        [[maybe_unused]] const auto written = write(pipeEnds[1], "c", 1);
      }
    });
    close(pipeEnds[1]);
    bool isOver = false;
    for (int step = 0; step < 1 + kill % 9 && !isOver; ++step)
    {
      char what = 0;
      isOver = read(pipeEnds[0], &what, 1) != 1;
    }
    EXPECT_FALSE(isOver) << "the child ended by itself";
    // Up to about the time of one more step.
    volatile double work = 1.0;
    for (int i = 0; i < (kill * 7919) % 30 * 20000; ++i)
    {
      work = work * 0.999 + 1.0;
    }
    ::kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    close(pipeEnds[0]);
    EXPECT_TRUE(WIFSIGNALED(status));
    const int found = this->ExpectWhole(images, size);
    EXPECT_GE(found, generation);
    generation = found;
  }
  EXPECT_GT(generation, 1);
  this->Write(cudaneuro::NextGeneration(m_Folder.string()), images, size);
  this->ExpectWhole(images, size);
  EXPECT_EQ(this->CountFiles(), 1 + images);
}
