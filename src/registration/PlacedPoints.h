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

/** The points that a map makes of others. */
PointList
Mapped(const AffineMap & map, const PointList & points);

/** Pairs of points in voxels of the fixed grid: the initial transform takes the second point of a pair to its moving
 * point. */
struct PlacedPoints
{
  PointList           fixed;
  PointList           moving;
  std::vector<double> standardDeviations;
};

/** Places the pairs of a run.
 * \param transformField that of the initial transform, or null pointers where it has none */
PlacedPoints
PlacePoints(const RegistrationRun & run, const ConstSoAField & transformField);

/** The terms of a run's points on the grids of its levels. Threads make their lists while the run prepares its images. */
class PointTerms
{
public:
  PointTerms() = default;
  /** Starts the threads; none where there are no points, or their weight is 0.
   * \param run stays as long as this */
  PointTerms(const RegistrationRun & run, PlacedPoints points);

  /** The term of a level, which each level takes once; nothing where there is none.
   * \throws OutOfMemoryError */
  std::optional<PointTerm>
  Take(Context & context, std::size_t level);

private:
  std::vector<std::future<PointTermLists>> m_Lists;
};

/** How far the map p + displacement(p), followed by the initial transform, leaves each fixed point from its moving
 * point, in mm. */
std::vector<double>
DistancesOfPoints(const RegistrationRun & run,
                  const ConstSoAField &   transformField,
                  const ConstSoAField &   displacement);

} // namespace cudaneuro

#endif
