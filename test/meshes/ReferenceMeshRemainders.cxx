// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/ReferenceMeshRemainders.h"

#include "meshes/LowPass.h"

#include <algorithm>
#include <functional>

namespace reference
{
namespace
{

using namespace cudaneuro;

class Remainders
{
public:
  explicit Remainders(const MixedMesh & of)
    : m_Of(of)
  {}

  Numbers
  Returned() const
  {
    const std::size_t count = m_Of.input.points.size();
    Numbers           returned(count, 0.0);
    Moves             narrower;
    narrower.fill(Numbers(count, 0.0));
    for (const double band : remainderBands)
    {
      Moves wider;
      Moves part;
      for (std::size_t version = 0; version < part.size(); ++version)
      {
        const Numbers remainder = Difference(m_Of.noisy[version], m_Of.mixed[version]);
        wider[version] = this->LowPass(remainder, band);
        part[version] = Difference(wider[version], narrower[version]);
      }
      const auto    slopes = this->SlopesOf(part);
      const Numbers first = Pooled(m_Of.neighbors, slopes[0]);
      const Numbers second = Pooled(m_Of.neighbors, slopes[1]);
      for (std::size_t i = 0; i < count; ++i)
      {
        const double share = (-first[i] / second[i] - leastShare) / (1.0 - leastShare);
        returned[i] += std::clamp(share, 0.0, 1.0) * part[0][i];
      }
      narrower = wider;
    }
    return returned;
  }

private:
  static Numbers
  Difference(Numbers numbers, const Numbers & others)
  {
    std::transform(numbers.begin(), numbers.end(), others.begin(), numbers.begin(), std::minus<>());
    return numbers;
  }

  /** What a filter with a pass band leaves of numbers, by the powers of the mean over the neighbors: they are added up
   * from the last one on, by Clenshaw's recurrence. */
  Numbers
  LowPass(const Numbers & numbers, double band) const
  {
    const std::vector<double> coefficients = LowPassCoefficients(2.0 * band, sincSteps);
    const auto                meanAt = [&](const Numbers & of, std::size_t i) {
      double sum = 0.0;
      for (const std::int32_t other : m_Of.meanNeighbors[i])
      {
        sum += of[other];
      }
      return sum / static_cast<double>(m_Of.meanNeighbors[i].size());
    };
    Numbers last(numbers.size(), 0.0);
    Numbers beforeLast = last;
    for (int step = sincSteps; step >= 0; --step)
    {
      Numbers next(numbers.size());
      for (std::size_t i = 0; i < numbers.size(); ++i)
      {
        next[i] = coefficients[step] * numbers[i] + (step == 0 ? 1.0 : 2.0) * meanAt(last, i) - beforeLast[i];
      }
      beforeLast = last;
      last = next;
    }
    return last;
  }

  /** The derivative of the risk by a share of a part of which nothing is returned yet, and that of it by the share,
   * over two. */
  std::array<Numbers, 2>
  SlopesOf(const Moves & part) const
  {
    const std::size_t count = m_Of.input.points.size();
    const double      scale = divergenceFactor * m_Of.input.noise * m_Of.input.noise / (m_Of.length * numberOfProbes);
    std::array<Numbers, 2> result{ Numbers(count, 0.0), Numbers(count, 0.0) };
    const auto             add = [&](std::size_t i, double weight, const auto & of, const auto & signOf) {
      result[0][i] += weight * of(m_Of.mixed[0]) * of(part[0]);
      result[1][i] += weight * of(part[0]) * of(part[0]);
      for (int probe = 0; probe < numberOfProbes; ++probe)
      {
        result[0][i] += weight * scale * signOf(probe) * (of(part[1 + probe]) - of(part[0]));
      }
    };
    for (std::size_t i = 0; i < count; ++i)
    {
      add(
        i, 1.0, [&](const Numbers & of) { return of[i]; }, [&](int probe) { return m_Of.input.signs[i][probe]; });
      for (const std::int32_t other : m_Of.neighbors[i])
      {
        add(
          i,
          1.0 / static_cast<double>(m_Of.neighbors[i].size()),
          [&](const Numbers & of) { return of[i] - of[other]; },
          [&](int probe) { return m_Of.input.signs[i][probe] - m_Of.input.signs[other][probe]; });
      }
    }
    return result;
  }

  const MixedMesh & m_Of;
};

} // namespace

Numbers
Pooled(const Neighbors & neighbors, Numbers numbers)
{
  for (int step = 0; step < poolingSteps; ++step)
  {
    Numbers next = numbers;
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
      for (const std::int32_t other : neighbors[i])
      {
        next[i] += numbers[other];
      }
      next[i] /= 1.0 + static_cast<double>(neighbors[i].size());
    }
    numbers = next;
  }
  return numbers;
}

Numbers
ReturnedMoves(const MixedMesh & of)
{
  return Remainders(of).Returned();
}

} // namespace reference
