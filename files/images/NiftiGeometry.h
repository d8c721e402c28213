// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NiftiGeometry_h
#define files_images_NiftiGeometry_h

#include "files/images/ImageDescription.h"
#include "files/images/NiftiHeader.h"

#include <string>
#include <vector>

/** Where the voxels of NIfTI files are. */

/** Which of two matrices counts where a header has both. Where it has one, that one counts. */
enum class NiftiPlace
{
  Sform,
  Qform
};

/** Sets it for all files that are opened from now on. Not to be called while other threads read. */
void
SetNiftiPlace(NiftiPlace place);

/** How many mm a unit of length of a header is: 1 where it names none.
 * \param notes gets a remark where it is another than mm */
double
MillimetersOf(const NiftiHeader & header, std::vector<std::string> & notes);

/** The grid of a header: its sform, or else its qform, or else its spacing alone, along LPS. It is computed in double. A matrix
 * whose axes are not perpendicular is made so where that is hardly seen.
 * \param axes 2 or 3
 * \param notes gets remarks for a warning
 * \throws UserError that names the file, the field and the value */
ImageGeometry
GeometryOf(const std::string & path, const NiftiHeader & header, unsigned int axes, std::vector<std::string> & notes);

/** Sets qform, sform and pixdim of a header to a grid, in mm. The codes are left as they are. */
void
SetGeometry(NiftiHeader & header, const ImageGeometry & geometry);

/** Converts the lengths of a header to mm. */
void
ConvertToMillimeters(NiftiHeader & header);

#endif
