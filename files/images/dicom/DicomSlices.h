// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_dicom_DicomSlices_h
#define files_images_dicom_DicomSlices_h

#include "itkImageIOBase.h"

#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Refuses a series of DICOM whose files, or the frames in one of them, are not the slices of one volume with a grid of
 * right angles: scanners give localizers and repeated volumes one UID, tilt their gantry, and tile slices. Refuses
 * files that are cut short, too, whose missing pixels ITK's reader would set to 0. Warns where slices have no
 * positions.
 * \param path how the user named the series
 * \param files in the order of the slices
 * \return the type that holds the numbers of all slices, each of which may have a scale of its own
 * \throws UserError, itk::ExceptionObject */
itk::IOComponentEnum
CheckDicomSlices(const std::string & path, const std::vector<std::string> & files);

} // namespace cudaneuro::files

#endif
