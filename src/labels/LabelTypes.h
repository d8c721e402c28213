// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_LabelTypes_h
#define cudaneuro_labels_LabelTypes_h

#include "cudaneuro/Volume.h"

namespace cudaneuro
{

/** Calls body(values) with the pixels of a volume in host memory, in their type. */
template <typename TBody>
void
WithLabels(const ConstVolume & labels, const TBody & body)
{
  switch (labels.type)
  {
    case PixelType::UnsignedChar:
      body(static_cast<const unsigned char *>(labels.data));
      return;
    case PixelType::Short:
      body(static_cast<const short *>(labels.data));
      return;
    case PixelType::UnsignedShort:
      body(static_cast<const unsigned short *>(labels.data));
      return;
    case PixelType::Float:
      body(static_cast<const float *>(labels.data));
      return;
    case PixelType::Double:
      body(static_cast<const double *>(labels.data));
      return;
  }
}

} // namespace cudaneuro

#endif
