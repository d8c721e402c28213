// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef MetricTestImages_h
#define MetricTestImages_h

#include "metrics/MetricEvaluator.h"

#include <memory>
#include <vector>

/** Images for the tests of metrics. */
namespace metrictest
{

/** In host memory. Masks may be empty. */
struct Images
{
  cudaneuro::Extent          fixedExtent;
  std::vector<float>         fixed;
  std::vector<unsigned char> fixedMask;
  cudaneuro::Extent          movingExtent;
  std::vector<float>         moving;
  std::vector<unsigned char> movingMask;
  std::vector<unsigned char> fixedWeights;
  bool                       fadesOut = false;

  cudaneuro::ImageComparison
  Comparison() const
  {
    const auto data = [](const std::vector<unsigned char> & mask) { return mask.empty() ? nullptr : mask.data(); };
    return { fixedExtent,      fixed.data(), data(fixedMask),    movingExtent, moving.data(),
             data(movingMask), {},           data(fixedWeights), fadesOut };
  }
};

/** A copy of the images on the device, and the evaluator of it. */
class DeviceEvaluator
{
public:
  DeviceEvaluator(cudaneuro::Context & context, const cudaneuro::MetricShape & shape, const Images & images);
  ~DeviceEvaluator();

  std::vector<cudaneuro::MapEvaluation>
  Evaluate(const std::vector<cudaneuro::AffineMap> & maps, bool withDerivatives = true) const;

private:
  struct Memory;
  std::unique_ptr<Memory> m_Memory;
};

} // namespace metrictest

#endif
