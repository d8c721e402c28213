// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LandmarkMatchings_h
#define LandmarkMatchings_h

#include "data/LandmarkCase.h"
#include "Settings.h"

namespace cudaneuro::benchmark
{

/** Wang's experiment on synthetic landmarks, which replace the medial temporal lobes: sigma 1.5 mm, lambda 5e5, 40 time
 * steps, 400 iterations. The rows time the first target, all one after another, and all as a batch, from points to
 * momenta; they report the distances of each target and their means over all. */
Table
MatchingRows(const Settings & settings, const LazyLandmarks & landmarks);

} // namespace cudaneuro::benchmark

#endif
