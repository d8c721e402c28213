// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_labels_SegmentOverlap_h
#define apps_register_labels_SegmentOverlap_h

#include "files/images/Segmentation.h"
#include "shared/Files.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

/** Returns the Dice coefficients of segments with the same name in two segmentations, by name. */
std::map<std::string, double>
ComputeSegmentOverlap(const Segmentation & fixed,
                      const std::int64_t * fixedLabels,
                      const Segmentation & moving,
                      const std::int64_t * movingLabels,
                      std::size_t          count);

/** Requires a common name of segments if a segmentation has layers, because these are compared by names alone.
 * \throws UserError that names the files */
void
RequireComparableSegments(const Segmentation & fixed,
                          const std::string &  fixedPath,
                          const Segmentation & moving,
                          const std::string &  movingPath);

#endif
