// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_PlanarRun_h
#define cudaneuro_linear_PlanarRun_h

#include "core/PlaneFrames.h"
#include "cudaneuro/LinearRegistration.h"

#include <optional>

namespace cudaneuro
{

/** A registration of slices in coordinates of their planes, in which maps leave the third axis unchanged. Other images
 * keep their coordinates. */
class PlanarRun
{
public:
  /** \param planes of the images, if they are slices
   * \param result its maps are between the planes during this object's lifetime; the destructor takes them to space */
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

  /** The initial transform between the planes. It must take one plane onto the other only if it is the start. */
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
