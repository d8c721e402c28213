// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/checkpoints/CheckpointFiles.h"

#include "atlas/checkpoints/CheckpointFormat.h"
#include "atlas/checkpoints/Checksum.h"
#include "core/ParameterChecks.h"
#include "cudaneuro/Error.h"
#include "system/PathNames.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace fs = std::filesystem;

namespace cudaneuro
{
namespace
{

/** Calls visit(path, generation) for every image's file in the folder, finished or not. */
template <typename TVisit>
void
ForEachImageFile(const std::string & folder, const TVisit & visit)
{
  std::error_code error;
  for (fs::directory_iterator file(system::PathOf(folder), error), end; !error && file != end; file.increment(error))
  {
    const int generation = GenerationOf(system::NameOf(file->path().filename()));
    if (generation >= 0)
    {
      visit(file->path(), generation);
    }
  }
  if (error)
  {
    throw Error("Reading of folder " + folder, error.message());
  }
}

/** Removes the files that a list of this generation does not need. A file that cannot be removed does no harm to the
 * checkpoint; the next commit tries again. */
void
RemoveOld(const std::string & folder, int generation)
{
  std::vector<fs::path> old;
  ForEachImageFile(folder, [&](const fs::path & path, int of) {
    if (of < generation || (of == generation && path.extension() == unfinishedSuffix))
    {
      old.push_back(path);
    }
  });
  for (const fs::path & path : old)
  {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
}

} // namespace

CheckpointWriter::CheckpointWriter(const std::string & folder, int generation)
  : m_Folder(folder)
  , m_Generation(generation)
{
  RequireAtLeast("generation", generation, 0);
  std::error_code error;
  fs::create_directories(system::PathOf(folder), error);
  if (error)
  {
    throw Error("Making of folder " + folder, error.message());
  }
}

void
CheckpointWriter::WriteImage(int index, const std::vector<CheckpointPart> & parts)
{
  RequireAtLeast("index", index, 0);
  ImageHeader header;
  header.index = index;
  header.generation = m_Generation;
  Checksum64 checksum;
  for (const CheckpointPart & part : parts)
  {
    header.bytes += part.bytes;
    checksum.Add(part.data, part.bytes);
  }
  header.contentChecksum = checksum.Get();
  header.headerChecksum = header.ComputeChecksum();

  DurableFile file(ImagePath(m_Folder, index, m_Generation));
  file.Write(&header, sizeof(header));
  for (const CheckpointPart & part : parts)
  {
    file.Write(part.data, part.bytes);
  }
  file.Publish();
}

void
CheckpointWriter::Commit(const std::string & description, int numberOfImages)
{
  CheckpointList list;
  list.generation = m_Generation;
  list.description = description;
  for (int index = 0; index < numberOfImages; ++index)
  {
    const std::string path = ImagePath(m_Folder, index, m_Generation);
    CheckpointInput   file(path);
    const ImageHeader header = ReadImageHeader(file, path, index, m_Generation);
    list.images.push_back({ header.bytes, header.contentChecksum });
  }
  const std::string text = ToText(list);
  DurableFile       file(ListPath(m_Folder));
  file.Write(text.data(), text.size());
  file.Publish();
  RemoveOld(m_Folder, m_Generation);
}

CheckpointReader::CheckpointReader(const std::string & folder)
  : m_Folder(folder)
{
  const std::string path = ListPath(folder);
  CheckpointInput   file(path);
  std::string       text(file.GetSize(), '\0');
  file.Read(text.data(), text.size());
  CheckpointList list = FromText(text, path);
  m_Generation = list.generation;
  m_Images = std::move(list.images);
  m_Description = std::move(list.description);
}

void
CheckpointReader::ReadImage(int index, const std::vector<std::pair<void *, std::size_t>> & parts) const
{
  const std::string path = ImagePath(m_Folder, index, m_Generation);
  if (index < 0 || index >= this->GetNumberOfImages())
  {
    throw Error("Reading of " + path, "the checkpoint has " + std::to_string(this->GetNumberOfImages()) + " images");
  }
  CheckpointInput    file(path);
  const ImageHeader  header = ReadImageHeader(file, path, index, m_Generation);
  const ImageEntry & entry = m_Images[index];
  if (header.bytes != entry.bytes || header.contentChecksum != entry.checksum)
  {
    throw Error("Reading of " + path, "it is not the file that " + ListPath(m_Folder) + " names, but of another run");
  }
  const std::uint64_t wanted = std::accumulate(
    parts.begin(), parts.end(), std::uint64_t{ 0 }, [](std::uint64_t sum, auto & part) { return sum + part.second; });
  if (wanted != header.bytes)
  {
    throw Error("Reading of " + path,
                "the state has " + std::to_string(header.bytes) + " bytes; that of this image has " +
                  std::to_string(wanted));
  }
  Checksum64 checksum;
  for (const auto & [data, bytes] : parts)
  {
    file.Read(data, bytes);
    checksum.Add(data, bytes);
  }
  if (checksum.Get() != header.contentChecksum)
  {
    throw Error("Reading of " + path, "the file is damaged: its checksum does not agree with its content");
  }
}

bool
HasCheckpoint(const std::string & folder)
{
  std::error_code error;
  return fs::exists(fs::status(system::PathOf(ListPath(folder)), error));
}

bool
IsCheckpointFile(const std::string & fileName)
{
  const std::string list = ListPath("");
  return fileName == list || fileName == list + unfinishedSuffix || GenerationOf(fileName) >= 0;
}

int
NextGeneration(const std::string & folder)
{
  int             highest = 0;
  std::error_code error;
  if (fs::exists(fs::status(system::PathOf(folder), error)))
  {
    ForEachImageFile(folder, [&](const fs::path &, int generation) { highest = std::max(highest, generation); });
  }
  return highest + 1;
}

} // namespace cudaneuro
