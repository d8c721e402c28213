// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageGrid.h"

#include "files/base/Errors.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace cudaneuro::files
{

template <unsigned int VDimension>
void
SetGrid(itk::ImageBase<VDimension> & image, const OpenedImage & opened)
{
  if (opened.dimension != VDimension)
  {
    throw UserError(opened.path + " has " + std::to_string(opened.dimension) + " axes; " + std::to_string(VDimension) +
                    " are needed");
  }
  itk::Size<VDimension>                       size;
  itk::Vector<double, VDimension>             spacing;
  itk::Point<double, VDimension>              origin;
  itk::Matrix<double, VDimension, VDimension> direction;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    size[axis] = opened.size[axis];
    spacing[axis] = opened.geometry.spacing[axis];
    origin[axis] = opened.geometry.origin[axis];
    for (unsigned int column = 0; column < VDimension; ++column)
    {
      direction[axis][column] = opened.geometry.direction[axis][column];
    }
  }
  image.SetRegions(size);
  image.SetSpacing(spacing);
  image.SetOrigin(origin);
  image.SetDirection(direction);
}

template <unsigned int VDimension>
void
AlignWith(const itk::ImageBase<VDimension> & reference,
          const std::string &                referencePath,
          itk::ImageBase<VDimension> &       image,
          const std::string &                path)
{
  const auto require = [&](bool isSame, const char * what, const auto & value, const auto & referenceValue) {
    if (!isSame)
    {
      std::ostringstream text;
      text << path << " and " << referencePath << " differ in their " << what << ": " << value << " and "
           << referenceValue;
      throw UserError(text.str());
    }
  };
  const auto size = image.GetLargestPossibleRegion().GetSize();
  const auto referenceSize = reference.GetLargestPossibleRegion().GetSize();
  require(size == referenceSize, "size", size, referenceSize);
  double spacingError = 0.0;
  double originError = 0.0;
  double directionError = 0.0;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    const double spacing = reference.GetSpacing()[axis];
    spacingError = std::max(spacingError, std::abs(image.GetSpacing()[axis] / spacing - 1.0));
    originError = std::max(originError, std::abs(image.GetOrigin()[axis] - reference.GetOrigin()[axis]) / spacing);
    for (unsigned int column = 0; column < VDimension; ++column)
    {
      directionError =
        std::max(directionError, std::abs(image.GetDirection()[axis][column] - reference.GetDirection()[axis][column]));
    }
  }
  // A quaternion of single precision near half a turn is wrong by up to 6e-4, and tools write masks with that alone.
  require(spacingError < 1e-4, "spacing", image.GetSpacing(), reference.GetSpacing());
  require(originError < 1e-2, "origin", image.GetOrigin(), reference.GetOrigin());
  require(directionError < 1e-3, "axis directions", image.GetDirection(), reference.GetDirection());
  image.CopyInformation(&reference);
}

#define INSTANTIATE(VDimension) \
  template void SetGrid(itk::ImageBase<VDimension> &, const OpenedImage &); \
  template void AlignWith( \
    const itk::ImageBase<VDimension> &, const std::string &, itk::ImageBase<VDimension> &, const std::string &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE

} // namespace cudaneuro::files
