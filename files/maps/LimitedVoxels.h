// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_maps_LimitedVoxels_h
#define files_maps_LimitedVoxels_h

#include "cudaneuro/DisplacementField.h"
#include "files/maps/ConvertNumbers.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace cudaneuro::files
{

/** Voxels whose values the output's type does not hold. */

/** Returns how many values a type that is known at run time does not hold, like ConvertNumbers() without converting. */
template <typename TReal>
std::uint64_t
CountLimited(const TReal * values, std::size_t count, itk::IOComponentEnum type)
{
  return WithComponentType(type, [=](auto number) {
    using NumberType = decltype(number);
    std::uint64_t limited = 0;
    for (std::size_t i = 0; std::is_integral_v<NumberType> && i < count; ++i)
    {
      limited += IsLimited<NumberType>(static_cast<double>(values[i])) ? 1 : 0;
    }
    return limited;
  });
}

/** Returns whether moved voxels can have values that the output's type does not hold, so that they must be counted. The
 * background is a value of the type. */
bool
CanBeLimited(itk::IOComponentEnum from, itk::IOComponentEnum to, cudaneuro::Interpolation interpolation);

/** Warns of voxels whose values the output's type does not hold, if there are any.
 * \param type the type's name */
void
WarnOfLimitedVoxels(const std::string & output, std::uint64_t count, const std::string & type);

} // namespace cudaneuro::files

#endif
