// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NiftiWriter_h
#define files_images_NiftiWriter_h

#include "files/images/ImageWriter.h"
#include "files/images/NiftiHeader.h"

namespace cudaneuro::files
{

/** The header, with its extensions, of an image that is moved to a grid: what it says of values and of time is the
 * image's, what it says of the place is the grid's. Which axes are those of slices, and when slices were taken, it says
 * only where the image was on that grid before.
 * \return empty where the image was no NIfTI file */
std::string
MovedHeader(const ImageDescription & grid, const ImageDescription & image);

/** A NIfTI file to write: NIfTI-2 where the input was or an axis is longer than NIfTI-1 can tell, else NIfTI-1. */
class NiftiToWrite
{
public:
  /** What the image's dictionary tells of an input is kept, both matrices and codes too where the grid is still that
   * of the input. Lengths are in mm. */
  NiftiToWrite(const ImageToWrite & image, NiftiKind kind);

  /** The header, and what stands between it and the voxels. */
  std::string
  MakeHeader() const;
  /** Copies some of the bytes of the voxels: the first component of all, and then the second. Begin and count are
   * multiples of a number's bytes. */
  void
  CopyVoxels(std::uint64_t begin, std::size_t count, char * to) const;

private:
  const ImageToWrite & m_Image;
  NiftiHeader          m_Header;
  std::string          m_Extensions;
};

} // namespace cudaneuro::files

#endif
