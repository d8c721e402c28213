// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearSearch.h"

#include "linear/RotationSet.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

using Matrix = std::array<double, 9>;
using Vector = std::array<double, 3>;

constexpr double radiansPerDegree = 3.14159265358979323846 / 180.0;

/** Distance of neighboring rotations in the search, from which a refinement still finds the best map. */
constexpr double rotationSpacing = 26.0 * radiansPerDegree;
/** Distance of neighboring shifts in mm, from which a refinement still finds a head, independent of the voxels. */
constexpr double shiftSpacing = 24.0;
/** Numbers of shifts on either side of the start. Small heads have smaller distances, but not fewer shifts. */
constexpr int fewestShifts = 3;
constexpr int mostShifts = 8;

constexpr std::size_t candidatesToRefine = 16;

/** Maximum number of best rotations that are combined with all shifts: all rotations of a search by 30 degrees. */
constexpr std::size_t mostShiftedRotations = 32;

/** Number of maps that are evaluated at once, small enough for the caller to be asked between batches; and the number
 * of the best maps that are kept. */
constexpr std::size_t largestBatch = 1024;
constexpr std::size_t keptOfBatch = 256;

/** Shifts by up to \p distance in any direction. The first one is 0. They are needed because a cut moves the center of
 * mass along its normal. */
std::vector<Vector>
MakeShifts(double distance, bool isFlat)
{
  std::vector<Vector> shifts{ Vector{} };
  if (distance == 0.0)
  {
    return shifts;
  }
  const int steps = static_cast<int>(std::clamp<double>(std::ceil(distance / shiftSpacing), fewestShifts, mostShifts));
  const double step = distance / steps;
  const int    stepsAlongZ = isFlat ? 0 : steps;
  for (int z = -stepsAlongZ; z <= stepsAlongZ; ++z)
  {
    for (int y = -steps; y <= steps; ++y)
    {
      for (int x = -steps; x <= steps; ++x)
      {
        const int square = x * x + y * y + z * z;
        if (square > 0 && square <= steps * steps)
        {
          shifts.push_back({ step * x, step * y, step * z });
        }
      }
    }
  }
  return shifts;
}

/** The search angle in degrees; 0 for translations, which have no rotations. */
double
SearchAngleOf(const LinearRegistrationParameters & parameters)
{
  return parameters.transformType == LinearTransformType::Translation ? 0.0 : parameters.searchAngle;
}

/** All rotations of all starts. */
std::vector<AffineMap>
RotatedStarts(const LinearRun & run, const LinearStarts & starts)
{
  const auto rotations =
    MakeRotationSet(SearchAngleOf(run.GetParameters()) * radiansPerDegree, rotationSpacing, run.GetCorners().IsFlat());
  std::vector<AffineMap> maps;
  for (const AffineMap & start : starts.maps)
  {
    const Vector image = Apply(start, starts.pivot);
    for (const Matrix & rotation : rotations)
    {
      maps.push_back(MapAbout(Compose({ rotation, {} }, { start.matrix, {} }).matrix, starts.pivot, image));
    }
  }
  return maps;
}

/** Evaluates the maps, adds them to the candidates, and keeps the best ones. */
void
Score(LinearRun &                    run,
      const LinearLevel &            level,
      std::vector<LinearTrial> &     maps,
      std::vector<LinearCandidate> & candidates)
{
  run.Evaluate(level, maps, false);
  for (const LinearTrial & map : maps)
  {
    LinearCandidate & candidate = candidates.emplace_back();
    candidate.start = map.map;
    Take(map, candidate);
  }
  maps.clear();
  Sort(candidates);
  candidates.resize(std::min(candidates.size(), keptOfBatch));
}

} // namespace

std::vector<LinearCandidate>
FindCandidates(LinearRun & run, const LinearLevel & level, const LinearStarts & starts)
{
  std::vector<LinearCandidate> candidates;
  if (SearchAngleOf(run.GetParameters()) == 0.0 && run.GetParameters().searchDistance == 0.0)
  {
    for (const AffineMap & start : starts.maps)
    {
      LinearCandidate & candidate = candidates.emplace_back();
      candidate.map = candidate.start = start;
    }
    return candidates;
  }
  std::vector<LinearTrial> maps;
  const auto               add = [&](const AffineMap & map) {
    maps.emplace_back().map = map;
    if (maps.size() == largestBatch)
    {
      Score(run, level, maps, candidates);
    }
  };
  for (const AffineMap & map : RotatedStarts(run, starts))
  {
    add(map);
  }
  Score(run, level, maps, candidates);
  std::vector<LinearCandidate> rotated = candidates;
  rotated.resize(std::min(rotated.size(), mostShiftedRotations));
  const auto shifts = MakeShifts(run.GetParameters().searchDistance, run.GetCorners().IsFlat());
  for (const LinearCandidate & rotation : rotated)
  {
    // The first shift, 0, has been evaluated.
    for (auto shift = shifts.begin() + 1; shift != shifts.end(); ++shift)
    {
      AffineMap map = rotation.map;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        map.offset[axis] += (*shift)[axis];
      }
      add(map);
    }
  }
  Score(run, level, maps, candidates);
  KeepBest(run, 2.0 * level.voxel, candidatesToRefine, candidates);
  return candidates;
}

void
KeepBest(const LinearRun & run, double distance, std::size_t count, std::vector<LinearCandidate> & candidates)
{
  Sort(candidates);
  std::vector<LinearCandidate> kept;
  for (const LinearCandidate & candidate : candidates)
  {
    const bool isNew = std::none_of(kept.begin(), kept.end(), [&](const LinearCandidate & other) {
      return run.GetCorners().LargestDistance(candidate.map, other.map) < distance;
    });
    if (isNew && !std::isinf(candidate.value) && kept.size() < count)
    {
      kept.push_back(candidate);
    }
  }
  candidates = std::move(kept);
}

} // namespace cudaneuro
