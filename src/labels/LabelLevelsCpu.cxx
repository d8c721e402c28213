// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/IntegerMath.h"
#include "core/ThreadTeam.h"
#include "labels/LabelLevels.h"
#include "labels/LabelPilotCpu.h"
#include "meshes/VersionArray.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro::cpu
{
namespace
{

/** Voxels that a thread takes at once. */
constexpr int voxelsPerTask = 1024;
/** For fewer, a thread would wait for the others longer than it takes. */
constexpr std::int64_t voxelsPerThread = 8192;
/** Candidates whose losses are pooled side by side. */
constexpr int lanes = versions;

class Levels : public LabelLevels
{
public:
  Levels(Context & context, const LabelGrid & grid, const LabelBand & band)
    : m_Grid(grid)
    , m_Band(band)
    , m_Series(grid)
    , m_Shares(grid.Shares())
    , m_Team(static_cast<unsigned int>(
        std::min<std::int64_t>(context.GetNumberOfThreads(), DivideUp(std::int64_t{ band.count }, voxelsPerThread))))
    , m_Size(static_cast<std::size_t>(versions) * static_cast<std::size_t>(band.count))
    , m_First(m_Size)
    , m_Second(m_Size)
    , m_Input(m_Size)
    , m_Change(m_Size)
    , m_Weights(m_Size)
  {}

  void
  Fit() override
  {
    VersionValues pilot(m_Size);
    for (std::size_t i = 0; i < numberOfFits; ++i)
    {
      const LabelFit & fit = labelFits[i];
      if (i == 0 || fit.pilotSigma != labelFits[i - 1].pilotSigma)
      {
        MakePilot(m_Team, m_Grid, m_Band, fit.pilotSigma, pilot.data());
      }
      m_Levels[i] = pilot;
      for (int round = 0; round < fit.rounds; ++round)
      {
        this->WeighLabels(m_Levels[i], fit.reach);
        this->Solve(m_Levels[i], fit, m_Series.fits[i]);
        this->ForEachTask([&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t j = versions * begin; j < versions * end; ++j)
          {
            m_Levels[i][j] += m_Change[j];
          }
        });
      }
    }
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
  PoolLosses(const CandidateValues & distances, float width) override
  {
    CandidateValues losses(distances.size(), std::vector<float>(static_cast<std::size_t>(m_Band.count)));
    const float     factor = PoolingFactor(m_Grid);
    this->ForEachVoxel([&](std::int64_t i) {
      for (std::size_t k = 0; m_Judges[i] != 0 && k < distances.size(); ++k)
      {
        losses[k][i] = factor * LossOf(SideOf(m_Band.codes[i]) * distances[k][i], width);
      }
    });
    return this->Pool(losses);
  }

  CandidateValues
  Pool(const CandidateValues & values) override
  {
    CandidateValues pooled = values;
    for (std::size_t first = 0; first < values.size(); first += lanes)
    {
      const std::size_t count = std::min<std::size_t>(lanes, values.size() - first);
      this->ForEachVoxel([&](std::int64_t i) {
        for (std::size_t lane = 0; lane < lanes; ++lane)
        {
          m_Input[lanes * i + lane] = lane < count ? values[first + lane][i] : 0.0f;
        }
      });
      this->Apply(m_Series.pooling, [&](std::int64_t begin, std::int64_t end, const float * results) {
        for (std::int64_t i = begin; i < end; ++i)
        {
          for (std::size_t lane = 0; lane < count; ++lane)
          {
            pooled[first + lane][i] = results[lanes * (i - begin) + lane];
          }
        }
      });
    }
    return pooled;
  }

  void
  Mix(float width) override
  {
    const CandidateValues losses = this->PoolLosses(m_Left, width);
    m_Mixed.assign(m_Size, 0.0f);
    this->ForEachVoxel([&](std::int64_t i) {
      float weights[numberOfFits];
      for (std::size_t k = 0; k < numberOfFits; ++k)
      {
        weights[k] = losses[k][i];
      }
      WeightsOfLosses<numberOfFits>(weights);
      for (std::size_t k = 0; k < numberOfFits; ++k)
      {
        for (int v = 0; v < versions; ++v)
        {
          m_Mixed[versions * i + v] += weights[k] * m_Levels[k][versions * i + v];
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

  std::vector<std::uint8_t>
  GetJudges() override
  {
    return m_Judges;
  }

  std::vector<float>
  Correct(const std::vector<float> & distances, const std::vector<float> & weights) override
  {
    VersionValues levels(m_Size);
    this->ForEachVoxel([&](std::int64_t i) {
      for (int v = 0; v < versions; ++v)
      {
        levels[versions * i + v] = distances[i];
      }
    });
    this->WeighLabels(levels, lastFit.reach);
    this->ForEachVoxel([&](std::int64_t i) {
      for (int v = 0; v < versions; ++v)
      {
        m_Weights[versions * i + v] *= weights[i];
      }
    });
    this->Solve(levels, lastFit, m_Series.last);
    std::vector<float> change(distances.size());
    for (std::size_t i = 0; i < change.size(); ++i)
    {
      change[i] = m_Change[versions * i];
    }
    return change;
  }

private:
  template <typename TBody>
  void
  ForEachTask(const TBody & body)
  {
    m_Team.ParallelFor(DivideUp(m_Band.count, voxelsPerTask), [&](std::int64_t task) {
      VectorDispatch([&] {
        const std::int64_t begin = task * voxelsPerTask;
        body(begin, std::min<std::int64_t>(begin + voxelsPerTask, m_Band.count));
      });
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
      const float low = levels[versions * this->Neighbors(2 * axis)[i] + version];
      const float high = levels[versions * this->Neighbors(2 * axis + 1)[i] + version];
      halves[axis] = 0.5f * (high - low) / static_cast<float>(m_Grid.spacing[axis]);
    }
    return DistanceOf(levels[versions * i + version], halves[0], halves[1], halves[2]);
  }

  /** The weights of the labels, with the signs of their sides, by their distances. */
  void
  WeighLabels(const VersionValues & levels, float reach)
  {
    this->ForEachVoxel([&](std::int64_t i) {
      const unsigned int code = m_Band.codes[i];
      for (int v = 0; v < versions; ++v)
      {
        const std::int64_t j = versions * i + v;
        m_Weights[j] = IsUsed(code, v) ? SideOf(code) * WeightAt(levels[j], reach) : 0.0f;
      }
    });
  }

  /** The mean over the neighbors of voxel i, of all versions. */
  CUDANEURO_ALWAYS_INLINE VersionLanes
                          MeanAt(const float * values, std::int64_t i, const std::int32_t * const * neighbors) const
  {
    return MeanOfNeighbors(m_Shares,
                           LanesAt(values + versions * neighbors[0][i]),
                           LanesAt(values + versions * neighbors[1][i]),
                           LanesAt(values + versions * neighbors[2][i]),
                           LanesAt(values + versions * neighbors[3][i]),
                           LanesAt(values + versions * neighbors[4][i]),
                           LanesAt(values + versions * neighbors[5][i]));
  }

  /** Applies a series to m_Input. Calls take(begin, end, results) for parts of the voxels; m_Input may be changed
   * there. */
  template <typename TTake>
  void
  Apply(const std::vector<float> & series, const TTake & take)
  {
    const std::int32_t * neighbors[6];
    for (int direction = 0; direction < 6; ++direction)
    {
      neighbors[direction] = this->Neighbors(direction);
    }
    float *    last = m_First.data();
    float *    beforeLast = m_Second.data();
    const auto degree = static_cast<int>(series.size()) - 1;
    this->ForEachTask([&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t j = versions * begin; j < versions * end; ++j)
      {
        last[j] = series[static_cast<std::size_t>(degree)] * m_Input[j];
        beforeLast[j] = 0.0f;
      }
    });
    for (int k = degree - 1; k > 0; --k)
    {
      const float coefficient = series[static_cast<std::size_t>(k)];
      this->ForEachTask([&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
        {
          const VersionLanes next = NextClenshaw(coefficient,
                                                 LanesAt(m_Input.data() + versions * i),
                                                 this->MeanAt(last, i, neighbors),
                                                 LanesAt(beforeLast + versions * i));
          StoreLanes(next, beforeLast + versions * i);
        }
      });
      std::swap(last, beforeLast);
    }
    this->ForEachTask([&](std::int64_t begin, std::int64_t end) {
      float results[versions * voxelsPerTask];
      for (std::int64_t i = begin; i < end; ++i)
      {
        StoreLanes(EndClenshaw(series[0],
                               LanesAt(m_Input.data() + versions * i),
                               this->MeanAt(last, i, neighbors),
                               LanesAt(beforeLast + versions * i)),
                   results + versions * (i - begin));
      }
      take(begin, end, results);
    });
  }

  /** Finds the change of a level set that is likely: m_Change. */
  void
  Solve(const VersionValues & levels, const LabelFit & fit, const std::vector<float> & series)
  {
    const float width = fit.width;
    const auto  step = [&](std::int64_t j, float change) {
      const float side = m_Weights[j] < 0.0f ? -1.0f : 1.0f;
      m_Input[j] = GradientStep(levels[j], change, m_Weights[j], side, width);
    };
    this->ForEachTask([&](std::int64_t begin, std::int64_t end) {
      CUDANEURO_INDEPENDENT_ITERATIONS
      for (std::int64_t j = versions * begin; j < versions * end; ++j)
      {
        m_Change[j] = 0.0f;
        step(j, 0.0f);
      }
    });
    Momentum momentum;
    for (int i = 0; i < fit.steps; ++i)
    {
      const float factor = momentum.Next();
      this->Apply(series, [&](std::int64_t begin, std::int64_t end, const float * results) {
        CUDANEURO_INDEPENDENT_ITERATIONS
        for (std::int64_t j = versions * begin; j < versions * end; ++j)
        {
          const float change = results[j - versions * begin];
          const float ahead = change + factor * (change - m_Change[j]);
          m_Change[j] = change;
          step(j, ahead);
        }
      });
    }
  }

  const LabelGrid &  m_Grid;
  const LabelBand &  m_Band;
  LabelSeries        m_Series;
  AxisShares         m_Shares;
  ThreadTeam         m_Team;
  std::size_t        m_Size;
  /** Of a series: two sums, and what it is applied to. */
  VersionValues m_First;
  VersionValues m_Second;
  VersionValues m_Input;
  /** Of a solution. */
  VersionValues m_Change;
  VersionValues m_Weights;

  std::array<VersionValues, numberOfFits> m_Levels;
  std::vector<std::uint8_t>               m_Judges;
  CandidateValues                         m_Left;
  VersionValues                           m_Mixed;
};

} // namespace

std::unique_ptr<LabelLevels>
MakeLabelLevels(Context & context, const LabelGrid & grid, const LabelBand & band)
{
  return std::make_unique<Levels>(context, grid, band);
}

} // namespace cudaneuro::cpu
