// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_LabelSolverGpu_cuh
#define cudaneuro_labels_LabelSolverGpu_cuh

#include "core/IntegerMath.h"
#include "cuda/KernelGraph.h"
#include "labels/LabelSeriesGpu.cuh"
#include "labels/LabelDomain.h"
#include "labels/SplineTileKernel.cuh"

#include <algorithm>
#include <memory>
#include <vector>

namespace cudaneuro::gpu
{

inline unsigned int
LabelBlocks(std::int64_t count)
{
  return static_cast<unsigned int>(DivideUp(count, std::int64_t{ labelThreads }));
}

/** A band's copy on the device. */
class BandOnDevice
{
public:
  BandOnDevice(const GpuContext & gpu, const LabelBand & band)
    : count(band.count)
    , size(static_cast<std::size_t>(versions) * static_cast<std::size_t>(band.count))
    , voxels(gpu.CopyToDevice(band.voxels))
    , numbers(gpu.CopyToDevice(band.numbers))
    , neighbors(gpu.CopyToDevice(band.neighbors))
  {}

  std::int32_t count;
  /** Numbers of all versions. */
  std::size_t                size;
  DeviceBuffer<std::int32_t> voxels;
  DeviceBuffer<std::int32_t> numbers;
  DeviceBuffer<std::int32_t> neighbors;
};

/** Applies series of the Laplacian, and finds changes of level sets, on a label's domain. */
class LabelSolver
{
public:
  LabelSolver(const GpuContext & gpu, const LabelDomain & domain)
    : m_Gpu(gpu)
    , m_Voxels(gpu, domain.band)
    , m_Nodes(gpu, domain.spline.nodes)
    , m_Codes(gpu.CopyToDevice(domain.band.codes))
    , m_InverseWeights(gpu.CopyToDevice(domain.spline.inverseWeights))
    , m_TileNumbers(gpu.CopyToDevice(domain.spline.tiles.numbers))
    , m_TilePlaces(gpu.CopyToDevice(domain.spline.tiles.places))
    , m_Momenta(gpu.CopyToDevice(MomentaOfSteps()))
    , m_Step(gpu.AllocateArray<int>(1))
  {
    band = { m_Voxels.count, m_Voxels.neighbors.Data(), m_Codes.Data(), domain.grid.Shares(), {} };
    for (int axis = 0; axis < 3; ++axis)
    {
      band.halves[axis] = 0.5f / static_cast<float>(domain.grid.spacing[axis]);
    }
    nodes = { m_Nodes.count, m_Nodes.neighbors.Data(), nullptr, domain.grid.Shares(), {} };
    splines = { domain.grid.extent,      domain.spline.extent,  m_Voxels.voxels.Data(),
                m_Voxels.numbers.Data(), m_Nodes.voxels.Data(), m_Nodes.numbers.Data(),
                m_InverseWeights.Data(), m_Voxels.count,        m_Nodes.count };
    tiles = { domain.spline.tiles.extent,
              static_cast<std::int32_t>(domain.spline.tiles.places.size()),
              m_TilePlaces.Data(),
              m_TileNumbers.Data() };
  }

  std::size_t
  SizeOfVoxels() const
  {
    return m_Voxels.size;
  }
  std::size_t
  SizeOfNodes() const
  {
    return m_Nodes.size;
  }
  const std::int32_t *
  Voxels() const
  {
    return m_Voxels.voxels.Data();
  }

  /** The sums of a series but the last. */
  void
  SumSeries(const DeviceBand & on, const DeviceSeries & series, std::size_t sets, const SeriesArrays & arrays) const
  {
    const int degree = *std::max_element(series.degrees, series.degrees + sets);
    for (int k = degree - 1; k > 0; --k)
    {
      ClenshawKernel<<<Blocks(on.count, sets), labelThreads, 0, this->Stream()>>>(on, series, k, arrays);
      CUDANEURO_CUDA_LAUNCHED("ClenshawKernel");
    }
  }

