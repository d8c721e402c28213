// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelSolverGpu_cuh
#define cudaneuro_labels_levels_LabelSolverGpu_cuh

#include "cuda/KernelGraph.h"
#include "labels/levels/LabelLevels.h"
#include "labels/levels/LabelSeriesGpu.cuh"
#include "labels/levels/LabelDomain.h"
#include "labels/levels/SplinesGpu.cuh"

#include <algorithm>
#include <memory>
#include <vector>

namespace cudaneuro::gpu
{

/** Applies series of the Laplacian, and finds changes of level sets, on a label's domain. */
class LabelSolver
{
public:
  LabelSolver(const GpuContext & gpu, const LabelDomain & domain)
    : m_Gpu(gpu)
    , m_Voxels(gpu, domain.band)
    , m_Fine(gpu, domain.Splines(), m_Voxels)
    , m_Coarse(gpu, domain.CoarseSplines(), m_Fine.nodes)
    , m_Codes(gpu.CopyToDevice(domain.band.codes))
    , m_Sharpening(SharpeningSeries(domain.grid, 1))
    , m_CoarseSharpening(SharpeningSeries(domain.grid, 2))
    , m_Momenta(gpu.CopyToDevice(MomentaOfSteps()))
    , m_Step(gpu.AllocateArray<int>(1))
  {
    const AxisShares shares = domain.grid.Shares();
    band = { m_Voxels.count, m_Voxels.neighbors.Data(), m_Codes.Data(), shares, {} };
    for (int axis = 0; axis < 3; ++axis)
    {
      band.halves[axis] = 0.5f / static_cast<float>(domain.grid.spacing[axis]);
    }
    nodes = { m_Fine.nodes.count, m_Fine.nodes.neighbors.Data(), nullptr, shares, {} };
    coarseNodes = { m_Coarse.nodes.count, m_Coarse.nodes.neighbors.Data(), nullptr, shares, {} };
  }

  std::size_t
  SizeOfVoxels() const
  {
    return m_Voxels.size;
  }
  std::size_t
  SizeOfNodes() const
  {
    return m_Fine.nodes.size;
  }
  const std::int32_t *
  Voxels() const
  {
    return m_Voxels.voxels.Data();
  }

  /** Computes the sums of a series, except the last one. */
  void
  SumSeries(const DeviceBand & on, const DeviceSeries & series, std::size_t sets, const SeriesArrays & arrays) const
  {
    const int degree = *std::max_element(series.degrees, series.degrees + sets);
    for (int k = degree - 1; k > 0; --k)
    {
      ClenshawKernel<<<LabelBlocks(on.count, sets), labelThreads, 0, this->Stream()>>>(on, series, k, arrays);
      CUDANEURO_CUDA_LAUNCHED("ClenshawKernel");
    }
  }

  /** Adds the changes that maximize the penalized likelihood of the labels to level sets.
   * \param votes weights of the voxels, besides those by distance; may be null */
  void
  Change(const std::vector<LabelFit> & fits, const DeviceSeries & series, const float * votes, float * levels)
  {
    const LabelSolution solution(m_Gpu, fits.size() * m_Voxels.size);
    SolutionArrays arrays = this->StartSolution(fits, levels, votes, solution.weights.Data(), solution.input.Data());
    arrays.changes = solution.changes.Data();
    CUDANEURO_CUDA(cudaMemsetAsync(arrays.changes, 0, fits.size() * m_Voxels.size * sizeof(float), this->Stream()));
    this->RunSteps(fits.front().steps, [&](const DeviceMomentum & momentum) {
      this->SumSeries(band, series, fits.size(), solution.Arrays());
      GradientKernel<<<LabelBlocks(band.count, fits.size()), labelThreads, 0, this->Stream()>>>(
        band, series, solution.Arrays(), arrays, momentum);
      CUDANEURO_CUDA_LAUNCHED("GradientKernel");
    });
    const auto numbers = static_cast<std::int64_t>(fits.size() * m_Voxels.size);
    AddKernel<<<LabelBlocks(numbers), labelThreads, 0, this->Stream()>>>(numbers, arrays.changes, levels);
    CUDANEURO_CUDA_LAUNCHED("AddKernel");
  }

  /** Change for changes that are splines: the series is that of the nodes' Laplacian. */
  void
  ChangeBySplines(const std::vector<LabelFit> & fits, const DeviceSeries & series, float * levels)
  {
    const std::size_t sets = fits.size();
    const auto        tileSums = m_Fine.AllocateTileSums(sets);
    this->ChangeAtNodes(
      m_Fine,
      nodes,
      fits,
      series,
      m_Sharpening,
      levels,
      [&](const StepsOfVoxels & steps, float * ahead, float * input) {
        m_Fine.MeansAtNodes(steps, ahead, sets, tileSums.Data(), input);
      },
      [&](float * changes) { m_Fine.AddToVoxels(changes, sets, levels); });
  }

