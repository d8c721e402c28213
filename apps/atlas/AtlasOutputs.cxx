// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasSteps.h"

#include "atlas/AffineMean.h"
#include "atlas/AtlasInputs.h"
#include "atlas/ResultExchange.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/output/StagedFiles.h"
#include "files/transforms/TransformFile.h"
#include "itkCudaLinearRegistrationTransforms.h"
#include "itkCudaNeuroDetail.h"
#include "shared/LimitedOutput.h"
#include "shared/ProgressBar.h"

#include <algorithm>
#include <deque>
#include <future>
#include <iterator>
#include <optional>
#include <utility>

namespace detail = itk::CudaNeuroDetail;

namespace
{

/** The outputs of one image, in host memory. */
template <unsigned int VDimension>
struct ImageOutputs
{
  using FieldType = itk::Image<itk::Vector<float, VDimension>, VDimension>;
  typename FieldType::Pointer map;
  typename FieldType::Pointer inverse;
  /** The deformed image of each channel, in their order; empty if they are left out. */
  std::vector<typename itk::Image<float, VDimension>::Pointer> deformed;
};

/** Returns the map of an image's alignment, in the class of its type. */
template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
MakeAlignment(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, std::size_t index)
{
  const cudaneuro::LinearTransformType type = AlignmentTypeOf(job.GetOptions().align);
  const auto map = detail::NearestOfType(VDimension, type, job.GetAlignment()[index].transform, "the alignment");
  return detail::MakeLinearTransform<VDimension>(type, map, CenterOf(detail::GeometryOf<VDimension>(&grid)));
}

/** Writes all files of an image at once, each in a thread, and moves them to their places when all are complete. */
template <unsigned int VDimension>
void
WriteFiles(const AtlasJob &                   job,
           const itk::ImageBase<VDimension> & grid,
           std::size_t                        index,
           const ImageOutputs<VDimension> &   outputs)
{
  const PopulationImage & image = job.GetPopulation()[index];
  using VectorType = itk::Vector<float, VDimension>;
  StagedFiles files;
  const auto  stage = [&](const std::string & path, const auto & write) {
    if (!path.empty())
    {
      files.Start([path, write] { return write(OutputFile(path)); });
    }
  };
  stage(job.GetFolder().GetMap(image),
        [&](const OutputFile & file) { return StageImage<VectorType, VDimension>(file, outputs.map.GetPointer()); });
  stage(job.GetFolder().GetInverse(image), [&](const OutputFile & file) {
    return StageImage<VectorType, VDimension>(file, outputs.inverse.GetPointer());
  });
  for (std::size_t channel = 0; channel < outputs.deformed.size(); ++channel)
  {
    stage(job.GetFolder().GetDeformed(image, channel), [&, channel](const OutputFile & file) {
      const std::string &        path = channel == 0 ? image.path : image.channels[channel - 1].path;
      const itk::IOComponentEnum own = job.GetOpened().Open(path).pixelType;
      return StageAs<VDimension>(job, file, outputs.deformed[channel].GetPointer(), own);
    });
  }
  stage(job.GetFolder().GetAlignment(image), [&](const OutputFile & file) {
    return StageTransform<VDimension>(file, MakeAlignment<VDimension>(job, grid, index));
  });
  files.Commit();
}

/** Reads the original images again, a few ahead, for deformed images that are interpolated only once. */
template <unsigned int VDimension>
class Sources
{
public:
  /** \param images the images to read, in this order */
  Sources(const AtlasJob & job, const itk::ImageBase<VDimension> & grid, const std::vector<int> & images)
    : m_Job(job)
    , m_Grid(grid)
  {
    if (!job.GetOptions().leaveOutDeformed)
    {
      std::copy_if(images.begin(), images.end(), std::back_inserter(m_Waiting), [&](int image) {
        return IsResampled<VDimension>(job, grid, static_cast<std::size_t>(image));
      });
    }
  }

  /** Returns the next image of the list; empty if the atlas did not resample it. */
  std::optional<AtlasSource<VDimension>>
  Take(int image)
  {
    constexpr std::size_t most = 3;
    for (; m_Read.size() < most && !m_Waiting.empty(); m_Waiting.pop_front())
    {
      const auto index = static_cast<std::size_t>(m_Waiting.front());
      m_Read.emplace_back(m_Waiting.front(), std::async(std::launch::async, [this, index] {
                            return ReadSource<VDimension>(m_Job, m_Grid, index);
                          }));
    }
    if (m_Read.empty() || m_Read.front().first != image)
    {
      return std::nullopt;
    }
    auto source = std::move(m_Read.front().second);
    m_Read.pop_front();
    return source.get();
  }

private:
  const AtlasJob &                                                 m_Job;
  const itk::ImageBase<VDimension> &                               m_Grid;
  std::deque<int>                                                  m_Waiting;
  std::deque<std::pair<int, std::future<AtlasSource<VDimension>>>> m_Read;
};

/** The images that are being written, a few at a time to save memory. */
class Writing
{
public:
  explicit Writing(std::size_t most)
    : m_Most(most)
  {}

