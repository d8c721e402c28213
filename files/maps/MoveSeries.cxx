// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/maps/MoveSeries.h"

#include "files/base/Errors.h"
#include "files/images/OpenedField.h"
#include "files/images/OpenedImage.h"
#include "files/images/SeriesFile.h"
#include "files/maps/Background.h"
#include "files/maps/SeriesMover.h"

namespace cudaneuro::files
{

namespace
{

using TransformsType = std::vector<MapType<3>::ConstPointer>;

OpenedImage
OpenSeries(OpenedImages & opened, const std::string & path)
{
  OpenedImage series = opened.OpenWithSeries(path);
  if (!IsSeries(series))
  {
    throw UserError(path + " is no series of volumes, which is a NIfTI file of 4 axes");
  }
  return series;
}

void
RequireTransformOfEach(const OpenedImage & series, const TransformsType & transforms)
{
  if (!transforms.empty() && transforms.size() != series.size[3])
  {
    throw UserError(series.path + " has " + std::to_string(series.size[3]) +
                    " volumes, and the number of transforms for them is " + std::to_string(transforms.size()));
  }
  for (std::size_t volume = 0; volume < transforms.size(); ++volume)
  {
    const std::string name = "the transform of volume " + std::to_string(volume);
    if (transforms[volume].IsNull())
    {
      throw UserError(name + " is missing");
    }
    RequireRegular<3>(name, *transforms[volume]);
  }
}

} // namespace

void
MoveSeries(const std::string &    input,
           const std::string &    output,
           const std::string &    reference,
           const MapType<3> *     map,
           const TransformsType & volumeTransforms,
           const SeriesOptions &  options)
{
  if (reference.empty())
  {
    throw UserError("--reference is missing: the image whose grid " + output + " is to have");
  }
  OpenedImages opened;
  opened.reading.place = options.place;
  const OpenedImage          series = OpenSeries(opened, input);
  const OpenedImage          grid = OpenGridOrField(opened, reference);
  const itk::IOComponentEnum type = options.outputType.value_or(series.GetNumberType());
  RequireAxesOf(grid, VolumeOf(series, 0));
  RequireBackground(options.background, options.interpolation, type, true);
  CheckSeriesFormat(output, series);
  const auto together = SpaceMap<3>::New();
  if (map != nullptr)
  {
    RequireRegular<3>("the transform", *map);
    together->AddTransform(const_cast<MapType<3> *>(map));
  }
  RequireTransformOfEach(series, volumeTransforms);
  FilesOfRun files;
  files.AddInput(input);
  files.AddInput(reference);
  const OutputFile file = files.AddOutput(output);

  const ImageMovement ofVolume{
    options.interpolation, options.background, series.GetNumberType(), false, options.computing
  };
  SeriesMovement movement{ series, grid, *together, {}, ofVolume, type };
  if (!volumeTransforms.empty())
  {
    movement.transformOf = [&](std::size_t volume) { return volumeTransforms[volume]; };
  }
  StageMovedSeries(file, movement).file.Commit();
}

} // namespace cudaneuro::files
