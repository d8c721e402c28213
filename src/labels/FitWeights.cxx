// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/FitWeights.h"

#include "core/ParallelRanges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cudaneuro
{
namespace
{

using Values = std::vector<float>;

/** Weights of the fits for a presumed deviation of correlated noise, and the quantities derived from them. */
struct Choice
{
  float           width = 0.0f;
  CandidateValues weights;
  /** The weighted mean of the fits' indices, from 0 for the roughest. */
  Values ranks;
};

class FitChooser
{
public:
  FitChooser(Context & context, const LabelDomain & domain, LabelLevels & levels)
    : m_Context(context)
    , m_Domain(domain)
    , m_Levels(levels)
    , m_Sums(levels.SumLosses())
    , m_Judges(levels.GetJudges())
    , m_JudgesOfNodes(domain.SpreadToNodes(m_Judges))
    , m_Count(static_cast<std::size_t>(domain.spline.nodes.count))
  {
    for (const std::uint8_t judge : m_Judges)
    {
      m_NumberOfJudges += judge;
    }
    m_PooledJudges = this->PooledJudges();
  }

  FitWeights
  Choose()
  {
    Choice     alone = this->ChooseFor(0.0f, 1.0f);
    FitWeights result{ alone.weights, Values(m_Count, 0.0f), Values(m_Count, 0.0f), m_JudgesOfNodes };
    // The finest fits carry no information where most voxels have no label.
    const bool hasGaps = m_Domain.grid.division != std::array<int, 3>{ 1, 1, 1 };
    if (alone.width < widthOfSingleVoxels && m_NumberOfJudges > 0 && !hasGaps)
    {
      result.correlation = this->CorrelationOf(alone);
      const float part = this->MeanOfJudges(result.correlation);
      if (part > 0.0f)
      {
        const Choice correlated = this->ChooseFor(correlatedNoise, correlatedPower);
        for (std::size_t k = 0; k < numberOfFits; ++k)
        {
          for (std::size_t i = 0; i < m_Count; ++i)
          {
            const float there = result.correlation[i];
            result.weights[k][i] = (1.0f - there) * alone.weights[k][i] + there * correlated.weights[k][i];
          }
        }
      }
    }
    for (std::size_t k = 0; k < numberOfFits; ++k)
    {
      for (std::size_t i = 0; i < m_Count; ++i)
      {
        result.share[i] += result.weights[k][i] * correlatedShares[k];
      }
    }
    m_Levels.Mix(result.weights);
    return result;
  }

private:
  float
  Penalty(float noise, std::size_t fit, float width) const
  {
    return noise * noise * correlatedShares[fit] / width;
  }

  /** \param power exponent of the likelihood */
  Choice
  ChooseFor(float noise, float power)
  {
    Choice choice;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < numberOfFits; ++k)
    {
      for (std::size_t width = 0; width < numberOfWidths; ++width)
      {
        const double penalty = this->Penalty(noise, k, judgingWidths[width]);
        const double loss = m_Sums[k][width] + static_cast<double>(m_NumberOfJudges) * penalty;
        if (loss < least)
        {
          least = loss;
          choice.width = judgingWidths[width];
        }
      }
    }
    choice.weights = this->PooledLosses(choice.width);
    choice.ranks.assign(m_Count, 0.0f);
    ForEachInRanges(m_Context, static_cast<std::int64_t>(m_Count), [&](std::int64_t node) {
      const auto i = static_cast<std::size_t>(node);
      float      losses[numberOfFits];
      for (std::size_t k = 0; k < numberOfFits; ++k)
      {
        losses[k] = power * (choice.weights[k][i] + m_PooledJudges[i] * this->Penalty(noise, k, choice.width));
      }
      WeightsOfLosses<numberOfFits>(losses);
      for (std::size_t k = 0; k < numberOfFits; ++k)
      {
        choice.weights[k][i] = losses[k];
        choice.ranks[i] += static_cast<float>(k) * losses[k];
      }
    });
    return choice;
  }

  /** The losses near each node. Those of the last width are cached, because the next width is mostly the same. */
  const CandidateValues &
  PooledLosses(float width)
  {
    if (m_PooledLosses.empty() || m_WidthOfLosses != width)
    {
      m_PooledLosses = m_Levels.PoolLosses(width);
      m_WidthOfLosses = width;
    }
    return m_PooledLosses;
  }

  Values
  PooledJudges()
  {
    Values      judges(m_Judges.begin(), m_Judges.end());
    const float factor = PoolingFactor(m_Domain.grid);
    for (float & judge : judges)
    {
      judge *= factor;
    }
    return m_Levels.Pool({ judges }, poolingSigma).front();
  }

  float
  MeanOfJudges(const Values & values) const
  {
    double sum = 0.0;
    for (std::size_t i = 0; i < m_Count; ++i)
    {
      sum += m_JudgesOfNodes[i] * values[i];
    }
    return static_cast<float>(sum / static_cast<double>(std::max<std::int64_t>(m_NumberOfJudges, 1)));
  }

  Values
  DistancesOfMixture(const CandidateValues & weights)
  {
    m_Levels.Mix(weights);
    return m_Levels.GetDistancesOfMixture();
  }

  /** Local variation of the difference of distances near each node, over the voxels \p where: the root mean square or,
   * if centered, the standard deviation. */
  Values
  LocalDifference(const Values & a, const Values & b, const std::vector<bool> & where, double sigma, bool isCentered)
  {
    constexpr float farthest = 2.0f;
    CandidateValues sums(3, Values(a.size(), 0.0f));
    ForEachInRanges(m_Context, static_cast<std::int64_t>(a.size()), [&](std::int64_t voxel) {
      const auto  i = static_cast<std::size_t>(voxel);
      const float difference = where[i] ? std::clamp(a[i] - b[i], -farthest, farthest) : 0.0f;
      sums[0][i] = difference * difference;
      sums[1][i] = difference;
      sums[2][i] = where[i] ? 1.0f : 0.0f;
    });
    const CandidateValues pooled = m_Levels.Pool(sums, sigma);
    Values                result(m_Count);
    for (std::size_t i = 0; i < m_Count; ++i)
    {
      constexpr float least = 1e-6f;
      const float     count = std::max(pooled[2][i], least);
      const float     mean = isCentered ? pooled[1][i] / count : 0.0f;
      result[i] = std::sqrt(std::max(pooled[0][i] / count - mean * mean, 0.0f));
    }
    return result;
  }

  /** The lower quartile of the values \p where that is true. */
  static float
  LowerQuartile(const Values & values, const std::vector<bool> & where)
  {
    Values there;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      if (where[i])
      {
        there.push_back(values[i]);
      }
    }
    if (there.empty())
    {
      return 0.0f;
    }
    const auto middle = there.begin() + static_cast<std::ptrdiff_t>(there.size() / 4);
    std::nth_element(there.begin(), middle, there.end());
    return *middle;
  }

  static Values
  Magnitudes(const Values & a, const Values & b)
  {
    Values result(a.size());
    std::transform(a.begin(), a.end(), b.begin(), result.begin(), [](float x, float y) { return std::abs(x - y); });
    return result;
  }

  /** Detects correlated noise by two tests: the surface is rough although its neighbors predict it; or, if noise is
   * presumed, only a smooth surface remains, which differs from the present one. */
  Values
  CorrelationOf(const Choice & alone)
  {
    const Values      first = m_Levels.GetDistancesOfFit(1);
    const Values      second = m_Levels.GetDistancesOfFit(2);
    const Values      third = m_Levels.GetDistancesOfFit(3);
    std::vector<bool> surface(second.size());
    std::transform(second.begin(), second.end(), surface.begin(), [](float d) { return std::abs(d) < 1.0f; });
    std::vector<bool> nodes(m_Count);
    for (std::size_t i = 0; i < m_Count; ++i)
    {
      const std::int32_t voxel = m_Domain.VoxelAtNode(static_cast<std::int32_t>(i));
      nodes[i] = voxel >= 0 && surface[static_cast<std::size_t>(voxel)];
    }
    const float fine = LowerQuartile(this->LocalDifference(first, second, surface, sigmaOfFineNoise, false), nodes);
    if (fine > leastFineNoise && this->MeanOfJudges(alone.ranks) <= mostRankOfNoise)
    {
      return Values(m_Count, 1.0f);
    }
    const Values correlation = this->SmoothWherePresumed(alone);
    const float  finest = LowerQuartile(Magnitudes(first, second), surface);
    const float  next = LowerQuartile(Magnitudes(second, third), surface);
    const float  evident = std::sqrt(std::max(finest * finest - next * next, 0.0f)) / stepOfNoise;
    const float  least = evident >= evidentNoise ? leastPartOfEvident : leastPart;
    return this->MeanOfJudges(correlation) < least ? Values(m_Count, 0.0f) : correlation;
  }

  /** Marks the nodes where presuming noise leaves a smooth surface, and moves it. */
  Values
  SmoothWherePresumed(const Choice & alone)
  {
    const Choice      presumed = this->ChooseFor(presumedNoise, correlatedPower);
    const Values      before = this->DistancesOfMixture(alone.weights);
    const Values      after = this->DistancesOfMixture(presumed.weights);
    std::vector<bool> both(before.size());
    for (std::size_t i = 0; i < before.size(); ++i)
    {
      constexpr float farthest = 2.5f;
      both[i] = std::abs(after[i]) < 1.0f && std::abs(before[i]) < farthest;
    }
    // A surface that smoothing only expands or shrinks has no noise, so that the mean move is subtracted.
    const Values moved = this->LocalDifference(before, after, both, poolingSigma, true);
    Values       isSmooth(m_Count);
    for (std::size_t i = 0; i < m_Count; ++i)
    {
      isSmooth[i] = presumed.ranks[i] > rankOfSmooth && moved[i] > leastMove ? 1.0f : 0.0f;
    }
    return m_Levels.PoolNodes({ isSmooth }, sigmaOfCorrelation).front();
  }

  Context &                 m_Context;
  const LabelDomain &       m_Domain;
  LabelLevels &             m_Levels;
  LossSums                  m_Sums;
  std::vector<std::uint8_t> m_Judges;
  Values                    m_JudgesOfNodes;
  std::int64_t              m_NumberOfJudges = 0;
  Values                    m_PooledJudges;
  CandidateValues           m_PooledLosses;
  float                     m_WidthOfLosses = 0.0f;
  /** Number of nodes. */
  std::size_t m_Count;
};

} // namespace

FitWeights
ChooseFits(Context & context, const LabelDomain & domain, LabelLevels & levels)
{
  return FitChooser(context, domain, levels).Choose();
}

} // namespace cudaneuro
