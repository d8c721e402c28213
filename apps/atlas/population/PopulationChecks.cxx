// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/population/Population.h"
#include "atlas/population/PopulationPoints.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/images/ImageFormat.h"
#include "files/transforms/TransformFile.h"
#include "shared/ErrorList.h"
#include "shared/Files.h"

namespace
{

template <unsigned int VDimension>
void
CheckImageOf(const PopulationImage & image,
             const AtlasOptions &    options,
             const OpenedImage &     gridImage,
             OpenedImages &          opened)
{
  const OpenedImage own = opened.OpenLike(image.path, gridImage);
  const auto        grid = ReadGrid<VDimension>(own);
  if (!options.Aligns() && options.reference.empty() && image.transform.empty())
  {
    try
    {
      AlignWith<VDimension>(*ReadGrid<VDimension>(gridImage), gridImage.path, *ReadGrid<VDimension>(own), image.path);
    }
    catch (const UserError & error)
    {
      throw UserError(error.what() +
                      std::string(", which needs --align affine or rigid, a --reference, or a transform in a --list"));
    }
  }
  if (!image.mask.empty())
  {
    AlignWith<VDimension>(*grid, image.path, *ReadGrid<VDimension>(opened.OpenLike(image.mask, own)), image.mask);
  }
  if (!image.labels.empty())
  {
    AlignWith<VDimension>(*grid, image.path, *ReadGrid<VDimension>(opened.OpenLike(image.labels, own)), image.labels);
  }
  for (const PopulationChannel & channel : image.channels)
  {
    const OpenedImage ofChannel = opened.OpenLike(channel.path, own);
    const auto        gridOfChannel = ReadGrid<VDimension>(ofChannel);
    if (!channel.mask.empty())
    {
      AlignWith<VDimension>(
        *gridOfChannel, channel.path, *ReadGrid<VDimension>(opened.OpenLike(channel.mask, ofChannel)), channel.mask);
    }
    if (!channel.transform.empty())
    {
      CheckTransformFile(channel.transform);
    }
  }
  if (!image.transform.empty())
  {
    IsImageName(image.transform) ? static_cast<void>(opened.OpenAny(image.transform))
                                 : CheckTransformFile(image.transform);
  }
}

template <unsigned int VDimension>
void
CheckAll(const AtlasOptions & options,
         const Population &   population,
         const OpenedImage &  gridImage,
         OpenedImages &       opened)
{
  ErrorList errors;
  for (const PopulationImage & image : population)
  {
    errors.Check([&] { CheckImageOf<VDimension>(image, options, gridImage, opened); });
  }
  errors.Check([&] { ReadPopulationPoints(population, VDimension); });
  if (!options.initialTemplate.empty())
  {
    errors.Check([&] {
      const auto grid = ReadGrid<VDimension>(opened.OpenLike(options.initialTemplate, gridImage));
      AlignWith<VDimension>(*ReadGrid<VDimension>(gridImage), gridImage.path, *grid, options.initialTemplate);
    });
  }
  errors.ThrowIfAny();
}

} // namespace

void
CheckPopulation(const AtlasOptions & options,
                const Population &   population,
                const std::string &  gridPath,
                OpenedImages &       opened)
{
  ErrorList   errors;
  OpenedImage gridImage;
  errors.Check([&] { gridImage = opened.Open(gridPath); });
  if (gridImage.dimension == 2)
  {
    CheckAll<2>(options, population, gridImage, opened);
  }
  else if (gridImage.dimension == 3)
  {
    CheckAll<3>(options, population, gridImage, opened);
  }
  else
  {
    // There is no grid to compare with, but all unreadable files must be named.
    for (const PopulationImage & image : population)
    {
      if (image.path != gridPath)
      {
        errors.Check([&] { opened.Open(image.path); });
      }
    }
  }
  errors.ThrowIfAny();
}
