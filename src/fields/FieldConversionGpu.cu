// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/FieldConversion.h"

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"

#include <algorithm>

namespace cudaneuro::gpu
{
namespace
{

constexpr int conversionThreads = 256;

/** Calls body(i) for i in [0, count), in a grid-stride loop. Each voxel is read and written by one thread only. */
template <typename TBody>
__global__ void
__launch_bounds__(conversionThreads) ConversionKernel(std::int64_t count, TBody body)
{
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * conversionThreads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * conversionThreads + threadIdx.x; i < count; i += stride)
  {
    body(i);
  }
}

template <int VComponents>
struct ToPlanes
{
  VectorMatrix  matrix;
  const float * from;
  SoAField      to;

  __device__ void
  operator()(std::int64_t i) const
  {
    VectorToPlanes<VComponents>(matrix, from, to, i);
  }
};

template <int VComponents>
struct ToVectors
{
  VectorMatrix  matrix;
  ConstSoAField from;
  float *       to;

  __device__ void
  operator()(std::int64_t i) const
  {
    PlanesToVector<VComponents>(matrix, from, to, i);
  }
};

template <typename TBody>
void
Launch(Context & context, std::int64_t count, const TBody & body)
{
  const std::int64_t blocks = DivideUp(count, conversionThreads);
  ConversionKernel<<<static_cast<unsigned int>(std::min<std::int64_t>(blocks, 1 << 30)),
                     conversionThreads,
                     0,
                     GpuOf(context).ComputeStream()>>>(count, body);
  CUDANEURO_CUDA_LAUNCHED("ConversionKernel");
}

} // namespace

void
ToSoA(Context & context, const FieldConversion & conversion, const float * from, const SoAField & to)
{
  if (conversion.components == 2)
  {
    Launch(context, conversion.numberOfVoxels, ToPlanes<2>{ conversion.matrix, from, to });
  }
  else
  {
    Launch(context, conversion.numberOfVoxels, ToPlanes<3>{ conversion.matrix, from, to });
  }
}

void
FromSoA(Context & context, const FieldConversion & conversion, const ConstSoAField & from, float * to)
{
  if (conversion.components == 2)
  {
    Launch(context, conversion.numberOfVoxels, ToVectors<2>{ conversion.matrix, from, to });
  }
  else
  {
    Launch(context, conversion.numberOfVoxels, ToVectors<3>{ conversion.matrix, from, to });
  }
}

} // namespace cudaneuro::gpu
