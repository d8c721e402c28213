// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ValidVoxels.h"

#include "core/ParameterChecks.h"

namespace cudaneuro
{

ValidVoxels::ValidVoxels(
  Context & context, const std::string & name, const Grid & grid, const float * image, const ConstVolume & mask)
  : m_Mask(context, grid, mask)
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
    MarkValid(context, grid.NumberOfVoxels(), image, m_Mask.Data(), static_cast<unsigned char *>(m_Finite.Data()));
  }
}

} // namespace cudaneuro
