// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/Population.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/images/InputImage.h"
#include "files/transforms/InputTransform.h"
#include "shared/Complaints.h"

namespace
{

/** Reads the grid of an image from its header.
 * \throws UserError when it has other axes than another */
template <unsigned int VDimension>
typename itk::ImageBase<VDimension>::Pointer
ReadGridLike(const std::string & path, const std::string & otherPath)
{
  const ImageFileInformation information = ReadImageInformation(path);
  if (information.dimension != VDimension)
  {
    throw UserError(path + " has " + std::to_string(information.dimension) + " axes, and " + otherPath + " " +
                    std::to_string(VDimension));
  }
  return ReadGrid<VDimension>(path);
}

template <unsigned int VDimension>
void
CheckImageOf(const PopulationImage & image, const AtlasOptions & options, const std::string & gridPath)
{
  const auto grid = ReadGridLike<VDimension>(image.path, gridPath);
  if (!options.Aligns() && options.reference.empty() && image.transform.empty())
  {
    const auto own = itk::ImageBase<VDimension>::New();
    own->CopyInformation(grid);
    own->SetRegions(grid->GetLargestPossibleRegion());
    try
    {
      AlignWith<VDimension>(*ReadGrid<VDimension>(gridPath), gridPath, *own, image.path);
    }
    catch (const UserError & error)
    {
      throw UserError(error.what() +
                      std::string(", which needs --align affine or rigid, a --reference, or a transform in a --list"));
    }
  }
  if (!image.mask.empty())
  {
    AlignWith<VDimension>(*grid, image.path, *ReadGridLike<VDimension>(image.mask, image.path), image.mask);
  }
  if (!image.transform.empty())
  {
    IsImageName(image.transform) ? static_cast<void>(CheckImage(image.transform)) : CheckTransformFile(image.transform);
  }
}

template <unsigned int VDimension>
void
CheckAll(const AtlasOptions & options, const Population & population, const std::string & gridPath)
{
  Complaints complaints;
  for (const PopulationImage & image : population)
  {
    complaints.Check([&] { CheckImageOf<VDimension>(image, options, gridPath); });
  }
  if (!options.initialTemplate.empty())
  {
    complaints.Check([&] {
      const auto grid = ReadGridLike<VDimension>(options.initialTemplate, gridPath);
      AlignWith<VDimension>(*ReadGrid<VDimension>(gridPath), gridPath, *grid, options.initialTemplate);
    });
  }
  complaints.ThrowIfAny();
}

} // namespace

void
CheckPopulation(const AtlasOptions & options, const Population & population, const std::string & gridPath)
{
  Complaints   complaints;
  unsigned int dimension = 0;
  complaints.Check([&] { dimension = ReadImageInformation(gridPath).dimension; });
  if (dimension == 2)
  {
    CheckAll<2>(options, population, gridPath);
  }
  else if (dimension == 3)
  {
    CheckAll<3>(options, population, gridPath);
  }
  else
  {
    // There is no grid to compare with, and yet all that cannot be read is named.
    for (const PopulationImage & image : population)
    {
      if (image.path != gridPath)
      {
        complaints.Check([&] { ReadImageInformation(image.path); });
      }
    }
  }
  complaints.ThrowIfAny();
}