  void
  Add(const std::function<void()> & write)
  {
    if (m_Images.size() == m_Most)
    {
      this->WaitForOne();
    }
    m_Images.push_back(std::async(std::launch::async, write));
  }

  void
  WaitForAll()
  {
    while (!m_Images.empty())
    {
      this->WaitForOne();
    }
  }

private:
  void
  WaitForOne()
  {
    std::future<void> image = std::move(m_Images.front());
    m_Images.pop_front();
    image.get();
  }

  std::size_t                   m_Most;
  std::deque<std::future<void>> m_Images;
};

template <unsigned int VDimension>
ImageOutputs<VDimension>
MakeOutputs(const AtlasJob & job, const itk::ImageBase<VDimension> & grid)
{
  const AtlasOptions & options = job.GetOptions();
  using FieldType = typename ImageOutputs<VDimension>::FieldType;
  ImageOutputs<VDimension> outputs;
  outputs.map = options.leaveOutMaps ? nullptr : MakeImageOn<FieldType>(grid);
  outputs.inverse = options.leaveOutInverse ? nullptr : MakeImageOn<FieldType>(grid);
  const std::size_t channels = options.leaveOutDeformed ? 0 : 1 + NumberOfFurtherChannels(job.GetPopulation());
  for (std::size_t channel = 0; channel < channels; ++channel)
  {
    outputs.deformed.push_back(MakeImageOn<itk::Image<float, VDimension>>(grid));
  }
  return outputs;
}

template <unsigned int VDimension>
cudaneuro::AtlasImageOutputs
EngineOutputs(const ImageOutputs<VDimension> & outputs)
{
  cudaneuro::AtlasImageOutputs engine;
  engine.displacement = detail::FieldOf(outputs.map.GetPointer());
  engine.inverse = detail::FieldOf(outputs.inverse.GetPointer());
  for (std::size_t channel = 0; channel < outputs.deformed.size(); ++channel)
  {
    const cudaneuro::Volume deformed = detail::VolumeOf(outputs.deformed[channel].GetPointer());
    channel == 0 ? static_cast<void>(engine.deformed = deformed) : engine.deformedChannels.push_back(deformed);
  }
  return engine;
}

} // namespace

template <unsigned int VDimension>
StagedFile
StageAs(const AtlasJob &                      job,
        const OutputFile &                    file,
        const itk::Image<float, VDimension> * image,
        itk::IOComponentEnum                  otherType)
{
  const std::string &        given = job.GetOptions().outputType;
  const itk::IOComponentEnum type = given.empty() ? otherType : PixelTypes().GetValue(given);
  return StageLimited(file, *image, {}, type, job.GetLimitedVoxels());
}

template <unsigned int VDimension>
std::vector<cudaneuro::AtlasImageResult>
WriteImages(AtlasJob & job, const itk::ImageBase<VDimension> & grid, cudaneuro::DiffeomorphicAtlas & atlas)
{
  const std::size_t                        threadsOfImage = 3 + NumberOfFurtherChannels(job.GetPopulation());
  constexpr std::size_t                    most = 4;
  const std::size_t                        byThreads = job.GetDevices().numberOfThreads / threadsOfImage;
  const std::vector<int>                   own = atlas.GetOwnImages();
  std::vector<cudaneuro::AtlasImageResult> results(job.GetPopulation().size());
  Sources<VDimension>                      sources(job, grid, own);
  ProgressBar                              bar("Writing", job.IsQuiet());
  Writing                                  writing(std::clamp(byThreads, std::size_t{ 1 }, most));
  for (std::size_t i = 0; i < own.size(); ++i)
  {
    ThrowIfInterrupted();
    bar.Show(static_cast<double>(i) / static_cast<double>(own.size()));
    const auto index = static_cast<std::size_t>(own[i]);
    const auto outputs = MakeOutputs<VDimension>(job, grid);
    const auto source = sources.Take(own[i]);
    detail::Call(
      [&] { results[index] = atlas.GetImage(own[i], EngineOutputs(outputs), source ? &source->image : nullptr); });
    writing.Add([&job, &grid, index, outputs] { WriteFiles<VDimension>(job, grid, index, outputs); });
  }
  writing.WaitForAll();
  return ExchangeResults(job.GetProcesses(), own, results);
}

#define INSTANTIATE(VDimension) \
  template std::vector<cudaneuro::AtlasImageResult> WriteImages( \
    AtlasJob &, const itk::ImageBase<VDimension> &, cudaneuro::DiffeomorphicAtlas &); \
  template StagedFile StageAs( \
    const AtlasJob &, const OutputFile &, const itk::Image<float, VDimension> *, itk::IOComponentEnum)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
