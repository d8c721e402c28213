// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_DicomFolder_h
#define files_images_DicomFolder_h

#include "itkImageIOBase.h"

#include <string>

namespace cudaneuro::files
{

/** Whether a path is a folder, or a file that DICOM's endings mark. */
bool
IsDicomName(const std::string & path);

/** Makes a reader of the volume of a series of DICOM, of which each file has a slice, by ITK's readers, and reads the
 * header.
 * \param path a folder with one series, or a file of a series, to which all files beside it belong that have its UID
 * \throws UserError that names the folder and the series in it, or says how to convert it where this was built without
 * ITK's reader of DICOM */
itk::ImageIOBase::Pointer
OpenDicom(const std::string & path);

} // namespace cudaneuro::files

#endif
