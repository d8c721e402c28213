// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceDenoising.h"
#include "ForEachVoxel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

/** An image, and the filters that denoise it: bilateral, anisotropic diffusion, and non-local means. */
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

/** Returns, for each voxel, what it and the voxel at an offset from it add to the weights of patches, or NaN where one
 * of the two takes no part. */
std::vector<double>
PatchTerms(const cudaneuro::NonLocalMeansParameters & parameters,
           const Image &                              image,
           const std::vector<double> &                noise,
           const std::array<int, 3> &                 offset)
{
  const bool          isSum = parameters.weighting == cudaneuro::NonLocalMeansWeighting::PatchSum;
  std::vector<double> terms(image.values.size(), std::nan(""));
  ForEachVoxel(image.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    if (image.TakesPart(x, y, z) && image.TakesPart(x + offset[0], y + offset[1], z + offset[2]))
    {
      const std::int64_t voxel = image.Index(x, y, z);
      const double       squared = Square(image.At(x, y, z) - image.At(x + offset[0], y + offset[1], z + offset[2]));
      const double       smoothing = parameters.smoothingParameter * noise[voxel];
      terms[voxel] = isSum ? std::exp(-squared / (2.0 * Square(smoothing))) : squared;
    }
  });
  return terms;
}

/** Returns the weight of a voxel and the one at the offset of \p terms, which both take part. */
double
PatchWeight(const cudaneuro::NonLocalMeansParameters & parameters,
            const Image &                              image,
            const std::vector<double> &                noise,
            const std::vector<double> &                terms,
            std::int64_t                               x,
            std::int64_t                               y,
            std::int64_t                               z)
{
  double sum = 0.0;
  double count = 0.0;
  ForBox(image.grid, parameters.patchRadius, [&](int dx, int dy, int dz) {
    const bool   isInside = image.TakesPart(x + dx, y + dy, z + dz);
    const double term = isInside ? terms[image.Index(x + dx, y + dy, z + dz)] : std::nan("");
    if (!std::isnan(term))
    {
      sum += term;
      count += 1.0;
    }
  });
  const bool   isSum = parameters.weighting == cudaneuro::NonLocalMeansWeighting::PatchSum;
  const double smoothing = parameters.smoothingParameter * noise[image.Index(x, y, z)];
  return isSum ? sum : std::exp(-sum / count / Square(smoothing));
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

  // The voxels of a whole window, along axes with more than one voxel.
  double inWindow = 1.0;
  for (int axis = 0; axis < 3; ++axis)
  {
    inWindow *=
      static_cast<double>(std::min<std::int64_t>(2 * parameters.windowRadius[axis], 2 * image.grid.size[axis] - 2) + 1);
  }

  std::vector<double> sums(image.values.size(), 0.0);
  std::vector<double> weightSums(image.values.size(), 0.0);
  std::vector<double> largest(image.values.size(), 0.0);
  ForBox(image.grid, parameters.windowRadius, [&](int dx, int dy, int dz) {
    if (dx == 0 && dy == 0 && dz == 0)
    {
      return;
    }
    const std::vector<double> terms = PatchTerms(parameters, image, noise, { dx, dy, dz });
    ForEachVoxel(image.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      if (image.TakesPart(x, y, z) && image.TakesPart(x + dx, y + dy, z + dz))
      {
        const std::int64_t voxel = image.Index(x, y, z);
        const double       weight = PatchWeight(parameters, image, noise, terms, x, y, z);
        sums[voxel] += weight * term(image.At(x + dx, y + dy, z + dz));
        weightSums[voxel] += weight;
        largest[voxel] = std::max(largest[voxel], weight);
      }
    });
  });

  std::vector<double>       result = image.values;
  const std::vector<double> ownTerms = PatchTerms(parameters, image, noise, { 0, 0, 0 });
  ForEachVoxel(image.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    if (!image.TakesPart(x, y, z))
    {
      return;
    }
    const std::int64_t voxel = image.Index(x, y, z);
    const double       centerWeight = usesMaximum ? std::max(largest[voxel], std::exp2(-64.0))
                                                  : PatchWeight(parameters, image, noise, ownTerms, x, y, z);
    const double mean = (sums[voxel] + centerWeight * term(image.At(x, y, z))) / (weightSums[voxel] + centerWeight);
    const double sigma = parameters.noiseStandardDeviation * noise[voxel];
    const double corrected = std::sqrt(std::max(mean - 2.0 * Square(sigma) * (1.0 + 3.0 / std::sqrt(inWindow)), 0.0));
    result[voxel] = parameters.ricianCorrection ? corrected : mean;
  });
  return result;
}

} // namespace reference
