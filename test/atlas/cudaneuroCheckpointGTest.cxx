// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Files of checkpoints: what was written is read, and all else is refused.

#include "atlas/CheckpointFiles.h"
#include "atlas/Checksum.h"
#include "cudaneuro/Error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

#ifndef _WIN32
#  include <cerrno>
#  include <csignal>
#  include <system_error>

#  include <sys/resource.h>
#  include <sys/wait.h>
#  include <unistd.h>
#endif

namespace fs = std::filesystem;
using cudaneuro::CheckpointReader;
using cudaneuro::CheckpointWriter;

namespace
{

using Bytes = std::vector<unsigned char>;

Bytes
Sequence(std::size_t size, unsigned int seed)
{
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i)
  {
    bytes[i] = static_cast<unsigned char>((i * 131 + (i >> 8) + seed * 29) % 251);
  }
  return bytes;
}

Bytes
ReadFile(const fs::path & path)
{
  std::ifstream file(path, std::ios::binary);
  return { std::istreambuf_iterator<char>(file), {} };
}

void
WriteFile(const fs::path & path, const Bytes & bytes)
{
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

/** Expects an Error that names the file; returns its message. */
template <typename TBody>
std::string
ExpectError(const TBody & body, const fs::path & file)
{
  try
  {
    body();
  }
  catch (const cudaneuro::Error & error)
  {
    EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
    return error.GetReason();
  }
  ADD_FAILURE() << file << " was accepted";
  return "";
}

class Checkpoint : public ::testing::Test
{
protected:
  void
  SetUp() override
  {
    const auto * const test = ::testing::UnitTest::GetInstance()->current_test_info();
    m_Folder = fs::path(::testing::TempDir()) / (std::string("cudaneuro-checkpoint-") + test->name());
    fs::remove_all(m_Folder);
  }
  void
  TearDown() override
  {
    fs::remove_all(m_Folder);
  }

  fs::path
  ImageFile(int index, int generation) const
  {
    return m_Folder / ("image-" + std::to_string(index) + "-" + std::to_string(generation) + ".state");
  }
  fs::path
  ListFile() const
  {
    return m_Folder / "checkpoint.list";
  }

  static Bytes
  StateOf(int index, int generation, std::size_t size)
  {
    return Sequence(size + index, 10 * generation + index);
  }

  /** \param size of the state of image 0; each has a byte more than the one before. */
  void
  WriteImages(int generation, int images, std::size_t size) const
  {
    CheckpointWriter writer(m_Folder.string(), generation);
    for (int index = 0; index < images; ++index)
    {
      const Bytes       state = StateOf(index, generation, size);
      const std::size_t half = state.size() / 2;
      writer.WriteImage(index, { { state.data(), half }, { state.data() + half, state.size() - half } });
    }
  }

  void
  Write(int generation, int images, std::size_t size) const
  {
    this->WriteImages(generation, images, size);
    CheckpointWriter(m_Folder.string(), generation).Commit("generation " + std::to_string(generation) + "\n", images);
  }

  static Bytes
  ReadImage(const CheckpointReader & reader, int index, std::size_t size)
  {
    Bytes state(size + index);
    reader.ReadImage(index, { { state.data(), 1 }, { state.data() + 1, state.size() - 1 } });
    return state;
  }

  /** Expects a whole checkpoint as Write leaves it; returns its generation. */
  int
  ExpectWhole(int images, std::size_t size) const
  {
    const CheckpointReader reader(m_Folder.string());
    const int              generation = reader.GetGeneration();
    EXPECT_EQ(reader.GetDescription(), "generation " + std::to_string(generation) + "\n");
    EXPECT_EQ(reader.GetNumberOfImages(), images);
    for (int index = 0; index < images; ++index)
    {
      EXPECT_EQ(ReadImage(reader, index, size), StateOf(index, generation, size)) << "image " << index;
    }
    return generation;
  }

  int
  CountFiles() const
  {
    return static_cast<int>(std::distance(fs::directory_iterator(m_Folder), {}));
  }

  fs::path m_Folder;
};

} // namespace

