// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ParallelRanges.h"
#include "labels/levels/LabelFitCpu.h"
#include "labels/levels/LabelLevels.h"
#include "labels/levels/LabelPilotCpu.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace cudaneuro::cpu
{
namespace
{

/** Number of voxels that a task processes. */
constexpr int voxelsPerTask = 1024;
/** Number of candidates whose losses are pooled side by side. */
constexpr int lanes = versions;

class Levels : public LabelLevels
{
public:
  Levels(Context & context, const LabelDomain & domain)
    : m_Context(context)
    , m_Domain(domain)
    , m_Grid(domain.grid)
    , m_Band(domain.band)
    , m_Rows(domain)
    , m_Series(SeriesOfFits(domain.grid))
    , m_Size(static_cast<std::size_t>(versions) * static_cast<std::size_t>(domain.band.count))
  {}

  void
  Fit() override
  {
    std::size_t firstOfPilot = 0;
    for (std::size_t i = 0; i < numberOfFits; ++i)
    {
      if (labelFits[i].pilotSigma != labelFits[firstOfPilot].pilotSigma)
      {
        firstOfPilot = i;
      }
      if (i == firstOfPilot)
      {
        m_Levels[i].resize(m_Size);
        MakePilot(m_Context, m_Grid, m_Band, labelFits[i].pilotSigma, m_Levels[i].data());
      }
      else
      {
        m_Levels[i] = m_Levels[firstOfPilot];
      }
    }
    // The smoothest fits, which take longest, start first.
    m_Context.ParallelFor(numberOfFits, [&](std::int64_t task) {
      const auto       i = static_cast<std::size_t>(numberOfFits - 1 - task);
      const LabelFit & fit = labelFits[i];
      for (int round = 0; round < fit.rounds; ++round)
      {
        const VersionValues changes =
          i < firstSplineFit ? FindChanges(m_Domain, m_Rows, m_Levels[i], fit, m_Series[i])
                             : FindSplineChanges(m_Domain, m_Rows, i >= firstCoarseFit, m_Levels[i], fit, m_Series[i]);
        std::transform(
          m_Levels[i].begin(), m_Levels[i].end(), changes.begin(), m_Levels[i].begin(), std::plus<float>());
      }
    });
  }

  VersionValues
  GetFit(std::size_t fit) override
  {
    return m_Levels[fit];
  }

  void
  Judge() override
  {
    const auto count = static_cast<std::size_t>(m_Band.count);
    m_Judges.assign(count, 0);
    m_Left.assign(numberOfFits, std::vector<float>(count));
    this->ForEachVoxel([&](std::int64_t i) {
      const unsigned int code = m_Band.codes[i];
      const int          part = PartOf(code);
      float              nearest = HUGE_VALF;
      for (int k = firstJudgingFit; k <= lastJudgingFit; ++k)
      {
        nearest = std::min(nearest, std::abs(this->DistanceAt(m_Levels[k], i, 0)));
      }
      for (std::size_t k = 0; k < numberOfFits; ++k)
      {
        m_Left[k][i] = this->DistanceAt(m_Levels[k], i, part);
      }
      m_Judges[i] = IsKnown(code) && part > 0 && nearest < judgedDistance ? 1 : 0;
    });
  }

  LossSums
  SumLosses() override
  {
    return this->SumLosses(m_Left);
  }

  LossSums
  SumLosses(const CandidateValues & distances) override
  {
    const std::int64_t    tasks = DivideUp(std::int64_t{ m_Band.count }, std::int64_t{ voxelsPerTask });
    std::vector<LossSums> ofTasks(static_cast<std::size_t>(tasks), LossSums(distances.size()));
    this->ForEachTask([&](std::int64_t begin, std::int64_t end) {
      LossSums & sums = ofTasks[static_cast<std::size_t>(begin / voxelsPerTask)];
      for (std::int64_t i = begin; i < end; ++i)
      {
        for (std::size_t k = 0; m_Judges[i] != 0 && k < distances.size(); ++k)
        {
          for (std::size_t width = 0; width < numberOfWidths; ++width)
          {
            sums[k][width] += LossOf(SideOf(m_Band.codes[i]) * distances[k][i], judgingWidths[width]);
          }
        }
      }
    });
    LossSums total(distances.size());
    for (const LossSums & sums : ofTasks)
    {
      for (std::size_t k = 0; k < total.size(); ++k)
      {
        std::transform(sums[k].begin(), sums[k].end(), total[k].begin(), total[k].begin(), std::plus<double>());
      }
    }
    return total;
  }

  CandidateValues
  PoolLosses(float width) override
  {
    CandidateValues losses(numberOfFits, std::vector<float>(static_cast<std::size_t>(m_Band.count)));
    const float     factor = PoolingFactor(m_Grid);
    this->ForEachVoxel([&](std::int64_t i) {
      for (std::size_t k = 0; m_Judges[i] != 0 && k < numberOfFits; ++k)
      {
        losses[k][i] = factor * LossOf(SideOf(m_Band.codes[i]) * m_Left[k][i], width);
      }
    });
    return this->Pool(losses, poolingSigma);
  }

  CandidateValues
  Pool(const CandidateValues & values, double sigma) override
  {
    return this->ApplyToLanes(
      values, PoolingSeries(m_Grid, sigma), m_Size, [&](const VersionValues & voxels, VersionValues & nodes) {
        RestrictToNodes(m_Domain.Splines(), voxels, nodes);
      });
  }

  CandidateValues
  PoolNodes(const CandidateValues & values, double sigma) override
  {
    const std::size_t size = versions * static_cast<std::size_t>(m_Domain.spline.nodes.count);
    return this->ApplyToLanes(values,
                              NodePoolingSeries(m_Grid, sigma),
                              size,
                              [](const VersionValues & from, VersionValues & nodes) { nodes = from; });
  }

  void
  Mix(const CandidateValues & weights) override
  {
    m_Mixed.assign(m_Size, 0.0f);
    this->ForEachVoxel([&](std::int64_t i) {
      for (std::size_t k = 0; k < numberOfFits; ++k)
      {
        const float weight = m_Domain.SplineAt(weights[k], static_cast<std::int32_t>(i));
        for (int v = 0; v < versions; ++v)
        {
          m_Mixed[versions * i + v] += weight * m_Levels[k][versions * i + v];
        }
      }
    });
  }

  VersionValues
  GetLevels() override
  {
    return m_Mixed;
  }

  VersionValues
  GetDistances() override
  {
    VersionValues distances(m_Size);
    this->ForEachVoxel([&](std::int64_t i) {
      for (int v = 0; v < versions; ++v)
      {
        distances[versions * i + v] = this->DistanceAt(m_Mixed, i, v);
      }
    });
    return distances;
  }

  std::vector<float>
  GetDistancesOfFit(std::size_t fit) override
  {
    return this->DistancesOf(m_Levels[fit]);
  }

  std::vector<float>
  GetDistancesOfMixture() override
  {
    return this->DistancesOf(m_Mixed);
  }

  std::vector<std::uint8_t>
  GetJudges() override
  {
    return m_Judges;
  }

  std::vector<float>
  Correct(float width, const std::vector<float> & distances, const std::vector<float> & weights) override
  {
    VersionValues levels(m_Size);
    this->ForEachVoxel([&](std::int64_t i) {
      for (int v = 0; v < versions; ++v)
      {
        levels[versions * i + v] = distances[i];
      }
    });
    const LabelFit      fit = LastFit(width);
    const VersionValues changes =
      FindChanges(m_Domain, m_Rows, levels, fit, SeriesOfLastFit(m_Grid, width), weights.data());
    std::vector<float> change(distances.size());
    for (std::size_t i = 0; i < change.size(); ++i)
    {
      change[i] = changes[versions * i];
    }
    return change;
  }

private:
  template <typename TBody>
  void
  ForEachTask(const TBody & body)
  {
    ForEachRange(m_Context, m_Band.count, voxelsPerTask, [&](std::int64_t begin, std::int64_t end) {
      VectorDispatch([&] { body(begin, end); });
    });
  }

  template <typename TBody>
  void
  ForEachVoxel(const TBody & body)
  {
    this->ForEachTask([&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
      {
        body(i);
      }
    });
  }

  /** Applies a series to candidates side by side.
   * \param size of four candidates' values
   * \param toNodes called with these values and the input of the series */
  template <typename TToNodes>
  CandidateValues
  ApplyToLanes(const CandidateValues &    values,
               const std::vector<float> & series,
               std::size_t                size,
               const TToNodes &           toNodes)
  {
    const LabelBand & nodes = m_Domain.spline.nodes;
    const auto        count = static_cast<std::size_t>(nodes.count);
    CandidateValues   results(values.size(), std::vector<float>(count));
    const auto        groups = DivideUp(static_cast<std::int64_t>(values.size()), std::int64_t{ lanes });
    m_Context.ParallelFor(groups, [&](std::int64_t group) {
      const auto        first = static_cast<std::size_t>(group) * lanes;
      const std::size_t used = std::min<std::size_t>(lanes, values.size() - first);
      VersionValues     sideBySide(size, 0.0f);
      for (std::size_t lane = 0; lane < used; ++lane)
      {
        for (std::size_t i = 0; i < values[first + lane].size(); ++i)
        {
          sideBySide[lanes * i + lane] = values[first + lane][i];
        }
      }
      BandSeries filter(m_Grid.Shares(), m_Rows.nodes, nodes.count);
      toNodes(sideBySide, filter.Input());
      filter.Apply(series);
      for (std::size_t lane = 0; lane < used; ++lane)
      {
        for (std::size_t i = 0; i < count; ++i)
        {
          results[first + lane][i] = filter.Result()[lanes * i + lane];
        }
      }
    });
    return results;
  }

  const std::int32_t *
  Neighbors(int direction) const
  {
    return m_Band.neighbors.data() + static_cast<std::ptrdiff_t>(direction) * m_Band.count;
  }

  float
  DistanceAt(const VersionValues & levels, std::int64_t i, int version) const
  {
    float halves[3];
    for (int axis = 0; axis < 3; ++axis)
    {
      const float low = levels[std::int64_t{ versions } * this->Neighbors(2 * axis)[i] + version];
      const float high = levels[std::int64_t{ versions } * this->Neighbors(2 * axis + 1)[i] + version];
      halves[axis] = 0.5f * (high - low) / static_cast<float>(m_Grid.spacing[axis]);
    }
    return DistanceOf(levels[versions * i + version], halves[0], halves[1], halves[2]);
  }

  std::vector<float>
  DistancesOf(const VersionValues & levels)
  {
    std::vector<float> distances(static_cast<std::size_t>(m_Band.count));
    this->ForEachVoxel([&](std::int64_t i) { distances[i] = this->DistanceAt(levels, i, 0); });
    return distances;
  }

  Context &                                    m_Context;
  const LabelDomain &                          m_Domain;
  const LabelGrid &                            m_Grid;
  const LabelBand &                            m_Band;
  DomainRows                                   m_Rows;
  std::array<std::vector<float>, numberOfFits> m_Series;
  std::size_t                                  m_Size;

  std::array<VersionValues, numberOfFits> m_Levels;
  std::vector<std::uint8_t>               m_Judges;
  CandidateValues                         m_Left;
  VersionValues                           m_Mixed;
};

} // namespace

std::unique_ptr<LabelLevels>
MakeLabelLevels(Context & context, const LabelDomain & domain)
{
  return std::make_unique<Levels>(context, domain);
}

} // namespace cudaneuro::cpu
