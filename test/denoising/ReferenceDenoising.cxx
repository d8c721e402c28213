// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceDenoising.h"
#include "ForEachVoxel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reference
{
namespace
{

/** Calls body(dx, dy, dz) for all offsets of a box. Along an axis of size 1 the only offset is 0. */
template <typename TBody>
void
ForBox(const cudaneuro::Grid & grid, const std::array<int, 3> & radius, const TBody & body)
{
  std::array<int, 3> r = radius;
  for (int axis = 0; axis < 3; ++axis)
  {
    r[axis] = grid.size[axis] == 1 ? 0 : r[axis];
  }
  for (int dz = -r[2]; dz <= r[2]; ++dz)
  {
    for (int dy = -r[1]; dy <= r[1]; ++dy)
    {
      for (int dx = -r[0]; dx <= r[0]; ++dx)
      {
        body(dx, dy, dz);
      }
    }
  }
}

double
Square(double x)
{
  return x * x;
}

/** Takes the voxels where the noise is 0 out of the mask. */
void
ExcludeUnknown(Image & image, const std::vector<double> & noise)
{
  image.mask.resize(noise.size(), 1);
  for (std::size_t i = 0; i < noise.size(); ++i)
  {
    image.mask[i] = noise[i] == 0.0 ? 0 : image.mask[i];
  }
}

/** A noise of 1, of which parameters are the multiples that they are. */
std::vector<double>
Ones(const Image & image)
{
  return std::vector<double>(image.values.size(), 1.0);
}

} // namespace

std::size_t
Image::Index(std::int64_t x, std::int64_t y, std::int64_t z) const
{
  return x + grid.size[0] * (y + grid.size[1] * z);
}

bool
Image::IsInside(std::int64_t x, std::int64_t y, std::int64_t z) const
{
  return x >= 0 && y >= 0 && z >= 0 && x < grid.size[0] && y < grid.size[1] && z < grid.size[2];
}

bool
Image::TakesPart(std::int64_t x, std::int64_t y, std::int64_t z) const
{
  return this->IsInside(x, y, z) && (mask.empty() || mask[this->Index(x, y, z)] != 0) &&
         std::isfinite(this->At(x, y, z));
}

double
Image::At(std::int64_t x, std::int64_t y, std::int64_t z) const
{
  return values[this->Index(x, y, z)];
}

std::vector<double>
Bilateral(const cudaneuro::BilateralParameters & parameters, const Image & image)
{
  return BilateralWithNoiseMap(parameters, image, Ones(image));
}

std::vector<double>
BilateralWithNoiseMap(const cudaneuro::BilateralParameters & parameters, Image image, const std::vector<double> & noise)
{
  ExcludeUnknown(image, noise);
  std::array<double, 3> step{ 1.0, 1.0, 1.0 };
  if (parameters.useImageSpacing)
  {
    step = image.grid.spacing;
  }
  std::vector<double> result = image.values;
  ForEachVoxel(image.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    if (!image.TakesPart(x, y, z))
    {
      return;
    }
    const double center = image.At(x, y, z);
    const double rangeSigma = parameters.rangeSigma * noise[image.Index(x, y, z)];
    double       sum = 0.0;
    double       weightSum = 0.0;
    ForBox(image.grid, parameters.radius, [&](int dx, int dy, int dz) {
      if (!image.TakesPart(x + dx, y + dy, z + dz))
      {
        return;
      }
      const double value = image.At(x + dx, y + dy, z + dz);
      const double spatial = Square(dx * step[0] / parameters.domainSigma[0]) +
                             Square(dy * step[1] / parameters.domainSigma[1]) +
                             Square(dz * step[2] / parameters.domainSigma[2]);
      const double range = Square((value - center) / rangeSigma);
      const double weight = std::exp(-0.5 * spatial) * std::exp(-0.5 * range);
      sum += weight * value;
      weightSum += weight;
    });
    result[image.Index(x, y, z)] = sum / weightSum;
  });
  return result;
}

