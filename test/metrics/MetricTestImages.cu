// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/MetricTestImages.h"

#include "cuda/GpuContext.h"

namespace metrictest
{

struct DeviceEvaluator::Memory
{
  cudaneuro::DeviceBuffer<float>              fixed;
  cudaneuro::DeviceBuffer<unsigned char>      fixedMask;
  cudaneuro::DeviceBuffer<float>              moving;
  cudaneuro::DeviceBuffer<unsigned char>      movingMask;
  cudaneuro::DeviceBuffer<unsigned char>      fixedWeights;
  std::unique_ptr<cudaneuro::MetricEvaluator> evaluator;
};

DeviceEvaluator::DeviceEvaluator(cudaneuro::Context &           context,
                                 const cudaneuro::MetricShape & shape,
                                 const Images &                 images)
  : m_Memory(std::make_unique<Memory>())
{
  const cudaneuro::GpuContext & gpu = cudaneuro::GpuOf(context);
  const cudaneuro::DeviceScope  scope(gpu.GetDevice());
  cudaneuro::ImageComparison    comparison = images.Comparison();
  const auto                    copyMask = [&](const std::vector<unsigned char> & mask) {
    return mask.empty() ? cudaneuro::DeviceBuffer<unsigned char>() : gpu.CopyToDevice(mask);
  };
  m_Memory->fixed = gpu.CopyToDevice(images.fixed);
  m_Memory->fixedMask = copyMask(images.fixedMask);
  m_Memory->moving = gpu.CopyToDevice(images.moving);
  m_Memory->movingMask = copyMask(images.movingMask);
  m_Memory->fixedWeights = copyMask(images.fixedWeights);
  comparison.fixed = m_Memory->fixed.Data();
  comparison.fixedMask = m_Memory->fixedMask.Data();
  comparison.moving = m_Memory->moving.Data();
  comparison.movingMask = m_Memory->movingMask.Data();
  comparison.fixedWeights = m_Memory->fixedWeights.Data();
  m_Memory->evaluator = cudaneuro::MakeMetricEvaluator(context, shape, comparison);
}

DeviceEvaluator::~DeviceEvaluator() = default;

std::vector<cudaneuro::MapEvaluation>
DeviceEvaluator::Evaluate(const std::vector<cudaneuro::AffineMap> & maps, bool withDerivatives) const
{
  std::vector<cudaneuro::MapEvaluation> evaluations(maps.size());
  for (std::size_t i = 0; i < maps.size(); ++i)
  {
    evaluations[i].indexMap = maps[i];
  }
  m_Memory->evaluator->Evaluate(evaluations.data(), static_cast<int>(maps.size()), withDerivatives);
  return evaluations;
}

} // namespace metrictest
