// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_adaptive_BlockTransform_h
#define cudaneuro_denoising_adaptive_BlockTransform_h

#include "core/HostDevice.h"
#include "denoising/adaptive/BlockLayout.h"
#include "system/Compiler.h"

#if defined(__CUDACC__)
#  define CUDANEURO_BLOCK_FORMULA __host__ __device__ __forceinline__
#else
#  define CUDANEURO_BLOCK_FORMULA CUDANEURO_ALWAYS_INLINE
#endif

/** The orthonormal cosine transform (DCT-II) of blocks along all their axes. Kernels transform one block in each
 * thread, the CPU those of a group at once: TValue is float or FloatLanes. */
namespace cudaneuro
{

/** cos(pi / 8) / sqrt(2) and sin(pi / 8) / sqrt(2). */
constexpr float cosineOfBlock = 0.653281482f;
constexpr float sineOfBlock = 0.270598050f;

template <typename TValue>
CUDANEURO_BLOCK_FORMULA void
TransformFour(TValue & a, TValue & b, TValue & c, TValue & d)
{
  const TValue outer = a + d;
  const TValue inner = b + c;
  const TValue outerDifference = a - d;
  const TValue innerDifference = b - c;
  a = 0.5f * (outer + inner);
  b = cosineOfBlock * outerDifference + sineOfBlock * innerDifference;
  c = 0.5f * (outer - inner);
  d = sineOfBlock * outerDifference - cosineOfBlock * innerDifference;
}

template <typename TValue>
CUDANEURO_BLOCK_FORMULA void
InvertFour(TValue & a, TValue & b, TValue & c, TValue & d)
{
  const TValue outer = 0.5f * (a + c);
  const TValue inner = 0.5f * (a - c);
  const TValue outerDifference = cosineOfBlock * b + sineOfBlock * d;
  const TValue innerDifference = sineOfBlock * b - cosineOfBlock * d;
  a = outer + outerDifference;
  b = inner + innerDifference;
  c = inner - innerDifference;
  d = outer - outerDifference;
}

/** Calls four(a, b, c, d) for each row of a block along the axis whose neighbors are \p VStride elements apart. */
template <int VVoxels, int VStride, typename TValue, typename TFour>
CUDANEURO_BLOCK_FORMULA void
ForRowsOfBlock(TValue (&block)[VVoxels], const TFour & four)
{
#if defined(__CUDA_ARCH__)
#  pragma unroll
#endif
  for (int row = 0; row < VVoxels / blockEdge; ++row)
  {
    const int first = row % VStride + row / VStride * VStride * blockEdge;
    four(block[first], block[first + VStride], block[first + 2 * VStride], block[first + 3 * VStride]);
  }
}

/** Transforms a block of 64 voxels, or of 16 in a plane, stored x first; coefficient 0 is proportional to the mean. */
template <int VVoxels, typename TValue>
CUDANEURO_BLOCK_FORMULA void
TransformBlock(TValue (&block)[VVoxels])
{
  const auto four = [](TValue & a, TValue & b, TValue & c, TValue & d) { TransformFour(a, b, c, d); };
  ForRowsOfBlock<VVoxels, 1>(block, four);
  ForRowsOfBlock<VVoxels, blockEdge>(block, four);
  if constexpr (VVoxels > blockEdge * blockEdge)
  {
    ForRowsOfBlock<VVoxels, blockEdge * blockEdge>(block, four);
  }
}

template <int VVoxels, typename TValue>
CUDANEURO_BLOCK_FORMULA void
InvertBlock(TValue (&block)[VVoxels])
{
  const auto four = [](TValue & a, TValue & b, TValue & c, TValue & d) { InvertFour(a, b, c, d); };
  if constexpr (VVoxels > blockEdge * blockEdge)
  {
    ForRowsOfBlock<VVoxels, blockEdge * blockEdge>(block, four);
  }
  ForRowsOfBlock<VVoxels, blockEdge>(block, four);
  ForRowsOfBlock<VVoxels, 1>(block, four);
}

} // namespace cudaneuro

#endif
