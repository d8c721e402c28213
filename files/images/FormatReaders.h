// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_FormatReaders_h
#define files_images_FormatReaders_h

#include "files/images/OpenedImage.h"

#include <functional>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** The readers of the headers of all formats, a function each. What is damaged is a UserError that names the file, the
 * field and the value that cannot be right. */

/** NIfTI-1, NIfTI-2 (.nii, or a pair of .hdr and .img, each of which may be compressed) and Analyze 7.5. ITK's
 * reader would set NaN and infinite numbers to 0, round integers of 32 bits to float before it scales them, compute
 * places in float, and decompress a second time after the check that no voxel is missing.
 * \param image its path is that of the file, or of either one of a pair */
void
OpenNifti(OpenedImage & image, NiftiPlace place);

/** FreeSurfer's volumes: .mgh, or .mgz, which is compressed. ITK 5 has no reader of them among its modules. */
void
OpenMgh(OpenedImage & image);

/** Makes ITK's reader of a MetaImage (.mha, .mhd), after a check of what it crashes or lies with: it copies names and
 * values to buffers of 255 bytes, and takes voxels that are not there for whatever is in memory. */
itk::ImageIOBase::Pointer
OpenMetaImage(const std::string & path);

/** Whether a MetaImage can have a key with a value beside its own fields: ITK's writer does not check what it copies to
 * its buffers, either. */
bool
FitsMetaImage(const std::string & key, const std::string & value);

/** Makes ITK's reader of an NRRD file (.nrrd, .nhdr), after a check of what it crashes or lies with: it formats
 * messages with whole lines in a buffer of 1025 bytes, takes patterns of names as formats of printf, and turns the
 * wrong axis of the space left-anterior-superior. */
itk::ImageIOBase::Pointer
OpenNrrd(const std::string & path);

/** Converts the places of a reader of ITK to mm, with a note, where its header has them in another unit; words that are
 * no units of length tell nothing.
 * \throws UserError for vectors in another unit, which may be displacements */
void
ConvertToMillimeters(itk::ImageIOBase & io, const std::vector<std::string> & units);

/** Runs a function that reads a file by ITK, and turns its errors into a UserError that names the file. One thread
 * at a time runs it: the library beneath the reader of NRRD is not thread-safe.
 * \throws UserError, Interrupted */
void
CallToRead(const std::string & path, const std::function<void()> & read);

} // namespace cudaneuro::files

#endif
