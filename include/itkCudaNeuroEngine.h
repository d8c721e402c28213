// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroEngine_h
#define itkCudaNeuroEngine_h

#include "CudaNeuroExport.h"
#include "cudaneuroContext.h"
#include "itkImage.h"

#include <functional>
#include <limits>
#include <sstream>
#include <string>

namespace itk
{

template <typename TPixel, unsigned int VImageDimension>
class DeviceImage;

/** The seam between ITK's classes and the engine: images as the engine's volumes, errors as ITK's exceptions.
 * For the module's own classes. */
namespace CudaNeuroEngine
{

/** Runs \p function and turns what the engine throws into CudaNeuroException, ProcessAborted or ExceptionObject. */
CudaNeuro_EXPORT void
Call(const std::function<void()> & function);

/** The value of an engine's enumeration that has the name.
 * \throws ExceptionObject, which lists the names. */
template <typename TEnum>
TEnum
EnumFromName(const std::string & name)
{
  TEnum value{};
  Call([&] { FromName(name, value); }); // found in the namespace of its type
  return value;
}

/** The name of a value of an engine's enumeration. */
template <typename TEnum>
std::string
NameOf(TEnum value)
{
  std::ostringstream name;
  name << value;
  return name.str();
}

/** The grid of an image's largest possible region. */
template <unsigned int VImageDimension>
cudaneuro::Grid
GridOf(const ImageBase<VImageDimension> * image)
{
  static_assert(VImageDimension == 2 || VImageDimension == 3, "Images of dimension 2 or 3 are supported.");
  cudaneuro::Grid grid;
  grid.size = { 1, 1, 1 };
  for (unsigned int axis = 0; axis < VImageDimension; ++axis)
  {
    grid.size[axis] = static_cast<std::int64_t>(image->GetLargestPossibleRegion().GetSize(axis));
    grid.spacing[axis] = image->GetSpacing()[axis];
  }
  return grid;
}

/** One value an axis of an image as the engine's three; the missing one is \p fill.
 * \throws ExceptionObject for a value that the engine's type cannot hold. */
template <typename TValue, typename TArray>
std::array<TValue, 3>
ThreeAxes(const TArray & values, unsigned int dimension, TValue fill)
{
  std::array<TValue, 3> result{ fill, fill, fill };
  for (unsigned int axis = 0; axis < dimension; ++axis)
  {
    if (static_cast<double>(values[axis]) > static_cast<double>(std::numeric_limits<TValue>::max()))
    {
      itkGenericExceptionMacro("The value " << values[axis] << " is larger than the largest one supported, "
                                            << std::numeric_limits<TValue>::max());
    }
    result[axis] = static_cast<TValue>(values[axis]);
  }
  return result;
}

/** The pixels of an image, wherever they are. */
template <typename TPixel, unsigned int VImageDimension>
cudaneuro::ConstVolume
VolumeOf(const Image<TPixel, VImageDimension> * image)
{
  return { image->GetBufferPointer(), cudaneuro::PixelTypeOf<TPixel>::value, cudaneuro::MemorySpace::Host };
}

template <typename TPixel, unsigned int VImageDimension>
cudaneuro::Volume
VolumeOf(Image<TPixel, VImageDimension> * image)
{
  return { image->GetBufferPointer(), cudaneuro::PixelTypeOf<TPixel>::value, cudaneuro::MemorySpace::Host };
}

template <typename TPixel, unsigned int VImageDimension>
cudaneuro::MemorySpace
SpaceOf(const DeviceImage<TPixel, VImageDimension> * image)
{
  return image->GetComputeDevice().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
}

template <typename TPixel, unsigned int VImageDimension>
cudaneuro::ConstVolume
VolumeOf(const DeviceImage<TPixel, VImageDimension> * image)
{
  return { image->GetDevicePointer(), cudaneuro::PixelTypeOf<TPixel>::value, SpaceOf(image) };
}

template <typename TPixel, unsigned int VImageDimension>
cudaneuro::Volume
VolumeOf(DeviceImage<TPixel, VImageDimension> * image)
{
  return { image->GetDevicePointer(), cudaneuro::PixelTypeOf<TPixel>::value, SpaceOf(image) };
}

} // namespace CudaNeuroEngine
} // namespace itk

#endif
