// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Experiment.h"

#include "Maps.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/LinearRegistration.h"

#include <algorithm>
#include <chrono>

using cudaneuro::AffineMap;

namespace
{

/** The geometry of an image after a map has moved it. */
cudaneuro::Geometry
Moved(cudaneuro::Geometry geometry, const AffineMap & map)
{
  geometry.origin = Apply(map, geometry.origin);
  geometry.direction = Compose(AffineMap{ map.matrix, {} }, AffineMap{ geometry.direction, {} }).matrix;
  return geometry;
}

} // namespace

Experiment::Experiment(const Options & options)
  : m_Options(options)
  , m_Context(options.device == "cpu" ? cudaneuro::Device{} : cudaneuro::Device{ 0 })
{
  Random                   random(static_cast<std::uint64_t>(m_Options.seed) << 32);
  const HeadImage::Pointer fixed = this->Prepare(m_Options.fixed, random);
  m_Corners = CornersOf(fixed, HeadBox(fixed));
  HeadImage::Pointer moving = this->Prepare(m_Options.moving, random);
  if (m_Options.cut > 0.0)
  {
    moving = Cut(moving, m_Options.cut, m_Options.isCutAbove);
  }
  const double bright[2] = { BrightTissue(fixed), BrightTissue(moving) };
  AddBias(moving, 0.01 * m_Options.bias, random);
  AddNoise(fixed, 0.01 * m_Options.noise * bright[0], random);
  AddNoise(moving, 0.01 * m_Options.noise * bright[1], random);
  m_Images.fixedImage = this->Upload(fixed, m_Images.fixedGeometry);
  m_Images.movingImage = this->Upload(moving, m_Images.movingGeometry);
  if (m_Options.truth != "header" && m_Options.truth != "consensus")
  {
    m_Truth = ReadMap(m_Options.truth);
  }
  for (const Point & corner : m_Corners)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      m_Center[axis] += corner[axis] / static_cast<double>(m_Corners.size());
    }
  }
}

std::vector<Run>
Experiment::RunAll()
{
  std::vector<Run> runs;
  for (int i = 0; i < m_Options.starts; ++i)
  {
    runs.push_back(this->RunOne(i));
  }
  const Corners truth = this->TrueCorners(runs);
  for (Run & run : runs)
  {
    run.error = MeanDistance(run.found, m_Corners, truth);
    run.startError = MeanDistance(run.start, m_Corners, truth);
  }
  return runs;
}

HeadImage::Pointer
Experiment::Prepare(const std::string & path, Random & random) const
{
  HeadImage::Pointer image = ReadHead(path);
  image = m_Options.smooth > 0.0 ? Smooth(image, m_Options.smooth) : image;
  image = m_Options.isResampled ? OnRotatedGrid(image, random) : image;
  return m_Options.shrink > 1 ? Shrink(image, m_Options.shrink) : image;
}

cudaneuro::ConstVolume
Experiment::Upload(const HeadImage * image, cudaneuro::Geometry & geometry)
{
  geometry = GeometryOf(image);
  const auto voxels = static_cast<std::size_t>(geometry.grid.NumberOfVoxels());
  m_Memory.push_back(m_Context.Allocate(voxels * sizeof(float)));
  const auto space = m_Context.GetDevice().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  void *     data = m_Memory.back().Data();
  CopyVolume(m_Context, geometry.grid, { image->GetBufferPointer() }, { data, cudaneuro::PixelType::Float, space });
  return { data, cudaneuro::PixelType::Float, space };
}

Run
Experiment::RunOne(int index)
{
  Random          random((static_cast<std::uint64_t>(m_Options.seed) << 32) + static_cast<std::uint64_t>(index) + 1);
  const AffineMap known =
    m_Options.knownScale > 0.0 ? RandomAffine(random, 0.0, 0.0, m_Options.knownScale, m_Center) : AffineMap();
  Run run;
  run.start = Compose(m_Truth, RandomRigid(random, m_Options.angle, m_Options.shift, m_Center));
  cudaneuro::LinearMetricImages images = m_Images;
  images.movingGeometry = Moved(m_Images.movingGeometry, known);

  cudaneuro::LinearRegistrationResult result;
  const auto                          begin = std::chrono::steady_clock::now();
  try
  {
    // The start does not know the known map.
    RegisterLinearly(m_Context, m_Options.parameters, images, run.start, {}, result);
  }
  catch (const cudaneuro::Error & error)
  {
    run.failure = error.what();
    result.transform = run.start;
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run.found = Compose(Inverse(known), result.transform);
  run.start = Compose(Inverse(known), run.start);
  run.value = result.value;
  run.overlap = result.overlap;
  run.quality = result.quality;
  return run;
}

Corners
Experiment::TrueCorners(const std::vector<Run> & runs) const
{
  Corners corners;
  for (std::size_t corner = 0; corner < corners.size(); ++corner)
  {
    corners[corner] = Apply(m_Truth, m_Corners[corner]);
    for (std::size_t axis = 0; axis < 3 && m_Options.truth == "consensus"; ++axis)
    {
      std::vector<double> places;
      for (const Run & run : runs)
      {
        places.push_back(Apply(run.found, m_Corners[corner])[axis]);
      }
      std::nth_element(places.begin(), places.begin() + places.size() / 2, places.end());
      corners[corner][axis] = places[places.size() / 2];
    }
  }
  return corners;
}
