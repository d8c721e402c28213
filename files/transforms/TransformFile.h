// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_transforms_TransformFile_h
#define files_transforms_TransformFile_h

#include "files/images/ReadingOptions.h"
#include "files/output/OutputFile.h"
#include "itkTransform.h"

#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Transform files. */

/** Reads a map of space from several files, which are applied to a point in their order. Each is a transform file of a
 * format of ITK, HDF5, text or Matlab, with one transform or a composite, or of FreeSurfer, or an image of
 * displacements.
 * \param reading how images of displacements are read
 * \param what what they are for, in the message about transforms of other axes
 * \return null when there are no files
 * \throws UserError that names the file, Interrupted */
template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
ReadTransforms(const std::vector<std::string> & paths,
               const ReadingOptions &           reading = {},
               const std::string &              what = "the images");

/** The number of axes of the transforms of a file, which is no image: 3 where their types are none that can be read.
 * \throws UserError that names the file, and what in it cannot be right */
unsigned int
AxesOfTransforms(const std::string & path);

/** Reads the map of a transform file where all its parts are linear. Of other files, which may be large, it checks what
 * can be known without reading them.
 * \param what what it is for, in the message about transforms of other axes
 * \return null where the map is not linear
 * \throws UserError that names the file, Interrupted */
template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
ReadLinearTransform(const std::string & path, const ReadingOptions & reading, const std::string & what);

/** Reads the transforms of a file that has several beside each other, such as one for each volume of a series. A
 * composite is one.
 * \param what what they are for, in the message about transforms of other axes
 * \throws UserError that names the file, Interrupted */
template <unsigned int VDimension>
std::vector<typename itk::Transform<double, VDimension, VDimension>::Pointer>
ReadSeveralTransforms(const std::string & path, const std::string & what);

/** Checks a transform file without making its transforms.
 * \throws UserError that names the file, and what in it cannot be right */
void
CheckTransformFile(const std::string & path);

/** Whether a transform is a composite of several, or of a displacement field, which Matlab's files do not hold. */
enum class TransformParts
{
  One,
  Several
};

/** \throws UserError when the ending of the name is not that of a format that holds such a transform: HDF5 (.h5,
 * .hdf5), text (.tfm, .txt) and, for one, Matlab (.mat). */
void
CheckTransformFormat(const std::string & path, TransformParts parts = TransformParts::Several);

/** Writes a transform to a temporary place, from where Commit moves it. A linear one is written to Matlab's files as an
 * affine transform, as ANTs does.
 * \throws UserError that names the file, Interrupted */
template <unsigned int VDimension>
StagedFile
StageTransform(const OutputFile & file, const itk::Transform<double, VDimension, VDimension> * transform);

} // namespace cudaneuro::files

#endif
