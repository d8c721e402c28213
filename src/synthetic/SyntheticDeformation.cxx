// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "synthetic/SyntheticDeformation.h"

#include "synthetic/SyntheticSurface.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{
namespace
{

using Vector = std::array<double, 3>;

double
SquaredDistance(const Vector & a, const Vector & b)
{
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis)
  {
    square += (a[axis] - b[axis]) * (a[axis] - b[axis]);
  }
  return square;
}

/** A lattice so large that its outermost splines, beyond which velocities vanish, do not reach the surface. */
VelocityLattice
LatticeAroundSurface(double smoothness)
{
  constexpr double beyondSurface = 5.0; // in standard deviations: 2.5 nodes
  const Vector     half = HalfExtentOfSurface();
  Grid             grid;
  grid.size = { 2, 2, 2 };
  for (int axis = 0; axis < 3; ++axis)
  {
    grid.spacing[axis] = half[axis] + beyondSurface * smoothness;
  }
  return VelocityLattice(grid, smoothness);
}

struct Distances
{
  double mean = 0.0;
  double maximum = 0.0;
};

/** At most 4096 points, evenly spread over the list. */
std::vector<double>
SomeOf(const std::vector<double> & points)
{
  constexpr std::size_t most = 4096;
  const std::size_t     count = points.size() / 3;
  const std::size_t     stride = (count + most - 1) / most;
  std::vector<double>   some;
  for (std::size_t i = 0; i < count; i += stride)
  {
    some.insert(some.end(), points.begin() + 3 * i, points.begin() + 3 * i + 3);
  }
  return some;
}

/** Searches for the scale and the contrast of the velocity that yield the requested distances. */
class DistanceSearch
{
public:
  DistanceSearch(Context &                            context,
                 const SyntheticLandmarksParameters & parameters,
                 std::uint64_t                        key,
                 std::vector<double>                  points)
    : m_Context(context)
    , m_Parameters(parameters)
    , m_Points(std::move(points))
    , m_Lattice(LatticeAroundSurface(parameters.smoothness))
    , m_Coefficients(m_Lattice.GetNumberOfCoefficients())
  {
    m_Lattice.AddNoise(key, 1.0, m_Coefficients);
    m_Scale = m_Parameters.meanDistance / this->FindFastest();
  }

  /** Finds the contrast with the requested maximum distance, or the nearest one. The maximum distance increases with
   * the contrast, and is solved by false position, which halves the value of an end that is kept (Illinois method). */
  SyntheticFlow
  Find()
  {
    constexpr int    most = 40;
    constexpr double largestContrast = 16.0;
    const auto       errorAt = [this](double contrast) {
      return this->ScaleToMean(contrast).maximum / m_Parameters.maximumDistance - 1.0;
    };
    double low = 0.0;
    double atLow = errorAt(low);
    if (m_Parameters.meanDistance == 0.0 || atLow >= 0.0)
    {
      return this->FlowOf(low, m_Scale);
    }
    double high = largestContrast;
    double atHigh = errorAt(high);
    if (atHigh <= 0.0)
    {
      return this->FlowOf(high, m_Scale);
    }
    double contrast = low;
    for (int i = 0; i < most; ++i)
    {
      contrast = (low * atHigh - high * atLow) / (atHigh - atLow);
      const double error = errorAt(contrast);
      if (std::abs(error) < m_Tolerance)
      {
        break;
      }
      if (error < 0.0)
      {
        low = contrast;
        atLow = error;
        atHigh *= 0.5;
      }
      else
      {
        high = contrast;
        atHigh = error;
        atLow *= 0.5;
      }
    }
    return this->FlowOf(contrast, m_Scale);
  }

private:
  static constexpr double m_Tolerance = 1e-6;

  /** Sets the point where the velocity is largest, and returns the mean length of the velocity. */
  double
  FindFastest()
  {
    double largest = -1.0;
    double sum = 0.0;
    for (std::size_t i = 0; i < m_Points.size(); i += 3)
    {
      const Vector point{ m_Points[i], m_Points[i + 1], m_Points[i + 2] };
      const double square = SquaredDistance(m_Lattice.VelocityAt(m_Coefficients.data(), point), {});
      sum += std::sqrt(square);
      if (square > largest)
      {
        largest = square;
        m_Fastest = point;
      }
    }
    return 3.0 * sum / static_cast<double>(m_Points.size());
  }

  /** The flow whose coefficients near the fastest point are multiplied by up to 1 + contrast. */
  SyntheticFlow
  FlowOf(double contrast, double scale) const
  {
    const double        reach = 1.5 * m_Lattice.GetDistance();
    std::vector<double> coefficients = m_Coefficients;
    m_Lattice.Multiply(
      [&](const Vector & node) {
        const double inside = std::max(0.0, 1.0 - SquaredDistance(node, m_Fastest) / (reach * reach));
        return scale * (1.0 + contrast * inside * inside);
      },
      coefficients);
    return SyntheticFlow(m_Lattice, std::move(coefficients));
  }

  Distances
  DistancesOf(const SyntheticFlow & flow)
  {
    const std::vector<double> moved = MoveBy(m_Context, flow, m_Points);
    Distances                 distances;
    for (std::size_t i = 0; i < moved.size(); i += 3)
    {
      const double distance = std::sqrt(
        SquaredDistance({ moved[i], moved[i + 1], moved[i + 2] }, { m_Points[i], m_Points[i + 1], m_Points[i + 2] }));
      distances.mean += 3.0 * distance / static_cast<double>(moved.size());
      distances.maximum = std::max(distances.maximum, distance);
    }
    return distances;
  }

  /** Sets the scale with the requested mean distance; distances are nearly proportional to the scale. */
  Distances
  ScaleToMean(double contrast)
  {
    constexpr int most = 40;
    Distances     distances = this->DistancesOf(this->FlowOf(contrast, m_Scale));
    for (int i = 0;
         i < most && std::abs(distances.mean - m_Parameters.meanDistance) > m_Tolerance * m_Parameters.meanDistance;
         ++i)
    {
      m_Scale *= m_Parameters.meanDistance / distances.mean;
      distances = this->DistancesOf(this->FlowOf(contrast, m_Scale));
    }
    return distances;
  }

  Context &                            m_Context;
  const SyntheticLandmarksParameters & m_Parameters;
  std::vector<double>                  m_Points;
  VelocityLattice                      m_Lattice;
  std::vector<double>                  m_Coefficients;
  Vector                               m_Fastest{};
  double                               m_Scale = 0.0;
};

} // namespace

std::vector<double>
MoveBy(Context & context, const SyntheticFlow & flow, const std::vector<double> & points)
{
  constexpr std::size_t blockSize = 128;
  const std::size_t     count = points.size() / 3;
  std::vector<double>   moved(points.size());
  context.ParallelFor(static_cast<std::int64_t>((count + blockSize - 1) / blockSize), [&](std::int64_t block) {
    const std::size_t begin = static_cast<std::size_t>(block) * blockSize;
    for (std::size_t i = begin; i < std::min(count, begin + blockSize); ++i)
    {
      const Vector position = flow.Map({ points[3 * i], points[3 * i + 1], points[3 * i + 2] });
      std::copy(position.begin(), position.end(), moved.begin() + static_cast<std::ptrdiff_t>(3 * i));
    }
  });
  return moved;
}

SyntheticFlow
MakeSyntheticDeformation(Context &                            context,
                         const SyntheticLandmarksParameters & parameters,
                         std::uint64_t                        key,
                         const std::vector<double> &          points)
{
  return DistanceSearch(context, parameters, key, SomeOf(points)).Find();
}

} // namespace cudaneuro
