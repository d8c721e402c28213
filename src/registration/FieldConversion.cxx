// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "BuildConfiguration.h"
#include "FieldConversionCpu.h"
#include "FieldConversionGpu.h"
#include "RegistrationPrimitives.h"

namespace cudaneuro
{

void
FieldToPlanes(Context &                     context,
              std::int64_t                  numberOfVoxels,
              const std::array<double, 9> & matrix,
              const float *                 from,
              unsigned int                  components,
              const PlanarField &           to)
{
  const VectorMatrix vectorMatrix = MakeVectorMatrix(matrix);
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::FieldToPlanes(context, numberOfVoxels, vectorMatrix, from, components, to);
      return;
    }
  }
  cpu::FieldToPlanes(context, numberOfVoxels, vectorMatrix, from, components, to);
}

void
PlanesToField(Context &                     context,
              std::int64_t                  numberOfVoxels,
              const std::array<double, 9> & matrix,
              const ConstPlanarField &      from,
              float *                       to,
              unsigned int                  components)
{
  const VectorMatrix vectorMatrix = MakeVectorMatrix(matrix);
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      gpu::PlanesToField(context, numberOfVoxels, vectorMatrix, from, to, components);
      return;
    }
  }
  cpu::PlanesToField(context, numberOfVoxels, vectorMatrix, from, to, components);
}

} // namespace cudaneuro
