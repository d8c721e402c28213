// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/FieldConversion.h"

#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"

#include <algorithm>

namespace cudaneuro::cpu
{
namespace
{

/** The number of voxels that a thread converts at a time. */
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
ToSoA(Context & context, const FieldConversion & conversion, const float * from, const SoAField & to)
{
  const VectorMatrix matrix = conversion.matrix;
  if (conversion.components == 2)
  {
    ForAllVoxels(context, conversion.numberOfVoxels, [=](std::int64_t i) { VectorToPlanes<2>(matrix, from, to, i); });
  }
  else
  {
    ForAllVoxels(context, conversion.numberOfVoxels, [=](std::int64_t i) { VectorToPlanes<3>(matrix, from, to, i); });
  }
}

void
FromSoA(Context & context, const FieldConversion & conversion, const ConstSoAField & from, float * to)
{
  const VectorMatrix matrix = conversion.matrix;
  if (conversion.components == 2)
  {
    ForAllVoxels(context, conversion.numberOfVoxels, [=](std::int64_t i) { PlanesToVector<2>(matrix, from, to, i); });
  }
  else
  {
    ForAllVoxels(context, conversion.numberOfVoxels, [=](std::int64_t i) { PlanesToVector<3>(matrix, from, to, i); });
  }
}

} // namespace cudaneuro::cpu
