// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_LabelVolumes_h
#define cudaneuro_labels_LabelVolumes_h

#include "labels/SharedVertices.h"

#include <vector>

namespace cudaneuro
{

/** Restores the volume that smoothing has taken from the surfaces. Each surface has one step, by which its vertices
 * move along their normals; vertices that two surfaces share move by the difference of both steps. All volumes are
 * solved for together. Sets the volumes.
 * \param shares fraction of each surface's difference from its label's volume that is restored
 * \param longest maximum step, in mm */
void
RestoreVolumes(Context &                       context,
               const std::vector<VertexPair> & pairs,
               const std::vector<double> &     shares,
               double                          longest,
               std::vector<LabelSurface> &     surfaces);

} // namespace cudaneuro

#endif
