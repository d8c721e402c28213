// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/Jacobian.h"

#include "core/ParallelRows.h"
#include "fields/JacobianFormulas.h"
#include "fields/JacobianStatistics.h"

#include <vector>

namespace cudaneuro::cpu
{

JacobianResult
JacobianDeterminant(Context & context, const Extent & extent, const ConstSoAField & field, float * output)
{
  const ParallelRows           tasks(extent);
  std::vector<JacobianPartial> partials(static_cast<std::size_t>(tasks.Count()), JacobianPartial::Empty());
  tasks.Run(context, [&](std::int64_t task, int y, int z, std::int64_t begin) {
    JacobianPartial partial = partials[task];
    for (int x = 0; x < extent.x; ++x)
    {
      const float determinant = Determinant(IdentityPlus(GradientAt(field, extent, x, y, z)));
      partial.Add(determinant);
      if (output)
      {
        output[begin + x] = determinant;
      }
    }
    partials[task] = partial;
  });
  JacobianPartial result = JacobianPartial::Empty();
  for (const JacobianPartial & partial : partials)
  {
    result.Include(partial);
  }
  return MakeJacobianResult(result);
}

} // namespace cudaneuro::cpu
