// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaNeuroFiles.h"

#include "FileWarnings.h"
#include "NamedTypes.h"
#include "WithAxes.h"
#include "files/base/Errors.h"
#include "files/base/NumberTypes.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/images/OpenedField.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

using namespace cudaneuro::files;

namespace itk
{

namespace
{

ReadingOptions
OptionsOf(const std::string & place, long volume = -1)
{
  ReadingOptions reading;
  reading.place = place == "qform" ? NiftiPlace::Qform : NiftiPlace::Sform;
  if (volume >= 0)
  {
    reading.volume = static_cast<std::size_t>(volume);
  }
  return reading;
}

/** Returns the number of axes of a field, which is its number of components, or the length of a file's last axis. */
unsigned int
AxesOfField(const OpenedImage & opened)
{
  const std::size_t components = opened.components > 1 ? opened.components : opened.size.back();
  return components == 2 && (opened.components > 1 || opened.dimension > 2) ? 2 : 3;
}

/** Whether a type represents all whole numbers between two limits. */
template <typename TNumber>
bool
Holds(std::int64_t smallest, std::int64_t largest)
{
  using Limits = std::numeric_limits<TNumber>;
  if constexpr (std::is_integral_v<TNumber>)
  {
    const bool isLow =
      std::is_unsigned_v<TNumber> ? smallest >= 0 : smallest >= static_cast<std::int64_t>(Limits::min());
    return isLow && (largest < 0 || static_cast<std::uint64_t>(largest) <= static_cast<std::uint64_t>(Limits::max()));
  }
  else
  {
    constexpr std::int64_t exact = std::int64_t{ 1 } << Limits::digits;
    return smallest >= -exact && largest <= exact;
  }
}

template <unsigned int VDimension>
SmartPointer<DataObject>
ConvertLabels(const LabelImage<VDimension> & labels, IOComponentEnum type)
{
  return WithComponentType(type, [&](auto number) -> SmartPointer<DataObject> {
    using ImageType = Image<decltype(number), VDimension>;
    const auto                 image = MakeImageOn<ImageType>(labels);
    const std::int64_t * const begin = labels.GetBufferPointer();
    std::transform(begin,
                   begin + labels.GetLargestPossibleRegion().GetNumberOfPixels(),
                   image->GetBufferPointer(),
                   [](std::int64_t label) { return static_cast<decltype(number)>(label); });
    image->SetMetaDataDictionary(labels.GetMetaDataDictionary());
    return image.GetPointer();
  });
}

/** Writes an image if it is of the given type.
 * \return whether it is */
template <typename TPixel, unsigned int VDimension>
bool
WriteIf(const std::string & path, const DataObject & object, const DataObject & like)
{
  const auto * const image = dynamic_cast<const Image<TPixel, VDimension> *>(&object);
  if (image == nullptr)
  {
    return false;
  }
  if (image->GetBufferedRegion() != image->GetLargestPossibleRegion() || image->GetBufferPointer() == nullptr)
  {
    throw UserError("cannot write " + path + ": not all pixels of the image are there; call Update() of what makes it");
  }
  ImageToWrite made = DescribeToWrite<TPixel, VDimension>(*image);
  // Files do not store the index of the first voxel, only its position.
  Point<double, VDimension> origin;
  image->TransformIndexToPhysicalPoint(image->GetLargestPossibleRegion().GetIndex(), origin);
  std::copy(origin.Begin(), origin.End(), made.geometry.origin.Begin());
  made.metadata = like.GetMetaDataDictionary();
  StageImage(OutputFile(path), made).Commit();
  return true;
}

} // namespace

SmartPointer<DataObject>
CudaNeuroFiles::ReadImage(const std::string &              path,
                          const std::vector<std::string> & pixelTypes,
                          const std::string &              place,
                          long                             volume)
{
  FileWarnings::Keep();
  const std::vector<IOComponentEnum> types = TypesNamed(pixelTypes);
  const OpenedImage                  opened = OpenImage(path, OptionsOf(place, volume));
  const bool                         isOwn = std::find(types.begin(), types.end(), opened.pixelType) != types.end();
  const IOComponentEnum              type = isOwn ? opened.pixelType : types.back();
  return WithPixelType(type, [&](auto number) {
    if (componentTypeOf<decltype(number)> != type)
    {
      throw UserError("images are read as itk.UC, itk.SS, itk.US, itk.F or itk.D, and not as " + NameOf(type) +
                      "; read_labels reads whole numbers of all types");
    }
    return WithAxes(opened.dimension, [&](auto axes) -> SmartPointer<DataObject> {
      return cudaneuro::files::ReadImage<decltype(number), axes()>(opened).GetPointer();
    });
  });
}

SmartPointer<DataObject>
CudaNeuroFiles::ReadLabels(const std::string &              path,
                           const std::vector<std::string> & pixelTypes,
                           const std::string &              place,
                           long                             volume)
{
  FileWarnings::Keep();
  std::vector<IOComponentEnum> types = TypesNamed(pixelTypes);
  const OpenedImage            opened = OpenImage(path, OptionsOf(place, volume));
  // The numbers of a scaled file have another type than the file.
  const auto own = std::find(types.begin(), types.end(), opened.componentType);
  if (own != types.end() && !opened.voxels.isScaled)
  {
    std::rotate(types.begin(), own, own + 1);
  }
  return WithAxes(opened.dimension, [&](auto axes) {
    const auto                 labels = cudaneuro::files::ReadLabels<axes()>(opened);
    const std::int64_t * const begin = labels->GetBufferPointer();
    const auto [smallest, largest] =
      std::minmax_element(begin, begin + labels->GetLargestPossibleRegion().GetNumberOfPixels());
    const std::int64_t range[] = { *smallest, *largest };
    const auto         holds = [&](IOComponentEnum type) {
      return WithComponentType(type, [&](auto number) { return Holds<decltype(number)>(range[0], range[1]); });
    };
    const auto found = std::find_if(types.begin(), types.end(), holds);
    if (found == types.end())
    {
      throw UserError(path + " has labels from " + std::to_string(range[0]) + " to " + std::to_string(range[1]) +
                      ", which no pixel type of this package itk holds");
    }
    return ConvertLabels<axes()>(*labels, *found);
  });
}

SmartPointer<DataObject>
CudaNeuroFiles::ReadDisplacementField(const std::string & path, const std::string & place)
{
  FileWarnings::Keep();
  const OpenedImage opened = OpenAnyImage(path, OptionsOf(place));
  return WithAxes(AxesOfField(opened),
                  [&](auto axes) -> SmartPointer<DataObject> { return ReadField<float, axes()>(opened).GetPointer(); });
}

void
CudaNeuroFiles::WriteImage(const std::string & path, const DataObject * image, const DataObject * like)
{
  FileWarnings::Keep();
  CheckOutputFormat(path);
  const DataObject & source = like != nullptr ? *like : *image;
  const auto         write = [&](auto axes) {
    constexpr unsigned int dimension = axes();
    const bool isOfNumbers = std::any_of(std::begin(namedTypes), std::end(namedTypes), [&](const NamedType & named) {
      return WithComponentType(named.type,
                               [&](auto number) { return WriteIf<decltype(number), dimension>(path, *image, source); });
    });
    return isOfNumbers || WriteIf<Vector<float, dimension>, dimension>(path, *image, source) ||
           WriteIf<Vector<double, dimension>, dimension>(path, *image, source);
  };
  if (!WithAxes(3, write) && !WithAxes(2, write))
  {
    throw UserError("cannot write " + path +
                    ": it is no image of 2 or 3 axes, of numbers or of as many components as axes");
  }
}

SmartPointer<DataObject>
CudaNeuroFiles::ReadGrid(const std::string & path, const std::string & place)
{
  FileWarnings::Keep();
  OpenedImages images;
  images.reading = OptionsOf(place);
  const OpenedImage opened = OpenGridOrField(images, path);
  return WithAxes(opened.dimension, [&](auto axes) -> SmartPointer<DataObject> {
    const auto grid = cudaneuro::files::ReadGrid<axes()>(opened);
    grid->SetMetaDataDictionary(opened.metadata);
    grid->SetObjectName(path);
    return grid.GetPointer();
  });
}

std::vector<std::string>
CudaNeuroFiles::TakeWarnings()
{
  return FileWarnings::Take();
}

} // namespace itk
