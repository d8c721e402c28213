// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/ResultExchange.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace
{

constexpr std::size_t numbersOfResult = 8;

std::int64_t
BitsOf(double value)
{
  std::int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

double
FromBits(std::int64_t bits)
{
  double value = 0.0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

} // namespace

std::vector<cudaneuro::AtlasImageResult>
ExchangeResults(const Processes &                                processes,
                const std::vector<int> &                         own,
                const std::vector<cudaneuro::AtlasImageResult> & results)
{
  // One process has an image, and all others add the zeros.
  std::vector<std::int64_t> numbers(numbersOfResult * results.size(), 0);
  for (const int image : own)
  {
    const cudaneuro::AtlasImageResult &             result = results[static_cast<std::size_t>(image)];
    const std::array<std::int64_t, numbersOfResult> bits{
      result.inversion.numberOfIterations,      BitsOf(result.inversion.meanResidual),
      BitsOf(result.inversion.maximumResidual), BitsOf(result.jacobian.minimum),
      BitsOf(result.jacobian.maximum),          result.jacobian.numberOfFoldedVoxels,
      BitsOf(result.jacobian.meanLogarithm),    BitsOf(result.jacobian.standardDeviationLogarithm)
    };
    std::copy(bits.begin(), bits.end(), &numbers[numbersOfResult * static_cast<std::size_t>(image)]);
  }
  processes.Sum(numbers);
  std::vector<cudaneuro::AtlasImageResult> all(results.size());
  for (std::size_t image = 0; image < all.size(); ++image)
  {
    const std::int64_t * const bits = &numbers[numbersOfResult * image];
    all[image].inversion = { static_cast<int>(bits[0]), FromBits(bits[1]), FromBits(bits[2]) };
    all[image].jacobian = { FromBits(bits[3]), FromBits(bits[4]), bits[5], FromBits(bits[6]), FromBits(bits[7]) };
  }
  return all;
}
