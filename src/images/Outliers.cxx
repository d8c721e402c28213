// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/Outliers.h"

#include "images/ReferenceIntensity.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <vector>

namespace cudaneuro
{

namespace
{

/** What a voxel is. FillOutsideMask takes values from all but NoSource. */
enum Mark : unsigned char
{
  /** To be filled, or not valid. */
  NoSource = 0,
  Ordinary = 1,
  Outlier = 2
};

/** The marks of an image's voxels, on the host: outliers are few, and groups are found one voxel after the other. */
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

  /** Divides the outliers into small groups, whose voxels become NoSource, and the others, which become Ordinary.
   * \returns the voxels of small groups */
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
        this->ForNeighbors(group[i], [&](std::int64_t neighbor) {
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

  /** Makes those of the voxels Ordinary that have an Ordinary neighbor.
   * \returns the others */
  std::vector<std::int64_t>
  TakeFilled(const std::vector<std::int64_t> & voxels)
  {
    std::vector<std::int64_t> filled;
    std::vector<std::int64_t> others;
    for (const std::int64_t voxel : voxels)
    {
      bool isFilled = false;
      this->ForNeighbors(voxel, [&](std::int64_t neighbor) {
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

  /** The marks in memory of the context's device. */
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

  /** Calls visit(neighbor) for the up to 26 neighbors of a voxel. */
  template <typename TVisit>
  void
  ForNeighbors(std::int64_t voxel, const TVisit & visit) const
  {
    const std::int64_t x = voxel % m_Grid.size[0];
    const std::int64_t y = voxel / m_Grid.size[0] % m_Grid.size[1];
    const std::int64_t z = voxel / m_Grid.VoxelsPerPlane();
    const auto         first = [](std::int64_t i) { return std::max<std::int64_t>(0, i - 1); };
    const auto         last = [this](std::int64_t i, int axis) { return std::min(m_Grid.size[axis] - 1, i + 1); };
    for (std::int64_t nz = first(z); nz <= last(z, 2); ++nz)
    {
      for (std::int64_t ny = first(y); ny <= last(y, 1); ++ny)
      {
        for (std::int64_t nx = first(x); nx <= last(x, 0); ++nx)
        {
          const std::int64_t neighbor = (nz * m_Grid.size[1] + ny) * m_Grid.size[0] + nx;
          if (neighbor != voxel)
          {
            visit(neighbor);
          }
        }
      }
    }
  }

  Context &                  m_Context;
  const Grid &               m_Grid;
  DeviceMemory               m_Memory;
  std::vector<unsigned char> m_Marks;
  std::vector<std::int64_t>  m_Outliers;
};

} // namespace

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
  // From the rim of a group inward.
  for (std::size_t left = toFill.size() + 1; !toFill.empty() && toFill.size() < left;)
  {
    left = toFill.size();
    FillOutsideMask(context, ExtentOf(grid), marks.Upload(), beyond, image);
    toFill = marks.TakeFilled(toFill);
  }
  return marks.NumberOfOutliers();
}

} // namespace cudaneuro