TEST(Checksum, TellsContentsApart)
{
  const Bytes                data = Sequence(100, 1);
  std::vector<std::uint64_t> checksums;
  const Bytes                zeros(data.size());
  checksums.push_back(cudaneuro::Checksum(nullptr, 0));
  for (std::size_t size = 1; size <= data.size(); ++size)
  {
    checksums.push_back(cudaneuro::Checksum(data.data(), size));
    checksums.push_back(cudaneuro::Checksum(zeros.data(), size));
  }
  // One bit, and two.
  const std::size_t bits = 8 * data.size();
  for (std::size_t first = 0; first < bits; ++first)
  {
    for (std::size_t second = first; second < bits; ++second)
    {
      Bytes damaged = data;
      damaged[first / 8] ^= static_cast<unsigned char>(1U << (first % 8));
      damaged[second / 8] ^= static_cast<unsigned char>(second != first ? 1U << (second % 8) : 0U);
      checksums.push_back(cudaneuro::Checksum(damaged.data(), damaged.size()));
    }
  }
  for (std::size_t a = 0; a + 8 <= data.size(); a += 8)
  {
    for (std::size_t b = a + 8; b + 8 <= data.size(); b += 8)
    {
      Bytes exchanged = data;
      std::swap_ranges(exchanged.begin() + a, exchanged.begin() + a + 8, exchanged.begin() + b);
      checksums.push_back(cudaneuro::Checksum(exchanged.data(), exchanged.size()));
    }
  }
  std::sort(checksums.begin(), checksums.end());
  EXPECT_EQ(std::adjacent_find(checksums.begin(), checksums.end()), checksums.end());
}

TEST(Checksum, DoesNotDependOnTheCuts)
{
  const Bytes         data = Sequence(200, 2);
  const std::uint64_t whole = cudaneuro::Checksum(data.data(), data.size());
  for (std::size_t first = 0; first <= data.size(); ++first)
  {
    for (std::size_t second = first; second <= data.size(); second += 7)
    {
      cudaneuro::Checksum64 checksum;
      checksum.Add(data.data(), first);
      checksum.Add(data.data() + first, second - first);
      checksum.Add(data.data() + second, data.size() - second);
      ASSERT_EQ(checksum.Get(), whole) << first << " " << second;
    }
  }
}

TEST_F(Checkpoint, RoundTrip)
{
  EXPECT_FALSE(cudaneuro::HasCheckpoint(m_Folder.string()));
  EXPECT_EQ(cudaneuro::NextGeneration(m_Folder.string()), 1);
  for (const int generation : { 1, 2, 7 })
  {
    this->Write(generation, 3, 1000);
    EXPECT_TRUE(cudaneuro::HasCheckpoint(m_Folder.string()));
    EXPECT_EQ(this->ExpectWhole(3, 1000), generation);
    EXPECT_EQ(cudaneuro::NextGeneration(m_Folder.string()), generation + 1);
    // The list and three images: what is older is gone.
    EXPECT_EQ(this->CountFiles(), 4);
  }
}

TEST_F(Checkpoint, AnyDescription)
{
  for (const std::string & description :
       { std::string(), std::string("checksum 0\n\ndescription 5\n"), std::string(3, '\0') })
  {
    CheckpointWriter(m_Folder.string(), 1).Commit(description, 0);
    EXPECT_EQ(CheckpointReader(m_Folder.string()).GetDescription(), description);
  }
}

TEST_F(Checkpoint, DamagedBytesAreRefused)
{
  this->Write(3, 1, 90);
  for (const fs::path & file : { this->ImageFile(0, 3), this->ListFile() })
  {
    const Bytes intact = ReadFile(file);
    for (std::size_t i = 0; i < intact.size(); ++i)
    {
      for (const unsigned char bits : { 0x01, 0x80, 0xff })
      {
        Bytes damaged = intact;
        damaged[i] ^= bits;
        WriteFile(file, damaged);
        ExpectError([&] { ReadImage(CheckpointReader(m_Folder.string()), 0, 90); }, file);
      }
    }
    WriteFile(file, intact);
    EXPECT_EQ(this->ExpectWhole(1, 90), 3);
  }
}

TEST_F(Checkpoint, OtherLengthsAreRefused)
{
  this->Write(3, 1, 90);
  for (const fs::path & file : { this->ImageFile(0, 3), this->ListFile() })
  {
    const Bytes intact = ReadFile(file);
    for (std::size_t size = 0; size < intact.size(); ++size)
    {
      WriteFile(file, Bytes(intact.begin(), intact.begin() + size));
      ExpectError([&] { ReadImage(CheckpointReader(m_Folder.string()), 0, 90); }, file);
    }
    Bytes longer = intact;
    longer.push_back(0);
    WriteFile(file, longer);
    ExpectError([&] { ReadImage(CheckpointReader(m_Folder.string()), 0, 90); }, file);
    WriteFile(file, intact);
  }
}

