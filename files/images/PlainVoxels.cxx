// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/PlainVoxels.h"

#include "files/base/Interruption.h"
#include "files/base/NumberTypes.h"
#include "files/base/ParallelParts.h"
#include "files/images/OpenedImage.h"
#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"

namespace cudaneuro::files
{

namespace
{

/** Starting a thread takes as long as converting a tenth of these. */
constexpr std::uint64_t voxelsOfPart = 1 << 18;

/** Converts the numbers of one component. */
template <typename TNumber, bool VIsSwapped, typename TValue, typename TMeaning>
void
Convert(const char * data, std::size_t count, TValue * values, std::size_t stride, const TMeaning & meaning)
{
  ForParts(count, voxelsOfPart, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i)
    {
      values[i * stride] = static_cast<TValue>(meaning(NumberAt<TNumber, VIsSwapped>(data + i * sizeof(TNumber))));
    }
  });
}

template <typename TNumber, bool VIsSwapped, typename TValue>
void
ConvertAll(const char * data, const OpenedImage & image, TValue * values)
{
  const PlainVoxels & voxels = image.voxels;
  const std::size_t   count = image.GetNumberOfVoxels();
  for (std::size_t component = 0; component < image.components; ++component)
  {
    const char * const plane = data + component * count * sizeof(TNumber);
    const double       factor = voxels.factors.empty() ? 1.0 : voxels.factors[component];
    const double       slope = voxels.slope * factor;
    const double       intercept = voxels.intercept * factor;
    const auto         convert = [&](const auto & meaning) {
      Convert<TNumber, VIsSwapped>(plane, count, values + component, image.components, meaning);
    };
    // Whole numbers of 64 bits would be rounded by a multiplication with 1.
    voxels.isScaled || factor != 1.0
      ? convert([&](TNumber number) { return static_cast<double>(number) * slope + intercept; })
      : convert([](TNumber number) { return number; });
  }
}

} // namespace

void
CheckSize(OpenedImage & image, const std::string & headerPath)
{
  PlainVoxels &              voxels = image.voxels;
  const std::uint64_t        size = CheckRegularFile(voxels.path, headerPath);
  std::vector<std::uint64_t> factors(image.size.begin(), image.size.end());
  factors.insert(factors.end(), { image.components, BytesOf(image.componentType) });
  const std::uint64_t bytes = SaturatedProduct(factors);
  voxels.wholeBytes = SaturatedSum(voxels.offset, bytes);
  voxels.isCompressed ? CheckRatio(voxels.path, size, bytes) : RequireBytes(voxels.path, size, voxels.offset, bytes);
}

template <typename TValue>
void
ConvertPlainVoxels(const OpenedImage & image, const char * bytes, TValue * values)
{
  WithComponentType(image.componentType, [&](auto number) {
    image.voxels.isSwapped ? ConvertAll<decltype(number), true>(bytes, image, values)
                           : ConvertAll<decltype(number), false>(bytes, image, values);
  });
}

template <typename TValue>
void
ReadPlainVoxels(const OpenedImage & image, TValue * values)
{
  const PlainVoxels & voxels = image.voxels;
  const std::uint64_t count = image.GetNumberOfVoxels() * image.components;
  AdviseLargePages(values, count * sizeof(TValue));
  const LargeBuffer data = voxels.isCompressed
                             ? ReadGzip(voxels.path, voxels.wholeBytes)
                             : ReadManyBytes(voxels.path, voxels.offset, count * BytesOf(image.componentType));
  ThrowIfInterrupted();
  ConvertPlainVoxels(image, data.data() + (voxels.isCompressed ? voxels.offset : 0), values);
}

#define INSTANTIATE(TValue) \
  template void ConvertPlainVoxels(const OpenedImage &, const char *, TValue *); \
  template void ReadPlainVoxels(const OpenedImage &, TValue *)

INSTANTIATE(unsigned char);
INSTANTIATE(short);
INSTANTIATE(unsigned short);
INSTANTIATE(float);
INSTANTIATE(double);
INSTANTIATE(std::int64_t);

#undef INSTANTIATE

} // namespace cudaneuro::files
