// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "transform/SeriesMover.h"

#include "files/images/ImageGrid.h"
#include "files/images/SeriesFile.h"
#include "shared/ProgressBar.h"

#include <algorithm>
#include <deque>
#include <future>
#include <thread>

namespace
{

using VolumeType = itk::Image<double, 3>;

VolumeType::Pointer
CopyOf(const VolumeType & image)
{
  const auto copy = MakeImageOn<VolumeType>(image);
  std::copy_n(image.GetBufferPointer(), image.GetLargestPossibleRegion().GetNumberOfPixels(), copy->GetBufferPointer());
  return copy;
}

/** The progress of a series, in place of that of its volumes. */
class SeriesProgress
{
public:
  SeriesProgress(std::size_t count, ComputeOptions & compute)
    : m_Count(count)
    , m_Bar("Resampling", compute.isQuiet)
  {
    compute.isQuiet = true;
  }

  void
  Show(std::size_t volume)
  {
    m_Bar.Show(static_cast<double>(volume) / static_cast<double>(m_Count), "volume " + std::to_string(volume));
  }

private:
  const std::size_t m_Count;
  ProgressBar       m_Bar;
};

} // namespace

void
MoveSeries(const OpenedImage &       series,
           const SpaceMap<3> &       map,
           const itk::ImageBase<3> & grid,
           ImageMovement             movement,
           const TakeVolume &        take)
{
  const std::size_t    count = series.size[3];
  SeriesReader<double> volumes(series);
  SeriesProgress       progress(count, movement.compute);
  movement.isRepeated = true;
  ImageMover<3> mover(map, grid, movement);
  for (std::size_t i = 0; i < count; ++i)
  {
    progress.Show(i);
    take(mover.Move(*volumes.ReadNext()));
  }
}

void
MoveSeriesByTransforms(const OpenedImage &                                             series,
                       const SpaceMap<3> &                                             map,
                       const std::function<SpaceMap<3>::Pointer(std::size_t volume)> & readTransform,
                       const itk::ImageBase<3> &                                       grid,
                       ImageMovement                                                   movement,
                       const TakeVolume &                                              take)
{
  constexpr unsigned int mostAtOnce = 8;
  const std::size_t      count = series.size[3];
  const unsigned int     given = movement.compute.numberOfThreads;
  const unsigned int     threads = given > 0 ? given : std::max(1u, std::thread::hardware_concurrency());
  const unsigned int     atOnce = std::min(mostAtOnce, threads);
  SeriesReader<double>   volumes(series);
  SeriesProgress         progress(count, movement.compute);
  movement.compute.numberOfThreads = threads / atOnce;
  movement.isRepeated = false;
  const auto move = [&](std::size_t volume, const VolumeType & image) {
    const auto own = SpaceMap<3>::New();
    // The last one is applied first.
    own->AddTransform(readTransform(volume));
    if (!map.IsTransformQueueEmpty())
    {
      own->AddTransform(const_cast<SpaceMap<3> *>(&map));
    }
    return ImageMover<3>(*own, grid, movement).Move(image);
  };
  std::deque<std::future<std::vector<double>>> moved;
  for (std::size_t i = 0; i < count || !moved.empty();)
  {
    if (i < count && moved.size() < atOnce)
    {
      progress.Show(i);
      moved.push_back(
        std::async(std::launch::async, [&, i, image = CopyOf(*volumes.ReadNext())] { return move(i, *image); }));
      ++i;
      continue;
    }
    take(moved.front().get());
    moved.pop_front();
  }
}
