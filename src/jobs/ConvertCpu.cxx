// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/ConvertCpu.h"

#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"
#include "jobs/PixelConversion.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace cudaneuro::cpu
{
namespace
{

/** The number of pixels that a thread converts at a time. */
constexpr std::int64_t blockSize = std::int64_t{ 1 } << 18;

template <typename TFrom, typename TTo>
void
ConvertBlock(std::int64_t count, const TFrom * from, TTo * to)
{
  VectorDispatch([=] {
    for (std::int64_t i = 0; i < count; ++i)
    {
      to[i] = ConvertPixel<TTo>(from[i]);
    }
  });
}

template <typename TFrom, typename TTo>
void
ConvertPixels(Context & context, std::int64_t count, const TFrom * from, TTo * to)
{
  context.ParallelFor(DivideUp(count, blockSize), [=](std::int64_t block) {
    const std::int64_t begin = block * blockSize;
    ConvertBlock(std::min(blockSize, count - begin), from + begin, to + begin);
  });
}

void
CopyBytes(Context & context, std::int64_t bytes, const void * from, void * to)
{
  const std::int64_t blockBytes = blockSize * 4;
  context.ParallelFor(DivideUp(bytes, blockBytes), [=](std::int64_t block) {
    const std::int64_t begin = block * blockBytes;
    const std::int64_t length = std::min(blockBytes, bytes - begin);
    std::memcpy(static_cast<char *>(to) + begin, static_cast<const char *>(from) + begin, length);
  });
}

} // namespace

void
Convert(Context & context, std::int64_t count, const void * from, PixelType fromType, void * to, PixelType toType)
{
  if (fromType == toType)
  {
    if (from != to)
    {
      CopyBytes(context, count * static_cast<std::int64_t>(PixelSize(toType)), from, to);
    }
    return;
  }
  WithPixelType(fromType, [&](auto fromPixel) {
    WithPixelType(toType, [&](auto toPixel) {
      using From = decltype(fromPixel);
      using To = decltype(toPixel);
      if constexpr (!std::is_same_v<To, From>)
      {
        ConvertPixels(context, count, static_cast<const From *>(from), static_cast<To *>(to));
      }
    });
  });
}

} // namespace cudaneuro::cpu
