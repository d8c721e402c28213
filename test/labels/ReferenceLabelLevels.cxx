// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/ReferenceLabelLevels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

/** The Laplacian of a band, the pilot from which level sets start, and the steps that fit them to the labels. */
namespace reference
{
namespace
{

/** By halving. */
double
InverseNormalIntegral(double fraction)
{
  double low = -10.0;
  double high = 10.0;
  for (int i = 0; i < 100; ++i)
  {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < fraction ? low : high) = middle;
  }
  return low;
}

bool
IsUsed(unsigned int code, int version)
{
  return (code & cudaneuro::isKnownBit) != 0 &&
         (version == 0 || static_cast<int>(code >> cudaneuro::partShift) != version);
}

} // namespace

std::vector<Place>
PlacesOf(const cudaneuro::LabelGrid & grid, const cudaneuro::LabelBand & band)
{
  std::vector<Place> places;
  for (const std::int32_t voxel : band.voxels)
  {
    places.push_back(
      { voxel % grid.extent.x, voxel / grid.extent.x % grid.extent.y, voxel / grid.extent.x / grid.extent.y });
  }
  return places;
}

Matrix
LaplacianOf(const cudaneuro::LabelGrid & grid, const cudaneuro::LabelBand & band)
{
  const std::vector<Place>     places = PlacesOf(grid, band);
  std::map<Place, std::size_t> numbers;
  for (std::size_t i = 0; i < places.size(); ++i)
  {
    numbers[places[i]] = i;
  }
  Matrix laplacian(places.size(), Numbers(places.size(), 0.0));
  for (std::size_t i = 0; i < places.size(); ++i)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      for (const int step : { -1, 1 })
      {
        Place other = places[i];
        other[axis] += step;
        const auto found = numbers.find(other);
        if (found != numbers.end())
        {
          const double weight = 1.0 / (grid.spacing[axis] * grid.spacing[axis]);
          laplacian[i][i] += weight;
          laplacian[i][found->second] -= weight;
        }
      }
    }
  }
  return laplacian;
}

namespace
{

/** A voxel near another, along one axis. */
struct NearVoxel
{
  int    index;
  double weight;
  bool   isInBox;
  /** In the middle of the voxel of the image that it is a part of. */
  bool isMiddle;
};

/** The voxels around one, along an axis, with the weights of a Gaussian of \p sigma mm. */
std::vector<NearVoxel>
VoxelsAround(const cudaneuro::LabelGrid & grid, std::size_t axis, int size, int index, double sigma)
{
  const int              division = grid.division[axis];
  const double           inVoxels = std::max(sigma / grid.spacing[axis], 0.4 * division);
  const int              radius = static_cast<int>(std::ceil(4.0 * inVoxels));
  std::vector<NearVoxel> voxels;
  for (int step = -radius; step <= radius; ++step)
  {
    const int i = index + step;
    voxels.push_back({ i,
                       std::exp(-0.5 * step * step / (inVoxels * inVoxels)),
                       i >= 0 && i < size,
                       (i % division + division) % division == division / 2 });
  }
  return voxels;
}

} // namespace

Numbers
Pilot(const cudaneuro::LabelGrid & grid, const cudaneuro::LabelBand & band, double sigma, int version)
{
  Numbers levels;
  for (const Place & place : PlacesOf(grid, band))
  {
    const auto alongX = VoxelsAround(grid, 0, grid.extent.x, place[0], sigma);
    const auto alongY = VoxelsAround(grid, 1, grid.extent.y, place[1], sigma);
    const auto alongZ = VoxelsAround(grid, 2, grid.extent.z, place[2], sigma);
    double     inside = 0.0;
    double     all = 0.0;
    for (const NearVoxel & z : alongZ)
    {
      for (const NearVoxel & y : alongY)
      {
        for (const NearVoxel & x : alongX)
        {
          const double weight = x.weight * y.weight * z.weight;
          if (!x.isInBox || !y.isInBox || !z.isInBox)
          {
            // Slices go on beyond the box. Of all labels there, a quarter is left out.
            const bool isKnown = x.isMiddle && y.isMiddle && z.isMiddle;
            all += isKnown ? weight * (version == 0 ? 1.0 : 0.75) : 0.0;
            continue;
          }
          const unsigned int code = grid.codes[static_cast<std::size_t>(grid.Offset(x.index, y.index, z.index))];
          const double       used = IsUsed(code, version) ? weight : 0.0;
          all += used;
          inside += (code & cudaneuro::isInsideBit) != 0 ? used : 0.0;
        }
      }
    }
    levels.push_back(sigma * InverseNormalIntegral(std::clamp(inside / all, 1e-6, 1.0 - 1e-6)));
  }
  return levels;
}

namespace
{

Numbers
Sum(Numbers a, const Numbers & b)
{
  std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::plus<>());
  return a;
}

} // namespace

