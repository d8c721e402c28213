// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/LabelLevels.h"

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"
#include "labels/ChebyshevSeries.h"
#include "labels/LabelJudgeKernel.cuh"
#include "labels/LabelPilotKernel.cuh"
#include "labels/LabelSeriesGpu.cuh"

#include <algorithm>
#include <vector>

namespace cudaneuro::gpu
{
namespace
{

class Levels : public LabelLevels
{
public:
  Levels(Context & context, const LabelGrid & grid, const LabelBand & band)
    : m_Gpu(GpuOf(context))
    , m_Grid(grid)
    , m_Series(grid)
    , m_Count(static_cast<std::size_t>(band.count))
    , m_Size(versions * m_Count)
    , m_Neighbors(m_Gpu.CopyToDevice(band.neighbors))
    , m_Codes(m_Gpu.CopyToDevice(band.codes))
    , m_Voxels(m_Gpu.CopyToDevice(band.voxels))
    , m_Levels(m_Gpu.AllocateArray<float>(numberOfFits * m_Size))
    , m_Judges(m_Gpu.AllocateArray<std::uint8_t>(m_Count))
    , m_Left(m_Gpu.AllocateArray<float>(numberOfFits * m_Count))
    , m_Mixed(m_Gpu.AllocateArray<float>(m_Size))
  {
    m_Band = { band.count, m_Neighbors.Data(), m_Codes.Data(), grid.Shares(), {} };
    for (int axis = 0; axis < 3; ++axis)
    {
      m_Band.halves[axis] = 0.5f / static_cast<float>(grid.spacing[axis]);
    }
  }

  void
  Fit() override
  {
    this->MakePilots();
    LabelSolution solution(m_Gpu, numberOfFits * m_Size);
    int           mostRounds = 0;
    for (const LabelFit & fit : labelFits)
    {
      mostRounds = std::max(mostRounds, fit.rounds);
    }
    const LabelCoefficients coefficients(m_Gpu, { m_Series.fits.begin(), m_Series.fits.end() });
    for (int round = 0; round < mostRounds; ++round)
    {
      // Rounds do not decrease from rough to smooth: the first sets are done first.
      int first = 0;
      while (labelFits[static_cast<std::size_t>(first)].rounds <= round)
      {
        ++first;
      }
      std::vector<LabelFit> fits(labelFits.begin() + first, labelFits.end());
      this->Solve(fits, m_Levels.Data() + first * m_Size, coefficients.From(first), nullptr, solution);
      const auto numbers = static_cast<std::int64_t>(fits.size() * m_Size);
      AddKernel<<<Blocks(numbers), labelThreads, 0, this->Stream()>>>(
        numbers, solution.changes.Data(), m_Levels.Data() + first * m_Size);
      CUDANEURO_CUDA_LAUNCHED("AddKernel");
    }
  }

  VersionValues
  GetFit(std::size_t fit) override
  {
    const auto levels = m_Gpu.AllocateArray<float>(m_Size);
    CUDANEURO_CUDA(cudaMemcpyAsync(
      levels.Data(), m_Levels.Data() + fit * m_Size, m_Size * sizeof(float), cudaMemcpyDeviceToDevice, this->Stream()));
    return m_Gpu.CopyToHost(levels, m_Size);
  }

  void
  Judge() override
  {
    JudgeKernel<<<Blocks(m_Band.count), labelThreads, 0, this->Stream()>>>(
      m_Band, m_Levels.Data(), m_Judges.Data(), m_Left.Data());
    CUDANEURO_CUDA_LAUNCHED("JudgeKernel");
  }

  LossSums
  SumLosses() override
  {
    return this->SumLosses(m_Left.Data(), numberOfFits);
  }

  LossSums
  SumLosses(const CandidateValues & distances) override
  {
    const DeviceBuffer<float> values = this->Upload(distances);
    return this->SumLosses(values.Data(), distances.size());
  }

  void
  Mix(const CandidateValues & weights) override
  {
    const DeviceBuffer<float> onDevice = this->Upload(weights);
    MixLevelsKernel<<<Blocks(m_Band.Size()), labelThreads, 0, this->Stream()>>>(
      m_Band, onDevice.Data(), m_Levels.Data(), m_Mixed.Data());
    CUDANEURO_CUDA_LAUNCHED("MixLevelsKernel");
  }

