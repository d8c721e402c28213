// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NiftiGeometry_h
#define files_images_NiftiGeometry_h

#include "files/images/ImageDescription.h"
#include "files/images/NiftiHeader.h"
#include "files/images/ReadingOptions.h"

#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Where the voxels of a NIfTI file are, and what is to be said of it in a warning. */
struct NiftiGrid
{
  ImageGeometry            geometry;
  std::vector<std::string> notes;
};

/** How many mm a unit of length of a header is: 1 where it names none. */
double
MillimetersOf(const NiftiHeader & header);

/** The grid of a header: its sform, or else its qform, or else its spacing alone, along LPS. It is computed in double.
 * A matrix whose axes are not perpendicular is made so where that is hardly seen.
 * \param axes 2 or 3
 * \throws UserError that names the file, the field and the value */
NiftiGrid
NiftiGridOf(const std::string & path, const NiftiHeader & header, unsigned int axes, NiftiPlace place);

/** Keeps the part of a grid that an image of two axes has. */
void
KeepTwoAxes(NiftiGrid & grid);

} // namespace cudaneuro::files

#endif
