// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_LimitedOutput_h
#define apps_shared_LimitedOutput_h

#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/maps/LimitedVoxels.h"
#include "itkCudaNeuroDetail.h"
#include "shared/Files.h"

#include <atomic>
#include <cstdint>

/** Writes an image in host memory as another type.
 * \param metadata the header without the grid
 * \param limited incremented by the number of values that the type does not hold; threads may share it */
template <unsigned int VDimension>
StagedFile
StageLimited(const OutputFile &                    file,
             const itk::Image<float, VDimension> & image,
             const itk::MetaDataDictionary &       metadata,
             itk::IOComponentEnum                  type,
             std::atomic<std::uint64_t> &          limited)
{
  namespace detail = itk::CudaNeuroDetail;
  limited += CountLimited(image.GetBufferPointer(), image.GetLargestPossibleRegion().GetNumberOfPixels(), type);
  return WithPixelType(type, [&](auto pixel) {
    using PixelType = decltype(pixel);
    const auto         converted = MakeImageOn<itk::Image<PixelType, VDimension>>(image);
    cudaneuro::Context context(cudaneuro::Device(), 1);
    cudaneuro::CopyVolume(
      context, detail::GridOf<VDimension>(&image), detail::VolumeOf(&image), detail::VolumeOf(converted.GetPointer()));
    converted->SetMetaDataDictionary(metadata);
    return StageImage<PixelType, VDimension>(file, converted.GetPointer());
  });
}

#endif
