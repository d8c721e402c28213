// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/SeriesVolume.h"

#include "files/base/Errors.h"
#include "files/images/NiftiFile.h"
#include "files/images/NiftiGeometry.h"
#include "files/base/NumberTypes.h"

#include <atomic>
#include <optional>

namespace
{

std::optional<std::size_t> volumeInUse;
std::atomic<bool>          isVolumeTaken{ false };

} // namespace

void
SetSeriesVolume(std::size_t volume)
{
  volumeInUse = volume;
}

bool
IsSeriesMissing()
{
  return volumeInUse && !isVolumeTaken;
}

void
TakeVolume(OpenedImage & image)
{
  if (!volumeInUse || image.dimension != 4 || image.components != 1 || !image.nifti)
  {
    return;
  }
  const auto        file = std::make_shared<NiftiFile>(*image.nifti);
  const std::size_t count = image.size[3];
  if (*volumeInUse >= count)
  {
    throw UserError(image.path + " has " + std::to_string(count) + " volumes; --volume is " +
                    std::to_string(*volumeInUse) + ", and must be from 0 to " + std::to_string(count - 1));
  }
  file->voxels /= count;
  file->offset += *volumeInUse * file->voxels * BytesOf(file->type);
  file->size.resize(3);
  std::vector<std::string> ignored;
  image.nifti = file;
  image.dimension = 3;
  image.size.resize(3);
  SetGeometry(image, GeometryOf(file->headerPath, file->header, 3, ignored));
  isVolumeTaken = true;
}
