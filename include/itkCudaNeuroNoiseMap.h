// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroNoiseMap_h
#define itkCudaNeuroNoiseMap_h

#include "itkCudaNeuroImageChecks.h"
#include "itkDeviceImage.h"
#include "itkImage.h"

/** \file
 * Functions that the filters with a noise map share. */
namespace itk::CudaNeuroDetail
{

/** Returns the factor between a parameter and the noise: the one that was set, or \p recommended for 0.
 * \throws ExceptionObject for a negative one */
inline double
UsedNoiseFactor(const LightObject * object, const char * name, double factor, double recommended)
{
  if (!(factor >= 0.0))
  {
    Reject(object, name, " must not be negative; it is ", factor);
  }
  return factor > 0.0 ? factor : recommended;
}

/** Refuses a parameter that was set in addition to a noise map, from which it is derived.
 * \throws ExceptionObject */
inline void
RequireAutomaticBesideMap(const LightObject * object, bool isAutomatic, const char * parameter, const char * factor)
{
  if (!isAutomatic)
  {
    Reject(object,
           "There is a noise map, of which ",
           parameter,
           " is a multiple, but it was set; set ",
           factor,
           " in place of ",
           parameter);
  }
}

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
