// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/Interruption.h"
#include "files/images/NiftiFile.h"
#include "files/base/NumberTypes.h"
#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"

#include <cstdint>

namespace
{

/** Starting a thread takes as long as converting a tenth of these. */
constexpr std::uint64_t voxelsOfPart = 1 << 18;

/** Converts one component of all voxels. Scaled values are read as float or double only. */
template <typename TNumber, bool VIsSwapped, typename TValue, typename TMeaning>
void
Convert(const char * data, const NiftiFile & file, TValue * values, const TMeaning & meaning)
{
  const std::size_t stride = file.components;
  ForParts(file.voxels, voxelsOfPart, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i)
    {
      values[i * stride] = static_cast<TValue>(meaning(NumberAt<TNumber, VIsSwapped>(data + i * sizeof(TNumber))));
    }
  });
}

template <typename TNumber, bool VIsSwapped, typename TValue>
void
ConvertAll(const char * data, const NiftiFile & file, TValue * values)
{
  for (std::uint64_t component = 0; component < file.components; ++component)
  {
    const char * const plane = data + component * file.voxels * sizeof(TNumber);
    const double       factor = file.factors.empty() ? 1.0 : file.factors[component];
    if (file.isScaled || factor != 1.0)
    {
      const double slope = file.slope * factor;
      const double intercept = file.intercept * factor;
      Convert<TNumber, VIsSwapped>(plane, file, values + component, [&](TNumber number) {
        return static_cast<double>(number) * slope + intercept;
      });
    }
    else
    {
      Convert<TNumber, VIsSwapped>(plane, file, values + component, [](TNumber number) { return number; });
    }
  }
}

} // namespace

template <typename TValue>
void
ReadNiftiVoxels(const NiftiFile & file, TValue * values)
{
  const std::uint64_t count = file.voxels * file.components;
  AdviseLargePages(values, count * sizeof(TValue));
  const LargeBuffer data = file.isCompressed ? ReadGzip(file.dataPath, file.wholeBytes)
                                             : ReadManyBytes(file.dataPath, file.offset, count * BytesOf(file.type));
  ThrowIfInterrupted();
  const char * const voxels = data.data() + (file.isCompressed ? file.offset : 0);
  WithComponentType(file.type, [&](auto number) {
    file.header.IsSwapped() ? ConvertAll<decltype(number), true>(voxels, file, values)
                            : ConvertAll<decltype(number), false>(voxels, file, values);
  });
}

template void
ReadNiftiVoxels(const NiftiFile &, unsigned char *);
template void
ReadNiftiVoxels(const NiftiFile &, short *);
template void
ReadNiftiVoxels(const NiftiFile &, unsigned short *);
template void
ReadNiftiVoxels(const NiftiFile &, float *);
template void
ReadNiftiVoxels(const NiftiFile &, double *);
template void
ReadNiftiVoxels(const NiftiFile &, std::int64_t *);
template void
ReadNiftiVoxels(const NiftiFile &, std::uint64_t *);
