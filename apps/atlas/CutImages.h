// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_CutImages_h
#define apps_atlas_CutImages_h

#include "atlas/AtlasJob.h"

/** How much of each image lies beyond the template's grid, after this process's images were given to the atlas. The
 * first process warns of those that lose more than cudaneuro::noticeableCut, and says what keeps it.
 * \return fractions of the images' intensity above the background, of all processes */
std::vector<double>
WarnOfCutImages(AtlasJob & job, const cudaneuro::DiffeomorphicAtlas & atlas);

/** Notes the fractions, after AtlasReport::SetImages. */
void
NoteCutImages(AtlasReport & report, const std::vector<double> & fractions);

#endif
