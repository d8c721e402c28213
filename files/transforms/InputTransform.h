// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_transforms_InputTransform_h
#define files_transforms_InputTransform_h

#include <cstdint>
#include <string>
#include <vector>

/** Checks of transform files: text (.tfm, .txt), Matlab (.mat) and HDF5. */

/** The name of itk::GeodesicShootingTransform's class: its fixed parameters are as many as its landmarks ask for. */
constexpr const char * shootingTransform = "GeodesicShootingTransform";

/** A transform as a file announces it. */
struct TransformRecord
{
  /** ITK's name of the type, such as AffineTransform_double_3_3. */
  std::string         type;
  std::uint64_t       numberOfParameters = 0;
  std::vector<double> fixedParameters;
};

/** Checks that there are as many parameters as a type of transform takes: a linear one, a displacement field, one of
 * B-splines, one of geodesic shooting, or a composite, whose parts follow.
 * \throws UserError that names the file */
void
CheckTransform(const std::string & path, const TransformRecord & record);

/** These check all transforms of a file of one format.
 * \throws UserError that names the file, and what in it cannot be right */
void
CheckTextTransforms(const std::string & path);
void
CheckMatlabTransforms(const std::string & path);
void
CheckHdf5Transforms(const std::string & path);

/** Checks a transform file before ITK reads it, which reads past the ends of parameters and follows null pointers.
 * \throws UserError that names the file, and what in it cannot be right */
void
CheckTransformFile(const std::string & path);

#endif
