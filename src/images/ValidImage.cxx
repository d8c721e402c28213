// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ValidImage.h"

#include "core/ParameterChecks.h"
#include "images/Outliers.h"

#include <algorithm>

namespace cudaneuro
{

ValidImage::ValidImage(Context &           context,
                       const std::string & name,
                       const Grid &        grid,
                       const float *       image,
                       const ConstVolume & mask,
                       bool                repairOutliers)
  : m_Image(image)
  , m_Mask(context, grid, mask)
  , m_Statistics(VolumeStatistics(context, grid.NumberOfVoxels(), image, m_Mask.Data()))
{
  if (m_Statistics.count == 0)
  {
    const std::string voxels = m_Statistics.numberOfNotFinite > 0 ? "finite voxels " : "voxels ";
    const std::string where = this->HasMask() ? "in the mask of the " : "of the ";
    ThrowInvalid("the number of " + voxels + where + name, 0, "1 or greater");
  }
  if (m_Statistics.numberOfNotFinite > 0)
  {
    m_Finite = context.Allocate(static_cast<std::size_t>(grid.NumberOfVoxels()));
    MarkValid(context, grid.NumberOfVoxels(), image, m_Mask.Data(), {}, static_cast<unsigned char *>(m_Finite.Data()));
  }
  if (repairOutliers)
  {
    this->Repair(context, grid);
  }
}

void
ValidImage::RequireContrast(const std::string & name) const
{
  if (!(m_Statistics.maximum > m_Statistics.minimum))
  {
    const std::string beside = this->Mask() != nullptr ? " at its finite voxels" : "";
    const std::string where = this->HasMask() ? " inside its mask" : beside;
    ThrowInvalid("the intensity of the " + name + where, m_Statistics.minimum, "not constant");
  }
}

void
ValidImage::RequireContrastBesideGaps(const std::string & name) const
{
  if (this->Mask() != nullptr)
  {
    this->RequireContrast(name);
  }
}

void
ValidImage::Repair(Context & context, const Grid & grid)
{
  const MemorySpace     space = MemorySpaceOf(context);
  const ConstVolume     image{ m_Image, PixelType::Float, space };
  const IntensityLimits limits =
    FindIntensityLimits(context, grid, image, { this->Mask(), PixelType::UnsignedChar, space });
  if (m_Statistics.minimum >= limits.least && m_Statistics.maximum <= limits.largest)
  {
    return;
  }
  m_Repaired = context.Allocate(static_cast<std::size_t>(grid.NumberOfVoxels()) * sizeof(float));
  auto * const repaired = static_cast<float *>(m_Repaired.Data());
  CopyVolume(context, grid, image, { repaired, PixelType::Float, space });
  const auto beyond = std::clamp(static_cast<float>(m_Statistics.mean), limits.least, limits.largest);
  m_NumberOfOutliers = RepairOutliers(context, grid, this->Mask(), limits, beyond, repaired);
  const std::int64_t numberOfNotFinite = m_Statistics.numberOfNotFinite;
  m_Statistics = VolumeStatistics(context, grid.NumberOfVoxels(), repaired, this->Mask());
  m_Statistics.numberOfNotFinite = numberOfNotFinite;
  m_Image = repaired;
}

} // namespace cudaneuro
