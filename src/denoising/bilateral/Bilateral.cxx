// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/bilateral/Bilateral.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"

namespace cudaneuro
{

void
Bilateral(Context &                   context,
          const BilateralParameters & parameters,
          const Grid &                grid,
          const ConstVolume &         input,
          const ConstVolume &         mask,
          const Volume &              output)
{
  RequireImages(context, grid, input, mask, output);
  RequireParameters(parameters, grid);

  CUDANEURO_DISPATCH(context, Bilateral(context, { parameters, grid, input, mask, output }));
}

} // namespace cudaneuro
