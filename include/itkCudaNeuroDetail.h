// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroDetail_h
#define itkCudaNeuroDetail_h

#include "CudaNeuroExport.h"
#include "cudaneuro/Context.h"
#include "cudaneuro/DisplacementField.h"
#include "cudaneuro/Geometry.h"
#include "itkComputeDevice.h"
#include "itkCovariantVector.h"
#include "itkImage.h"
#include "itkProcessObject.h"
#include "itkVector.h"

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace itk
{

template <typename TPixel, unsigned int VImageDimension>
class DeviceImage;

template <typename TParametersValueType, unsigned int VInputDimension, unsigned int VOutputDimension>
class Transform;

/** Conversions between ITK's classes and the engine: images to the engine's volumes, errors to ITK's exceptions. For
 * the module's own classes. */
namespace CudaNeuroDetail
{

/** Runs \p function and converts the engine's exceptions to CudaNeuroException, ProcessAborted or ExceptionObject. */
CudaNeuro_EXPORT void
Call(const std::function<void()> & function);

/** Makes a context of the device, or keeps \p context if it is one already, and sets threads and new statistics. */
CudaNeuro_EXPORT void
PrepareContext(std::unique_ptr<cudaneuro::Context> & context, const ComputeDevice & device, unsigned int threads);

/** Returns the number of CPU threads for a filter: its number of work units, but no more than its threader allows, and
 * than ITK's global maximum number of threads. */
CudaNeuro_EXPORT ThreadIdType
NumberOfThreadsOf(const ProcessObject * filter);

/** Returns an input as the type that a filter takes; null where there is none.
 * \throws ExceptionObject when it is of another type. */
template <typename TData>
const TData *
InputAs(const DataObject * input, const char * name)
{
  const auto data = dynamic_cast<const TData *>(input);
  if (input != nullptr && data == nullptr)
  {
    itkGenericExceptionMacro("The input " << name << " is of the class " << input->GetNameOfClass()
                                          << ", with pixels or a dimension that this filter does not take for it");
  }
  return data;
}

/** Returns the value of an engine's enumeration by its name.
 * \throws ExceptionObject, which lists the names. */
template <typename TEnum>
TEnum
EnumFromName(const std::string & name)
{
  TEnum value{};
  Call([&] { FromName(name, value); }); // found by argument-dependent lookup
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

/** Prints values in brackets, with spaces between them. */
template <typename TValue>
std::string
ListOf(const std::vector<TValue> & values)
{
  std::string text;
  for (const TValue & value : values)
  {
    text += (text.empty() ? "" : " ") + NameOf(value);
  }
  return "[" + text + "]";
}

/** The number type and number of components of a pixel, whose components are adjacent in memory. */
template <typename TPixel>
struct PixelTraits
{
  using ComponentType = TPixel;
  static constexpr unsigned int numberOfComponents = 1;
  static constexpr bool         isVector = false;
};
template <typename TComponent, unsigned int VLength>
struct PixelTraits<Vector<TComponent, VLength>>
{
  using ComponentType = TComponent;
  static constexpr unsigned int numberOfComponents = VLength;
  static constexpr bool         isVector = true;
};
template <typename TComponent, unsigned int VLength>
struct PixelTraits<CovariantVector<TComponent, VLength>> : PixelTraits<Vector<TComponent, VLength>>
{};

/** The engine's type of a pixel, or of a vector pixel's components. */
template <typename TPixel>
constexpr cudaneuro::PixelType ComponentTypeOf =
  cudaneuro::PixelTypeOf<typename PixelTraits<TPixel>::ComponentType>::value;

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

/** Returns the position of an image's largest possible region in space. The engine counts voxels from 0, so that the
 * origin is the point of the region's first index. */
template <unsigned int VImageDimension>
cudaneuro::Geometry
GeometryOf(const ImageBase<VImageDimension> * image)
{
  cudaneuro::Geometry geometry;
  geometry.grid = GridOf<VImageDimension>(image);
  Point<double, VImageDimension> origin;
  image->TransformIndexToPhysicalPoint(image->GetLargestPossibleRegion().GetIndex(), origin);
  for (unsigned int row = 0; row < VImageDimension; ++row)
  {
    geometry.origin[row] = origin[row];
    for (unsigned int column = 0; column < VImageDimension; ++column)
    {
      geometry.direction[3 * row + column] = image->GetDirection()[row][column];
    }
  }
  return geometry;
}

/** Distance in mm of the points from which the matrix of a linear transform is computed, by differences. Transforms of
 * float round the mapped points by up to 0.0005 mm at 10,000 mm; between points 1 mm apart, that would be the error of
 * the matrix. A power of two. */
constexpr double lengthOfProbe = 4096.0;

/** Returns a linear transform as a matrix and an offset.
 * \throws ExceptionObject for a transform that is not linear, or not finite. */
template <typename TParametersValueType, unsigned int VDimension>
cudaneuro::AffineMap
AffineMapOf(const Transform<TParametersValueType, VDimension, VDimension> * transform)
{
  if (!transform->IsLinear())
  {
    itkGenericExceptionMacro("The transform is a " << transform->GetNameOfClass() << ", which is not linear");
  }
  using PointType = Point<TParametersValueType, VDimension>;
  PointType origin;
  origin.Fill(0);
  const PointType      offset = transform->TransformPoint(origin);
  cudaneuro::AffineMap map;
  bool                 isFinite = true;
  for (unsigned int column = 0; column < VDimension; ++column)
  {
    map.offset[column] = static_cast<double>(offset[column]);
    PointType probe = origin;
    probe[column] = lengthOfProbe;
    const PointType image = transform->TransformPoint(probe);
    for (unsigned int row = 0; row < VDimension; ++row)
    {
      map.matrix[3 * row + column] =
        (static_cast<double>(image[row]) - static_cast<double>(offset[row])) / lengthOfProbe;
      isFinite = isFinite && std::isfinite(map.matrix[3 * row + column]);
    }
    isFinite = isFinite && std::isfinite(map.offset[column]);
  }
  if (!isFinite)
  {
    itkGenericExceptionMacro("The transform, a " << transform->GetNameOfClass() << ", is not finite");
  }
  return map;
}

/** Returns the time of the last change of a transform or any of its parts, because itk::CompositeTransform::GetMTime
 * ignores its parts. 0 for null. For dimensions 2 and 3. */
template <unsigned int VDimension>
ModifiedTimeType
LatestMTimeOf(const Transform<double, VDimension, VDimension> * transform);

extern template CudaNeuro_EXPORT ModifiedTimeType
LatestMTimeOf<2>(const Transform<double, 2, 2> *);
extern template CudaNeuro_EXPORT ModifiedTimeType
LatestMTimeOf<3>(const Transform<double, 3, 3> *);

/** Converts the parameter \p name from ITK's unsigned number to the engine's int.
 * \throws ExceptionObject for one that is larger than any int. Negative numbers of Python become such numbers: the
 * message prints the negative one. */
inline int
ToInt(SizeValueType value, const char * name)
{
  constexpr int largest = std::numeric_limits<int>::max();
  if (value > static_cast<SizeValueType>(largest))
  {
    itkGenericExceptionMacro("The parameter " << name << " is " << static_cast<OffsetValueType>(value)
                                              << "; it must be between 0 and " << largest);
  }
  return static_cast<int>(value);
}

/** Converts \p name, one unsigned number an axis of an image, to the engine's three; the missing one is \p fill.
 * \throws ExceptionObject for one that is larger than any int. */
template <typename TArray>
std::array<int, 3>
ThreeAxes(const TArray & values, unsigned int dimension, int fill, const char * name)
{
  std::array<int, 3> result{ fill, fill, fill };
  for (unsigned int axis = 0; axis < dimension; ++axis)
  {
    result[axis] = ToInt(values[axis], name);
  }
  return result;
}

/** Converts one number an axis of an image to the engine's three; a missing one is \p fill. */
template <typename TArray>
std::array<double, 3>
ThreeAxes(const TArray & values, unsigned int dimension, double fill)
{
  std::array<double, 3> result{ fill, fill, fill };
  for (unsigned int axis = 0; axis < dimension; ++axis)
  {
    result[axis] = static_cast<double>(values[axis]);
  }
  return result;
}

/** The type of an image with pixels of another type in the same kind of memory. */
template <typename TImage, typename TPixel>
struct SameKindOf;
template <typename TFrom, unsigned int VDimension, typename TPixel>
struct SameKindOf<Image<TFrom, VDimension>, TPixel>
{
  using Type = Image<TPixel, VDimension>;
};
template <typename TFrom, unsigned int VDimension, typename TPixel>
struct SameKindOf<DeviceImage<TFrom, VDimension>, TPixel>
{
  using Type = DeviceImage<TPixel, VDimension>;
};

/** Whether an image is a DeviceImage. */
template <typename TImage>
inline constexpr bool IsDeviceImage = false;
template <typename TPixel, unsigned int VDimension>
inline constexpr bool IsDeviceImage<DeviceImage<TPixel, VDimension>> = true;

/** The address of an image's first pixel, in the memory of its device. */
template <typename TImage>
auto *
PixelsOf(TImage * image)
{
  if constexpr (IsDeviceImage<std::remove_const_t<TImage>>)
  {
    return image->GetDevicePointer();
  }
  else
  {
    return image->GetBufferPointer();
  }
}

/** The kind of memory that an image's pixels are in. */
template <typename TImage>
cudaneuro::MemorySpace
SpaceOf([[maybe_unused]] const TImage * image)
{
  if constexpr (IsDeviceImage<TImage>)
  {
    return image->GetComputeDevice().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  }
  else
  {
    return cudaneuro::MemorySpace::Host;
  }
}

/** The engine's type for the pixels of an image, which may be const. */
template <typename TImage>
using VolumeType = std::conditional_t<std::is_const_v<TImage>, cudaneuro::ConstVolume, cudaneuro::Volume>;

/** Returns the pixels of an image, in host or device memory. */
template <typename TImage>
VolumeType<TImage>
VolumeOf(TImage * image)
{
  return { PixelsOf(image), cudaneuro::PixelTypeOf<typename TImage::PixelType>::value, SpaceOf(image) };
}

/** Returns the components of all pixels as one row of numbers after the other, on a grid whose size along x is
 * multiplied by the number of components; for a scalar image these are its pixels. */
template <typename TImage>
VolumeType<TImage>
ComponentsOf(TImage * image)
{
  return { PixelsOf(image), ComponentTypeOf<typename TImage::PixelType>, SpaceOf(image) };
}

/** Converts an image of vectors, one component an axis, to the engine's field; null gives an absent one. */
template <typename TImage>
auto
FieldOf(TImage * image)
{
  static_assert(PixelTraits<typename TImage::PixelType>::numberOfComponents == TImage::ImageDimension &&
                  ComponentTypeOf<typename TImage::PixelType> == cudaneuro::PixelType::Float,
                "A field is an image of vectors of float, one component an axis.");
  using FieldType = std::conditional_t<std::is_const_v<TImage>, cudaneuro::ConstField, cudaneuro::Field>;
  if (image == nullptr)
  {
    return FieldType{};
  }
  const VolumeType<TImage> components = ComponentsOf(image);
  return FieldType{ static_cast<decltype(FieldType::data)>(components.data), TImage::ImageDimension, components.space };
}

} // namespace CudaNeuroDetail
} // namespace itk

#endif