  /** Adds changes that make the labels likely to level sets.
   * \param votes of the voxels, beside those by distance; may be null */
  void
  Change(const std::vector<LabelFit> & fits, const DeviceSeries & series, const float * votes, float * levels)
  {
    const LabelSolution solution(m_Gpu, fits.size() * m_Voxels.size);
    SolutionArrays arrays = this->StartSolution(fits, levels, votes, solution.weights.Data(), solution.input.Data());
    arrays.changes = solution.changes.Data();
    CUDANEURO_CUDA(cudaMemsetAsync(arrays.changes, 0, fits.size() * m_Voxels.size * sizeof(float), this->Stream()));
    this->RunSteps(fits.front().steps, [&](const DeviceMomentum & momentum) {
      this->SumSeries(band, series, fits.size(), solution.Arrays());
      GradientKernel<<<Blocks(band.count, fits.size()), labelThreads, 0, this->Stream()>>>(
        band, series, solution.Arrays(), arrays, momentum);
      CUDANEURO_CUDA_LAUNCHED("GradientKernel");
    });
    const auto numbers = static_cast<std::int64_t>(fits.size() * m_Voxels.size);
    AddKernel<<<LabelBlocks(numbers), labelThreads, 0, this->Stream()>>>(numbers, arrays.changes, levels);
    CUDANEURO_CUDA_LAUNCHED("AddKernel");
  }

  /** The same, of changes that are splines: the series is of the nodes' Laplacian. */
  void
  ChangeBySplines(const std::vector<LabelFit> & fits, const DeviceSeries & series, float * levels)
  {
    const std::size_t    sets = fits.size();
    const auto           weights = m_Gpu.AllocateArray<float>(sets * m_Voxels.size);
    const auto           tileSums = this->AllocateTileSums(sets);
    const LabelSolution  solution(m_Gpu, sets * m_Nodes.size);
    const SolutionArrays arrays = this->StartSolution(fits, levels, nullptr, weights.Data(), nullptr);
    float * const        changes = solution.changes.Data();
    float * const        ahead = solution.weights.Data();
    CUDANEURO_CUDA(cudaMemsetAsync(changes, 0, sets * m_Nodes.size * sizeof(float), this->Stream()));
    CUDANEURO_CUDA(cudaMemsetAsync(ahead, 0, sets * m_Nodes.size * sizeof(float), this->Stream()));
    this->RunSteps(fits.front().steps, [&](const DeviceMomentum & momentum) {
      this->MeansAtNodes(StepsOfVoxels{ arrays }, ahead, sets, tileSums.Data(), solution.input.Data());
      this->SumSeries(nodes, series, sets, solution.Arrays());
      MomentumKernel<<<Blocks(nodes.count, sets), labelThreads, 0, this->Stream()>>>(
        nodes, series, solution.Arrays(), momentum, AllOf(changes), AllOf(ahead));
      CUDANEURO_CUDA_LAUNCHED("MomentumKernel");
    });
    AddSplineKernel<<<Blocks(band.count, sets), labelThreads, 0, this->Stream()>>>(
      splines, AllOf(changes), AllOf(levels));
    CUDANEURO_CUDA_LAUNCHED("AddSplineKernel");
  }

  /** Means of the voxels' numbers at the nodes. */
  void
  Restrict(const float * values, std::size_t sets, float * means) const
  {
    const auto tileSums = this->AllocateTileSums(sets);
    this->MeansAtNodes(ValuesOfVoxels{ values }, nullptr, sets, tileSums.Data(), means);
  }

  static AllVersions *
  AllOf(float * numbers)
  {
    return reinterpret_cast<AllVersions *>(numbers);
  }

  static dim3
  Blocks(std::int64_t count, std::size_t sets)
  {
    return { LabelBlocks(count), static_cast<unsigned int>(sets) };
  }

