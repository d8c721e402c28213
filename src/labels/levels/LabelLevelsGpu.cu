// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/levels/LabelLevels.h"

#include "cuda/GpuContext.h"
#include "labels/levels/LabelJudgeKernel.cuh"
#include "labels/levels/LabelPilotKernel.cuh"
#include "labels/levels/LabelSolverGpu.cuh"

#include <algorithm>
#include <vector>

namespace cudaneuro::gpu
{
namespace
{

class Levels : public LabelLevels
{
public:
  Levels(Context & context, const LabelDomain & domain)
    : m_Gpu(GpuOf(context))
    , m_Grid(domain.grid)
    , m_Solver(m_Gpu, domain)
    , m_Count(static_cast<std::size_t>(domain.band.count))
    , m_Size(m_Solver.SizeOfVoxels())
    , m_Levels(m_Gpu.AllocateArray<float>(numberOfFits * m_Size))
    , m_Judges(m_Gpu.AllocateArray<std::uint8_t>(m_Count))
    , m_Left(m_Gpu.AllocateArray<float>(numberOfFits * m_Count))
    , m_Mixed(m_Gpu.AllocateArray<float>(m_Size))
  {}

  void
  Fit() override
  {
    this->MakePilots();
    const auto              series = SeriesOfFits(m_Grid);
    const LabelCoefficients coefficients(m_Gpu, { series.begin(), series.end() });
    for (int round = 0; round < labelFits.back().rounds; ++round)
    {
      // The number of rounds does not decrease from rough to smooth, so that the first sets end first.
      std::size_t first = 0;
      while (labelFits[first].rounds <= round)
      {
        ++first;
      }
      if (first < firstSplineFit)
      {
        m_Solver.Change({ labelFits.begin() + first, labelFits.begin() + firstSplineFit },
                        coefficients.From(static_cast<int>(first)),
                        nullptr,
                        m_Levels.Data() + first * m_Size);
      }
      first = std::max(first, firstSplineFit);
      if (first < firstCoarseFit)
      {
        m_Solver.ChangeBySplines({ labelFits.begin() + first, labelFits.begin() + firstCoarseFit },
                                 coefficients.From(static_cast<int>(first)),
                                 m_Levels.Data() + first * m_Size);
      }
      first = std::max(first, firstCoarseFit);
      m_Solver.ChangeByCoarseSplines({ labelFits.begin() + first, labelFits.end() },
                                     coefficients.From(static_cast<int>(first)),
                                     m_Levels.Data() + first * m_Size);
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
    JudgeKernel<<<LabelBlocks(m_Solver.band.count), labelThreads, 0, this->Stream()>>>(
      m_Solver.band, m_Levels.Data(), m_Judges.Data(), m_Left.Data());
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
    MixLevelsKernel<<<LabelBlocks(m_Solver.band.count), labelThreads, 0, this->Stream()>>>(
      m_Solver.Splines(), onDevice.Data(), AllOf(m_Levels.Data()), AllOf(m_Mixed.Data()));
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
    DistanceKernel<<<LabelBlocks(m_Solver.band.Size()), labelThreads, 0, this->Stream()>>>(
      m_Solver.band, m_Mixed.Data(), distances.Data());
    CUDANEURO_CUDA_LAUNCHED("DistanceKernel");
    return m_Gpu.CopyToHost(distances, m_Size);
  }

  std::vector<std::uint8_t>
  GetJudges() override
  {
    return m_Gpu.CopyToHost(m_Judges, m_Count);
  }

  std::vector<float>
  GetDistancesOfFit(std::size_t fit) override
  {
    return this->DistancesOf(m_Levels.Data() + fit * m_Size);
  }

  std::vector<float>
  GetDistancesOfMixture() override
  {
    return this->DistancesOf(m_Mixed.Data());
  }

  CandidateValues
  PoolLosses(float width) override
  {
    const std::size_t groups = GroupsOf(numberOfFits);
    const auto        losses = m_Gpu.AllocateArray<float>(groups * m_Size);
    LossKernel<<<LabelBlocks(m_Solver.band.Size(), groups), labelThreads, 0, this->Stream()>>>(
      m_Solver.band, m_Judges.Data(), m_Left.Data(), numberOfFits, width, PoolingFactor(m_Grid), losses.Data());
    CUDANEURO_CUDA_LAUNCHED("LossKernel");
    return this->PoolGroups(losses, numberOfFits, poolingSigma);
  }

  CandidateValues
  Pool(const CandidateValues & values, double sigma) override
  {
    return this->PoolGroups(this->UploadGroups(values, m_Size), values.size(), sigma);
  }

  CandidateValues
  PoolNodes(const CandidateValues & values, double sigma) override
  {
    const DeviceBuffer<float> onDevice = this->UploadGroups(values, m_Solver.SizeOfNodes());
    return this->ApplySeries(onDevice, values.size(), NodePoolingSeries(m_Grid, sigma));
  }

  std::vector<float>
  Correct(float width, const std::vector<float> & distances, const std::vector<float> & weights) override
  {
    const DeviceBuffer<float> values = m_Gpu.CopyToDevice(distances);
    const DeviceBuffer<float> votes = m_Gpu.CopyToDevice(weights);
    const auto                levels = m_Gpu.AllocateArray<AllVersions>(m_Count);
    const LabelCoefficients   coefficients(m_Gpu, { SeriesOfLastFit(m_Grid, width) });
    const unsigned int        blocks = LabelBlocks(m_Solver.band.count);
    RepeatKernel<<<blocks, labelThreads, 0, this->Stream()>>>(m_Solver.band.count, values.Data(), levels.Data());
    CUDANEURO_CUDA_LAUNCHED("RepeatKernel");
    m_Solver.Change({ LastFit(width) }, coefficients.From(0), votes.Data(), levels.Data()->values);
    DifferenceKernel<<<blocks, labelThreads, 0, this->Stream()>>>(m_Solver.band.count, levels.Data(), values.Data());
    CUDANEURO_CUDA_LAUNCHED("DifferenceKernel");
    return m_Gpu.CopyToHost(values, m_Count);
  }

private:
  cudaStream_t
  Stream() const
  {
    return m_Gpu.ComputeStream();
  }

  static std::size_t
  GroupsOf(std::size_t candidates)
  {
    return DivideUp(candidates, std::size_t{ versions });
  }

  std::vector<float>
  DistancesOf(const float * levels) const
  {
    const auto distances = m_Gpu.AllocateArray<float>(m_Count);
    FirstDistanceKernel<<<LabelBlocks(m_Solver.band.count), labelThreads, 0, this->Stream()>>>(
      m_Solver.band, levels, distances.Data());
    CUDANEURO_CUDA_LAUNCHED("FirstDistanceKernel");
    return m_Gpu.CopyToHost(distances, m_Count);
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
    PilotAlongXKernel<<<LabelBlocks(voxels), labelThreads, 0, this->Stream()>>>(
      m_Grid.extent, codes.Data(), axes[0], alongX.Data());
    CUDANEURO_CUDA_LAUNCHED("PilotAlongXKernel");
    PilotAlongYKernel<<<LabelBlocks(voxels), labelThreads, 0, this->Stream()>>>(
      m_Grid.extent, alongX.Data(), axes[1], alongY.Data());
    CUDANEURO_CUDA_LAUNCHED("PilotAlongYKernel");
    PilotAlongZKernel<<<LabelBlocks(m_Solver.band.count), labelThreads, 0, this->Stream()>>>(
      m_Grid.extent,
      m_Solver.band.count,
      m_Solver.Voxels(),
      alongY.Data(),
      axes[2],
      sigma,
      reinterpret_cast<float4 *>(levels));
    CUDANEURO_CUDA_LAUNCHED("PilotAlongZKernel");
  }

  /** Uploads candidates, one after the other. */
  DeviceBuffer<float>
  Upload(const CandidateValues & values) const
  {
    std::vector<float> all;
    all.reserve(values.size() * values.front().size());
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
    const dim3 blocks(LabelBlocks(m_Solver.band.count), static_cast<unsigned int>(candidates));
    const auto sums = m_Gpu.AllocateArray<WidthSums>(std::size_t{ blocks.x } * blocks.y);
    SumLossesKernel<<<blocks, labelThreads, 0, this->Stream()>>>(
      m_Solver.band, m_Judges.Data(), distances, widths, sums.Data());
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

  /** Uploads candidates, four side by side. \param size of four candidates' values */
  DeviceBuffer<float>
  UploadGroups(const CandidateValues & values, std::size_t size) const
  {
    const std::size_t         groups = GroupsOf(values.size());
    const DeviceBuffer<float> planes = this->Upload(values);
    auto                      interleaved = m_Gpu.AllocateArray<float>(groups * size);
    const auto                count = static_cast<std::int64_t>(size / versions);
    InterleaveKernel<<<LabelBlocks(count, groups), labelThreads, 0, this->Stream()>>>(
      count, static_cast<int>(values.size()), planes.Data(), AllOf(interleaved.Data()));
    CUDANEURO_CUDA_LAUNCHED("InterleaveKernel");
    return interleaved;
  }

  /** \param values of the voxels, four candidates side by side */
  CandidateValues
  PoolGroups(const DeviceBuffer<float> & values, std::size_t candidates, double sigma) const
  {
    const std::size_t groups = GroupsOf(candidates);
    const auto        means = m_Gpu.AllocateArray<float>(groups * m_Solver.SizeOfNodes());
    m_Solver.Restrict(values.Data(), groups, means.Data());
    return this->ApplySeries(means, candidates, PoolingSeries(m_Grid, sigma));
  }

  /** Applies a series of the nodes' Laplacian. */
  CandidateValues
  ApplySeries(const DeviceBuffer<float> & input, std::size_t candidates, const std::vector<float> & series) const
  {
    const std::size_t       groups = GroupsOf(candidates);
    const std::size_t       numbers = groups * m_Solver.SizeOfNodes();
    const auto              even = m_Gpu.AllocateArray<float>(numbers);
    const auto              odd = m_Gpu.AllocateArray<float>(numbers);
    const auto              results = m_Gpu.AllocateArray<float>(numbers);
    const LabelCoefficients coefficients(m_Gpu, std::vector<std::vector<float>>(groups, series));
    const SeriesArrays      arrays{ input.Data(), { even.Data(), odd.Data() } };
    m_Solver.SumSeries(m_Solver.nodes, coefficients.From(0), groups, arrays);
    EndKernel<<<LabelBlocks(m_Solver.nodes.count, groups), labelThreads, 0, this->Stream()>>>(
      m_Solver.nodes, coefficients.From(0), arrays, nullptr, AllOf(results.Data()));
    CUDANEURO_CUDA_LAUNCHED("EndKernel");
    return this->Candidates(results, candidates);
  }

  /** Downloads candidates at the nodes from groups of four side by side. */
  CandidateValues
  Candidates(const DeviceBuffer<float> & numbers, std::size_t candidates) const
  {
    const std::size_t        size = m_Solver.SizeOfNodes();
    const std::vector<float> all = m_Gpu.CopyToHost(numbers, GroupsOf(candidates) * size);
    CandidateValues          values(candidates, std::vector<float>(size / versions));
    for (std::size_t k = 0; k < candidates; ++k)
    {
      const float * const from = all.data() + k / versions * size + k % versions;
      for (std::size_t i = 0; i < values[k].size(); ++i)
      {
        values[k][i] = from[versions * i];
      }
    }
    return values;
  }

  const GpuContext & m_Gpu;
  const LabelGrid &  m_Grid;
  LabelSolver        m_Solver;
  std::size_t        m_Count;
  std::size_t        m_Size;

  /** The level sets of all fits, one after the other. */
  DeviceBuffer<float>        m_Levels;
  DeviceBuffer<std::uint8_t> m_Judges;
  DeviceBuffer<float>        m_Left;
  DeviceBuffer<float>        m_Mixed;
};

} // namespace

std::unique_ptr<LabelLevels>
MakeLabelLevels(Context & context, const LabelDomain & domain)
{
  return std::make_unique<Levels>(context, domain);
}

} // namespace cudaneuro::gpu