namespace
{

double
ConductanceOf(double t, double kappa, cudaneuro::DiffusionConductance conductance)
{
  const double q = Square(t / kappa);
  switch (conductance)
  {
    case cudaneuro::DiffusionConductance::PeronaMalikExponential:
      return std::exp(-q);
    case cudaneuro::DiffusionConductance::PeronaMalikRational:
      return 1.0 / (1.0 + q);
    case cudaneuro::DiffusionConductance::Charbonnier:
      return 1.0 / std::sqrt(1.0 + q);
    case cudaneuro::DiffusionConductance::TukeyBiweight:
      return q < 1.0 ? Square(1.0 - q) : 0.0;
  }
  return 0.0;
}

/** Returns the root of the sum of squares of central differences, and of second differences / 4 if these are asked for.
 * The center stands for a neighbor that takes no part. */
double
GradientMagnitude(const Image &                 image,
                  const std::array<double, 3> & step,
                  bool                          withSecond,
                  std::int64_t                  x,
                  std::int64_t                  y,
                  std::int64_t                  z)
{
  double squared = 0.0;
  for (int axis = 0; axis < 3; ++axis)
  {
    const int    dx = axis == 0;
    const int    dy = axis == 1;
    const int    dz = axis == 2;
    const double center = image.At(x, y, z);
    const double after = image.TakesPart(x + dx, y + dy, z + dz) ? image.At(x + dx, y + dy, z + dz) : center;
    const double before = image.TakesPart(x - dx, y - dy, z - dz) ? image.At(x - dx, y - dy, z - dz) : center;
    squared += Square((after - before) / (2.0 * step[axis]));
    squared += withSecond ? Square((after - 2.0 * center + before) / (4.0 * step[axis])) : 0.0;
  }
  return std::sqrt(squared);
}

std::vector<double>
DiffusionStep(const cudaneuro::AnisotropicDiffusionParameters & parameters,
              const Image &                                     image,
              const std::vector<double> &                       noise)
{
  const bool            weickert = parameters.stencil == cudaneuro::DiffusionStencil::Weickert26;
  const bool            geometric = parameters.stencil == cudaneuro::DiffusionStencil::GeometricMean26;
  std::array<double, 3> step{ 1.0, 1.0, 1.0 };
  if (parameters.useImageSpacing)
  {
    step = image.grid.spacing;
  }
  std::vector<double> field(image.values.size(), 0.0);
  std::vector<double> result = image.values;
  if (weickert || geometric)
  {
    ForEachVoxel(image.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      if (image.TakesPart(x, y, z))
      {
        const std::size_t i = image.Index(x, y, z);
        field[i] = ConductanceOf(
          GradientMagnitude(image, step, geometric, x, y, z), parameters.kappa * noise[i], parameters.conductance);
      }
    });
  }
  ForEachVoxel(image.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    if (!image.TakesPart(x, y, z))
    {
      return;
    }
    double change = 0.0;
    ForBox(image.grid, { 1, 1, 1 }, [&](int dx, int dy, int dz) {
      const int  numberOfMoves = std::abs(dx) + std::abs(dy) + std::abs(dz);
      const bool hasEdge =
        numberOfMoves == 1 || (numberOfMoves > 1 && parameters.stencil != cudaneuro::DiffusionStencil::PeronaMalik6);
      if (!hasEdge || !image.TakesPart(x + dx, y + dy, z + dz))
      {
        return;
      }
      const double      difference = image.At(x + dx, y + dy, z + dz) - image.At(x, y, z);
      const double      length = std::sqrt(Square(dx * step[0]) + Square(dy * step[1]) + Square(dz * step[2]));
      const std::size_t i = image.Index(x, y, z);
      const std::size_t j = image.Index(x + dx, y + dy, z + dz);
      const double      here = field[i];
      const double      there = field[j];
      const double      kappa = parameters.kappa * std::sqrt(noise[i] * noise[j]);
      const double      conductance = weickert    ? (here + there) / 2.0
                                      : geometric ? std::sqrt(here * there)
                                                  : ConductanceOf(difference, kappa, parameters.conductance);
      change += conductance * difference / length;
    });
    result[image.Index(x, y, z)] += parameters.timeStep * change;
  });
  return result;
}

} // namespace

