// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LocalLevel_h
#define cudaneuro_linear_LocalLevel_h

#include "linear/LinearRun.h"

#include <optional>

namespace cudaneuro
{

/** The resolution at which maps of heads are refined by local correlation, after the last level, and the metric there;
 * none where the finest level is too coarse for it.
 *
 * Shading, and different amounts of tissues in two persons, shift the optimum of mutual information, which has one
 * histogram for the whole head. Correlations in boxes of some mm are insensitive to shading and align the borders of
 * structures, but need a nearby map. Boxes are weighted by the depth of their centers. */
std::optional<LinearLevel>
MakeLocalLevel(const LinearRun & run);

} // namespace cudaneuro

#endif
