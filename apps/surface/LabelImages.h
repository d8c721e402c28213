// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_surface_LabelImages_h
#define apps_surface_LabelImages_h

#include "files/images/ImageFile.h"
#include "shared/Files.h"

#include <string>
#include <vector>

/** Images of labels, of which each has a surface. */

using ByteImage = itk::Image<unsigned char, 3>;

/** A label, and the box of its voxels. */
struct LabelBox
{
  std::int64_t        label = 0;
  std::size_t         voxels = 0;
  itk::ImageRegion<3> box;
};

/** Returns the labels of an image, its values except 0, in ascending order.
 * \throws UserError that names the file if there are too many labels, or none */
std::vector<LabelBox>
FindLabels(const LabelImage<3> & image, const std::string & path);

/** Returns a box that is larger by a margin in mm on all sides; it may reach beyond the image. */
itk::ImageRegion<3>
Enlarged(const itk::ImageRegion<3> & box, const itk::ImageBase<3> & image, double margin);

/** Makes a mask of a part of an image: 1 at voxels of a label, 0 elsewhere and beyond the image's edges. */
ByteImage::Pointer
WhereEqual(const LabelImage<3> & image, std::int64_t label, const itk::ImageRegion<3> & part);

/** Makes an image of a part of a mask, with 1 beyond the mask's edges. */
ByteImage::Pointer
PartOfMask(const ByteImage & mask, const itk::ImageRegion<3> & part);

#endif