  VersionValues
  GetLevels() override
  {
    return m_Gpu.CopyToHost(m_Mixed, m_Size);
  }

  VersionValues
  GetDistances() override
  {
    const auto distances = m_Gpu.AllocateArray<float>(m_Size);
    DistanceKernel<<<Blocks(m_Band.Size()), labelThreads, 0, this->Stream()>>>(
      m_Band, m_Mixed.Data(), distances.Data());
    CUDANEURO_CUDA_LAUNCHED("DistanceKernel");
    return m_Gpu.CopyToHost(distances, m_Size);
  }

  std::vector<std::uint8_t>
  GetJudges() override
  {
    return m_Gpu.CopyToHost(m_Judges, m_Count);
  }

  CandidateValues
  PoolLosses(float width) override
  {
    const std::size_t groups = GroupsOf(numberOfFits);
    const auto        losses = m_Gpu.AllocateArray<float>(groups * m_Size);
    LossKernel<<<this->BlocksOfSets(groups), labelThreads, 0, this->Stream()>>>(
      m_Band, m_Judges.Data(), m_Left.Data(), numberOfFits, width, PoolingFactor(m_Grid), losses.Data());
    CUDANEURO_CUDA_LAUNCHED("LossKernel");
    return this->Candidates(this->Pooled(losses, groups, poolingSigma), numberOfFits);
  }

  CandidateValues
  Pool(const CandidateValues & values, double sigma) override
  {
    std::vector<float> numbers(GroupsOf(values.size()) * m_Size, 0.0f);
    for (std::size_t k = 0; k < values.size(); ++k)
    {
      for (std::size_t i = 0; i < m_Count; ++i)
      {
        numbers[k / versions * m_Size + versions * i + k % versions] = values[k][i];
      }
    }
    const DeviceBuffer<float> onDevice = m_Gpu.CopyToDevice(numbers);
    return this->Candidates(this->Pooled(onDevice, GroupsOf(values.size()), sigma), values.size());
  }

  std::vector<float>
  Correct(const std::vector<float> & distances, const std::vector<float> & weights) override
  {
    VersionValues levels(m_Size);
    for (std::size_t j = 0; j < m_Size; ++j)
    {
      levels[j] = distances[j / versions];
    }
    const DeviceBuffer<float> onDevice = m_Gpu.CopyToDevice(levels);
    const DeviceBuffer<float> votes = m_Gpu.CopyToDevice(weights);
    const LabelCoefficients   coefficients(m_Gpu, { m_Series.last });
    LabelSolution             solution(m_Gpu, m_Size);
    this->Solve({ lastFit }, onDevice.Data(), coefficients.From(0), votes.Data(), solution);
    const VersionValues changes = m_Gpu.CopyToHost(solution.changes, m_Size);
    std::vector<float>  result(m_Count);
    for (std::size_t i = 0; i < m_Count; ++i)
    {
      result[i] = changes[versions * i];
    }
    return result;
  }

private:
  cudaStream_t
  Stream() const
  {
    return m_Gpu.ComputeStream();
  }

  static unsigned int
  Blocks(std::int64_t count)
  {
    return static_cast<unsigned int>(DivideUp(count, std::int64_t{ labelThreads }));
  }

  dim3
  BlocksOfSets(std::size_t sets) const
  {
    return { Blocks(m_Band.Size()), static_cast<unsigned int>(sets) };
  }

  static std::size_t
  GroupsOf(std::size_t candidates)
  {
    return DivideUp(candidates, std::size_t{ versions });
  }

  /** The sums of a series but the last. */
  void
  SumSeries(const DeviceSeries & series, std::size_t sets, const SeriesArrays & arrays) const
  {
    const int degree = *std::max_element(series.degrees, series.degrees + sets);
    for (int k = degree - 1; k > 0; --k)
    {
      const dim3 blocks{ Blocks(m_Band.count), static_cast<unsigned int>(sets) };
      ClenshawKernel<<<blocks, labelThreads, 0, this->Stream()>>>(m_Band, series, k, arrays);
      CUDANEURO_CUDA_LAUNCHED("ClenshawKernel");
    }
  }

