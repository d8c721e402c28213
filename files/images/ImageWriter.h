// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_ImageWriter_h
#define files_images_ImageWriter_h

#include "files/images/ImageDescription.h"
#include "files/images/ImageFormat.h"
#include "files/base/NumberTypes.h"
#include "files/output/OutputFile.h"
#include "itkImage.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Writing images of 2 or 3 axes and of any type of numbers, and fields of displacements. */

/** An image to write. Its pixels are not copied. */
struct ImageToWrite : ImageDescription
{
  const void * pixels = nullptr;
};

/** What the dictionary of an input tells of its grid, to be given to other images on the same grid: codes and
 * matrices of NIfTI. */
itk::MetaDataDictionary
GridMetadata(const itk::MetaDataDictionary & dictionary);

/** What is written of an image that is moved to a grid: GridMetadata of the grid, and what the image's own file says of
 * its values, which are its keys, without what NRRD says of its axes, and the rest of a NIfTI header. */
itk::MetaDataDictionary
MovedMetadata(const ImageDescription & grid, const ImageDescription & image);

/** Writes an image to a temporary place, from where Commit moves it. Threads may call this, and ReadImage, at the
 * same time. */
StagedFile
StageImage(const OutputFile & file, const ImageToWrite & image);

/** Makes a volume of a series that is written, in the type of its numbers. */
using MakeVolume = std::function<void(std::size_t volume, char * to)>;

/** Does what StageImage does for a series of NIfTI whose volumes are made while it is written.
 * \param series without pixels
 * \param make called by threads, for each volume once; what it throws becomes a UserError about writing
 * \param volumesAtOnce most volumes that are made at a time */
StagedFile
StageSeries(const OutputFile & file, const ImageToWrite & series, const MakeVolume & make, unsigned int volumesAtOnce);

/** Writes an image of 64-bit integers as another type, which must have all of them. */
StagedFile
StageConverted(const OutputFile & file, const ImageToWrite & image, itk::IOComponentEnum type);

template <typename TPixel, unsigned int VDimension>
ImageToWrite
DescribeToWrite(const itk::Image<TPixel, VDimension> & image)
{
  using ValueType = typename itk::NumericTraits<TPixel>::ValueType;
  ImageToWrite made;
  made.dimension = VDimension;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    made.size.push_back(image.GetLargestPossibleRegion().GetSize(axis));
    made.geometry.spacing[axis] = image.GetSpacing()[axis];
    made.geometry.origin[axis] = image.GetOrigin()[axis];
    for (unsigned int column = 0; column < VDimension; ++column)
    {
      made.geometry.direction[axis][column] = image.GetDirection()[axis][column];
    }
  }
  made.components = sizeof(TPixel) / sizeof(ValueType);
  made.componentType = componentTypeOf<ValueType>;
  made.pixels = image.GetBufferPointer();
  made.metadata = image.GetMetaDataDictionary();
  return made;
}

template <typename TPixel, unsigned int VDimension>
StagedFile
StageImage(const OutputFile & file, const itk::Image<TPixel, VDimension> * image)
{
  return StageImage(file, DescribeToWrite<TPixel, VDimension>(*image));
}

template <typename TPixel, unsigned int VDimension>
void
WriteImage(const OutputFile & file, const itk::Image<TPixel, VDimension> * image)
{
  StageImage<TPixel, VDimension>(file, image).Commit();
}

} // namespace cudaneuro::files

#endif