Matrix
Smoother(const Matrix & laplacian, const cudaneuro::LabelFit & fit)
{
  const std::size_t n = laplacian.size();
  Matrix            system = Product(laplacian, Product(laplacian, laplacian));
  for (std::size_t i = 0; i < n; ++i)
  {
    for (double & element : system[i])
    {
      element *= 4.0 * fit.width * fit.penalty;
    }
    system[i][i] += 1.0;
  }
  const Matrix factor = Cholesky(system);
  Matrix       inverse;
  for (std::size_t i = 0; i < n; ++i)
  {
    Numbers unit(n, 0.0);
    unit[i] = 1.0;
    inverse.push_back(Solved(factor, unit));
  }
  return inverse;
}

namespace
{

/** \param changes how many numbers the changes have
 * \param atVoxels makes the changes at the voxels of such numbers
 * \param next makes the next ones of those that are ahead, and of the voxels' gradient steps */
Numbers
FittedBy(const cudaneuro::LabelBand &                                     band,
         const cudaneuro::LabelFit &                                      fit,
         int                                                              version,
         const Numbers &                                                  pilot,
         const Numbers &                                                  votes,
         std::size_t                                                      changes,
         const std::function<Numbers(const Numbers &)> &                  atVoxels,
         const std::function<Numbers(const Numbers &, const Numbers &)> & next)
{
  const std::size_t n = pilot.size();
  const double      width = fit.width;
  Numbers           levels = pilot;
  for (int round = 0; round < fit.rounds; ++round)
  {
    Numbers weights(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      const double used = IsUsed(band.codes[i], version) ? votes[i] : 0.0;
      weights[i] = used * std::exp(-std::pow(levels[i] / fit.reach, 4.0));
    }
    Numbers last(changes, 0.0);
    Numbers ahead(changes, 0.0);
    double  t = 1.0;
    for (int step = 0; step < fit.steps; ++step)
    {
      const Numbers change = atVoxels(ahead);
      Numbers       steps(n);
      for (std::size_t i = 0; i < n; ++i)
      {
        const double side = (band.codes[i] & cudaneuro::isInsideBit) != 0 ? 1.0 : -1.0;
        const double force = side * weights[i] / (1.0 + std::exp(side * (levels[i] + change[i]) / width));
        steps[i] = 4.0 * width * force;
      }
      const Numbers now = next(ahead, steps);
      const double  following = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t * t));
      for (std::size_t i = 0; i < changes; ++i)
      {
        ahead[i] = now[i] + (t - 1.0) / following * (now[i] - last[i]);
      }
      last = now;
      t = following;
    }
    levels = Sum(levels, atVoxels(last));
  }
  return levels;
}

} // namespace

Numbers
Fitted(const cudaneuro::LabelBand & band,
       const Matrix &               smoother,
       const cudaneuro::LabelFit &  fit,
       int                          version,
       const Numbers &              pilot,
       const Numbers &              votes)
{
  return FittedBy(
    band,
    fit,
    version,
    pilot,
    votes,
    pilot.size(),
    [](const Numbers & changes) { return changes; },
    [&](const Numbers & ahead, const Numbers & steps) { return Product(smoother, Sum(ahead, steps)); });
}

Numbers
FittedBySplines(const cudaneuro::LabelBand & band,
                const Splines &              splines,
                const cudaneuro::LabelFit &  fit,
                int                          version,
                const Numbers &              pilot,
                const Numbers &              votes)
{
  const Matrix smoother = splines.Smoother(fit);
  const Matrix ofSteps = splines.StepSmoother(fit);
  return FittedBy(
    band,
    fit,
    version,
    pilot,
    votes,
    smoother.size(),
    [&](const Numbers & changes) { return splines.AtVoxels(changes); },
    [&](const Numbers & ahead, const Numbers & steps) {
      return Sum(Product(smoother, ahead), Product(ofSteps, steps));
    });
}

Numbers
Distances(const cudaneuro::LabelGrid & grid, const cudaneuro::LabelBand & band, const Numbers & levels)
{
  const auto count = static_cast<std::size_t>(band.count);
  Numbers    distances;
  for (std::size_t i = 0; i < count; ++i)
  {
    double squared = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const double low = levels[static_cast<std::size_t>(band.neighbors[2 * axis * count + i])];
      const double high = levels[static_cast<std::size_t>(band.neighbors[(2 * axis + 1) * count + i])];
      const double slope = 0.5 * (high - low) / grid.spacing[axis];
      squared += slope * slope;
    }
    distances.push_back(levels[i] / std::max(std::sqrt(squared), 0.3));
  }
  return distances;
}

double
Loss(double distance, double width)
{
  return -std::log(0.002 + 0.996 / (1.0 + std::exp(-distance / width)));
}

} // namespace reference
