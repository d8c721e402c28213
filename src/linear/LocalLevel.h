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
 * Shading, and tissues that one person has more of than another, shift the optimum of mutual information, which has
 * one histogram for the whole head. The correlation in boxes of some mm knows no shading and follows the borders of
 * the structures; it needs a map that is near. Boxes count by the depth of their centers. */
std::optional<LinearLevel>
MakeLocalLevel(const LinearRun & run);

} // namespace cudaneuro

#endif
