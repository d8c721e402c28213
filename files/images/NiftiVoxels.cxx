// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/NiftiVoxels.h"

#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"
#include "files/base/Interruption.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace
{

/** Calls a function with a number of the type that a code of the NIfTI-1 standard stands for. */
template <typename TFunction>
void
CallWithNiftiType(int datatype, const TFunction & function)
{
  switch (datatype)
  {
    case 2:
      return function(std::uint8_t());
    case 4:
      return function(std::int16_t());
    case 8:
      return function(std::int32_t());
    case 16:
      return function(float());
    case 64:
      return function(double());
    case 256:
      return function(std::int8_t());
    case 512:
      return function(std::uint16_t());
    case 768:
      return function(std::uint32_t());
    case 1024:
      return function(std::int64_t());
    default:
      return function(std::uint64_t());
  }
}

template <typename TNumber>
TNumber
NumberAt(const char * data, bool isSwapped)
{
  TNumber number;
  std::memcpy(&number, data, sizeof(TNumber));
  if (isSwapped)
  {
    char * const bytes = reinterpret_cast<char *>(&number);
    std::reverse(bytes, bytes + sizeof(TNumber));
  }
  return number;
}

/** Converts one component of some voxels. */
template <typename TNumber, typename TValue, typename TMeaning>
void
Convert(const char * data, const NiftiLayout & layout, TValue * values, const TMeaning & meaning)
{
  const std::size_t stride = layout.components;
  for (std::uint64_t i = 0; i < layout.voxels; ++i)
  {
    values[i * stride] = static_cast<TValue>(meaning(NumberAt<TNumber>(data + i * sizeof(TNumber), layout.isSwapped)));
  }
}

/** Converts all voxels. Scaled values are read as float or double only. */
template <typename TNumber, typename TValue>
void
ConvertAll(const char * data, const NiftiLayout & layout, TValue * values)
{
  for (std::uint64_t component = 0; component < layout.components; ++component)
  {
    const char * const plane = data + component * layout.voxels * sizeof(TNumber);
    if (layout.isScaled)
    {
      Convert<TNumber>(plane, layout, values + component, [&](TNumber number) {
        return static_cast<double>(number) * layout.slope + layout.intercept;
      });
    }
    else
    {
      Convert<TNumber>(plane, layout, values + component, [](TNumber number) { return number; });
    }
  }
}

} // namespace

template <typename TValue>
void
ReadNiftiVoxels(const NiftiLayout & layout, TValue * values)
{
  const InputImage &      file = layout.file;
  const std::vector<char> data = layout.isCompressed
                                   ? InflateGzip(file.dataPath,
                                                 ReadBytes(file.dataPath, 0, CheckRegularFile(file.dataPath)),
                                                 file.offset + file.bytes)
                                   : ReadBytes(file.dataPath, file.offset, file.bytes);
  ThrowIfInterrupted();
  CallWithNiftiType(layout.datatype, [&](auto number) {
    ConvertAll<decltype(number)>(data.data() + (layout.isCompressed ? file.offset : 0), layout, values);
  });
}

template void
ReadNiftiVoxels(const NiftiLayout &, unsigned char *);
template void
ReadNiftiVoxels(const NiftiLayout &, short *);
template void
ReadNiftiVoxels(const NiftiLayout &, unsigned short *);
template void
ReadNiftiVoxels(const NiftiLayout &, float *);
template void
ReadNiftiVoxels(const NiftiLayout &, double *);
