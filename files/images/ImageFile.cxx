// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFile.h"

#include "files/images/FormatReaders.h"
#include "files/base/NumberTypes.h"
#include "files/images/OpenedField.h"
#include "files/images/Segmentation.h"
#include "files/input/InputFile.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <type_traits>
#include <vector>

namespace cudaneuro::files
{

namespace
{

/** Reads the values of a file by ITK, and converts them. */
template <typename TValue>
void
ReadVoxelsByItk(const OpenedImage & opened, TValue * values, std::size_t count)
{
  itk::ImageIOBase & io = *opened.io;
  // Other threads may read the same image: the reader is theirs, too.
  const auto read = [&](void * to) {
    CallToRead(opened.path, [&] {
      itk::ImageIORegion region(io.GetNumberOfDimensions());
      for (unsigned int axis = 0; axis < io.GetNumberOfDimensions(); ++axis)
      {
        region.SetSize(axis, io.GetDimensions(axis));
      }
      io.SetIORegion(region);
      io.Read(to);
    });
  };
  if (io.GetComponentType() == componentTypeOf<TValue>)
  {
    read(values);
    return;
  }
  WithComponentType(io.GetComponentType(), [&](auto number) {
    std::vector<decltype(number)> numbers(count);
    read(numbers.data());
    std::transform(numbers.begin(), numbers.end(), values, [](auto value) { return static_cast<TValue>(value); });
  });
}

/** Reads an image of numbers or vectors. */
template <typename TImage>
typename TImage::Pointer
ReadPixels(const OpenedImage & opened)
{
  using ValueType = typename itk::NumericTraits<typename TImage::PixelType>::ValueType;
  constexpr std::size_t components = sizeof(typename TImage::PixelType) / sizeof(ValueType);
  const auto            image = TImage::New();
  SetGrid<TImage::ImageDimension>(*image, opened);
  image->SetMetaDataDictionary(opened.metadata);
  if (opened.components != components)
  {
    RefuseInput(opened.path,
                "it has " + std::to_string(opened.components) + " values a voxel, not " + std::to_string(components));
  }
  try
  {
    image->Allocate();
    auto * const values = reinterpret_cast<ValueType *>(image->GetBufferPointer());
    opened.io ? ReadVoxelsByItk(opened, values, image->GetLargestPossibleRegion().GetNumberOfPixels() * components)
              : ReadPlainVoxels(opened, values);
  }
  catch (const std::bad_alloc &)
  {
    RefuseInput(opened.path, "there is not enough memory for its pixels");
  }
  catch (const itk::MemoryAllocationError &)
  {
    RefuseInput(opened.path, "there is not enough memory for its pixels");
  }
  ThrowIfInterrupted();
  return image;
}

template <unsigned int VDimension, typename TValue>
[[noreturn]] void
RefuseLabel(const std::string & path, const itk::ImageBase<VDimension> & image, std::size_t voxel, TValue value)
{
  // All digits, but not those of the binary fraction beyond them.
  std::ostringstream text;
  text.precision(std::numeric_limits<TValue>::digits10);
  text << value;
  if (std::strtod(text.str().c_str(), nullptr) != static_cast<double>(value))
  {
    text.precision(std::numeric_limits<TValue>::max_digits10);
  }
  text.str("");
  text << "its voxel " << image.ComputeIndex(static_cast<itk::OffsetValueType>(voxel)) << " is " << value
       << "; labels are whole numbers from -9223372036854775807 to 9223372036854775807";
  RefuseInput(path, text.str());
}

/** Rounds values to labels. Where a slope made them, each must be a whole number but for the slope's rounding. */
template <unsigned int VDimension>
void
RoundLabels(const OpenedImage & opened, const itk::Image<double, VDimension> & values, LabelImage<VDimension> & labels)
{
  // Slope and intercept are floats, of which each is wrong by 2^-24 of its size at most. Other programs multiply in
  // float, too.
  constexpr double  relative = 4.0 / (1 << 24);
  constexpr double  most = 9223372036854774784.0; // the largest double below 2^63
  const bool        isScaled = opened.voxels.isScaled;
  const double      offset = isScaled ? relative * std::abs(opened.voxels.intercept) : 0.0;
  const double *    value = values.GetBufferPointer();
  const std::size_t count = values.GetLargestPossibleRegion().GetNumberOfPixels();
  for (std::size_t i = 0; i < count; ++i)
  {
    const double nearest = std::round(value[i]);
    const double tolerance = isScaled ? relative * std::abs(value[i]) + offset : 0.0;
    // The comparisons are false for NaN.
    if (!(std::abs(value[i] - nearest) <= tolerance && std::abs(nearest) <= most))
    {
      RefuseLabel<VDimension>(opened.path, values, i, value[i]);
    }
    labels.GetBufferPointer()[i] = static_cast<std::int64_t>(nearest);
  }
}

/** Makes labels of the pixels of an image.
 * \param read returns them, as an image of the type of a pointer */
template <unsigned int VDimension, typename TRead>
typename LabelImage<VDimension>::Pointer
LabelsOfPixels(const OpenedImage & opened, const TRead & read)
{
  const auto isOfType = [&](auto isSo) { return WithComponentType(opened.componentType, isSo); };
  if (opened.voxels.isScaled || !isOfType([](auto n) { return std::is_integral_v<decltype(n)>; }))
  {
    const auto values = read(typename itk::Image<double, VDimension>::Pointer());
    const auto labels = MakeImageOn<LabelImage<VDimension>>(*values);
    labels->SetMetaDataDictionary(opened.metadata);
    RoundLabels<VDimension>(opened, *values, *labels);
    return labels;
  }
  // Unsigned numbers of 64 bits that are too large come out negative.
  const auto                 labels = read(typename LabelImage<VDimension>::Pointer());
  const std::int64_t * const begin = labels->GetBufferPointer();
  const std::int64_t * const end = begin + labels->GetLargestPossibleRegion().GetNumberOfPixels();
  const bool                 isUnsigned = isOfType([](auto n) { return std::is_unsigned_v<decltype(n)>; });
  const auto negative = isUnsigned ? std::find_if(begin, end, [](std::int64_t label) { return label < 0; }) : end;
  if (negative != end)
  {
    RefuseLabel<VDimension>(
      opened.path, *labels, static_cast<std::size_t>(negative - begin), static_cast<std::uint64_t>(*negative));
  }
  return labels;
}

} // namespace

template <typename TPixel, unsigned int VDimension>
typename itk::Image<TPixel, VDimension>::Pointer
ReadImage(const OpenedImage & opened)
{
  RequireOneLayer(opened.metadata, opened.path + " is used as an image here");
  return ReadPixels<itk::Image<TPixel, VDimension>>(opened);
}

template <typename TValue, unsigned int VDimension>
typename itk::Image<itk::Vector<TValue, VDimension>, VDimension>::Pointer
ReadField(const OpenedImage & opened)
{
  return ReadPixels<itk::Image<itk::Vector<TValue, VDimension>, VDimension>>(AsField(opened, VDimension));
}

template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
ReadLabels(const OpenedImage & opened)
{
  RequireOneLayer(opened.metadata, opened.path + " is used as labels here, one a voxel");
  return ReadLayeredLabels<VDimension>(opened);
}

template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
ReadLayeredLabels(const OpenedImage & opened)
{
  return LabelsOfPixels<VDimension>(opened, [&](auto image) {
    using ImageType = typename decltype(image)::ObjectType;
    return ReadPixels<ImageType>(opened);
  });
}

template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
LabelsOf(const OpenedImage & opened, const char * bytes)
{
  return LabelsOfPixels<VDimension>(opened, [&](auto image) {
    using ImageType = typename decltype(image)::ObjectType;
    image = ImageType::New();
    SetGrid<VDimension>(*image, opened);
    image->Allocate();
    ConvertPlainVoxels(opened, bytes, image->GetBufferPointer());
    return image;
  });
}

template <unsigned int VDimension>
typename itk::Image<unsigned char, VDimension>::Pointer
ReadMask(const OpenedImage & opened, const itk::ImageBase<VDimension> & image, const std::string & imagePath)
{
  if (opened.dimension != VDimension)
  {
    throw UserError(opened.path + " has " + std::to_string(opened.dimension) + " axes, and " + imagePath + " " +
                    std::to_string(VDimension));
  }
  const auto values = ReadImage<float, VDimension>(opened);
  AlignWith<VDimension>(image, imagePath, *values, opened.path);
  const auto mask = MaskOf<VDimension>(*values);
  const auto count = static_cast<std::ptrdiff_t>(mask->GetLargestPossibleRegion().GetNumberOfPixels());
  if (std::count(mask->GetBufferPointer(), mask->GetBufferPointer() + count, 0) == count)
  {
    throw UserError("the mask " + opened.path + " of " + imagePath + " leaves no voxel: all are 0 or NaN");
  }
  return mask;
}

template <unsigned int VDimension>
typename itk::Image<unsigned char, VDimension>::Pointer
MaskOf(const itk::Image<float, VDimension> & values)
{
  const auto mask = MakeImageOn<itk::Image<unsigned char, VDimension>>(values);
  // Both comparisons are false for NaN.
  std::transform(values.GetBufferPointer(),
                 values.GetBufferPointer() + values.GetLargestPossibleRegion().GetNumberOfPixels(),
                 mask->GetBufferPointer(),
                 [](float value) { return static_cast<unsigned char>(value < 0.0f || value > 0.0f); });
  return mask;
}

#define INSTANTIATE_PIXEL(TPixel, VDimension) \
  template itk::Image<TPixel, VDimension>::Pointer ReadImage<TPixel, VDimension>(const OpenedImage &)

#define INSTANTIATE_FIELD(TValue, VDimension) \
  template itk::Image<itk::Vector<TValue, VDimension>, VDimension>::Pointer ReadField<TValue, VDimension>( \
    const OpenedImage &)

#define INSTANTIATE(VDimension) \
  template LabelImage<VDimension>::Pointer                ReadLabels<VDimension>(const OpenedImage &); \
  template LabelImage<VDimension>::Pointer                ReadLayeredLabels<VDimension>(const OpenedImage &); \
  template LabelImage<VDimension>::Pointer                LabelsOf<VDimension>(const OpenedImage &, const char *); \
  template itk::Image<unsigned char, VDimension>::Pointer ReadMask( \
    const OpenedImage &, const itk::ImageBase<VDimension> &, const std::string &); \
  template itk::Image<unsigned char, VDimension>::Pointer MaskOf(const itk::Image<float, VDimension> &); \
  INSTANTIATE_FIELD(float, VDimension); \
  INSTANTIATE_FIELD(double, VDimension); \
  INSTANTIATE_PIXEL(unsigned char, VDimension); \
  INSTANTIATE_PIXEL(short, VDimension); \
  INSTANTIATE_PIXEL(unsigned short, VDimension); \
  INSTANTIATE_PIXEL(float, VDimension); \
  INSTANTIATE_PIXEL(double, VDimension)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
#undef INSTANTIATE_FIELD
#undef INSTANTIATE_PIXEL

} // namespace cudaneuro::files
