// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/ReferenceMeshDenoising.h"

#include "meshes/LowPass.h"
#include "meshes/ReferenceMeshRemainders.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace reference
{
namespace
{

using namespace cudaneuro;
using Vector = std::array<double, 3>;
using Vectors = std::vector<Vector>;

Vector
Plus(const Vector & a, double factor, const Vector & b)
{
  return { a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2] };
}

double
Product(const Vector & a, const Vector & b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector
Unit(const Vector & a)
{
  return Plus({}, 1.0 / std::sqrt(Product(a, a)), a);
}

class Denoising
{
public:
  explicit Denoising(const MeshInput & input)
    : m_Input(input)
    , m_Neighbors(input.points.size())
    , m_MeanNeighbors(input.points.size())
    , m_IsOnBorder(input.points.size(), false)
  {
    std::map<std::array<std::int32_t, 2>, int> sides;
    for (const auto & corners : input.triangles)
    {
      for (int side = 0; side < 3; ++side)
      {
        const auto [a, b] = std::minmax(corners[side], corners[(side + 1) % 3]);
        ++sides[{ a, b }];
      }
    }
    for (const auto & [ends, count] : sides)
    {
      for (int end = 0; end < 2; ++end)
      {
        m_Neighbors[ends[end]].insert(ends[1 - end]);
        if (count == 1)
        {
          m_IsOnBorder[ends[end]] = true;
          m_MeanNeighbors[ends[end]].insert(ends[1 - end]);
        }
      }
    }
    for (std::size_t i = 0; i < input.points.size(); ++i)
    {
      m_MeanNeighbors[i] = m_IsOnBorder[i] ? m_MeanNeighbors[i] : m_Neighbors[i];
    }
  }

  MeshOutput
  Run()
  {
    const Vectors & noisy = m_Input.points;
    m_Pilot = this->LowPass(noisy, passBands[0]);
    m_Normals = this->NormalsOfVertices(this->Filter(noisy, normalScales[normalsOfScale]));
    const double         length = std::max<double>(probeOfNoise * m_Input.noise, leastProbe);
    std::vector<Vectors> probed(numberOfProbes, noisy);
    for (std::size_t i = 0; i < noisy.size(); ++i)
    {
      for (int probe = 0; probe < numberOfProbes; ++probe)
      {
        probed[probe][i] = Plus(noisy[i], length * m_Input.signs[i][probe], m_Normals[i]);
      }
    }
    MeshOutput output;
    output.risks.resize(noisy.size());
    std::vector<Vectors> candidates;
    std::vector<Moves>   moves;
    for (int candidate = 0; candidate < numberOfCandidates; ++candidate)
    {
      const auto apply = [&](const Vectors & points) {
        return candidate < numberOfScales ? this->Filter(points, normalScales[candidate])
                                          : this->LowPass(points, passBands[candidate - numberOfScales]);
      };
      candidates.push_back(apply(noisy));
      std::vector<Vectors> responses;
      for (const Vectors & points : probed)
      {
        responses.push_back(apply(points));
      }
      moves.push_back({ this->MovesOf(candidates.back()) });
      for (int probe = 0; probe < numberOfProbes; ++probe)
      {
        moves.back()[1 + probe] = this->MovesOf(responses[probe]);
      }
      const std::vector<double> risks = this->PooledRisks(candidates.back(), responses, length);
      for (std::size_t i = 0; i < noisy.size(); ++i)
      {
        output.risks[i][candidate] = risks[i];
      }
    }
    // The noisy mesh has moved nothing, and its probed versions to where they are.
    moves.push_back({ Numbers(noisy.size(), 0.0) });
    for (int probe = 0; probe < numberOfProbes; ++probe)
    {
      moves.back()[1 + probe] = this->MovesOf(probed[probe]);
    }
    const Moves   mixed = this->Mix(candidates, moves, output);
    const Numbers returned = ReturnedMoves({ m_Input, m_Neighbors, m_MeanNeighbors, mixed, moves.back(), length });
    for (std::size_t i = 0; i < noisy.size(); ++i)
    {
      output.displacements[i] = Plus(output.displacements[i], returned[i], m_Normals[i]);
    }
    return output;
  }

private:
  Vector
  AreaVector(const Vectors & points, std::size_t triangle) const
  {
    const auto & corners = m_Input.triangles[triangle];
    const Vector u = Plus(points[corners[1]], -1.0, points[corners[0]]);
    const Vector v = Plus(points[corners[2]], -1.0, points[corners[0]]);
    return { 0.5 * (u[1] * v[2] - u[2] * v[1]), 0.5 * (u[2] * v[0] - u[0] * v[2]), 0.5 * (u[0] * v[1] - u[1] * v[0]) };
  }

  Vector
  Center(const Vectors & points, std::size_t triangle) const
  {
    Vector center{};
    for (const std::int32_t corner : m_Input.triangles[triangle])
    {
      center = Plus(center, 1.0 / 3.0, points[corner]);
    }
    return center;
  }

  Vectors
  NormalsOfVertices(const Vectors & points) const
  {
    Vectors normals(points.size(), Vector{});
    for (std::size_t i = 0; i < m_Input.triangles.size(); ++i)
    {
      for (const std::int32_t corner : m_Input.triangles[i])
      {
        normals[corner] = Plus(normals[corner], 1.0, this->AreaVector(points, i));
      }
    }
    std::transform(normals.begin(), normals.end(), normals.begin(), Unit);
    return normals;
  }

  /** (1 - K / 2) applied to points: half their way to the mean of the neighbors. */
  Vectors
  HalfSmoothed(const Vectors & points) const
  {
    Vectors smoothed = points;
    for (std::size_t i = 0; i < points.size(); ++i)
    {
      for (const std::int32_t other : m_MeanNeighbors[i])
      {
        const double weight = 0.5 / static_cast<double>(m_MeanNeighbors[i].size());
        smoothed[i] = Plus(Plus(smoothed[i], weight, points[other]), -weight, points[i]);
      }
    }
    return smoothed;
  }

  Vectors
  LowPass(const Vectors & points, double band) const
  {
    const std::vector<double> coefficients = LowPassCoefficients(band, sincSteps);
    Vectors                   before = points;
    Vectors                   last = this->HalfSmoothed(points);
    Vectors                   sum(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
    {
      sum[i] = Plus(Plus({}, coefficients[0], before[i]), coefficients[1], last[i]);
    }
    for (int step = 2; step <= sincSteps; ++step)
    {
      Vectors next = this->HalfSmoothed(last);
      for (std::size_t i = 0; i < points.size(); ++i)
      {
        next[i] = Plus(Plus(next[i], 1.0, next[i]), -1.0, before[i]);
        sum[i] = Plus(sum[i], coefficients[step], next[i]);
      }
      before = last;
      last = next;
    }
    return sum;
  }

  Vectors
  Filter(const Vectors & points, const NormalScale & scale) const
  {
    Vectors       normals;
    const Vectors pilot = this->LowPass(points, passBands[0]);
    for (std::size_t i = 0; i < m_Input.triangles.size(); ++i)
    {
      normals.push_back(Unit(this->AreaVector(pilot, i)));
    }
    for (int round = 0; round < scale.rounds; ++round)
    {
      normals = this->FilteredNormals(points, normals, scale);
    }
    Vectors moved = points;
    for (int step = 0; step < scale.vertexSteps; ++step)
    {
      Vectors             pulls(points.size(), Vector{});
      std::vector<double> counts(points.size(), 0.0);
      for (std::size_t i = 0; i < m_Input.triangles.size(); ++i)
      {
        const Vector center = this->Center(moved, i);
        for (const std::int32_t corner : m_Input.triangles[i])
        {
          const double distance = Product(normals[i], Plus(center, -1.0, moved[corner]));
          pulls[corner] = Plus(pulls[corner], distance, normals[i]);
          counts[corner] += 1.0;
        }
      }
      for (std::size_t i = 0; i < points.size(); ++i)
      {
        moved[i] = Plus(moved[i], 1.0 / counts[i], pulls[i]);
      }
    }
    return moved;
  }

  Vectors
  FilteredNormals(const Vectors & points, const Vectors & guides, const NormalScale & scale) const
  {
    const std::size_t                count = m_Input.triangles.size();
    std::vector<std::vector<double>> weights(count, std::vector<double>(count, 0.0));
    std::vector<double>              areas(count);
    std::vector<double>              sums(count, 0.0);
    for (std::size_t j = 0; j < count; ++j)
    {
      const Vector area = this->AreaVector(m_Pilot, j);
      areas[j] = std::sqrt(Product(area, area));
    }
    for (std::size_t i = 0; i < count; ++i)
    {
      for (std::size_t j = 0; j < count; ++j)
      {
        const Vector between = Plus(this->Center(m_Pilot, i), -1.0, this->Center(m_Pilot, j));
        const Vector turn = Plus(guides[i], -1.0, guides[j]);
        const double squared = Product(between, between);
        if (squared <= scale.radius * scale.radius)
        {
          weights[i][j] = std::exp(-0.5 * squared / (scale.centerSigma * scale.centerSigma) -
                                   0.5 * Product(turn, turn) / (scale.normalSigma * scale.normalSigma));
          sums[i] += weights[i][j] * areas[j];
        }
      }
    }
    Vectors means(count, Vector{});
    for (int pass = 0; pass <= scale.twicings; ++pass)
    {
      Vectors next = means;
      for (std::size_t i = 0; i < count; ++i)
      {
        for (std::size_t j = 0; j < count; ++j)
        {
          if (weights[i][j] > 0.0)
          {
            const Vector residual = Plus(this->AreaVector(points, j), -areas[j], means[j]);
            next[i] = Plus(next[i], weights[i][j] / sums[i], residual);
          }
        }
      }
      means = next;
    }
    std::transform(means.begin(), means.end(), means.begin(), Unit);
    return means;
  }

  std::vector<double>
  PooledRisks(const Vectors & denoised, const std::vector<Vectors> & responses, double length) const
  {
    const std::size_t   count = denoised.size();
    std::vector<double> risks(count, 0.0);
    const auto          along = [&](const Vectors & to, const Vectors & from, std::int32_t i) {
      return Product(Plus(to[i], -1.0, from[i]), m_Normals[i]);
    };
    for (std::size_t i = 0; i < count; ++i)
    {
      const auto   own = static_cast<std::int32_t>(i);
      const double scale = 2.0 * divergenceFactor * m_Input.noise * m_Input.noise / (length * numberOfProbes);
      const double moved = along(denoised, m_Input.points, own);
      risks[i] = moved * moved;
      for (int probe = 0; probe < numberOfProbes; ++probe)
      {
        risks[i] += scale * m_Input.signs[own][probe] * along(responses[probe], denoised, own);
      }
      for (const std::int32_t other : m_Neighbors[i])
      {
        const double change = along(denoised, m_Input.points, own) - along(denoised, m_Input.points, other);
        double       divergence = 0.0;
        for (int probe = 0; probe < numberOfProbes; ++probe)
        {
          divergence += (m_Input.signs[own][probe] - m_Input.signs[other][probe]) *
                        (along(responses[probe], denoised, own) - along(responses[probe], denoised, other));
        }
        risks[i] += (change * change + scale * divergence) / static_cast<double>(m_Neighbors[i].size());
      }
    }
    return Pooled(m_Neighbors, risks);
  }

  /** From the noisy mesh. */
  Numbers
  MovesOf(const Vectors & points) const
  {
    Numbers moves;
    for (std::size_t i = 0; i < points.size(); ++i)
    {
      moves.push_back(Product(Plus(points[i], -1.0, m_Input.points[i]), m_Normals[i]));
    }
    return moves;
  }

  /** \returns the mean of the moves, of which the last are those of the noisy mesh */
  Moves
  Mix(const std::vector<Vectors> & candidates, const std::vector<Moves> & moves, MeshOutput & output) const
  {
    Moves mixed;
    mixed.fill(Numbers(m_Input.points.size(), 0.0));
    const double squaredNoise = m_Input.noise * m_Input.noise;
    const double riskOfNoisy = 6.0 * divergenceFactor * squaredNoise;
    output.displacements.assign(m_Input.points.size(), Vector{});
    for (std::size_t i = 0; i < m_Input.points.size(); ++i)
    {
      const auto & risks = output.risks[i];
      const double least = std::min(riskOfNoisy, *std::min_element(risks.begin(), risks.end()));
      Numbers      weights;
      double       sum = std::exp((least - riskOfNoisy) / (riskScale * squaredNoise));
      Vector       mean{};
      for (int candidate = 0; candidate < numberOfCandidates; ++candidate)
      {
        const double weight = std::exp((least - risks[candidate]) / (riskScale * squaredNoise));
        mean = Plus(mean, weight, Plus(candidates[candidate][i], -1.0, m_Input.points[i]));
        weights.push_back(weight);
        sum += weight;
      }
      weights.push_back(std::exp((least - riskOfNoisy) / (riskScale * squaredNoise)));
      for (std::size_t candidate = 0; candidate < weights.size(); ++candidate)
      {
        for (std::size_t version = 0; version < mixed.size(); ++version)
        {
          mixed[version][i] += weights[candidate] / sum * moves[candidate][version][i];
        }
      }
      mean = Plus({}, 1.0 / sum, mean);
      output.displacements[i] = m_IsOnBorder[i] ? Plus({}, Product(mean, m_Normals[i]), m_Normals[i]) : mean;
    }
    return mixed;
  }

  const MeshInput & m_Input;
  Neighbors         m_Neighbors;
  Neighbors         m_MeanNeighbors;
  std::vector<bool> m_IsOnBorder;
  Vectors           m_Pilot;
  Vectors           m_Normals;
};

} // namespace

MeshOutput
DenoiseMesh(const MeshInput & input)
{
  return Denoising(input).Run();
}

} // namespace reference
