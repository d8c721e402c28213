// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_AxesShear_h
#define files_images_AxesShear_h

#include <vnl/vnl_matrix_fixed.h>

#include <string>

namespace cudaneuro::files
{

/** How far the axes of a grid are from perpendicular ones. */
struct AxesShear
{
  /** The largest magnitude of the cosine of the angle between two of them. */
  double cosine = 0.0;
  /** Like "a shear of 11.31 degrees between the axes j and k". */
  std::string text;
};

/** \param axes the directions of the axes in columns */
AxesShear
ShearOf(const vnl_matrix_fixed<double, 3, 3> & axes);

/** The nearest matrix of perpendicular axes of length 1, to axes that nearly are so. */
vnl_matrix_fixed<double, 3, 3>
NearestRotation(vnl_matrix_fixed<double, 3, 3> axes);

/** The largest cosine that is taken for rounding: volumes of voxels, and the qform of NIfTI, know no shear. */
constexpr double mostShear = 2e-4;
/** That of directions which a text has with three digits. */
constexpr double mostShearOfText = 2e-3;

/** What follows AxesShear::text in the error where there is more. */
constexpr char hintOnShear[] = ", and axes must be perpendicular here: resample it to axes that are perpendicular, as "
                               "nibabel.processing.resample_to_output does";

} // namespace cudaneuro::files

#endif
