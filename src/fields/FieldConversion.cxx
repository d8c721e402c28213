// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/BuildConfiguration.h"
#include "fields/FieldConversionCpu.h"
#include "fields/FieldConversionGpu.h"
#include "fields/FieldPrimitives.h"

namespace cudaneuro
{

void
ToSoA(Context &                     context,
      std::int64_t                  numberOfVoxels,
      const std::array<double, 9> & matrix,
      const float *                 from,
      unsigned int                  components,
      const SoAField &              to)
{
  const VectorMatrix vectorMatrix = MakeVectorMatrix(matrix);
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::ToSoA(context, numberOfVoxels, vectorMatrix, from, components, to);
      return;
    }
  }
  cpu::ToSoA(context, numberOfVoxels, vectorMatrix, from, components, to);
}

void
FromSoA(Context &                     context,
        std::int64_t                  numberOfVoxels,
        const std::array<double, 9> & matrix,
        const ConstSoAField &         from,
        float *                       to,
        unsigned int                  components)
{
  const VectorMatrix vectorMatrix = MakeVectorMatrix(matrix);
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::FromSoA(context, numberOfVoxels, vectorMatrix, from, to, components);
      return;
    }
  }
  cpu::FromSoA(context, numberOfVoxels, vectorMatrix, from, to, components);
}

} // namespace cudaneuro
