// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_LabelVolumes_h
#define cudaneuro_labels_LabelVolumes_h

#include "labels/SharedVertices.h"

#include <vector>

namespace cudaneuro
{

/** Gives the surfaces back the volume that smoothing took from them: the vertices of a surface move along their normals
 * by a step of its own, and those that two surfaces share by the difference of their steps, so that all get their
 * volumes at once. Sets the volumes.
 * \param shares of each difference from the label's volume that are given back
 * \param longest step, in mm */
void
RestoreVolumes(Context &                       context,
               const std::vector<VertexPair> & pairs,
               const std::vector<double> &     shares,
               double                          longest,
               std::vector<LabelSurface> &     surfaces);

} // namespace cudaneuro

#endif
