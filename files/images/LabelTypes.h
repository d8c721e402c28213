// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_LabelTypes_h
#define files_images_LabelTypes_h

#include "itkCommonEnums.h"

#include <cstdint>
#include <vector>

namespace cudaneuro::files
{

/** The type to write labels as: the wanted one where it has them all, or else one of 32 or 64 bits. */
itk::IOComponentEnum
TypeForLabels(const std::vector<std::int64_t> & labels, itk::IOComponentEnum wanted);

} // namespace cudaneuro::files

#endif
