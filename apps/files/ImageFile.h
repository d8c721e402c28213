// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_files_ImageFile_h
#define apps_files_ImageFile_h

#include "cudaneuro/Volume.h"
#include "files/OutputFile.h"
#include "itkImage.h"
#include "itkVector.h"
#include "shared/ProgramSupport.h"

#include <string>
#include <vector>

/** Image files of the command-line programs: NIfTI, MetaImage and NRRD, of dimension 2 or 3, with one value a voxel. */

/** What is known of a file before its pixels are read. */
struct ImageFileInformation
{
  unsigned int             dimension = 0;
  std::vector<std::size_t> size;
  std::vector<double>      spacing;
  /** The type of its pixels, or the type to read them as where the file's own type is none of those. */
  cudaneuro::PixelType pixelType = cudaneuro::PixelType::Float;
  /** The file's own type, as ITK names it. */
  std::string componentType;
  /** Name of the class that reads the format. */
  std::string format;
};

/** \throws ProgramError when it is no readable image of dimension 2 or 3 with one value a voxel. */
ImageFileInformation
ReadImageInformation(const std::string & path);

/** Like "197 x 233 x 189 voxels of 1 x 1 x 1 mm, unsigned char". */
std::string
Describe(const ImageFileInformation & information);

/** Like "unsigned char". */
std::string
NameOf(cudaneuro::PixelType type);

/** The same as ITK names it: "unsigned_char". */
std::string
NameOfComponent(cudaneuro::PixelType type);

/** \throws ProgramError when the ending of the name is that of no format that can be written.
 * \return name of the class that writes the format. */
std::string
CheckOutputFormat(const std::string & path);

/** For the pixel types of this module and dimensions 2 and 3.
 * \throws ProgramError that names the file, Interrupted */
template <typename TPixel, unsigned int VDimension>
typename itk::Image<TPixel, VDimension>::Pointer
ReadImage(const std::string & path);

/** Reads displacements of float or double, of as many components as there are axes.
 * \throws ProgramError that names the file, Interrupted */
template <typename TValue, unsigned int VDimension>
typename itk::Image<itk::Vector<TValue, VDimension>, VDimension>::Pointer
ReadField(const std::string & path);

/** Writes an image, or a field of float, which is not in its place yet. Several may be written at once, by threads, as
 * several may be read. */
template <typename TPixel, unsigned int VDimension>
StagedFile
StageImage(const OutputFile & file, const itk::Image<TPixel, VDimension> * image);

template <typename TPixel, unsigned int VDimension>
void
WriteImage(const OutputFile & file, const itk::Image<TPixel, VDimension> * image);

/** Checks that an image lies where another does, to within what files keep, and then makes that exact.
 * \throws ProgramError that names both files and what differs. */
template <unsigned int VDimension>
void
AlignWith(const itk::ImageBase<VDimension> & reference,
          const std::string &                referencePath,
          itk::ImageBase<VDimension> &       image,
          const std::string &                path);

/** Reads a mask of any scalar type, which must lie where the image does: 1 where it is not 0. */
template <unsigned int VDimension>
typename itk::Image<unsigned char, VDimension>::Pointer
ReadMask(const std::string & path, const itk::ImageBase<VDimension> & image, const std::string & imagePath);

/** 1 where a value is not 0, and a number. */
template <unsigned int VDimension>
typename itk::Image<unsigned char, VDimension>::Pointer
MaskOf(const itk::Image<float, VDimension> & values);

#endif