std::vector<double>
AnisotropicDiffusion(const cudaneuro::AnisotropicDiffusionParameters & parameters, const Image & image)
{
  return AnisotropicDiffusionWithNoiseMap(parameters, image, Ones(image));
}

std::vector<double>
AnisotropicDiffusionWithNoiseMap(const cudaneuro::AnisotropicDiffusionParameters & parameters,
                                 Image                                             image,
                                 const std::vector<double> &                       noise)
{
  ExcludeUnknown(image, noise);
  for (int iteration = 0; iteration < parameters.numberOfIterations; ++iteration)
  {
    image.values = DiffusionStep(parameters, image, noise);
  }
  return image.values;
}

namespace
{

/** Returns w(i, j) of two voxels that take part. */
double
PatchWeight(const cudaneuro::NonLocalMeansParameters & parameters,
            const Image &                              image,
            const std::vector<double> &                noise,
            const std::array<std::int64_t, 3> &        i,
            const std::array<std::int64_t, 3> &        j)
{
  const auto smoothingAt = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return parameters.smoothingParameter * noise[image.Index(x, y, z)];
  };
  const bool isSum = parameters.weighting == cudaneuro::NonLocalMeansWeighting::PatchSum;
  double     sum = 0.0;
  double     count = 0.0;
  ForBox(image.grid, parameters.patchRadius, [&](int dx, int dy, int dz) {
    if (!image.TakesPart(i[0] + dx, i[1] + dy, i[2] + dz) || !image.TakesPart(j[0] + dx, j[1] + dy, j[2] + dz))
    {
      return;
    }
    const double squared =
      Square(image.At(i[0] + dx, i[1] + dy, i[2] + dz) - image.At(j[0] + dx, j[1] + dy, j[2] + dz));
    sum += isSum ? std::exp(-squared / (2.0 * Square(smoothingAt(i[0] + dx, i[1] + dy, i[2] + dz)))) : squared;
    count += 1.0;
  });
  return isSum ? sum : std::exp(-sum / count / Square(smoothingAt(i[0], i[1], i[2])));
}

} // namespace

std::vector<double>
NonLocalMeans(const cudaneuro::NonLocalMeansParameters & parameters, const Image & image)
{
  return NonLocalMeansWithNoiseMap(parameters, image, Ones(image));
}

std::vector<double>
NonLocalMeansWithNoiseMap(const cudaneuro::NonLocalMeansParameters & parameters,
                          Image                                      image,
                          const std::vector<double> &                noise)
{
  ExcludeUnknown(image, noise);
  const bool isSum = parameters.weighting == cudaneuro::NonLocalMeansWeighting::PatchSum;
  const bool usesMaximum = !isSum && parameters.centerWeight == cudaneuro::NonLocalMeansCenterWeight::Maximum;
  const auto term = [&](double value) { return parameters.ricianCorrection ? value * value : value; };

  std::vector<double> result = image.values;
  ForEachVoxel(image.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    if (!image.TakesPart(x, y, z))
    {
      return;
    }
    double sum = 0.0;
    double weightSum = 0.0;
    double largest = 0.0;
    ForBox(image.grid, parameters.windowRadius, [&](int dx, int dy, int dz) {
      if ((dx == 0 && dy == 0 && dz == 0) || !image.TakesPart(x + dx, y + dy, z + dz))
      {
        return;
      }
      const double weight = PatchWeight(parameters, image, noise, { x, y, z }, { x + dx, y + dy, z + dz });
      sum += weight * term(image.At(x + dx, y + dy, z + dz));
      weightSum += weight;
      largest = std::max(largest, weight);
    });
    double centerWeight = PatchWeight(parameters, image, noise, { x, y, z }, { x, y, z });
    if (usesMaximum)
    {
      centerWeight = std::max(largest, std::exp2(-64.0));
    }
    const double mean = (sum + centerWeight * term(image.At(x, y, z))) / (weightSum + centerWeight);
    const double sigma = parameters.noiseStandardDeviation * noise[image.Index(x, y, z)];
    const double corrected = std::sqrt(std::max(mean - 2.0 * Square(sigma), 0.0));
    result[image.Index(x, y, z)] = parameters.ricianCorrection ? corrected : mean;
  });
  return result;
}

