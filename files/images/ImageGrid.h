// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_ImageGrid_h
#define files_images_ImageGrid_h

#include "files/images/OpenedImage.h"
#include "itkImageBase.h"

#include <string>

namespace cudaneuro::files
{

/** Gives an image the grid of a file, without pixels.
 * \throws UserError that names the file when it has other axes */
template <unsigned int VDimension>
void
SetGrid(itk::ImageBase<VDimension> & image, const OpenedImage & opened);

/** Where the voxels of an image are. */
template <unsigned int VDimension>
typename itk::ImageBase<VDimension>::Pointer
ReadGrid(const OpenedImage & opened)
{
  const auto grid = itk::ImageBase<VDimension>::New();
  SetGrid<VDimension>(*grid, opened);
  return grid;
}

/** Makes an image of a pixel type on a grid, with uninitialized pixels. */
template <typename TImage>
typename TImage::Pointer
MakeImageOn(const itk::ImageBase<TImage::ImageDimension> & grid)
{
  const typename TImage::Pointer image = TImage::New();
  image->CopyInformation(&grid);
  image->SetRegions(grid.GetLargestPossibleRegion());
  image->Allocate();
  return image;
}

/** Checks that two images have the same grid, within the precision of files, and then makes them equal.
 * \throws UserError that names both files and what differs. */
template <unsigned int VDimension>
void
AlignWith(const itk::ImageBase<VDimension> & reference,
          const std::string &                referencePath,
          itk::ImageBase<VDimension> &       image,
          const std::string &                path);

} // namespace cudaneuro::files

#endif