TEST_F(Checkpoint, MissingAndForeignFilesAreRefused)
{
  ExpectError([&] { CheckpointReader(m_Folder.string()); }, this->ListFile());
  this->Write(3, 3, 90);
  const CheckpointReader reader(m_Folder.string());
  ExpectError([&] { ReadImage(reader, 3, 90); }, this->ImageFile(3, 3));
  ExpectError([&] { ReadImage(reader, -1, 90); }, this->ImageFile(-1, 3));
  EXPECT_EQ(ExpectError([&] { ReadImage(reader, 1, 91); }, this->ImageFile(1, 3)),
            "the state has 91 bytes; that of this image has 92");

  const Bytes second = ReadFile(this->ImageFile(1, 3));
  WriteFile(this->ImageFile(1, 3), ReadFile(this->ImageFile(0, 3)));
  EXPECT_EQ(ExpectError([&] { ReadImage(reader, 1, 90); }, this->ImageFile(1, 3)),
            "it is the file of image 0 of generation 3");
  // The same image and generation of another run.
  CheckpointWriter(m_Folder.string(), 3).WriteImage(1, { { second.data(), 91 } });
  EXPECT_NE(ExpectError([&] { ReadImage(reader, 1, 90); }, this->ImageFile(1, 3)).find("another run"),
            std::string::npos);
  WriteFile(this->ImageFile(1, 3), Bytes(200, 'x'));
  EXPECT_EQ(ExpectError([&] { ReadImage(reader, 1, 90); }, this->ImageFile(1, 3)),
            "it is no file of an atlas's checkpoint");
  fs::remove(this->ImageFile(1, 3));
  ExpectError([&] { ReadImage(reader, 1, 90); }, this->ImageFile(1, 3));
  fs::create_directory(this->ImageFile(1, 3));
  EXPECT_EQ(ExpectError([&] { ReadImage(reader, 1, 90); }, this->ImageFile(1, 3)), "it is no regular file");
}

TEST_F(Checkpoint, OtherVersionsAreNamed)
{
  this->Write(3, 1, 90);
  Bytes image = ReadFile(this->ImageFile(0, 3));
  // The version follows 8 bytes of the magic number and 4 of the byte order.
  const std::uint32_t version = 1;
  std::copy_n(reinterpret_cast<const unsigned char *>(&version), sizeof(version), image.begin() + 12);
  WriteFile(this->ImageFile(0, 3), image);
  EXPECT_EQ(ExpectError([&] { ReadImage(CheckpointReader(m_Folder.string()), 0, 90); }, this->ImageFile(0, 3)),
            "its format has version 1; this program reads version 4");
  Bytes list = ReadFile(this->ListFile());
  *std::find(list.begin(), list.end(), '4') = '1';
  WriteFile(this->ListFile(), list);
  EXPECT_EQ(ExpectError([&] { CheckpointReader(m_Folder.string()); }, this->ListFile()),
            "its format has \"version 1\"; this program reads version 4");
}

/** A run that dies between two steps leaves the older checkpoint, and its remains go with the next commit. */
TEST_F(Checkpoint, UnfinishedGenerationsDoNotCount)
{
  this->Write(1, 2, 500);
  this->WriteImages(2, 1, 500);
  EXPECT_EQ(this->ExpectWhole(2, 500), 1);
  // Image 1 is missing.
  ExpectError([&] { CheckpointWriter(m_Folder.string(), 2).Commit("", 2); }, this->ImageFile(1, 2));
  EXPECT_EQ(this->ExpectWhole(2, 500), 1);
  WriteFile(this->ImageFile(1, 2).string() + ".part", Bytes(100, 'x'));
  WriteFile(this->ListFile().string() + ".part", Bytes(100, 'x'));
  WriteFile(m_Folder / "image-1-x.state", Bytes(1, 'x'));
  EXPECT_EQ(cudaneuro::NextGeneration(m_Folder.string()), 3);
  for (const fs::directory_entry & file : fs::directory_iterator(m_Folder))
  {
    const std::string name = file.path().filename().string();
    EXPECT_EQ(cudaneuro::IsCheckpointFile(name), name != "image-1-x.state") << name;
  }
  this->Write(3, 2, 500);
  EXPECT_EQ(this->ExpectWhole(2, 500), 3);
  // The list, two images, and the file that is not ours.
  EXPECT_EQ(this->CountFiles(), 4);
}

/** Another process may be ahead by a generation when this one commits. */
TEST_F(Checkpoint, NewerFilesAreKept)
{
  this->WriteImages(2, 1, 500);
  this->Write(1, 2, 500);
  EXPECT_TRUE(fs::exists(this->ImageFile(0, 2)));
  EXPECT_EQ(this->ExpectWhole(2, 500), 1);
}

TEST_F(Checkpoint, FoldersThatCannotBeMadeAreNamed)
{
  WriteFile(m_Folder, Bytes(1, 'x'));
  ExpectError([&] { CheckpointWriter(m_Folder.string(), 1); }, m_Folder);
  ExpectError([&] { CheckpointWriter((m_Folder / "below").string(), 1); }, m_Folder / "below");
  EXPECT_FALSE(cudaneuro::HasCheckpoint(m_Folder.string()));
  EXPECT_FALSE(cudaneuro::HasCheckpoint((m_Folder / "below").string()));
}

#ifndef _WIN32

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

#endif