namespace
{

/** Haar coefficients of a cube. */
struct Cube
{
  /** The magnitude of that along all axes. */
  double residual = 0.0;
  /** The sum of the magnitudes of all others but the mean. */
  double edges = 0.0;
};

/** Those of the cubes in one of \p planeStep planes whose voxels take part, and whose mean is above the image's. */
std::vector<Cube>
BrightCubes(const Image & image, int planeStep)
{
  double sum = 0.0;
  double count = 0.0;
  int    all = 0; // a bit for each axis that is longer than one voxel
  for (int axis = 0; axis < 3; ++axis)
  {
    all |= image.grid.size[axis] > 1 ? 1 << axis : 0;
  }
  ForEachVoxel(image.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    if (image.TakesPart(x, y, z))
    {
      sum += image.At(x, y, z);
      count += 1.0;
    }
  });
  std::vector<Cube> cubes;
  ForEachVoxel(image.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    std::array<double, 8> coefficients{};
    for (int corner = 0; corner < 8; ++corner)
    {
      const std::int64_t place[] = { x + corner % 2, y + corner / 2 % 2, z + corner / 4 };
      if ((corner & ~all) != 0)
      {
        continue;
      }
      if (place[0] >= image.grid.size[0] || place[1] >= image.grid.size[1] || place[2] >= image.grid.size[2] ||
          !image.TakesPart(place[0], place[1], place[2]))
      {
        return;
      }
      for (int axes = 0; axes < 8; ++axes)
      {
        const int ones = (axes & corner & 1) + (axes & corner & 2) / 2 + (axes & corner & 4) / 4;
        coefficients[axes] += (ones % 2 == 0 ? 1.0 : -1.0) * image.At(place[0], place[1], place[2]);
      }
    }
    const double corners = all == 7 ? 8.0 : all == 1 || all == 2 || all == 4 ? 2.0 : 4.0;
    if (all == 0 || z % planeStep != 0 || !(coefficients[0] / corners > sum / count))
    {
      return;
    }
    Cube cube;
    for (int axes = 1; axes < 8; ++axes)
    {
      if ((axes & ~all) == 0)
      {
        (axes == all ? cube.residual : cube.edges) += std::abs(coefficients[axes]) / std::sqrt(corners);
      }
    }
    if (cube.residual != 0.0 || cube.edges != 0.0)
    {
      cubes.push_back(cube);
    }
  });
  return cubes;
}

/** The standard deviation from the median residual of the cubes with edges up to a limit. */
double
SigmaOfCubes(const std::vector<Cube> & cubes, double mostEdges)
{
  std::vector<double> residuals;
  for (const Cube & cube : cubes)
  {
    if (cube.edges <= mostEdges)
    {
      residuals.push_back(cube.residual);
    }
  }
  if (residuals.empty())
  {
    return 0.0;
  }
  std::sort(residuals.begin(), residuals.end());
  const std::size_t n = residuals.size();
  return 1.4826 * (residuals[(n - 1) / 2] + residuals[n / 2]) / 2.0;
}

} // namespace

double
EstimateNoiseSigma(const Image & image)
{
  const bool   isVolume = image.grid.size[0] > 1 && image.grid.size[1] > 1 && image.grid.size[2] > 1;
  const int    planeStep = isVolume && image.grid.size[2] >= 64 ? 4 : 1;
  const double first = SigmaOfCubes(BrightCubes(image, planeStep), std::numeric_limits<double>::infinity());
  const double mostEdges = first > 0.0 ? (isVolume ? 4.8 : 1.5) * first : std::numeric_limits<double>::infinity();
  const double sigma = SigmaOfCubes(BrightCubes(image, 1), mostEdges);
  return sigma > 0.0 ? sigma : first;
}

