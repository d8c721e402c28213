// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_checkpoints_CheckpointFormat_h
#define cudaneuro_atlas_checkpoints_CheckpointFormat_h

#include "atlas/checkpoints/CheckpointFiles.h"
#include "atlas/checkpoints/DurableFile.h"

#include <array>

/** The formats of a checkpoint's files. */
namespace cudaneuro
{

/** Checkpoints contain energies of channels since version 5; other versions are refused. */
constexpr int checkpointVersion = 5;

/** The first bytes of an image's file, followed by its content. */
struct ImageHeader
{
  std::array<char, 8> magic{ 'C', 'N', 'A', 'T', 'L', 'A', 'S', '\n' };
  std::uint32_t       byteOrder = 0x01020304U;
  std::uint32_t       version = checkpointVersion;
  std::int64_t        index = 0;
  std::int64_t        generation = 0;
  std::uint64_t       bytes = 0;
  std::uint64_t       contentChecksum = 0;
  std::uint64_t       headerChecksum = 0;

  /** The checksum of all other members. */
  std::uint64_t
  ComputeChecksum() const;
};
static_assert(sizeof(ImageHeader) == 56, "the header has no gaps");

/** Reads the header of an image's file, and checks it and the size of the file.
 * \throws Error for a file that is damaged, or of another image or generation */
ImageHeader
ReadImageHeader(CheckpointInput & file, const std::string & path, int index, int generation);

/** The content of checkpoint.list. */
struct CheckpointList
{
  int                                       generation = 0;
  std::vector<CheckpointReader::ImageEntry> images;
  std::string                               description;
};

std::string
ToText(const CheckpointList & list);

/** \param path of the file, for messages */
CheckpointList
FromText(const std::string & text, const std::string & path);

std::string
ListPath(const std::string & folder);
std::string
ImagePath(const std::string & folder, int index, int generation);

/** The generation of an image's file, finished or not, from its name; -1 for other files. */
int
GenerationOf(const std::string & fileName);

} // namespace cudaneuro

#endif
