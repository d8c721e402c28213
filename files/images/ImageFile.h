// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_ImageFile_h
#define files_images_ImageFile_h

#include "files/base/Errors.h"
#include "files/base/Interruption.h"
#include "files/images/ImageGrid.h"
#include "files/images/ImageWriter.h"
#include "files/images/OpenedImage.h"
#include "itkImage.h"
#include "itkVector.h"

#include <cstdint>
#include <string>

namespace cudaneuro::files
{

/** Image files: NIfTI, MetaImage and NRRD, of dimension 2 or 3, with one value a voxel, and fields of displacements. */

/** Calls a generic function with a value of a pixel type, one of those of OpenedImage. */
template <typename TFunction>
auto
WithPixelType(itk::IOComponentEnum type, const TFunction & function)
{
  switch (type)
  {
    case itk::IOComponentEnum::UCHAR:
      return function(static_cast<unsigned char>(0));
    case itk::IOComponentEnum::SHORT:
      return function(static_cast<short>(0));
    case itk::IOComponentEnum::USHORT:
      return function(static_cast<unsigned short>(0));
    case itk::IOComponentEnum::FLOAT:
      return function(0.0f);
    default:
      return function(0.0);
  }
}

/** Reads an image of a pixel type of this module and dimension 2 or 3.
 * \throws UserError that names the file, Interrupted */
template <typename TPixel, unsigned int VDimension>
typename itk::Image<TPixel, VDimension>::Pointer
ReadImage(const OpenedImage & opened);

/** Reads displacements in mm, LPS, of float or double, of as many components as there are axes.
 * \throws UserError that names the file, Interrupted */
template <typename TValue, unsigned int VDimension>
typename itk::Image<itk::Vector<TValue, VDimension>, VDimension>::Pointer
ReadField(const OpenedImage & opened);

/** Whole numbers, which each stand for a part of the body. */
template <unsigned int VDimension>
using LabelImage = itk::Image<std::int64_t, VDimension>;

/** Reads labels of any type of numbers, without loss. Numbers that a slope made are rounded within its precision.
 * \throws UserError that names the file, a voxel and its value when that is no whole number of 64 bits; Interrupted */
template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
ReadLabels(const OpenedImage & opened);

/** Like ReadLabels, also where a voxel has a label in each layer of a segmentation (Segmentation). */
template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
ReadLayeredLabels(const OpenedImage & opened);

/** The labels of plain voxels (PlainVoxels) that were read already.
 * \throws UserError as ReadLabels */
template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
LabelsOf(const OpenedImage & opened, const char * bytes);

/** Reads a mask of any scalar type on the grid of an image: 1 where the file is neither 0 nor NaN.
 * \throws UserError, where that is nowhere, too */
template <unsigned int VDimension>
typename itk::Image<unsigned char, VDimension>::Pointer
ReadMask(const OpenedImage & opened, const itk::ImageBase<VDimension> & image, const std::string & imagePath);

/** Makes a mask that is 1 where a value is neither 0 nor NaN. */
template <unsigned int VDimension>
typename itk::Image<unsigned char, VDimension>::Pointer
MaskOf(const itk::Image<float, VDimension> & values);

} // namespace cudaneuro::files

#endif
