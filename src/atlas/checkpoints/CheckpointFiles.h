// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_checkpoints_CheckpointFiles_h
#define cudaneuro_atlas_checkpoints_CheckpointFiles_h

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/** The files of a checkpoint. In a folder, `image-<index>-<generation>.state` has the state of an image, and
 * `checkpoint.list`, a text, lists the generation, the size and the checksum of each of its images' files, and
 * describes the rest of the state. The list is replaced last, and older generations are removed afterwards: whenever
 * the process or the machine stops, the list refers to complete files.
 *
 * Every file has a magic number, the version of its format, and checksums over all of its bytes; files of images also a
 * byte-order mark. All functions throw Error with the name of the file and the fault. */
namespace cudaneuro
{

struct CheckpointPart
{
  const void * data;
  std::size_t  bytes;
};

/** Writes a generation. Several processes may write together into a shared folder, each with its own writer and images;
 * when all have written their images, one of them commits. If writing fails, the previous checkpoint is intact, and no
 * unfinished file remains. */
class CheckpointWriter
{
public:
  /** Creates the folder unless it exists. \param generation not negative, and above that of every file in the folder:
   * NextGeneration. */
  CheckpointWriter(const std::string & folder, int generation);

  /** Writes the state of an image, one part after the other. It is on the disk when the function returns. */
  void
  WriteImage(int index, const std::vector<CheckpointPart> & parts);

  /** Makes images [0, numberOfImages) of this generation the checkpoint, and removes older generations and unfinished
   * files of all of them. \p description is any text. */
  void
  Commit(const std::string & description, int numberOfImages);

private:
  std::string m_Folder;
  int         m_Generation;
};

/** Reads a checkpoint. No process may write into its folder meanwhile. */
class CheckpointReader
{
public:
  explicit CheckpointReader(const std::string & folder);

  const std::string &
  GetDescription() const
  {
    return m_Description;
  }
  int
  GetGeneration() const
  {
    return m_Generation;
  }
  int
  GetNumberOfImages() const
  {
    return static_cast<int>(m_Images.size());
  }

  /** Reads the state of an image into parts, each a pointer and a size, whose sum is the size that was written. After
   * an exception the contents are undefined. */
  void
  ReadImage(int index, const std::vector<std::pair<void *, std::size_t>> & parts) const;

  /** The entry of an image's file in the list. */
  struct ImageEntry
  {
    std::uint64_t bytes = 0;
    std::uint64_t checksum = 0;
  };

private:
  std::string             m_Folder;
  std::string             m_Description;
  int                     m_Generation = 0;
  std::vector<ImageEntry> m_Images;
};

/** Whether the folder has a checkpoint, intact or not. */
bool
HasCheckpoint(const std::string & folder);

/** Whether a file of this name belongs to a checkpoint, finished or not. */
bool
IsCheckpointFile(const std::string & fileName);

/** The smallest generation, from 1, above that of every image's file in the folder, finished or not; 1 if there is none
 * or no folder. */
int
NextGeneration(const std::string & folder);

} // namespace cudaneuro

#endif
