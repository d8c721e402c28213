// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/FieldInversionFormulas.h"

#include "core/ParallelRows.h"

#include <vector>

namespace cudaneuro::cpu
{

InversionResult
InvertField(Context & context, const FieldInversion & inversion)
{
  const ParallelRows            tasks(inversion.extent);
  std::vector<InversionPartial> partials(static_cast<std::size_t>(tasks.Count()), InversionPartial::Empty());
  tasks.Run(context, [&](std::int64_t task, int y, int z, std::int64_t begin) {
    InversionPartial partial = partials[task];
    for (int x = 0; x < inversion.extent.x; ++x)
    {
      InvertAt(inversion, x, y, z, begin + x, partial);
    }
    partials[task] = partial;
  });
  InversionPartial result = InversionPartial::Empty();
  for (const InversionPartial & partial : partials)
  {
    result.Include(partial);
  }
  return MakeInversionResult(result);
}

} // namespace cudaneuro::cpu
