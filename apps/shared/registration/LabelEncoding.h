// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_registration_LabelEncoding_h
#define apps_shared_registration_LabelEncoding_h

#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"

#include <cstdint>

/** Replaces labels by codes; 0, no label, has the code 0. The function is called only where the label changes, because
 * neighboring voxels mostly have the same label.
 * \param codeOf (label) -> code */
template <typename TCode, unsigned int VDimension, typename TFunction>
typename itk::Image<TCode, VDimension>::Pointer
EncodeLabels(const LabelImage<VDimension> & labels, const TFunction & codeOf)
{
  const auto                 encoded = MakeImageOn<itk::Image<TCode, VDimension>>(labels);
  const std::int64_t * const voxels = labels.GetBufferPointer();
  TCode * const              codes = encoded->GetBufferPointer();
  const std::size_t          count = labels.GetLargestPossibleRegion().GetNumberOfPixels();
  std::int64_t               last = 0;
  TCode                      code{};
  for (std::size_t i = 0; i < count; ++i)
  {
    if (voxels[i] != last)
    {
      last = voxels[i];
      code = last == 0 ? TCode{} : codeOf(last);
    }
    codes[i] = code;
  }
  return encoded;
}

#endif
