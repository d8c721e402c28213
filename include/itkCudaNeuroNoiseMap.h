// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroNoiseMap_h
#define itkCudaNeuroNoiseMap_h

#include "itkCudaNeuroImageChecks.h"
#include "itkDeviceImage.h"
#include "itkImage.h"

namespace itk::CudaNeuroDetail
{

/** The values of a noise map, an Image or a DeviceImage of float; an absent volume for null. */
template <unsigned int VDimension>
cudaneuro::ConstVolume
NoiseVolumeOf(const LightObject * object, const ImageBase<VDimension> * map, const ComputeDevice & device)
{
  cudaneuro::ConstVolume volume;
  const auto             take = [&](const auto * image) {
    if (image != nullptr)
    {
      VerifyPixels(object, "the noise map", image, device);
      volume = VolumeOf(image);
    }
  };
  take(dynamic_cast<const Image<float, VDimension> *>(map));
  take(dynamic_cast<const DeviceImage<float, VDimension> *>(map));
  if (map != nullptr && volume.data == nullptr)
  {
    Reject(object,
           "A noise map must be an Image or a DeviceImage of float; it is a ",
           map->GetNameOfClass(),
           " of another pixel type or class");
  }
  return volume;
}

} // namespace itk::CudaNeuroDetail

#endif
