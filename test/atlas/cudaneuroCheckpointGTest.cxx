// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Files of checkpoints: what was written is read, and all else is refused.

#include "CheckpointTest.h"
#include "atlas/checkpoints/Checksum.h"

using namespace checkpointtests;

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
            "its format has version 1; this program reads version 5");
  Bytes list = ReadFile(this->ListFile());
  *std::find(list.begin(), list.end(), '5') = '1';
  WriteFile(this->ListFile(), list);
  EXPECT_EQ(ExpectError([&] { CheckpointReader(m_Folder.string()); }, this->ListFile()),
            "its format has \"version 1\"; this program reads version 5");
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

/** Names are UTF-8 on all systems. */
TEST_F(Checkpoint, FoldersOfAnyName)
{
  const std::string name = "G\xc3\xb6\xc3\x9f"
                           "e \xe8\x84\xb3 " +
                           std::string(60, 'x');
  const std::string folder = (m_Folder / "of names").string() + "/" + name;
  const Bytes       state = Sequence(100, 3);
  for (const int generation : { 1, 2 })
  {
    CheckpointWriter writer(folder, generation);
    writer.WriteImage(0, { { state.data(), state.size() } });
    writer.Commit("of any name\n", 1);
  }
  EXPECT_TRUE(cudaneuro::HasCheckpoint(folder));
  EXPECT_EQ(cudaneuro::NextGeneration(folder), 3);
  EXPECT_TRUE(fs::exists(fs::u8path(folder) / "image-0-2.state"));
  EXPECT_FALSE(fs::exists(fs::u8path(folder) / "image-0-1.state"));
}
