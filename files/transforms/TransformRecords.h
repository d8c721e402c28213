// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_transforms_TransformRecords_h
#define files_transforms_TransformRecords_h

#include <cstdint>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** What transform files hold: text (.tfm, .txt), Matlab (.mat), HDF5 (.h5, .hdf5), and FreeSurfer's text (.lta).
 * They are not read by ITK, whose transforms read past the ends of parameters that are too few, and which takes a text
 * that is cut short for another map (Documentation/itk-reader-reports.md). */

/** A transform of a file. */
struct TransformRecord
{
  /** ITK's name of the type, such as AffineTransform_double_3_3. */
  std::string         type;
  std::vector<double> fixedParameters;
  std::uint64_t       numberOfParameters = 0;
  /** Empty where only their number was asked for. */
  std::vector<double> parameters;
  /** What is to be said of the file where nothing else is wrong with it. */
  std::string note;
};

using TransformRecords = std::vector<TransformRecord>;

enum class TransformNumbers
{
  All,
  /** Large files need not be read as a whole to be checked. */
  FixedOnly
};

/** Reads the transforms of a file. What it is, its contents tell.
 * \throws UserError that names the file, and what in it cannot be right */
TransformRecords
ReadTransformRecords(const std::string & path, TransformNumbers numbers);

/** Whether a file has transforms as text of ITK. A text that names other files has none.
 * \throws UserError where there is no such file */
bool
IsTransformText(const std::string & path);

/** Registers ITK's transforms, once: several threads may not do so at the same time. */
void
RegisterTransforms();

} // namespace cudaneuro::files

#endif
