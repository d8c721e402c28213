// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelPilotCpu_h
#define cudaneuro_labels_levels_LabelPilotCpu_h

#include "labels/levels/LabelLevels.h"

namespace cudaneuro::cpu
{

/** The distances of the label after a Gaussian of \p sigma, at the voxels of the band. */
void
MakePilot(Context & context, const LabelGrid & grid, const LabelBand & band, double sigma, float * levels);

} // namespace cudaneuro::cpu

#endif
