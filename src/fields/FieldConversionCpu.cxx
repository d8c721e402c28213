// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/FieldConversionCpu.h"
#include "core/IntegerMath.h"

#include "core/VectorDispatch.h"

#include <algorithm>

namespace cudaneuro::cpu
{
namespace
{

/** Voxels that a thread converts at a time. */
constexpr std::int64_t blockSize = std::int64_t{ 1 } << 16;

template <typename TBody>
void
ForAllVoxels(Context & context, std::int64_t count, const TBody & body)
{
  context.ParallelFor(DivideUp(count, blockSize), [&](std::int64_t block) {
    VectorDispatch([&, block] {
      const std::int64_t end = std::min(count, (block + 1) * blockSize);
      CUDANEURO_INDEPENDENT_ITERATIONS
      for (std::int64_t i = block * blockSize; i < end; ++i)
      {
        body(i);
      }
    });
  });
}

} // namespace

void
ToSoA(Context &            context,
      std::int64_t         numberOfVoxels,
      const VectorMatrix & matrix,
      const float *        from,
      unsigned int         components,
      const SoAField &     to)
{
  if (components == 2)
  {
    ForAllVoxels(context, numberOfVoxels, [=](std::int64_t i) { VectorToPlanes<2>(matrix, from, to, i); });
  }
  else
  {
    ForAllVoxels(context, numberOfVoxels, [=](std::int64_t i) { VectorToPlanes<3>(matrix, from, to, i); });
  }
}

void
FromSoA(Context &             context,
        std::int64_t          numberOfVoxels,
        const VectorMatrix &  matrix,
        const ConstSoAField & from,
        float *               to,
        unsigned int          components)
{
  if (components == 2)
  {
    ForAllVoxels(context, numberOfVoxels, [=](std::int64_t i) { PlanesToVector<2>(matrix, from, to, i); });
  }
  else
  {
    ForAllVoxels(context, numberOfVoxels, [=](std::int64_t i) { PlanesToVector<3>(matrix, from, to, i); });
  }
}

} // namespace cudaneuro::cpu
