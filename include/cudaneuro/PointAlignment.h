// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_PointAlignment_h
#define cudaneuro_PointAlignment_h

#include "CudaNeuroExport.h"
#include "cudaneuro/Geometry.h"
#include "cudaneuro/EnumNames.h"

#include <string>
#include <vector>

namespace cudaneuro
{

/** The set of maps that align points. */
enum class PointAlignment
{
  None,
  /** Rotation and translation. */
  Rigid,
  /** Rotation, translation and one scale. */
  Similarity
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(PointAlignment)
{
  using E = PointAlignment;
  return MakeEnumNames<E>("point alignment",
                          { { E::None, "None" }, { E::Rigid, "Rigid" }, { E::Similarity, "Similarity" } });
}

/** The result of AlignPoints: a map from points to corresponding points. */
struct AlignedPoints
{
  /** x -> scale R x + offset with a rotation R; reflections are excluded. */
  AffineMap map;
  double    scale = 1.0;
  /** The weighted mean of the points that were mapped. */
  std::array<double, 3> center{};
};

/** Returns the map T that minimizes sum_i w_i |T(p_i) - q_i|^2, in closed form: in 3D the rotation whose quaternion is
 * the eigenvector of the largest eigenvalue of Horn's matrix (Horn 1987), in 2D its angle, and the scale of Umeyama
 * (1991).
 * \param from p, with 2 or 3 coordinates for each point, one point after the other
 * \param to q, one for each p
 * \param weights not negative, with a positive sum; empty for 1
 * \throws InvalidParameterError where the rotation is not unique: fewer points of positive weight than dimensions, all
 * at one place, all on one line in 3D, or points that several rotations fit equally well, as some mirror images */
CudaNeuro_EXPORT AlignedPoints
AlignPoints(PointAlignment              alignment,
            int                         dimension,
            const std::vector<double> & from,
            const std::vector<double> & to,
            const std::vector<double> & weights = {});

/** \returns the points mapped by \p map */
CudaNeuro_EXPORT std::vector<double>
                 MapPoints(const AffineMap & map, int dimension, const std::vector<double> & points);

} // namespace cudaneuro

#endif
