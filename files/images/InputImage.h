// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_InputImage_h
#define files_images_InputImage_h

#include <cstdint>
#include <functional>
#include <string>

/** The formats of image files, and the checks of those that ITK reads. */

enum class ImageFormat
{
  Nifti,
  MetaImage,
  Nrrd
};

/** The voxels of an image's file, as its header announces them. */
struct InputImage
{
  ImageFormat format = ImageFormat::Nifti;
  /** The file to give to ITK's reader: that of the header. */
  std::string headerPath;
  /** The file with the voxels, which may be the same. */
  std::string dataPath;
  /** Number of bytes before the voxels, and of the voxels. */
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  /** Checks that no voxel is missing where they are compressed or text, which takes as long as reading them. To be called
   * before ITK's reader. */
  std::function<void()> checkVoxels = [] {};
};

/** Whether the ending of a name is that of an image that can be read. */
bool
IsImageName(const std::string & path);

/** The format of an input, by the ending of its name.
 * \throws UserError that names the file, when there is no regular file or it has none of the known endings */
ImageFormat
FormatOf(const std::string & path);

/** Checks the header of an image that ITK reads, and that the file is large enough for the voxels that it announces.
 * \throws UserError that names the file, and the field and the value that cannot be right */
InputImage
CheckImage(const std::string & path);

#endif
