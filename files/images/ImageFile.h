// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_ImageFile_h
#define files_images_ImageFile_h

#include "files/output/OutputFile.h"
#include "itkImage.h"
#include "itkImageIOBase.h"
#include "itkVector.h"
#include "files/base/Errors.h"
#include "files/base/Interruption.h"

#include <string>
#include <vector>

/** Image files of the command-line programs: NIfTI, MetaImage and NRRD, of dimension 2 or 3, with one value a voxel. */

/** The header of an image file. */
struct ImageFileInformation
{
  unsigned int             dimension = 0;
  std::vector<std::size_t> size;
  std::vector<double>      spacing;
  /** The supported type to read the pixels as: the file's own where it is supported. */
  itk::IOComponentEnum pixelType = itk::IOComponentEnum::FLOAT;
  /** The file's own type. */
  itk::IOComponentEnum componentType = itk::IOComponentEnum::FLOAT;
  /** Name of the class that reads the format. */
  std::string format;
};

/** \throws UserError when it is no readable image of dimension 2 or 3 with one value a voxel. */
ImageFileInformation
ReadImageInformation(const std::string & path);

/** Like "197 x 233 x 189 voxels of 1 x 1 x 1 mm, unsigned char". */
std::string
Describe(const ImageFileInformation & information);

/** Like "unsigned char". */
std::string
NameOf(itk::IOComponentEnum type);

/** Calls a generic function with a value of a pixel type, one of those of ImageFileInformation. */
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

/** \throws UserError when the ending of the name is that of no format that can be written.
 * \return name of the class that writes the format. */
std::string
CheckOutputFormat(const std::string & path);

/** Reads an image of a pixel type of this module and dimension 2 or 3.
 * \throws UserError that names the file, Interrupted */
template <typename TPixel, unsigned int VDimension>
typename itk::Image<TPixel, VDimension>::Pointer
ReadImage(const std::string & path);

/** Reads displacements of float or double, of as many components as there are axes.
 * \throws UserError that names the file, Interrupted */
template <typename TValue, unsigned int VDimension>
typename itk::Image<itk::Vector<TValue, VDimension>, VDimension>::Pointer
ReadField(const std::string & path);

/** Writes an image, or a field of float, to a temporary place, from where Commit moves it. Threads may call this, and
 * ReadImage, at the same time. */
template <typename TPixel, unsigned int VDimension>
StagedFile
StageImage(const OutputFile & file, const itk::Image<TPixel, VDimension> * image);

template <typename TPixel, unsigned int VDimension>
void
WriteImage(const OutputFile & file, const itk::Image<TPixel, VDimension> * image);

/** Checks that two images have the same grid, within the precision of files, and then makes them equal.
 * \throws UserError that names both files and what differs. */
template <unsigned int VDimension>
void
AlignWith(const itk::ImageBase<VDimension> & reference,
          const std::string &                referencePath,
          itk::ImageBase<VDimension> &       image,
          const std::string &                path);

/** Reads a mask of any scalar type on the grid of an image: 1 where the file is neither 0 nor NaN.
 * \throws UserError, where that is nowhere, too */
template <unsigned int VDimension>
typename itk::Image<unsigned char, VDimension>::Pointer
ReadMask(const std::string & path, const itk::ImageBase<VDimension> & image, const std::string & imagePath);

/** Makes a mask that is 1 where a value is neither 0 nor NaN. */
template <unsigned int VDimension>
typename itk::Image<unsigned char, VDimension>::Pointer
MaskOf(const itk::Image<float, VDimension> & values);

#endif
