// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/CheckpointNote.h"

#include "files/input/FileChecksum.h"
#include "itkCudaNeuroDetail.h"
#include "shared/Files.h"

using Json = Report::Json;

namespace
{

std::string
ChecksumOfEntry(const PopulationImage & image)
{
  return ChecksumOf(image.path) + (image.mask.empty() ? "" : ", with mask " + ChecksumOf(image.mask));
}

/** Returns a checksum of the image of the first round, with its mask if it is the first of the population. */
std::string
ChecksumOfReference(const AtlasJob & job)
{
  const PopulationImage & first = job.GetPopulation().front();
  return job.GetAlignmentPath() == first.path ? ChecksumOfEntry(first) : ChecksumOf(job.GetAlignmentPath());
}

/** Returns the inputs of an alignment: values of options, and checksums of files. */
Json
SourcesOf(const AtlasJob & job)
{
  const AtlasOptions & options = job.GetOptions();
  Json                 sources;
  sources["--align"] = options.align;
  if (!options.Aligns())
  {
    return sources;
  }
  sources["--align-rounds"] = std::to_string(options.GetAlignRounds());
  const bool isTemplateGiven = !options.initialTemplate.empty();
  sources["--initial-template"] = isTemplateGiven ? "of checksum " + ChecksumOf(options.initialTemplate) : "none";
  sources["--reference"] = isTemplateGiven ? "none" : "of checksum " + ChecksumOfReference(job);
  for (const PopulationImage & image : job.GetPopulation())
  {
    sources["images"].push_back(ChecksumOfEntry(image));
  }
  return sources;
}

/** Calls a function with the note of the checkpoint. */
template <typename TUse>
void
WithNote(const AtlasJob & job, const TUse & use)
{
  const std::string folder = job.GetFolder().GetCheckpoint().GetPath();
  std::string       text;
  itk::CudaNeuroDetail::Call([&] { text = cudaneuro::DiffeomorphicAtlas::ReadCheckpointNote(folder); });
  try
  {
    use(Json::parse(text));
  }
  catch (const Json::exception & error)
  {
    throw UserError("cannot go on from " + folder + ", which this program did not write: " + error.what());
  }
}

void
RequireSameOption(const AtlasJob & job, const std::string & option, const Json & kept, const Json & own)
{
  const auto ofCheckpoint = kept.at(option).get<std::string>();
  const auto ofRun = own.at(option).get<std::string>();
  if (ofCheckpoint != ofRun)
  {
    throw UserError(job.GetFolder().GetCheckpoint().GetPath() + " is of a run with " + option + ' ' + ofCheckpoint +
                    ", and this one has " + option + ' ' + ofRun);
  }
}

void
RequireSameImages(const AtlasJob & job, const Json & kept, const Json & own)
{
  const std::string folder = job.GetFolder().GetCheckpoint().GetPath();
  if (kept.size() != own.size())
  {
    throw UserError(folder + " is of " + std::to_string(kept.size()) + " images, and this run has " +
                    std::to_string(own.size()));
  }
  for (std::size_t i = 0; i < own.size(); ++i)
  {
    if (kept.at(i) != own.at(i))
    {
      throw UserError(folder + " is of a run in which " + job.GetPopulation()[i].path +
                      " was another image, or had another mask");
    }
  }
}

} // namespace

std::string
WriteNote(const AtlasJob & job)
{
  Json note;
  note["sources"] = SourcesOf(job);
  note["alignment"] = Json::array();
  for (const ImageAlignment & image : job.GetAlignment())
  {
    note["alignment"].push_back(ToJson(image));
  }
  return note.dump(1);
}

void
RequireSameAlignment(const AtlasJob & job)
{
  WithNote(job, [&](const Json & note) {
    const Json & kept = note.at("sources");
    const Json   own = SourcesOf(job);
    RequireSameOption(job, "--align", kept, own);
    if (job.GetOptions().Aligns())
    {
      RequireSameOption(job, "--initial-template", kept, own);
      RequireSameOption(job, "--align-rounds", kept, own);
      RequireSameImages(job, kept.at("images"), own.at("images"));
      RequireSameOption(job, "--reference", kept, own);
    }
  });
}

Alignment
ReadAlignment(const AtlasJob & job)
{
  Alignment alignment;
  WithNote(job, [&](const Json & note) {
    for (const Json & image : note.at("alignment"))
    {
      alignment.push_back(FromJson(image));
    }
  });
  return alignment;
}