  /** Finds changes of level sets, which stand in solution.changes. */
  void
  Solve(const std::vector<LabelFit> & fits,
        const float *                 levels,
        const DeviceSeries &          series,
        const float *                 votes,
        const LabelSolution &         solution) const
  {
    SolutionArrays arrays{ levels, solution.changes.Data(), solution.weights.Data(), {}, {} };
    for (std::size_t k = 0; k < fits.size(); ++k)
    {
      arrays.widths[k] = fits[k].width;
      arrays.reaches[k] = fits[k].reach;
    }
    const SeriesArrays sums = solution.Arrays();
    StartSolutionKernel<<<this->BlocksOfSets(fits.size()), labelThreads, 0, this->Stream()>>>(
      m_Band, arrays, votes, sums.input);
    CUDANEURO_CUDA_LAUNCHED("StartSolutionKernel");
    Momentum momentum;
    for (int step = 0; step < fits.front().steps; ++step)
    {
      this->SumSeries(series, fits.size(), sums);
      GradientKernel<<<this->BlocksOfSets(fits.size()), labelThreads, 0, this->Stream()>>>(
        m_Band, series, sums, arrays, momentum.Next());
      CUDANEURO_CUDA_LAUNCHED("GradientKernel");
    }
  }

  void
  MakePilots()
  {
    const std::size_t                voxels = m_Grid.codes.size();
    const DeviceBuffer<std::uint8_t> codes = m_Gpu.CopyToDevice(m_Grid.codes);
    const auto                       alongX = m_Gpu.AllocateArray<PilotSums>(voxels);
    const auto                       alongY = m_Gpu.AllocateArray<PilotSums>(voxels);
    std::size_t                      firstOfPilot = 0;
    for (std::size_t i = 0; i < numberOfFits; ++i)
    {
      float * const levels = m_Levels.Data() + i * m_Size;
      if (i == 0 || labelFits[i].pilotSigma != labelFits[firstOfPilot].pilotSigma)
      {
        firstOfPilot = i;
        this->MakePilot(labelFits[i].pilotSigma, codes, alongX, alongY, levels);
      }
      else
      {
        CUDANEURO_CUDA(cudaMemcpyAsync(levels,
                                       m_Levels.Data() + firstOfPilot * m_Size,
                                       m_Size * sizeof(float),
                                       cudaMemcpyDeviceToDevice,
                                       this->Stream()));
      }
    }
  }

  void
  MakePilot(float                              sigma,
            const DeviceBuffer<std::uint8_t> & codes,
            const DeviceBuffer<PilotSums> &    alongX,
            const DeviceBuffer<PilotSums> &    alongY,
            float *                            levels) const
  {
    const auto                       voxels = static_cast<std::int64_t>(m_Grid.codes.size());
    const int                        sizes[3] = { m_Grid.extent.x, m_Grid.extent.y, m_Grid.extent.z };
    std::vector<DeviceBuffer<float>> weights;
    DeviceAxis                       axes[3];
    float                            share = 1.0f;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const PilotAxis pilot = MakePilotAxis(m_Grid, axis, sigma);
      share /= static_cast<float>(m_Grid.division[axis]);
      weights.push_back(m_Gpu.CopyToDevice(pilot.weights));
      axes[axis] = { weights.back().Data(),
                     pilot.Radius(),
                     sizes[axis],
                     share,
                     { m_Grid.division[0], m_Grid.division[1], m_Grid.division[2] } };
    }
    PilotAlongXKernel<<<Blocks(voxels), labelThreads, 0, this->Stream()>>>(
      m_Grid.extent, codes.Data(), axes[0], alongX.Data());
    CUDANEURO_CUDA_LAUNCHED("PilotAlongXKernel");
    PilotAlongYKernel<<<Blocks(voxels), labelThreads, 0, this->Stream()>>>(
      m_Grid.extent, alongX.Data(), axes[1], alongY.Data());
    CUDANEURO_CUDA_LAUNCHED("PilotAlongYKernel");
    PilotAlongZKernel<<<Blocks(m_Band.count), labelThreads, 0, this->Stream()>>>(
      m_Grid.extent, m_Band.count, m_Voxels.Data(), alongY.Data(), axes[2], sigma, reinterpret_cast<float4 *>(levels));
    CUDANEURO_CUDA_LAUNCHED("PilotAlongZKernel");
  }

