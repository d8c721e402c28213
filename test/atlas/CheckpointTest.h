// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef CheckpointTest_h
#define CheckpointTest_h

#include "atlas/checkpoints/CheckpointFiles.h"
#include "cudaneuro/Error.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

/** A folder for checkpoints, what is written there, and what has to be read. */
namespace checkpointtests
{

namespace fs = std::filesystem;
using cudaneuro::CheckpointReader;
using cudaneuro::CheckpointWriter;

using Bytes = std::vector<unsigned char>;

inline Bytes
Sequence(std::size_t size, unsigned int seed)
{
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i)
  {
    bytes[i] = static_cast<unsigned char>((i * 131 + (i >> 8) + seed * 29) % 251);
  }
  return bytes;
}

inline Bytes
ReadFile(const fs::path & path)
{
  std::ifstream file(path, std::ios::binary);
  return { std::istreambuf_iterator<char>(file), {} };
}

inline void
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

} // namespace checkpointtests

#endif