namespace
{

/** Returns the index for \p i on an axis that is extended by reflection, d c b a | a b c d | d c b a. */
std::int64_t
Reflected(std::int64_t i, std::int64_t size)
{
  const std::int64_t period = 2 * size;
  const std::int64_t j = ((i % period) + period) % period;
  return j < size ? j : period - 1 - j;
}

double
SimilarityAt(const cudaneuro::StructuralSimilarityParameters & parameters,
             const Image &                                     a,
             const Image &                                     b,
             std::int64_t                                      x,
             std::int64_t                                      y,
             std::int64_t                                      z)
{
  double weightSum = 0.0;
  double meanA = 0.0;
  double meanB = 0.0;
  // The window also extends along axes of size 1, where reflection gives the same voxel each time.
  const auto forWindow = [&](const auto & body) {
    for (int dz = -5; dz <= 5; ++dz)
    {
      for (int dy = -5; dy <= 5; ++dy)
      {
        for (int dx = -5; dx <= 5; ++dx)
        {
          const std::size_t i = a.Index(
            Reflected(x + dx, a.grid.size[0]), Reflected(y + dy, a.grid.size[1]), Reflected(z + dz, a.grid.size[2]));
          if (std::isfinite(a.values[i]) && std::isfinite(b.values[i]))
          {
            const double sigma = parameters.windowSigma;
            body(std::exp(-0.5 * (dx * dx + dy * dy + dz * dz) / (sigma * sigma)), a.values[i], b.values[i]);
          }
        }
      }
    }
  };
  forWindow([&](double weight, double valueA, double valueB) {
    weightSum += weight;
    meanA += weight * valueA;
    meanB += weight * valueB;
  });
  meanA /= weightSum;
  meanB /= weightSum;
  double varianceA = 0.0;
  double varianceB = 0.0;
  double covariance = 0.0;
  forWindow([&](double weight, double valueA, double valueB) {
    varianceA += weight / weightSum * Square(valueA - meanA);
    varianceB += weight / weightSum * Square(valueB - meanB);
    covariance += weight / weightSum * (valueA - meanA) * (valueB - meanB);
  });
  const double c1 = Square(parameters.k1 * parameters.dataRange);
  const double c2 = Square(parameters.k2 * parameters.dataRange);
  return (2.0 * meanA * meanB + c1) * (2.0 * covariance + c2) /
         ((Square(meanA) + Square(meanB) + c1) * (varianceA + varianceB + c2));
}

} // namespace

Similarity
StructuralSimilarity(const cudaneuro::StructuralSimilarityParameters & parameters,
                     const Image &                                     reference,
                     const Image &                                     image)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Similarity   result;
  result.map.assign(reference.values.size(), nan);
  double sum = 0.0;
  double count = 0.0;
  double squaredSum = 0.0;
  double squaredCount = 0.0;
  ForEachVoxel(reference.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::size_t i = reference.Index(x, y, z);
    if (!std::isfinite(reference.values[i]) || !std::isfinite(image.values[i]))
    {
      return;
    }
    result.map[i] = SimilarityAt(parameters, reference, image, x, y, z);
    if (!reference.mask.empty() && reference.mask[i] == 0)
    {
      return;
    }
    squaredSum += Square(reference.values[i] - image.values[i]);
    squaredCount += 1.0;
    const std::array<std::int64_t, 3> at{ x, y, z };
    for (int axis = 0; axis < 3; ++axis)
    {
      const std::int64_t size = reference.grid.size[axis];
      if (size >= 11 && (at[axis] < 5 || at[axis] >= size - 5))
      {
        return;
      }
    }
    sum += result.map[i];
    count += 1.0;
  });
  result.mean = sum / count;
  result.meanSquaredError = squaredSum / squaredCount;
  return result;
}

} // namespace reference
