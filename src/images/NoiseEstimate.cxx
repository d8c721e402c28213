// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/NoiseEstimate.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "cudaneuro/NoiseEstimate.h"

namespace cudaneuro
{

double
EstimateNoiseSigma(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  RequireGrid(grid);
  RequireVolume("input", context, input);
  RequireMask(context, mask);
  CUDANEURO_DISPATCH(context, EstimateNoiseSigma(context, grid, input, mask));
}

} // namespace cudaneuro