  /** Change for splines of the coarse nodes. */
  void
  ChangeByCoarseSplines(const std::vector<LabelFit> & fits, const DeviceSeries & series, float * levels)
  {
    const std::size_t sets = fits.size();
    const auto        tileSums = m_Fine.AllocateTileSums(sets);
    const auto        coarseSums = m_Coarse.AllocateTileSums(sets);
    const auto        field = m_Gpu.AllocateArray<float>(sets * m_Fine.nodes.size);
    const auto        means = m_Gpu.AllocateArray<float>(sets * m_Fine.nodes.size);
    this->ChangeAtNodes(
      m_Coarse,
      coarseNodes,
      fits,
      series,
      m_CoarseSharpening,
      levels,
      [&](const StepsOfVoxels & steps, float * ahead, float * input) {
        m_Coarse.ValuesAtVoxels(ahead, sets, field.Data());
        m_Fine.MeansAtNodes(steps, field.Data(), sets, tileSums.Data(), means.Data());
        m_Coarse.MeansAtNodes(ValuesOfVoxels{ means.Data() }, nullptr, sets, coarseSums.Data(), input);
      },
      [&](float * changes) {
        m_Coarse.ValuesAtVoxels(changes, sets, field.Data());
        m_Fine.AddToVoxels(field.Data(), sets, levels);
      });
  }

  /** Means of the voxels' numbers at the nodes. */
  void
  Restrict(const float * values, std::size_t sets, float * means) const
  {
    const auto tileSums = m_Fine.AllocateTileSums(sets);
    m_Fine.MeansAtNodes(ValuesOfVoxels{ values }, nullptr, sets, tileSums.Data(), means);
  }

  const DeviceDomain &
  Splines() const
  {
    return m_Fine.splines;
  }

  DeviceBand band{};
  DeviceBand nodes{};
  DeviceBand coarseNodes{};

private:
  cudaStream_t
  Stream() const
  {
    return m_Gpu.ComputeStream();
  }

  /** Finds changes that are given at nodes.
   * \param sharpen compensates the damping of the steps by the splines
   * \param makeInput called with the gradient steps, the extrapolated changes, and the output for the steps' means
   * \param end called with the changes */
  template <typename TMakeInput, typename TEnd>
  void
  ChangeAtNodes(const SplinesOnDevice &       on,
                const DeviceBand &            nodesOfIt,
                const std::vector<LabelFit> & fits,
                const DeviceSeries &          series,
                const std::vector<float> &    sharpen,
                const float *                 levels,
                const TMakeInput &            makeInput,
                const TEnd &                  end)
  {
    const std::size_t       sets = fits.size();
    const auto              weights = m_Gpu.AllocateArray<float>(sets * m_Voxels.size);
    const LabelCoefficients sharpening(m_Gpu, std::vector<std::vector<float>>(sets, sharpen));
    const LabelSolution     solution(m_Gpu, sets * on.nodes.size);
    const SolutionArrays    arrays = this->StartSolution(fits, levels, nullptr, weights.Data(), nullptr);
    float * const           changes = solution.changes.Data();
    float * const           ahead = solution.weights.Data();
    CUDANEURO_CUDA(cudaMemsetAsync(changes, 0, sets * on.nodes.size * sizeof(float), this->Stream()));
    CUDANEURO_CUDA(cudaMemsetAsync(ahead, 0, sets * on.nodes.size * sizeof(float), this->Stream()));
    this->RunSteps(fits.front().steps, [&](const DeviceMomentum & momentum) {
      makeInput(StepsOfVoxels{ arrays }, ahead, solution.input.Data());
      this->SumSeries(nodesOfIt, sharpening.From(0), sets, solution.Arrays());
      EndKernel<<<LabelBlocks(nodesOfIt.count, sets), labelThreads, 0, this->Stream()>>>(
        nodesOfIt, sharpening.From(0), solution.Arrays(), AllOf(ahead), AllOf(solution.input.Data()));
      CUDANEURO_CUDA_LAUNCHED("EndKernel");
      this->SumSeries(nodesOfIt, series, sets, solution.Arrays());
      MomentumKernel<<<LabelBlocks(nodesOfIt.count, sets), labelThreads, 0, this->Stream()>>>(
        nodesOfIt, series, solution.Arrays(), momentum, AllOf(changes), AllOf(ahead));
      CUDANEURO_CUDA_LAUNCHED("MomentumKernel");
    });
    end(changes);
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

  /** Captures the kernels of a step, which \p enqueue puts on the stream, in a graph, and launches it for each step. */
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
   * \param input receives the step; may be null */
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
    StartSolutionKernel<<<LabelBlocks(band.Size(), fits.size()), labelThreads, 0, this->Stream()>>>(
      band, arrays, votes, input);
    CUDANEURO_CUDA_LAUNCHED("StartSolutionKernel");
    return arrays;
  }

  const GpuContext &         m_Gpu;
  BandOnDevice               m_Voxels;
  SplinesOnDevice            m_Fine;
  SplinesOnDevice            m_Coarse;
  DeviceBuffer<std::uint8_t> m_Codes;
  std::vector<float>         m_Sharpening;
  std::vector<float>         m_CoarseSharpening;
  DeviceBuffer<float>        m_Momenta;
  DeviceBuffer<int>          m_Step;
  /** Graphs must outlive their execution. */
  std::vector<std::unique_ptr<KernelGraph>> m_Graphs;
};

} // namespace cudaneuro::gpu

#endif
