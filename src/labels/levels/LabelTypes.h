// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelTypes_h
#define cudaneuro_labels_levels_LabelTypes_h

#include "jobs/PixelConversion.h"

namespace cudaneuro
{

/** Calls body(values) with the pixels of a volume in host memory, in their type. */
template <typename TBody>
void
WithLabels(const ConstVolume & labels, const TBody & body)
{
  WithPixelType(labels.type, [&](auto pixel) { body(static_cast<const decltype(pixel) *>(labels.data)); });
}

} // namespace cudaneuro

#endif
