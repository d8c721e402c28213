// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/ReferenceNoiseMap.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reference
{
namespace
{

using Index = std::array<std::int64_t, 3>;

/** Calls body(index) for all of a grid. */
template <typename TBody>
void
ForAll(const Index & size, const TBody & body)
{
  Index i{};
  for (i[2] = 0; i[2] < size[2]; ++i[2])
  {
    for (i[1] = 0; i[1] < size[1]; ++i[1])
    {
      for (i[0] = 0; i[0] < size[0]; ++i[0])
      {
        body(i);
      }
    }
  }
}

std::size_t
Offset(const Index & size, const Index & i)
{
  return static_cast<std::size_t>(i[0] + size[0] * (i[1] + size[1] * i[2]));
}

/** A cube that tells of the noise. */
struct Cube
{
  Index  at;
  Index  node;
  double mean;
  double component;
  double deviations;
};

class Map
{
public:
  Map(const cudaneuro::NoiseMapParameters & parameters, const Image & image, double limit)
    : m_IsRician(parameters.ricianCorrection)
    , m_Image(image)
    , m_Limit(limit)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      m_Axes += image.grid.size[axis] > 1 ? 1 : 0;
    }
    m_Edge = m_Axes == 3 ? 8 : 16;
    m_Edges = { m_Edge, m_Edge, m_Edge };
    for (int axis = 0; axis < 3 && m_Axes == 3; ++axis)
    {
      const auto & spacing = image.grid.spacing;
      const double thickness =
        std::min(spacing[axis] / spacing[(axis + 1) % 3], spacing[axis] / spacing[(axis + 2) % 3]);
      m_Edges[axis] = thickness < 1.41 ? 8 : thickness < 2.82 ? 4 : thickness < 5.64 ? 2 : 1;
    }
    m_SquaredWidth = m_Axes == 3 ? 1.96 : 1.21;
    for (int axis = 0; axis < 3; ++axis)
    {
      m_Nodes[axis] = std::max<std::int64_t>(1, (image.grid.size[axis] - 1 + m_Edges[axis] - 1) / m_Edges[axis]);
    }
    const double smoothing = parameters.smoothingSigma;
    m_Sigma = smoothing > 0.0 ? smoothing / m_Edge : 1.0;
    this->FindCubes();
  }

  std::vector<double>
  Compute()
  {
    this->Begin();
    this->Refine();
    this->Refine();
    std::vector<double> map(m_Image.values.size(), 0.0);
    ForAll(m_Image.grid.size, [&](const Index & i) {
      if (this->TakesPart(i) && this->Interpolate(m_Count, i, 0.0) > 0.0)
      {
        map[Offset(m_Image.grid.size, i)] = this->Interpolate(m_Noise, i, 0.0);
      }
    });
    return map;
  }

private:
  bool
  TakesPart(const Index & i) const
  {
    return m_Image.TakesPart(i[0], i[1], i[2]) && std::abs(m_Image.At(i[0], i[1], i[2])) <= m_Limit;
  }

  void
  FindCubes()
  {
    if (m_Axes < 2)
    {
      return;
    }
    Index cubes{};
    for (int axis = 0; axis < 3; ++axis)
    {
      cubes[axis] = std::max<std::int64_t>(1, m_Image.grid.size[axis] - 1);
    }
    ForAll(cubes, [&](const Index & at) {
      Cube                cube{ at, {}, 0.0, 0.0, 0.0 };
      std::vector<double> values;
      double              difference = 0.0;
      bool                takesPart = true;
      ForAll({ 2, 2, 2 }, [&](const Index & corner) {
        double sign = 1.0;
        Index  i = at;
        for (int axis = 0; axis < 3; ++axis)
        {
          const bool isFlat = m_Image.grid.size[axis] == 1;
          sign *= corner[axis] == 1 ? -1.0 : 1.0;
          if (isFlat && corner[axis] == 1)
          {
            return;
          }
          i[axis] += corner[axis];
        }
        takesPart = takesPart && this->TakesPart(i);
        values.push_back(m_Image.At(i[0], i[1], i[2]));
        difference += sign * values.back();
      });
      const auto count = static_cast<double>(values.size());
      for (const double value : values)
      {
        cube.mean += value / count;
      }
      for (const double value : values)
      {
        cube.deviations += (value - cube.mean) * (value - cube.mean);
      }
      cube.component = difference * difference / count;
      for (int axis = 0; axis < 3; ++axis)
      {
        cube.node[axis] = at[axis] / m_Edges[axis];
      }
      if (takesPart && cube.deviations > 0.0)
      {
        m_Cubes.push_back(cube);
      }
    });
  }

  std::vector<double>
  Zeros() const
  {
    return std::vector<double>(static_cast<std::size_t>(m_Nodes[0] * m_Nodes[1] * m_Nodes[2]), 0.0);
  }

  /** The Gaussian sums over nodes around, cut beyond 1 % of the peak. */
  std::vector<double>
  Smooth(const std::vector<double> & values, double sigma) const
  {
    const auto          radius = static_cast<std::int64_t>(sigma * std::sqrt(-2.0 * std::log(0.01)));
    std::vector<double> smoothed = this->Zeros();
    ForAll(m_Nodes, [&](const Index & to) {
      ForAll(m_Nodes, [&](const Index & from) {
        double squares = 0.0;
        bool   isInReach = true;
        for (int axis = 0; axis < 3; ++axis)
        {
          const auto distance = to[axis] - from[axis];
          isInReach = isInReach && std::abs(distance) <= radius;
          squares += static_cast<double>(distance * distance);
        }
        if (isInReach)
        {
          smoothed[Offset(m_Nodes, to)] += std::exp(-0.5 * squares / (sigma * sigma)) * values[Offset(m_Nodes, from)];
        }
      });
    });
    return smoothed;
  }

  double
  Interpolate(const std::vector<double> & values, const Index & i, double shift) const
  {
    double result = 0.0;
    ForAll(m_Nodes, [&](const Index & node) {
      double weight = 1.0;
      for (int axis = 0; axis < 3; ++axis)
      {
        const double last = static_cast<double>(m_Nodes[axis] - 1);
        const double at = (static_cast<double>(i[axis]) + shift) / static_cast<double>(m_Edges[axis]) - 0.5;
        const double distance = std::abs(std::clamp(at, 0.0, last) - static_cast<double>(node[axis]));
        weight *= m_Image.grid.size[axis] == 1 ? 1.0 : std::max(0.0, 1.0 - distance);
      }
      result += weight * values[Offset(m_Nodes, node)];
    });
    return result;
  }

  double
  RicianShareOfRatio(double ratio) const
  {
    const double v = 1.0 - std::sqrt(std::max(0.0, 1.0 - ratio / (4.0 / 3.14159265358979 - 1.0)));
    return 1.0 + v * (-0.20481019 + v * (-0.92927909 + v * (0.72809932 - v * 0.16398629)));
  }

  double
  RicianShareOfMean(double mean) const
  {
    const double fit3[5] = { 0.30907158, 0.17972355, -0.18550992, 2.1627903, -0.70619386 };
    const double fit2[5] = { 0.32884334, 0.18057945, -0.0447282, 1.482140, 0.0000784643 };
    const auto & fit = m_Axes == 3 ? fit3 : fit2;
    const double u = 1.0 / (1.0 + fit[0] * mean * mean);
    return 1.0 - u * (fit[1] + u * (fit[2] + u * (fit[3] + u * fit[4])));
  }

  /** The first values, averaged. */
  void
  Begin()
  {
    std::vector<double> power = this->Zeros();
    std::vector<double> mean = this->Zeros();
    m_Count = this->Zeros();
    for (const Cube & cube : m_Cubes)
    {
      const std::size_t node = Offset(m_Nodes, cube.node);
      if (cube.component == 0.0)
      {
        continue;
      }
      m_Count[node] += 1.0;
      power[node] += std::pow(cube.component, -0.125);
      mean[node] += cube.mean;
    }
    std::vector<double> first = this->Zeros();
    const double        meanPower = std::pow(2.0, -0.125) * std::tgamma(0.375) / std::sqrt(3.14159265358979);
    for (std::size_t node = 0; node < first.size(); ++node)
    {
      if (m_Count[node] > 0.0)
      {
        const double noise = std::pow(meanPower * m_Count[node] / power[node], 4.0);
        const double ratio = noise * m_Count[node] / mean[node];
        first[node] = std::log(noise) - (m_IsRician ? 0.5 * std::log(RicianShareOfRatio(ratio * ratio)) : 0.0);
      }
    }
    std::vector<double> weights = m_Count;
    std::vector<double> average;
    for (int round = 0; round < 4; ++round)
    {
      std::vector<double> weighted = weights;
      for (std::size_t node = 0; node < first.size(); ++node)
      {
        weighted[node] *= first[node];
      }
      average = this->Smooth(weighted, 1.5 * m_Sigma);
      const std::vector<double> sum = this->Smooth(weights, 1.5 * m_Sigma);
      for (std::size_t node = 0; node < first.size(); ++node)
      {
        average[node] = sum[node] > 0.0 ? average[node] / sum[node] : -std::numeric_limits<double>::infinity();
        const double excess = std::max(0.0, first[node] - average[node]) / 0.2;
        weights[node] = m_Count[node] > 0.0 ? m_Count[node] * (std::exp(-0.5 * excess * excess) + 1e-6) : 0.0;
      }
    }
    m_Noise = average;
    for (double & noise : m_Noise)
    {
      noise = std::exp(noise);
    }
  }

  void
  Refine()
  {
    std::vector<double> weights = this->Zeros();
    std::vector<double> squares = this->Zeros();
    std::vector<double> shares = this->Zeros();
    for (const Cube & cube : m_Cubes)
    {
      const std::size_t node = Offset(m_Nodes, cube.node);
      const double      noise = this->Interpolate(m_Noise, cube.at, 0.5);
      const double      weight = std::exp(-0.5 * cube.deviations / (m_SquaredWidth * noise * noise));
      weights[node] += weight;
      squares[node] += weight * cube.component / (noise * noise);
      shares[node] += weight * (m_IsRician ? RicianShareOfMean(cube.mean / noise) : 1.0);
    }
    weights = this->Smooth(weights, m_Sigma);
    squares = this->Smooth(squares, m_Sigma);
    shares = this->Smooth(shares, m_Sigma);
    for (std::size_t node = 0; node < m_Noise.size(); ++node)
    {
      if (weights[node] > 1e-20 && squares[node] > 0.0)
      {
        const double inverse = std::max(1e-3, weights[node] / squares[node] - 1.0 / m_SquaredWidth);
        const double share = std::max(2.0 - 0.5 * 3.14159265358979, shares[node] / weights[node]);
        m_Noise[node] /= std::sqrt(share * inverse);
      }
    }
  }

  bool                m_IsRician;
  const Image &       m_Image;
  double              m_Limit;
  int                 m_Axes = 0;
  int                 m_Edge = 8;
  Index               m_Edges{};
  double              m_SquaredWidth = 1.0;
  double              m_Sigma = 1.0;
  Index               m_Nodes{};
  std::vector<Cube>   m_Cubes;
  std::vector<double> m_Count;
  std::vector<double> m_Noise;
};

} // namespace

std::vector<double>
NoiseMap(const cudaneuro::NoiseMapParameters & parameters, const Image & image, double limit)
{
  return Map(parameters, image, limit).Compute();
}

std::vector<double>
NoiseMap(const cudaneuro::NoiseMapParameters & parameters, const Image & image)
{
  return NoiseMap(parameters, image, std::numeric_limits<double>::infinity());
}

} // namespace reference
