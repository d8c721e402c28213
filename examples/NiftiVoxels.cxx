// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "NiftiVoxels.h"

#include "ProgramSupport.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace
{

/** Calls a function with a number of the type that a code of the NIfTI-1 standard stands for.
 * \return false for types other than those of one real number */
template <typename TFunction>
bool
CallWithNiftiType(int datatype, const TFunction & function)
{
  switch (datatype)
  {
    case 2:
      function(std::uint8_t());
      return true;
    case 4:
      function(std::int16_t());
      return true;
    case 8:
      function(std::int32_t());
      return true;
    case 16:
      function(float());
      return true;
    case 64:
      function(double());
      return true;
    case 256:
      function(std::int8_t());
      return true;
    case 512:
      function(std::uint16_t());
      return true;
    case 768:
      function(std::uint32_t());
      return true;
    default:
      return false;
  }
}

/** What a number of a NIfTI file stands for, as itk::NiftiImageIO has it. */
template <typename TPixel, typename TNumber>
void
ConvertNumbers(const TNumber * numbers, std::size_t count, const NiftiLayout & layout, TPixel * pixels)
{
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const bool       isRescaled = std::abs(layout.slope) > epsilon &&
                          (std::abs(layout.slope - 1.0) > epsilon || std::abs(layout.intercept) > epsilon);
  using ScaledType = std::conditional_t<std::is_same_v<TNumber, double>, double, float>;
  if (isRescaled)
  {
    std::transform(numbers, numbers + count, pixels, [&](TNumber number) {
      return static_cast<TPixel>(
        static_cast<ScaledType>(static_cast<double>(number) * layout.slope + layout.intercept));
    });
  }
  else
  {
    std::transform(numbers, numbers + count, pixels, [](TNumber number) { return static_cast<TPixel>(number); });
  }
}

} // namespace

std::optional<NiftiLayout>
FastLayoutOf(const std::string & path)
{
  std::optional<NiftiLayout> layout = ReadNiftiLayout(path);
  const auto                 isOfSize = [&](auto number) { return layout->bytesPerVoxel == sizeof(number); };
  bool                       isFast = false;
  if (layout && layout->isOneFile)
  {
    CallWithNiftiType(layout->datatype, [&](auto number) { isFast = isOfSize(number); });
  }
  return isFast ? layout : std::nullopt;
}

template <typename TPixel>
void
FillFromNifti(const std::string & path, const NiftiLayout & layout, TPixel * pixels)
{
  try
  {
    ReadNiftiVoxels(path, layout, [&](const char * data, std::size_t bytes) {
      CallWithNiftiType(layout.datatype, [&](auto number) {
        using NumberType = decltype(number);
        const std::size_t count = bytes / sizeof(NumberType);
        ConvertNumbers(reinterpret_cast<const NumberType *>(data), count, layout, pixels);
        pixels += count;
      });
    });
  }
  catch (const Interrupted &)
  {
    throw;
  }
  catch (const std::exception & error)
  {
    throw ProgramError("cannot read " + path + ": " + error.what());
  }
}

template void
FillFromNifti(const std::string &, const NiftiLayout &, unsigned char *);
template void
FillFromNifti(const std::string &, const NiftiLayout &, short *);
template void
FillFromNifti(const std::string &, const NiftiLayout &, unsigned short *);
template void
FillFromNifti(const std::string &, const NiftiLayout &, float *);
template void
FillFromNifti(const std::string &, const NiftiLayout &, double *);
