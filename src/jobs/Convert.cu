// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/Convert.h"

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "jobs/PixelConversion.h"

#include <algorithm>

namespace cudaneuro
{

namespace
{

/** Reads from[0, count), writes to[0, count); a grid-stride loop. */
template <typename TFrom, typename TTo>
__global__ void
ConvertKernel(std::int64_t count, const TFrom * __restrict__ from, TTo * __restrict__ to)
{
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
  {
    to[i] = ConvertPixel<TTo>(from[i]);
  }
}

template <typename TFrom, typename TTo>
void
LaunchConvert(cudaStream_t stream, std::int64_t count, const TFrom * from, TTo * to)
{
  if (count == 0)
  {
    return;
  }
  constexpr int      threads = 256;
  constexpr int      pixelsPerThread = 8;
  const std::int64_t blocks = DivideUp(count, threads * pixelsPerThread);
  ConvertKernel<<<static_cast<unsigned int>(std::min<std::int64_t>(blocks, 1 << 30)), threads, 0, stream>>>(
    count, from, to);
  CUDANEURO_CUDA_LAUNCHED("ConvertKernel");
}

} // namespace

void
EnqueueConvertToFloat(cudaStream_t stream, std::int64_t count, const void * from, PixelType fromType, float * to)
{
  WithPixelType(fromType, [&](auto pixel) {
    using FromType = decltype(pixel);
    LaunchConvert(stream, count, static_cast<const FromType *>(from), to);
  });
}

void
EnqueueConvertFromFloat(cudaStream_t stream, std::int64_t count, const float * from, void * to, PixelType toType)
{
  WithPixelType(toType, [&](auto pixel) {
    using ToType = decltype(pixel);
    LaunchConvert(stream, count, from, static_cast<ToType *>(to));
  });
}

} // namespace cudaneuro
