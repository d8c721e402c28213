// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_PlanarRun_h
#define cudaneuro_linear_PlanarRun_h

#include "core/PlaneFrames.h"
#include "cudaneuro/LinearRegistration.h"

#include <optional>

namespace cudaneuro
{

/** A registration of slices, which is done in coordinates of their planes: there, maps leave the third axis alone.
 * Other images stay where they are. */
class PlanarRun
{
public:
  /** \param planes of the images, if they are slices
   * \param result whose maps are between the planes until this object goes, however the run ends, and then in space */
  PlanarRun(const std::optional<PlaneFrames> & planes, LinearRegistrationResult & result)
    : m_Planes(planes)
    , m_Result(result)
  {
    m_Result.transform = m_Result.start = this->Place(result.transform, LinearStart::GridCenters);
  }
  ~PlanarRun()
  {
    if (m_Planes)
    {
      m_Result.transform = m_Planes->ToSpace(m_Result.transform);
      m_Result.start = m_Planes->ToSpace(m_Result.start);
    }
  }
  PlanarRun(const PlanarRun &) = delete;
  PlanarRun &
  operator=(const PlanarRun &) = delete;

  LinearMetricImages
  Place(LinearMetricImages images) const
  {
    if (m_Planes)
    {
      images.fixedGeometry = m_Planes->GetFixed();
      images.movingGeometry = m_Planes->GetMoving();
    }
    return images;
  }

  /** The initial transform; where it is not the start itself, it need not take one plane onto the other. */
  AffineMap
  Place(const AffineMap & map, LinearStart start) const
  {
    if (!m_Planes)
    {
      return map;
    }
    return start == LinearStart::InitialTransform ? m_Planes->ToPlanes(map) : m_Planes->TurnedToPlanes(map);
  }

private:
  const std::optional<PlaneFrames> & m_Planes;
  LinearRegistrationResult &         m_Result;
};

} // namespace cudaneuro

#endif