  DeviceBand   band{};
  DeviceBand   nodes{};
  DeviceDomain splines{};
  DeviceTiles  tiles{};

private:
  cudaStream_t
  Stream() const
  {
    return m_Gpu.ComputeStream();
  }

  DeviceBuffer<float>
  AllocateTileSums(std::size_t sets) const
  {
    return m_Gpu.AllocateArray<float>(sets * static_cast<std::size_t>(tiles.count) * tileNodes * versions);
  }

  /** Means at the nodes of what \p source has for the voxels.
   * \param field of the nodes, that the source is given at the voxels */
  template <typename TSource>
  void
  MeansAtNodes(const TSource & source, const float * field, std::size_t sets, float * tileSums, float * means) const
  {
    const dim3 blocks(static_cast<unsigned int>(tiles.count), static_cast<unsigned int>(sets));
    SumTilesKernel<<<blocks, labelThreads, 0, this->Stream()>>>(splines, tiles, field, source, tileSums);
    CUDANEURO_CUDA_LAUNCHED("SumTilesKernel");
    MeansOfTilesKernel<<<Blocks(nodes.count, sets), labelThreads, 0, this->Stream()>>>(
      splines, tiles, AllOf(tileSums), AllOf(means));
    CUDANEURO_CUDA_LAUNCHED("MeansOfTilesKernel");
  }

  static std::vector<float>
  MomentaOfSteps()
  {
    int most = LastFit(0.0f).steps;
    for (const LabelFit & fit : labelFits)
    {
      most = std::max(most, fit.steps);
    }
    std::vector<float> momenta(static_cast<std::size_t>(most));
    Momentum           momentum;
    std::generate(momenta.begin(), momenta.end(), [&] { return momentum.Next(); });
    return momenta;
  }

  /** Calls \p enqueue, which puts the kernels of a step on the stream, and repeats them. */
  template <typename TEnqueue>
  void
  RunSteps(int steps, const TEnqueue & enqueue)
  {
    const DeviceMomentum momentum{ m_Momenta.Data(), m_Step.Data() };
    CUDANEURO_CUDA(cudaMemsetAsync(momentum.step, 0, sizeof(int), this->Stream()));
    m_Graphs.push_back(std::make_unique<KernelGraph>(m_Gpu, [&] {
      enqueue(momentum);
      NextStepKernel<<<1, 1, 0, this->Stream()>>>(momentum);
      CUDANEURO_CUDA_LAUNCHED("NextStepKernel");
    }));
    for (int i = 0; i < steps; ++i)
    {
      m_Graphs.back()->Launch();
    }
  }

  /** Writes the labels' weights, and the first gradient step.
   * \param input of the step; may be null */
  SolutionArrays
  StartSolution(
    const std::vector<LabelFit> & fits, const float * levels, const float * votes, float * weights, float * input) const
  {
    SolutionArrays arrays{ levels, nullptr, weights, {}, {} };
    for (std::size_t k = 0; k < fits.size(); ++k)
    {
      arrays.widths[k] = fits[k].width;
      arrays.reaches[k] = fits[k].reach;
    }
    StartSolutionKernel<<<Blocks(band.Size(), fits.size()), labelThreads, 0, this->Stream()>>>(
      band, arrays, votes, input);
    CUDANEURO_CUDA_LAUNCHED("StartSolutionKernel");
    return arrays;
  }

  const GpuContext &         m_Gpu;
  BandOnDevice               m_Voxels;
  BandOnDevice               m_Nodes;
  DeviceBuffer<std::uint8_t> m_Codes;
  DeviceBuffer<float>        m_InverseWeights;
  DeviceBuffer<std::int32_t> m_TileNumbers;
  DeviceBuffer<std::int32_t> m_TilePlaces;
  DeviceBuffer<float>        m_Momenta;
  DeviceBuffer<int>          m_Step;
  /** They must stay while they run. */
  std::vector<std::unique_ptr<KernelGraph>> m_Graphs;
};

} // namespace cudaneuro::gpu

#endif
