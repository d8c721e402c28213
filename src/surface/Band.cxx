// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/Band.h"

#include "core/Dispatch.h"

namespace cudaneuro
{

Band
FindBand(Context & context, const BandSearch & search, BandSurvey & survey)
{
  CUDANEURO_DISPATCH(context, FindBand(context, search, survey));
}

std::vector<std::int64_t>
CountGradientNorms(Context & context, const BandView & band, const std::array<double, 3> & spacing)
{
  CUDANEURO_DISPATCH(context, CountGradientNorms(context, band, spacing));
}

} // namespace cudaneuro
