// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearTransformParameters_h
#define cudaneuro_linear_LinearTransformParameters_h

#include "core/SpaceMatrices.h"
#include "cudaneuro/LinearRegistration.h"

#include <array>
#include <vector>

namespace cudaneuro
{

/** The corners of a grid, by which the effect of maps on the part of space that it covers is measured. */
class GridCorners
{
public:
  explicit GridCorners(const Geometry & geometry);

  const std::array<double, 3> &
  GetCenter() const
  {
    return m_Center;
  }
  bool
  IsFlat() const
  {
    return m_IsFlat;
  }
  /** Root mean square of the corners' distances from the center along each axis of space, in mm. */
  const std::array<double, 3> &
  GetExtent() const
  {
    return m_Extent;
  }
  /** The maximum distance between the images of a corner under two maps, in mm. */
  double
  LargestDistance(const AffineMap & a, const AffineMap & b) const;

private:
  std::vector<std::array<double, 3>> m_Corners;
  std::array<double, 3>              m_Center{};
  std::array<double, 3>              m_Extent{};
  bool                               m_IsFlat;
};

/** The maps of a type near a base map T(p) = M (p - c) + y:
 *
 *   T(p) = exp(s) R(w) M (p - c) + y + t      (Translation: w = s = 0; Rigid: s = 0)
 *   T(p) = (M + A) (p - c) + y + t            (Affine)
 *
 * where R is the rotation about the axis w by the angle |w|. The parameters are t, w, s or t, A, scaled so that a unit
 * of each moves the corners of the fixed image by about 1 mm. At 0 the map is the base map. In 2D, the third axis is
 * fixed. */
class LinearTransformParameters
{
public:
  LinearTransformParameters(LinearTransformType type, const GridCorners & corners, const AffineMap & base);

  std::size_t
  GetCount() const
  {
    return m_Slots.size();
  }
  AffineMap
  MapOf(const std::vector<double> & parameters) const;

  /** Derivatives of a metric by the parameters, from the derivatives by matrix and offset of the map. */
  std::vector<double>
  Gradient(const std::vector<double> & parameters, const LinearMetricEvaluation & evaluation) const;

private:
  /** All parameters of all types, in mm, radians and 1: t, w, s, A. */
  static constexpr int numberOfSlots = 16;
  static constexpr int firstOfRotation = 3;
  static constexpr int slotOfScale = 6;
  static constexpr int firstOfMatrix = 7;
  using Slots = std::array<double, numberOfSlots>;

  std::vector<int>
  SlotsInUse() const;
  Slots
  Unscale(const std::vector<double> & parameters) const;
  /** exp(s) R(w) M. */
  std::array<double, 9>
  TurnedMatrix(const Slots & slots) const;

  LinearTransformType   m_Type;
  bool                  m_IsFlat;
  std::array<double, 3> m_Center;
  AffineMap             m_Base;
  /** The value of a unit of each parameter in its slot, and the slots. */
  std::vector<double> m_Scales;
  std::vector<int>    m_Slots;
};

/** The rotation about the axis \p vector by its length, in radians. */
std::array<double, 9>
RotationMatrix(const std::array<double, 3> & vector);

/** The map p -> matrix (p - center) + image. */
AffineMap
MapAbout(const std::array<double, 9> & matrix,
         const std::array<double, 3> & center,
         const std::array<double, 3> & image);

double
Determinant(const std::array<double, 9> & matrix);

} // namespace cudaneuro

#endif
