// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/MeanSquaresKernel.cuh"

#include "metrics/MapBatchGpu.h"
#include "metrics/MetricEvaluatorsGpu.h"

#include <limits>

namespace cudaneuro::gpu
{
namespace
{

/** One kernel. */
class MeanSquaresEvaluator : public MapBatchEvaluator
{
public:
  MeanSquaresEvaluator(Context & context, const ImageComparison & comparison)
    : MapBatchEvaluator(context, comparison)
    , m_Fixed(comparison, 0)
    , m_Moving(comparison)
  {
    this->SetParts(DivideUp(m_Fixed.Tiles(), meanSquaresThreads / lanesOfTile), 0);
  }

protected:
  void
  PrepareOrder(int order) override
  {
    m_Fixed.Make(this->Gpu(), order);
  }

  void
  Enqueue(const OrderedTransform * maps, int count, bool withDerivatives, const MapSums & sums) override
  {
    const MeanSquaresArguments arguments{ m_Fixed.With(m_Moving), maps, sums };
    const dim3                 blocks(static_cast<unsigned int>(this->Parts()), static_cast<unsigned int>(count));
    const bool                 hasMask = m_Moving.mask != nullptr;
    auto *                     kernel = hasMask ? MeanSquaresKernel<false, true> : MeanSquaresKernel<false, false>;
    if (withDerivatives)
    {
      kernel = hasMask ? MeanSquaresKernel<true, true> : MeanSquaresKernel<true, false>;
    }
    kernel<<<blocks, meanSquaresThreads, 0, this->Gpu().ComputeStream()>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("MeanSquaresKernel");
  }

  void
  Finish(const double * numbers, MapEvaluation & evaluation, bool withDerivatives) const override
  {
    evaluation.count = numbers[countNumber];
    const double share = evaluation.count > 0.0 ? 1.0 / numbers[countNumber] : 0.0;
    evaluation.value =
      evaluation.count > 0.0 ? 0.5 * numbers[valueNumber] * share : std::numeric_limits<double>::infinity();
    if (withDerivatives)
    {
      SetDerivatives(numbers, share, evaluation);
    }
  }

private:
  FixedCopies<PackOfValues> m_Fixed;
  MovingImage               m_Moving;
};

} // namespace

std::unique_ptr<MetricEvaluator>
MakeMeanSquaresEvaluator(Context & context, const ImageComparison & comparison)
{
  const DeviceScope scope(GpuOf(context).GetDevice());
  return std::make_unique<MeanSquaresEvaluator>(context, comparison);
}

} // namespace cudaneuro::gpu
