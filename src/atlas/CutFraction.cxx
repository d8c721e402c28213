// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/CutFraction.h"

#include "core/ApproximateMath.h"
#include "core/PlaneFrames.h"
#include "core/SpaceMatrices.h"
#include "images/ReferenceIntensityLattice.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <array>
#include <vector>

namespace cudaneuro
{

namespace
{

/** About 260,000 voxels: a percent of the head's voxels is then counted to a tenth of itself. */
constexpr int latticePoints = 64;

/** A voxel of the lattice. */
struct SampledVoxel
{
  float intensity;
  bool  isCut;
};

/** Otsu's threshold, and the mean of the intensities that are not above it. */
struct Background
{
  double threshold;
  double mean;
};

/** Whether a voxel of an image is mapped to a point outside all voxels of the template. */
class BeyondGrid
{
public:
  BeyondGrid(const Geometry & geometry, const AffineMap & transform, const Geometry & ofTemplate)
    : m_ToTemplate(IndexMapBetween(geometry, Inverse(transform), ofTemplate))
    , m_Size(ofTemplate.grid.size)
  {}

  bool
  operator()(const std::array<double, 3> & index) const
  {
    const std::array<double, 3> at = Apply(m_ToTemplate, index);
    bool                        isBeyond = false;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      isBeyond = isBeyond || at[axis] < -0.5 || at[axis] > static_cast<double>(m_Size[axis]) - 0.5;
    }
    return isBeyond;
  }

private:
  AffineMap                   m_ToTemplate;
  std::array<std::int64_t, 3> m_Size;
};

std::vector<SampledVoxel>
SampleImage(
  Context & context, const Grid & grid, const float * image, const unsigned char * mask, const BeyondGrid & isBeyond)
{
  const MemorySpace        space = MemorySpaceOf(context);
  const Lattice            lattice = MakeLattice(grid, latticePoints);
  const std::vector<float> values = ReadLattice(context, { image, PixelType::Float, space }, lattice);
  std::vector<float>       inMask(values.size(), 1.0f);
  if (mask != nullptr)
  {
    inMask = ReadLattice(context, { mask, PixelType::UnsignedChar, space }, lattice);
  }
  std::vector<SampledVoxel> voxels;
  for (std::size_t point = 0; point < values.size(); ++point)
  {
    if (IsFinite(values[point]) && inMask[point] != 0.0f)
    {
      const std::int64_t voxel = lattice.Voxel(static_cast<int>(point));
      const std::int64_t row = voxel / grid.size[0];
      const bool         isCut = isBeyond({ static_cast<double>(voxel % grid.size[0]),
                                            static_cast<double>(row % grid.size[1]),
                                            static_cast<double>(row / grid.size[1]) });
      voxels.push_back({ values[point], isCut });
    }
  }
  return voxels;
}

/** Splits the intensities where the variance between both parts is largest (Otsu 1979), by a histogram.
 * \param voxels at least one */
Background
FindBackground(const std::vector<SampledVoxel> & voxels)
{
  constexpr std::size_t bins = 256;
  const auto   byIntensity = [](const SampledVoxel & a, const SampledVoxel & b) { return a.intensity < b.intensity; };
  const auto   extremes = std::minmax_element(voxels.begin(), voxels.end(), byIntensity);
  const double least = extremes.first->intensity;
  const double width = (extremes.second->intensity - least) / bins;
  struct Bin
  {
    double count = 0.0;
    double sum = 0.0;
  };
  std::array<Bin, bins> histogram{};
  Bin                   all;
  for (const SampledVoxel & voxel : voxels)
  {
    const double position = width > 0.0 ? (voxel.intensity - least) / width : 0.0;
    Bin &        bin = histogram[std::min(bins - 1, static_cast<std::size_t>(position))];
    bin.count += 1.0;
    bin.sum += voxel.intensity;
    all.count += 1.0;
    all.sum += voxel.intensity;
  }
  Background best{ extremes.second->intensity, all.sum / all.count };
  double     largest = 0.0;
  Bin        below;
  for (std::size_t i = 0; i + 1 < bins; ++i)
  {
    below.count += histogram[i].count;
    below.sum += histogram[i].sum;
    const double above = all.count - below.count;
    if (below.count > 0.0 && above > 0.0)
    {
      const double difference = below.sum / below.count - (all.sum - below.sum) / above;
      const double variance = below.count * above * difference * difference;
      if (variance > largest)
      {
        largest = variance;
        best = { least + width * static_cast<double>(i + 1), below.sum / below.count };
      }
    }
  }
  return best;
}

} // namespace

double
CutFraction(Context &             context,
            const Geometry &      geometry,
            const float *         image,
            const unsigned char * mask,
            const AffineMap &     transform,
            const Geometry &      ofTemplate)
{
  const BeyondGrid                isBeyond(geometry, transform, ofTemplate);
  const std::vector<SampledVoxel> voxels = SampleImage(context, geometry.grid, image, mask, isBeyond);
  if (voxels.empty())
  {
    return 0.0;
  }
  const Background background = FindBackground(voxels);
  double           all = 0.0;
  double           cut = 0.0;
  for (const SampledVoxel & voxel : voxels)
  {
    const double mass = voxel.intensity > background.threshold ? voxel.intensity - background.mean : 0.0;
    all += mass;
    cut += voxel.isCut ? mass : 0.0;
  }
  return all > 0.0 ? cut / all : 0.0;
}

} // namespace cudaneuro
