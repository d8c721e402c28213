// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_dicom_DicomFolder_h
#define files_images_dicom_DicomFolder_h

#include "itkImageIOBase.h"

#include <string>

namespace cudaneuro::files
{

/** Advice for messages: what makes other images of DICOM. */
constexpr const char * byConverter = "by \"dcm2niix FOLDER\" for example";

/** Makes a reader of the volume of a series of DICOM, of which each file has a slice, by ITK's readers. Errors name the
 * series in a folder, or say how to convert them where this was built without ITK's reader of DICOM.
 * \param path a folder with one series, or a file of a series, to which all files beside it belong that have its UID
 * \throws UserError, itk::ExceptionObject */
itk::ImageIOBase::Pointer
OpenDicom(const std::string & path);

/** Whether a file begins as those of DICOM do, of which many have names without an ending. */
bool
HasDicomMark(const std::string & path);

} // namespace cudaneuro::files

#endif
