// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_PlacedPoints_h
#define cudaneuro_registration_PlacedPoints_h

#include "core/SoAField.h"
#include "registration/step/PointTerm.h"

#include <array>
#include <future>
#include <optional>
#include <vector>

/** The pairs of points of a registration, on its grids. */
namespace cudaneuro
{

struct RegistrationRun;

using PointList = std::vector<std::array<double, 3>>;

/** The images of points under a map. */
PointList
Mapped(const AffineMap & map, const PointList & points);

/** Pairs of points in voxels of the fixed grid. The initial transform takes the second point of a pair to the given
 * moving point. */
struct PlacedPoints
{
  PointList           fixed;
  PointList           moving;
  std::vector<double> standardDeviations;
};

/** Places the pairs of a run.
 * \param transformField the field of the initial transform, or null pointers where it has none */
PlacedPoints
PlacePoints(const RegistrationRun & run, const ConstSoAField & transformField);

/** The terms of a run's points on the grids of its levels. Threads make their lists while the run prepares images. */
class PointTerms
{
public:
  PointTerms() = default;
  /** Starts the threads; none where there are no points, or their weight is 0.
   * \param run must outlive this object */
  PointTerms(const RegistrationRun & run, PlacedPoints points);

  /** The term of a level; empty without points. May be called once for each level.
   * \throws OutOfMemoryError */
  std::optional<PointTerm>
  Take(Context & context, std::size_t level);

private:
  std::vector<std::future<PointTermLists>> m_Lists;
};

/** Distances in mm of the moving points from the fixed points, mapped by p + displacement(p) and the initial
 * transform. */
std::vector<double>
DistancesOfPoints(const RegistrationRun & run,
                  const ConstSoAField &   transformField,
                  const ConstSoAField &   displacement);

} // namespace cudaneuro

#endif
