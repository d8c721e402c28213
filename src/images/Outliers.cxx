// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/Outliers.h"

#include "core/VoxelNeighbors.h"
#include "images/ReferenceIntensityLattice.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace cudaneuro
{

namespace
{

/** The kind of a voxel. FillOutsideMask takes values from all kinds but NoSource. */
enum Mark : unsigned char
{
  /** A voxel that is to be filled, or is not valid. */
  NoSource = 0,
  Ordinary = 1,
  Outlier = 2
};

/** The marks of an image's voxels, on the host: outliers are few, and groups are traversed voxel by voxel. */
class OutlierMarks
{
public:
  OutlierMarks(Context &               context,
               const Grid &            grid,
               const float *           image,
               const unsigned char *   valid,
               const IntensityLimits & limits)
    : m_Context(context)
    , m_Grid(grid)
    , m_Memory(context.Allocate(static_cast<std::size_t>(grid.NumberOfVoxels())))
    , m_Marks(static_cast<std::size_t>(grid.NumberOfVoxels()))
  {
    MarkValid(context, grid.NumberOfVoxels(), image, valid, limits, this->OnDevice());
    this->Download(this->OnDevice(), m_Marks);
    std::vector<unsigned char> isValid;
    if (valid != nullptr)
    {
      isValid.resize(m_Marks.size());
      this->Download(valid, isValid);
    }
    for (std::size_t voxel = 0; voxel < m_Marks.size(); ++voxel)
    {
      if (m_Marks[voxel] == NoSource && (isValid.empty() || isValid[voxel] != 0))
      {
        m_Marks[voxel] = Outlier;
        m_Outliers.push_back(static_cast<std::int64_t>(voxel));
      }
    }
  }

  std::int64_t
  NumberOfOutliers() const
  {
    return static_cast<std::int64_t>(m_Outliers.size());
  }

  /** Divides the outliers into those of small groups, which become NoSource, and all others, which become Ordinary.
   * \returns the voxels of the small groups */
  std::vector<std::int64_t>
  TakeSmallGroups()
  {
    std::vector<std::int64_t> small;
    for (const std::int64_t outlier : m_Outliers)
    {
      if (m_Marks[static_cast<std::size_t>(outlier)] != Outlier)
      {
        continue;
      }
      std::vector<std::int64_t> group{ outlier };
      m_Marks[static_cast<std::size_t>(outlier)] = Ordinary;
      for (std::size_t i = 0; i < group.size(); ++i)
      {
        ForNeighbors(ExtentOf(m_Grid), group[i], [&](std::int64_t neighbor) {
          unsigned char & mark = m_Marks[static_cast<std::size_t>(neighbor)];
          if (mark == Outlier)
          {
            mark = Ordinary;
            group.push_back(neighbor);
          }
        });
      }
      if (group.size() <= SmallGroup(m_Grid))
      {
        small.insert(small.end(), group.begin(), group.end());
      }
    }
    for (const std::int64_t voxel : small)
    {
      m_Marks[static_cast<std::size_t>(voxel)] = NoSource;
    }
    return small;
  }

  /** Marks those of the voxels as Ordinary that have an Ordinary neighbor.
   * \returns the other voxels */
  std::vector<std::int64_t>
  TakeFilled(const std::vector<std::int64_t> & voxels)
  {
    std::vector<std::int64_t> filled;
    std::vector<std::int64_t> others;
    for (const std::int64_t voxel : voxels)
    {
      bool isFilled = false;
      ForNeighbors(ExtentOf(m_Grid), voxel, [&](std::int64_t neighbor) {
        isFilled = isFilled || m_Marks[static_cast<std::size_t>(neighbor)] == Ordinary;
      });
      (isFilled ? filled : others).push_back(voxel);
    }
    for (const std::int64_t voxel : filled)
    {
      m_Marks[static_cast<std::size_t>(voxel)] = Ordinary;
    }
    return others;
  }

  /** Returns the marks in memory of the context's device. */
  const unsigned char *
  Upload() const
  {
    CopyVolume(m_Context,
               m_Grid,
               { m_Marks.data(), PixelType::UnsignedChar, MemorySpace::Host },
               { this->OnDevice(), PixelType::UnsignedChar, MemorySpaceOf(m_Context) });
    return this->OnDevice();
  }

private:
  unsigned char *
  OnDevice() const
  {
    return static_cast<unsigned char *>(m_Memory.Data());
  }

  void
  Download(const unsigned char * from, std::vector<unsigned char> & to) const
  {
    CopyVolume(m_Context,
               m_Grid,
               { from, PixelType::UnsignedChar, MemorySpaceOf(m_Context) },
               { to.data(), PixelType::UnsignedChar, MemorySpace::Host });
  }

  Context &                  m_Context;
  const Grid &               m_Grid;
  DeviceMemory               m_Memory;
  std::vector<unsigned char> m_Marks;
  std::vector<std::int64_t>  m_Outliers;
};

} // namespace

IntensityLimits
FindIntensityLimits(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  constexpr double      tail = 0.0015;
  constexpr std::size_t enough = 4096;
  std::vector<float>    values;
  for (const int points : { 32, mostPointsPerAxis })
  {
    values = SampleVoxels(context, grid, input, mask, points);
    if (values.size() >= enough)
    {
      break;
    }
  }
  const auto rank = std::max(static_cast<std::size_t>(tail * static_cast<double>(values.size())),
                             std::min(SmallGroup(grid), values.size() / 20));
  if (rank == 0)
  {
    return {};
  }
  std::vector<float> smallest(rank + 1);
  std::vector<float> largest(rank + 1);
  std::partial_sort_copy(values.begin(), values.end(), smallest.begin(), smallest.end());
  std::partial_sort_copy(values.begin(), values.end(), largest.begin(), largest.end(), std::greater<>());
  const double lower = smallest.back();
  const double upper = largest.back();
  if (lower == upper)
  {
    return {};
  }
  const IntensityLimits widest;
  const double          width = upper - lower;
  return { static_cast<float>(std::max<double>(widest.least, lower - width)),
           static_cast<float>(std::min<double>(widest.largest, upper + width)) };
}

std::int64_t
RepairOutliers(Context &               context,
               const Grid &            grid,
               const unsigned char *   valid,
               const IntensityLimits & limits,
               float                   beyond,
               float *                 image)
{
  OutlierMarks              marks(context, grid, image, valid, limits);
  std::vector<std::int64_t> toFill = marks.TakeSmallGroups();
  const bool                hasLargeGroups = static_cast<std::int64_t>(toFill.size()) < marks.NumberOfOutliers();
  if (hasLargeGroups)
  {
    IntensityRescaling rescaling;
    rescaling.least = limits.least;
    rescaling.largest = limits.largest;
    RescaleIntensities(context, grid.NumberOfVoxels(), rescaling, image);
  }
  // Each pass fills the rim of what is left of a group.
  for (std::size_t left = toFill.size() + 1; !toFill.empty() && toFill.size() < left;)
  {
    left = toFill.size();
    FillOutsideMask(context, ExtentOf(grid), marks.Upload(), beyond, image);
    toFill = marks.TakeFilled(toFill);
  }
  return marks.NumberOfOutliers();
}

} // namespace cudaneuro
