// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasSteps.h"

#include "atlas/AffineMean.h"
#include "atlas/AlignmentRound.h"
#include "atlas/CheckpointNote.h"
#include "cudaneuro/LinearRegistration.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "itkCudaNeuroDetail.h"
#include "shared/Files.h"
#include "shared/ProgramSupport.h"

#include <algorithm>
#include <sstream>

namespace detail = itk::CudaNeuroDetail;

using cudaneuro::AtlasParameters;
using cudaneuro::DiffeomorphicAtlas;

namespace
{

/** Returns the target of the first round, with its mask if it is the first image of the population. */
template <unsigned int VDimension>
AlignmentTarget<VDimension>
ReadTarget(const AtlasJob & job, const itk::ImageBase<VDimension> & grid)
{
  PopulationImage entry;
  entry.path = job.GetAlignmentPath();
  const PopulationImage & first = job.GetPopulation().front();
  return { ReadMember<VDimension>(job, grid, entry.path == first.path ? first : entry), entry.path };
}

/** Returns the weights of the images: 0 if the alignment has failed, unless all have failed. */
std::vector<double>
WeightsOfAligned(const AtlasJob & job)
{
  const std::vector<double> all = WeightsOf(job.GetPopulation());
  std::vector<double>       weights = all;
  for (std::size_t i = 0; i < weights.size(); ++i)
  {
    weights[i] = job.GetAlignment()[i].isSuccess ? weights[i] : 0.0;
  }
  const bool isAny = std::any_of(weights.begin(), weights.end(), [](double weight) { return weight > 0.0; });
  return isAny ? weights : all;
}

/** Returns the mean of the aligned images of all processes. */
template <unsigned int VDimension>
AlignmentTarget<VDimension>
MakeMeanTarget(AtlasJob & job, const itk::ImageBase<VDimension> & grid, const AtlasParameters & parameters)
{
  AlignmentTarget<VDimension> target;
  target.name = "the mean of the images";
  target.member.image = MakeImageOn<itk::Image<float, VDimension>>(grid);
  target.member.geometry = detail::GeometryOf<VDimension>(&grid);
  std::unique_ptr<DiffeomorphicAtlas> atlas;
  detail::Call([&] {
    atlas =
      std::make_unique<DiffeomorphicAtlas>(parameters, target.member.geometry, WeightsOfAligned(job), job.GetDevices());
    atlas->SetProgressFunction([](float) { return !IsInterrupted(); });
  });
  ReadImages<VDimension>(job, grid, *atlas);
  detail::Call([&] { atlas->GetInitialMean(detail::VolumeOf(target.member.image.GetPointer())); });
  return target;
}

/** Gives the template the mean size of the images, instead of the size of the first target. */
void
NeutralizeSize(AtlasJob & job, const cudaneuro::Geometry & geometry)
{
  Alignment                         alignment = job.GetAlignment();
  std::vector<cudaneuro::AffineMap> maps;
  for (const ImageAlignment & image : alignment)
  {
    maps.push_back(image.transform);
  }
  TakeOutMeanStretch(maps, WeightsOfAligned(job), CenterOf(geometry));
  for (std::size_t i = 0; i < maps.size(); ++i)
  {
    alignment[i].transform = maps[i];
  }
  job.SetAlignment(alignment);
}

/** Warns of images whose alignment has failed, or ends all processes if the options require success. */
void
JudgeAlignment(AtlasJob & job)
{
  std::ostringstream failed;
  std::size_t        count = 0;
  for (std::size_t i = 0; i < job.GetPopulation().size(); ++i)
  {
    const ImageAlignment & alignment = job.GetAlignment()[i];
    if (!alignment.isSuccess)
    {
      failed << (count++ == 0 ? "" : ", ") << job.GetPopulation()[i].path << " (quality " << alignment.quality << ")";
    }
  }
  if (count == 0)
  {
    return;
  }
  std::ostringstream text;
  text << "the alignment of " << count << " of " << job.GetPopulation().size()
       << " images has probably failed: " << failed.str() << "; a success has quality " << cudaneuro::qualityOfSuccess
       << " or more";
  const bool isFatal = job.GetOptions().isSuccessRequired;
  if (job.GetProcesses().IsFirst())
  {
    isFatal ? throw UserError(text.str()) : PrintWarning(text.str());
  }
  if (isFatal)
  {
    // The first process ends all.
    job.GetProcesses().Wait();
  }
}

template <unsigned int VDimension>
void
RunRounds(AtlasJob &                         job,
          const itk::ImageBase<VDimension> & grid,
          const AtlasParameters &            parameters,
          const std::vector<int> &           own)
{
  const AtlasOptions & options = job.GetOptions();
  for (unsigned int round = 0; round < options.GetAlignRounds(); ++round)
  {
    const auto target =
      round == 0 ? ReadTarget<VDimension>(job, grid) : MakeMeanTarget<VDimension>(job, grid, parameters);
    job.SetAlignment(AlignTo<VDimension>(job, grid, target, own));
    if (options.align == "affine" && options.initialTemplate.empty())
    {
      NeutralizeSize(job, detail::GeometryOf<VDimension>(&grid));
    }
  }
}

} // namespace

template <unsigned int VDimension>
void
AlignImages(AtlasJob &                         job,
            const itk::ImageBase<VDimension> & grid,
            const AtlasParameters &            parameters,
            const std::vector<int> &           own)
{
  const bool resumes = job.Resumes();
  if (resumes && job.GetProcesses().IsFirst())
  {
    RequireSameAlignment(job);
  }
  // If the first process throws, it ends all.
  job.GetProcesses().Wait();
  if (!job.GetOptions().Aligns())
  {
    return;
  }
  const Stopwatch aligning;
  if (resumes)
  {
    job.SetAlignment(ReadAlignment(job));
  }
  else
  {
    RunRounds<VDimension>(job, grid, parameters, own);
  }
  AtlasReport & report = job.GetReport();
  report.Set("/alignment/reference", job.GetAlignmentPath());
  report.Set("/alignment/quality_of_success", cudaneuro::qualityOfSuccess);
  report.Set("/seconds/aligning", aligning.GetSeconds());
  JudgeAlignment(job);
}

#define INSTANTIATE(VDimension) \
  template void AlignImages( \
    AtlasJob &, const itk::ImageBase<VDimension> &, const AtlasParameters &, const std::vector<int> &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
