// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_SyntheticLandmarks_h
#define cudaneuro_SyntheticLandmarks_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Parameters.h"

#include <cstdint>
#include <vector>

namespace cudaneuro
{
/** Parameters of SyntheticLandmarks; Describe lists their units, meanings and ranges. */
struct SyntheticLandmarksParameters
{
  std::int64_t numberOfPoints = 1847;
  /** Must not exceed smoothness or maximumDistance. Below its range, coordinates have no digits left for
   * it. */
  double        meanDistance = 1.744;
  double        maximumDistance = 5.780;
  double        smoothness = 5.0;
  double        noise = 0.02;
  std::uint64_t seed = 1;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const SyntheticLandmarksParameters &)
{
  using P = SyntheticLandmarksParameters;
  return std::make_tuple(
    Parameter(&P::numberOfPoints, "NumberOfPoints", "", "Points", Between(1, 1000000)),
    Parameter(&P::meanDistance,
              "MeanDistance",
              "mm",
              "Mean distance of a target's points from the template's, before noise",
              OrZero(Between(1e-9, 1000.0))),
    Parameter(&P::maximumDistance,
              "MaximumDistance",
              "mm",
              "The largest of these distances, or the nearest to it that a map has",
              Between(0.0, 1000.0)),
    Parameter(
      &P::smoothness, "Smoothness", "mm", "Standard deviation of the bumps of displacements", Between(1.0, 1000.0)),
    Parameter(&P::noise, "Noise", "mm", "Standard deviation of a target's noise", Between(0.0, 1000.0)),
    Parameter(&P::seed, "Seed", "", "Seed of the random points, maps and noise"));
}

/** A closed surface of triangles with normals outward. */
struct SyntheticSurfaceMesh
{
  /** Three coordinates for each vertex, in mm. */
  std::vector<double> positions;
  /** Three vertex indices for each triangle. */
  std::vector<std::int64_t> triangles;
};

/** Landmarks with known maps, to test and to time landmark matching: points on a folded closed surface of the size
 * of a medial temporal lobe, and targets, which are the same points under random maps that do not fold, with
 * noise.
 *
 * The surface is a formula: a bent ellipsoid of 60 x 25 x 30 mm with folds. Points are a Poisson-disk sample of it
 * (Corsini, Cignoni and Scopigno 2012): of many candidates, uniform by area, each in turn is accepted unless it is
 * nearer than a radius to an accepted one, and the radius is searched that gives the requested number of points.
 *
 * The map of a target is the flow of a velocity over unit time, computed by Euler steps each of which has an
 * inverse. The velocity is a sum of quadratic B-splines on a lattice with random coefficients, which are larger
 * around the point of the largest velocity. This factor, and their scale, are searched so that the mean and the
 * largest distance are the requested ones: over all points, or over some thousands of them where there are more
 * than 4096. The defaults are the distances of the 34 medial temporal lobes of Wang.
 *
 * Everything depends on the parameters alone: on every machine, and with every number of threads, the same bits.
 *
 * \ingroup CudaNeuro */
class CudaNeuro_EXPORT SyntheticLandmarks
{
public:
  /** Makes the points of the template, on the context's threads.
   * \throws InvalidParameterError, Aborted */
  SyntheticLandmarks(Context & context, const SyntheticLandmarksParameters & parameters);

  /** Returns three coordinates for each point of the template, in mm. */
  const std::vector<double> &
  GetTemplate() const
  {
    return m_Template;
  }

  /** Returns the points of a target: the template's points under its map, with noise.
   * \param target 0 or more; every number is a target.
   * \throws InvalidParameterError for a target below 0, Aborted */
  std::vector<double>
  MakeTarget(Context & context, int target) const;

  /** Moves points, three coordinates each, by the map of a target, without noise.
   * \throws InvalidParameterError for a target below 0, Aborted */
  std::vector<double>
  MovePoints(Context & context, int target, const std::vector<double> & points) const;

  /** Makes the surface as triangles: an icosahedron whose triangles are divided into four, \p subdivisions times.
   * \throws InvalidParameterError for a number that is not from 0 to 8. */
  static SyntheticSurfaceMesh
  MakeSurface(int subdivisions);

private:
  SyntheticLandmarksParameters m_Parameters;
  std::vector<double>          m_Template;
};

} // namespace cudaneuro

#endif
