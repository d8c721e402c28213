// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_bilateral_BilateralSweepTables_cuh
#define cudaneuro_denoising_bilateral_BilateralSweepTables_cuh

#include "cuda/GpuContext.h"
#include "denoising/bilateral/BilateralSweepArguments.cuh"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace cudaneuro::gpu
{

/** The tables of a plan in the device's memory, for up to sweepSigmas domain sigmas. */
class SweepTables
{
public:
  /** \param sigmas indices into the list of domain sigmas, in ascending order of sigma */
  SweepTables(const GpuContext &               gpu,
              const BilateralSweepPlan &       plan,
              const BilateralSweepParameters & parameters,
              const std::vector<int> &         sigmas,
              const BilateralSweepArguments &  arguments)
    : m_Arguments(arguments)
  {
    // Unused places come before the smallest sigma and have weights of 0, like a sigma of 0.
    m_Sigmas.fill(-1);
    std::copy_backward(sigmas.begin(), sigmas.end(), m_Sigmas.end());
    m_Arguments.numberOfRadii = static_cast<int>(parameters.radii.size());
    for (std::size_t radius = 0; radius < plan.GetShells().size(); ++radius)
    {
      for (const BilateralSweepGroup & group : plan.GetShells()[radius])
      {
        this->AddGroup(plan, parameters.domainSigmas, group);
      }
      m_Arguments.partsEnd[radius] = static_cast<int>(m_HostParts.size());
    }
    // The kernel reads one element ahead.
    m_HostParts.push_back(0);
    m_HostRows.push_back(0);
    m_HostSpatialWeights.resize(m_HostSpatialWeights.size() + 2 * sweepPartLength);
    m_Parts = Upload(gpu, m_HostParts);
    m_Rows = Upload(gpu, m_HostRows);
    m_SpatialWeights = Upload(gpu, m_HostSpatialWeights);
    m_Arguments.parts = m_Parts.Data();
    m_Arguments.rows = m_Rows.Data();
    m_Arguments.spatialWeights = reinterpret_cast<const float4 *>(m_SpatialWeights.Data());
  }

  /** Returns the kernel's arguments without volumes and planes. */
  const BilateralSweepArguments &
  GetArguments() const
  {
    return m_Arguments;
  }

  /** Returns, for each of the kernel's sigmas, its index into the list of domain sigmas, or -1. */
  const std::array<int, sweepSigmas> &
  GetSigmas() const
  {
    return m_Sigmas;
  }

private:
  template <typename T>
  static DeviceBuffer<T>
  Upload(const GpuContext & gpu, const std::vector<T> & values)
  {
    DeviceBuffer<T> array = gpu.AllocateArray<T>(values.size());
    CUDANEURO_CUDA(cudaMemcpyAsync(
      array.Data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, gpu.ComputeStream()));
    return array;
  }

  void
  AddGroup(const BilateralSweepPlan & plan, const std::vector<double> & domainSigmas, const BilateralSweepGroup & group)
  {
    const int        tileY = (1 << m_Arguments.log2BlockY) + 2 * plan.GetRadius()[1];
    std::vector<int> offsets;
    for (const auto & [y, z] : group.rows)
    {
      const int offset = static_cast<int>(sizeof(float)) * sweepRowStride * (y + tileY * z);
      if (offset >= 0) // the other row of the pair is at -offset
      {
        offsets.push_back(offset);
      }
    }
    // The center's row is its own partner in the pair, so it is added twice.
    const float share = group.rows.size() == 1 ? 0.5f : 1.0f;
    for (int x = group.firstX / sweepPartLength * sweepPartLength; x <= group.lastX; x += sweepPartLength)
    {
      const int first = std::max(group.firstX - x, 0);
      const int last = std::min(group.lastX - x, sweepPartLength - 1);
      const int firstSigmaPair = this->AddSpatialWeights(plan, domainSigmas, group, x, first, last, share);
      if (firstSigmaPair < sweepSigmas / 2)
      {
        m_HostParts.push_back(
          MakeBilateralSweepPart(offsets.size(), SweepTapsCode(first, last, x + first == 0), firstSigmaPair, x));
        m_HostRows.insert(m_HostRows.end(), offsets.begin(), offsets.end());
      }
    }
  }

  /** Adds the weights of taps [first, last] of a part, unless all are 0.
   * \returns the first pair of sigmas with a weight that is not 0; sweepSigmas / 2 if there is none */
  int
  AddSpatialWeights(const BilateralSweepPlan &  plan,
                    const std::vector<double> & domainSigmas,
                    const BilateralSweepGroup & group,
                    int                         x,
                    int                         first,
                    int                         last,
                    float                       share)
  {
    std::array<float, sweepSigmas * sweepPartLength> weights{};
    int                                              firstSigmaPair = sweepSigmas / 2;
    for (int s = sweepSigmas - 1; s >= 0 && m_Sigmas[s] >= 0; --s)
    {
      for (int tap = first; tap <= last; ++tap)
      {
        const float weight = share * plan.GetSpatialWeight(group, x + tap, domainSigmas[m_Sigmas[s]]);
        weights[2 * (s / 2 * sweepPartLength + tap) + s % 2] = weight;
        firstSigmaPair = weight > 0.0f ? s / 2 : firstSigmaPair;
      }
    }
    if (firstSigmaPair < sweepSigmas / 2)
    {
      m_HostSpatialWeights.insert(m_HostSpatialWeights.end(), weights.begin(), weights.end());
    }
    return firstSigmaPair;
  }

  BilateralSweepArguments          m_Arguments;
  std::array<int, sweepSigmas>     m_Sigmas;
  std::vector<BilateralSweepPart>  m_HostParts;
  std::vector<int>                 m_HostRows;
  std::vector<float>               m_HostSpatialWeights;
  DeviceBuffer<BilateralSweepPart> m_Parts;
  DeviceBuffer<int>                m_Rows;
  DeviceBuffer<float>              m_SpatialWeights;
};

/** Makes the tables of the launches that together serve all domain sigmas. */
inline std::vector<SweepTables>
MakeSweepTables(const GpuContext &               gpu,
                const BilateralSweepPlan &       plan,
                const BilateralSweepParameters & parameters,
                const BilateralSweepArguments &  arguments)
{
  const auto       count = static_cast<int>(parameters.domainSigmas.size());
  std::vector<int> order(parameters.domainSigmas.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::make_pair(parameters.domainSigmas[a], a) < std::make_pair(parameters.domainSigmas[b], b);
  });
  std::vector<SweepTables> tables;
  for (int first = 0; first < count; first += sweepSigmas)
  {
    const int end = std::min(count, first + sweepSigmas);
    tables.emplace_back(gpu, plan, parameters, std::vector<int>(order.begin() + first, order.begin() + end), arguments);
  }
  return tables;
}

} // namespace cudaneuro::gpu

#endif
