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

/** Distance of neighbors in the search: a refinement finds the best map from about as far. */
constexpr double rotationSpacing = 26.0 * radiansPerDegree;
/** In mm: a refinement finds a head from about as far, whatever the voxels. */
constexpr double shiftSpacing = 24.0;
/** On either side of the start. Small heads have small distances, and as many shifts as others. */
constexpr int fewestShifts = 3;
constexpr int mostShifts = 8;

constexpr std::size_t candidatesToRefine = 16;

/** The best rotations, which are tried with all shifts: all of a search by 30 degrees. */
constexpr std::size_t mostShiftedRotations = 32;

/** Maps that are evaluated at once: few enough for the caller to be asked in between; and the best of them that are
 * kept. */
constexpr std::size_t largestBatch = 1024;
constexpr std::size_t keptOfBatch = 256;

/** Shifts by up to \p distance in any direction, the first of which is none: a cut takes the center of mass away
 * along its normal. */
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

/** In degrees. What is only shifted has no rotations. */
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

/** Evaluates the maps, puts them to the candidates, and leaves the best of these. */
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
    // The first shift is none.
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
