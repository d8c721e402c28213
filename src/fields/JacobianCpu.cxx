// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/Jacobian.h"

#include "core/ParallelRows.h"
#include "fields/JacobianFormulas.h"
#include "fields/JacobianStatistics.h"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace cudaneuro::cpu
{

namespace
{

/** The bins' counts of a task, which has some 10,000 voxels. */
using Counts = std::array<std::int32_t, jacobianBins>;

} // namespace

JacobianResult
JacobianDeterminant(Context & context, const Extent & extent, const ConstSoAField & field, float * output)
{
  const ParallelRows           tasks(extent);
  std::vector<JacobianPartial> partials(static_cast<std::size_t>(tasks.Count()), JacobianPartial::Empty());
  std::vector<Counts>          counts(static_cast<std::size_t>(tasks.Count()), Counts{});
  tasks.Run(context, [&](std::int64_t task, int y, int z, std::int64_t begin) {
    JacobianPartial partial = partials[task];
    Counts &        ofTask = counts[task];
    for (int x = 0; x < extent.x; ++x)
    {
      const float determinant = Determinant(IdentityPlus(GradientAt(field, extent, x, y, z)));
      partial.Add(determinant);
      if (determinant > 0.0f)
      {
        ++ofTask[JacobianBin(determinant)];
      }
      if (output)
      {
        output[begin + x] = determinant;
      }
    }
    partials[task] = partial;
  });
  JacobianPartial           result = JacobianPartial::Empty();
  std::vector<std::int64_t> sums(jacobianBins, 0);
  for (std::size_t task = 0; task < partials.size(); ++task)
  {
    result.Include(partials[task]);
    std::transform(sums.begin(), sums.end(), counts[task].begin(), sums.begin(), std::plus<>());
  }
  return MakeJacobianResult(result, sums);
}

} // namespace cudaneuro::cpu
