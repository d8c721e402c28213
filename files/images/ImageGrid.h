// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_ImageGrid_h
#define files_images_ImageGrid_h

#include "itkImageBase.h"

#include <string>

/** Reads where the voxels of an image are, from its header.
 * \throws UserError that names the file */
template <unsigned int VDimension>
typename itk::ImageBase<VDimension>::Pointer
ReadGrid(const std::string & path);

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

#endif
