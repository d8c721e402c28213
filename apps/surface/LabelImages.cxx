// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/LabelImages.h"

#include "itkImageRegionConstIteratorWithIndex.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "shared/Messages.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace
{

using Index = itk::Index<3>;

constexpr std::size_t mostLabels = 10000;

/** The corners of a box. */
struct Corners
{
  std::size_t voxels = 0;
  Index       lowest{};
  Index       highest{};
};

void
AddVoxel(Corners & corners, const Index & index)
{
  const bool isFirst = corners.voxels++ == 0;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    corners.lowest[axis] = isFirst ? index[axis] : std::min(corners.lowest[axis], index[axis]);
    corners.highest[axis] = isFirst ? index[axis] : std::max(corners.highest[axis], index[axis]);
  }
}

/** Makes an image of a part of another one whose first index is 0. */
ByteImage::Pointer
MakePart(const itk::ImageBase<3> & image, const itk::ImageRegion<3> & part)
{
  const auto            made = ByteImage::New();
  itk::Point<double, 3> origin;
  image.TransformIndexToPhysicalPoint(part.GetIndex(), origin);
  made->SetRegions(part.GetSize());
  made->SetSpacing(image.GetSpacing());
  made->SetDirection(image.GetDirection());
  made->SetOrigin(origin);
  made->Allocate();
  return made;
}

/** Sets the voxels of a part to a function of their index in the whole image, or to a value beyond its edges. */
template <typename TFunction>
ByteImage::Pointer
FillPart(const itk::ImageBase<3> &   image,
         const itk::ImageRegion<3> & part,
         unsigned char               beyond,
         const TFunction &           valueAt)
{
  const auto made = MakePart(image, part);
  const auto offset = part.GetIndex() - Index{};
  for (itk::ImageRegionIteratorWithIndex<ByteImage> voxel(made, made->GetLargestPossibleRegion()); !voxel.IsAtEnd();
       ++voxel)
  {
    const Index index = voxel.GetIndex() + offset;
    voxel.Set(image.GetLargestPossibleRegion().IsInside(index) ? valueAt(index) : beyond);
  }
  return made;
}

} // namespace

std::vector<LabelBox>
FindLabels(const LabelImage<3> & image, const std::string & path)
{
  std::map<std::int64_t, Corners>                       found;
  itk::ImageRegionConstIteratorWithIndex<LabelImage<3>> voxel(&image, image.GetLargestPossibleRegion());
  // Neighboring voxels mostly have the same label.
  std::int64_t last = 0;
  Corners *    corners = nullptr;
  for (; !voxel.IsAtEnd(); ++voxel)
  {
    const std::int64_t value = voxel.Get();
    if (value == 0)
    {
      continue;
    }
    if (corners == nullptr || value != last)
    {
      corners = &found[value];
      last = value;
      if (found.size() > mostLabels)
      {
        throw UserError(path + " has more than " + std::to_string(mostLabels) +
                        " different values, which are no labels. For signed distances, give --distance");
      }
    }
    AddVoxel(*corners, voxel.GetIndex());
  }
  if (found.empty())
  {
    throw UserError(path + " has no labels: all voxels are 0");
  }
  std::vector<LabelBox> labels;
  for (const auto & [label, box] : found)
  {
    itk::ImageRegion<3> region;
    region.SetIndex(box.lowest);
    region.SetUpperIndex(box.highest);
    labels.push_back({ label, box.voxels, region });
  }
  return labels;
}

itk::ImageRegion<3>
Enlarged(const itk::ImageRegion<3> & box, const itk::ImageBase<3> & image, double margin)
{
  itk::ImageRegion<3> enlarged = box;
  itk::Size<3>        radius{};
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    radius[axis] = static_cast<itk::SizeValueType>(std::ceil(margin / image.GetSpacing()[axis]));
  }
  enlarged.PadByRadius(radius);
  return enlarged;
}

ByteImage::Pointer
WhereEqual(const LabelImage<3> & image, std::int64_t label, const itk::ImageRegion<3> & part)
{
  return FillPart(image, part, 0, [&](const Index & index) {
    return static_cast<unsigned char>(image.GetPixel(index) == label ? 1 : 0);
  });
}

ByteImage::Pointer
PartOfMask(const ByteImage & mask, const itk::ImageRegion<3> & part)
{
  return FillPart(mask, part, 1, [&](const Index & index) { return mask.GetPixel(index); });
}
