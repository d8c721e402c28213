// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_Background_h
#define files_maps_Background_h

#include "cudaneuro/DisplacementField.h"
#include "files/images/OpenedImage.h"
#include "itkCommonEnums.h"

#include <cmath>
#include <string>

namespace cudaneuro::files
{

/** The background: the value of voxels that a map leads out of the image. */

/** Checks the background of an image, or of a series.
 * \param type of the output. A single image of labels gets a larger type if needed, a series does not
 * \throws UserError for a number that is no label, or that the type does not hold */
void
RequireBackground(double background, cudaneuro::Interpolation interpolation, itk::IOComponentEnum type, bool isSeries);

/** Returns whether a value is the background, which may be NaN. */
template <typename TValue>
bool
IsBackground(TValue value, TValue background)
{
  const auto isNaN = [](TValue number) { return std::isnan(static_cast<double>(number)); };
  return value == background || (isNaN(value) && isNaN(background));
}

/** Warns that a result is nothing but background. */
void
WarnOfBackground(const std::string & output, const OpenedImage & reference, const OpenedImage & input);

} // namespace cudaneuro::files

#endif