  /** Candidates one after the other. */
  DeviceBuffer<float>
  Upload(const CandidateValues & values) const
  {
    std::vector<float> all;
    for (const std::vector<float> & candidate : values)
    {
      all.insert(all.end(), candidate.begin(), candidate.end());
    }
    return m_Gpu.CopyToDevice(all);
  }

  LossSums
  SumLosses(const float * distances, std::size_t candidates) const
  {
    WidthList widths{};
    std::copy(judgingWidths.begin(), judgingWidths.end(), widths.values);
    const dim3 blocks(Blocks(m_Band.count), static_cast<unsigned int>(candidates));
    const auto sums = m_Gpu.AllocateArray<WidthSums>(std::size_t{ blocks.x } * blocks.y);
    SumLossesKernel<<<blocks, labelThreads, 0, this->Stream()>>>(
      m_Band, m_Judges.Data(), distances, widths, sums.Data());
    CUDANEURO_CUDA_LAUNCHED("SumLossesKernel");
    const std::vector<WidthSums> ofBlocks = m_Gpu.CopyToHost(sums, std::size_t{ blocks.x } * blocks.y);
    LossSums                     result(candidates);
    for (std::size_t i = 0; i < ofBlocks.size(); ++i)
    {
      for (std::size_t width = 0; width < numberOfWidths; ++width)
      {
        result[i / blocks.x][width] += ofBlocks[i].values[width];
      }
    }
    return result;
  }

  DeviceBuffer<float>
  Pooled(const DeviceBuffer<float> & values, std::size_t groups, double sigma) const
  {
    const std::vector<float> series = GaussianCoefficients(sigma, m_Grid.SpectralRadius(), poolingTolerance);
    const auto               even = m_Gpu.AllocateArray<float>(groups * m_Size);
    const auto               odd = m_Gpu.AllocateArray<float>(groups * m_Size);
    auto                     pooled = m_Gpu.AllocateArray<float>(groups * m_Size);
    const LabelCoefficients  coefficients(m_Gpu, std::vector<std::vector<float>>(groups, series));
    const SeriesArrays       arrays{ values.Data(), { even.Data(), odd.Data() } };
    this->SumSeries(coefficients.From(0), groups, arrays);
    EndKernel<<<this->BlocksOfSets(groups), labelThreads, 0, this->Stream()>>>(
      m_Band, coefficients.From(0), arrays, pooled.Data());
    CUDANEURO_CUDA_LAUNCHED("EndKernel");
    return pooled;
  }

  /** From four side by side. */
  CandidateValues
  Candidates(const DeviceBuffer<float> & numbers, std::size_t candidates) const
  {
    const std::vector<float> all = m_Gpu.CopyToHost(numbers, GroupsOf(candidates) * m_Size);
    CandidateValues          values(candidates, std::vector<float>(m_Count));
    for (std::size_t k = 0; k < candidates; ++k)
    {
      for (std::size_t i = 0; i < m_Count; ++i)
      {
        values[k][i] = all[k / versions * m_Size + versions * i + k % versions];
      }
    }
    return values;
  }

  const GpuContext & m_Gpu;
  const LabelGrid &  m_Grid;
  LabelSeries        m_Series;
  std::size_t        m_Count;
  std::size_t        m_Size;
  DeviceBand         m_Band{};

  DeviceBuffer<std::int32_t> m_Neighbors;
  DeviceBuffer<std::uint8_t> m_Codes;
  DeviceBuffer<std::int32_t> m_Voxels;
  /** Of all fits, one after the other. */
  DeviceBuffer<float>        m_Levels;
  DeviceBuffer<std::uint8_t> m_Judges;
  DeviceBuffer<float>        m_Left;
  DeviceBuffer<float>        m_Mixed;
};

} // namespace

std::unique_ptr<LabelLevels>
MakeLabelLevels(Context & context, const LabelGrid & grid, const LabelBand & band)
{
  return std::make_unique<Levels>(context, grid, band);
}

} // namespace cudaneuro::gpu
