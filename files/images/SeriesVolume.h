// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_SeriesVolume_h
#define files_images_SeriesVolume_h

#include "files/images/OpenedImage.h"

#include <cstddef>

/** Has OpenImage take one volume of series, which are NIfTI files of 4 axes; volumes are counted from 0. Else series are refused. Not to be
 * called while other threads read. */
void
SetSeriesVolume(std::size_t volume);

/** Makes an image of three axes of a series, if a volume was chosen.
 * \throws UserError when the series has no such volume */
void
TakeVolume(OpenedImage & image);

/** Whether a volume was chosen, and no file that was opened is a series. */
bool
IsSeriesMissing();

#endif
