// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_ImageFormat_h
#define files_images_ImageFormat_h

#include <string>

namespace cudaneuro::files
{

enum class ImageFormat
{
  Nifti,
  MetaImage,
  Nrrd,
  /** FreeSurfer's volumes. */
  Mgh,
  /** A folder, or one file of a series. */
  Dicom
};

/** Whether the ending of a name is that of an image that can be read. */
bool
IsImageName(const std::string & path);

/** Whether a path is a folder, or a file of DICOM by its ending or, where that is no other image's, by its mark. */
bool
IsDicom(const std::string & path);

/** The formats of images that can be read, for a message. */
std::string
KnownImages();

/** The format of an output, by the ending of its name.
 * \throws UserError when it is that of no format that can be written */
ImageFormat
CheckOutputFormat(const std::string & path);

/** The format of an input, by the ending of its name, or by the mark of DICOM.
 * \throws UserError that names the file, when there is no regular file or it has none of the known endings */
ImageFormat
FormatOf(const std::string & path);

} // namespace cudaneuro::files

#endif
