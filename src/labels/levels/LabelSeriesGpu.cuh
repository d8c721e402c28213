// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelSeriesGpu_cuh
#define cudaneuro_labels_levels_LabelSeriesGpu_cuh

#include "cuda/GpuContext.h"
#include "labels/levels/LabelLevelsKernel.cuh"

#include <algorithm>
#include <vector>

namespace cudaneuro::gpu
{

/** The arrays for solving some level sets on the device, one set after the other. */
struct LabelSolution
{
  DeviceBuffer<float> input;
  DeviceBuffer<float> even;
  DeviceBuffer<float> odd;
  DeviceBuffer<float> changes;
  DeviceBuffer<float> weights;

  LabelSolution(const GpuContext & gpu, std::size_t size)
    : input(gpu.AllocateArray<float>(size))
    , even(gpu.AllocateArray<float>(size))
    , odd(gpu.AllocateArray<float>(size))
    , changes(gpu.AllocateArray<float>(size))
    , weights(gpu.AllocateArray<float>(size))
  {}

  SeriesArrays
  Arrays() const
  {
    return { input.Data(), { even.Data(), odd.Data() } };
  }
};

/** Series of some level sets on the device. */
class LabelCoefficients
{
public:
  LabelCoefficients(const GpuContext & gpu, const std::vector<std::vector<float>> & series)
    : m_Series(series)
  {
    for (const std::vector<float> & one : series)
    {
      m_Stride = std::max(m_Stride, one.size());
    }
    std::vector<float> all(series.size() * m_Stride, 0.0f);
    for (std::size_t k = 0; k < series.size(); ++k)
    {
      std::copy(series[k].begin(), series[k].end(), all.begin() + static_cast<std::ptrdiff_t>(k * m_Stride));
    }
    m_Coefficients = gpu.CopyToDevice(all);
  }

  DeviceSeries
  From(int first) const
  {
    const auto   stride = static_cast<int>(m_Stride);
    DeviceSeries series{ m_Coefficients.Data() + first * m_Stride, stride, {} };
    for (std::size_t k = static_cast<std::size_t>(first); k < m_Series.size(); ++k)
    {
      series.degrees[k - static_cast<std::size_t>(first)] = static_cast<int>(m_Series[k].size()) - 1;
    }
    return series;
  }

private:
  std::vector<std::vector<float>> m_Series;
  std::size_t                     m_Stride = 0;
  DeviceBuffer<float>             m_Coefficients;
};

} // namespace cudaneuro::gpu

#endif
