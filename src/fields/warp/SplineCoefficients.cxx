// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/warp/SplineCoefficients.h"

namespace cudaneuro
{

SplineCoefficients
MakeSplineCoefficients(Context & context, const Extent & extent, const float * volume)
{
  CUDANEURO_DISPATCH(context, MakeSplineCoefficients(context, extent, volume));
}

} // namespace cudaneuro
