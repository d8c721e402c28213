// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/ReferenceLabelLevels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <tuple>

namespace reference
{
namespace
{

using Place = std::array<int, 3>;

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
Product(const Matrix & a, const Matrix & b)
{
  const std::size_t n = a.size();
  Matrix            product(n, Numbers(n, 0.0));
  for (std::size_t i = 0; i < n; ++i)
  {
    for (std::size_t k = 0; k < n; ++k)
    {
      for (std::size_t j = 0; a[i][k] != 0.0 && j < n; ++j)
      {
        product[i][j] += a[i][k] * b[k][j];
      }
    }
  }
  return product;
}

Numbers
Product(const Matrix & a, const Numbers & x)
{
  Numbers product(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
  {
    for (std::size_t j = 0; j < x.size(); ++j)
    {
      product[i] += a[i][j] * x[j];
    }
  }
  return product;
}

/** The lower factor of Cholesky's decomposition. */
Matrix
Cholesky(Matrix a)
{
  const std::size_t n = a.size();
  for (std::size_t j = 0; j < n; ++j)
  {
    for (std::size_t k = 0; k < j; ++k)
    {
      for (std::size_t i = j; i < n; ++i)
      {
        a[i][j] -= a[i][k] * a[j][k];
      }
    }
    const double root = std::sqrt(a[j][j]);
    for (std::size_t i = j; i < n; ++i)
    {
      a[i][j] /= root;
    }
  }
  return a;
}

Numbers
Solved(const Matrix & factor, Numbers x)
{
  const std::size_t n = x.size();
  for (std::size_t i = 0; i < n; ++i)
  {
    for (std::size_t j = 0; j < i; ++j)
    {
      x[i] -= factor[i][j] * x[j];
    }
    x[i] /= factor[i][i];
  }
  for (std::size_t i = n; i-- > 0;)
  {
    for (std::size_t j = i + 1; j < n; ++j)
    {
      x[i] -= factor[j][i] * x[j];
    }
    x[i] /= factor[i][i];
  }
  return x;
}

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

Numbers
Pilot(const cudaneuro::LabelGrid & grid, const cudaneuro::LabelBand & band, double sigma, int version)
{
  const std::array<int, 3> size{ grid.extent.x, grid.extent.y, grid.extent.z };
  std::array<Numbers, 3>   gauss;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double inVoxels = std::max(sigma / grid.spacing[axis], 0.4 * grid.division[axis]);
    const int    radius = static_cast<int>(std::ceil(4.0 * inVoxels));
    for (int i = 0; i <= radius; ++i)
    {
      gauss[axis].push_back(std::exp(-0.5 * i * i / (inVoxels * inVoxels)));
    }
  }
  const auto weightAt = [&](std::size_t axis, int distance) {
    const auto d = static_cast<std::size_t>(std::abs(distance));
    return d < gauss[axis].size() ? gauss[axis][d] : 0.0;
  };
  Numbers levels;
  for (const Place & place : PlacesOf(grid, band))
  {
    double inside = 0.0;
    double all = 0.0;
    Place  reach{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      reach[axis] = static_cast<int>(gauss[axis].size()) - 1;
    }
    for (int z = place[2] - reach[2]; z <= place[2] + reach[2]; ++z)
    {
      for (int y = place[1] - reach[1]; y <= place[1] + reach[1]; ++y)
      {
        for (int x = place[0] - reach[0]; x <= place[0] + reach[0]; ++x)
        {
          const double weight = weightAt(0, x - place[0]) * weightAt(1, y - place[1]) * weightAt(2, z - place[2]);
          const bool   isInBox = x >= 0 && x < size[0] && y >= 0 && y < size[1] && z >= 0 && z < size[2];
          if (!isInBox)
          {
            // Slices go on beyond the box. Of all labels there, a quarter is left out.
            const auto isMiddle = [&](int i, std::size_t axis) {
              const int division = grid.division[axis];
              return (i % division + division) % division == division / 2;
            };
            const bool isKnown = isMiddle(x, 0) && isMiddle(y, 1) && isMiddle(z, 2);
            all += isKnown ? weight * (version == 0 ? 1.0 : 0.75) : 0.0;
            continue;
          }
          const unsigned int code = grid.codes[static_cast<std::size_t>(grid.Offset(x, y, z))];
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

Numbers
Fitted(const cudaneuro::LabelBand & band,
       const Matrix &               laplacian,
       const cudaneuro::LabelFit &  fit,
       int                          version,
       const Numbers &              pilot,
       const Numbers &              votes)
{
  const std::size_t n = pilot.size();
  const double      width = fit.width;
  Matrix            system = Product(laplacian, Product(laplacian, laplacian));
  for (std::size_t i = 0; i < n; ++i)
  {
    for (double & element : system[i])
    {
      element *= 4.0 * width * fit.penalty;
    }
    system[i][i] += 1.0;
  }
  const Matrix factor = Cholesky(system);
  Numbers      levels = pilot;
  for (int round = 0; round < fit.rounds; ++round)
  {
    Numbers weights(n);
    for (std::size_t i = 0; i < n; ++i)
    {
      const double used = IsUsed(band.codes[i], version) ? votes[i] : 0.0;
      weights[i] = used * std::exp(-std::pow(levels[i] / fit.reach, 4.0));
    }
    Numbers change(n, 0.0);
    Numbers ahead(n, 0.0);
    double  t = 1.0;
    for (int step = 0; step < fit.steps; ++step)
    {
      Numbers next(n);
      for (std::size_t i = 0; i < n; ++i)
      {
        const double side = (band.codes[i] & cudaneuro::isInsideBit) != 0 ? 1.0 : -1.0;
        const double force = side * weights[i] / (1.0 + std::exp(side * (levels[i] + ahead[i]) / width));
        next[i] = ahead[i] + 4.0 * width * force;
      }
      next = Solved(factor, next);
      const double following = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t * t));
      for (std::size_t i = 0; i < n; ++i)
      {
        ahead[i] = next[i] + (t - 1.0) / following * (next[i] - change[i]);
      }
      change = next;
      t = following;
    }
    for (std::size_t i = 0; i < n; ++i)
    {
      levels[i] += change[i];
    }
  }
  return levels;
}

Numbers
Diffused(const Matrix & laplacian, const Numbers & values, double sigma)
{
  constexpr int doublings = 12;
  const double  step = 0.5 * sigma * sigma / (1 << doublings);
  // Powers of the matrix of one step.
  const std::size_t n = values.size();
  Matrix            matrix(n, Numbers(n));
  for (std::size_t i = 0; i < n; ++i)
  {
    for (std::size_t j = 0; j < n; ++j)
    {
      matrix[i][j] = (i == j ? 1.0 : 0.0) - step * laplacian[i][j];
    }
  }
  constexpr int squarings = 3;
  for (int i = 0; i < squarings; ++i)
  {
    matrix = Product(matrix, matrix);
  }
  Numbers result = values;
  for (int i = 0; i < 1 << (doublings - squarings); ++i)
  {
    result = Product(matrix, result);
  }
  return result;
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
