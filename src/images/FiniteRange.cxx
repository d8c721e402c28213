// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/FiniteRange.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "cudaneuro/ImageStatistics.h"

namespace cudaneuro
{

std::array<double, 2>
ComputeFiniteRange(Context & context, const Grid & grid, const ConstVolume & input)
{
  RequireGrid(grid);
  RequireVolume("input", context, input);
  CUDANEURO_DISPATCH(context, ComputeFiniteRange(context, grid, input));
}

} // namespace cudaneuro
