// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/ResultExchange.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace
{

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

using ResultRow = std::array<std::int64_t, 12>;

ResultRow
RowOf(const cudaneuro::AtlasImageResult & result)
{
  return { result.inversion.numberOfIterations,
           BitsOf(result.inversion.meanResidual),
           BitsOf(result.inversion.maximumResidual),
           BitsOf(result.jacobian.minimum),
           BitsOf(result.jacobian.maximum),
           result.jacobian.numberOfFoldedVoxels,
           BitsOf(result.jacobian.meanLogarithm),
           BitsOf(result.jacobian.standardDeviationLogarithm),
           BitsOf(result.jacobian.lowerPercentile),
           BitsOf(result.jacobian.upperPercentile),
           result.numberOfOutliers,
           result.isDamped ? 1 : 0 };
}

void
FromRow(const ResultRow & row, cudaneuro::AtlasImageResult & result)
{
  result.inversion = { static_cast<int>(row[0]), FromBits(row[1]), FromBits(row[2]) };
  result.jacobian = { FromBits(row[3]), FromBits(row[4]), row[5],          FromBits(row[6]),
                      FromBits(row[7]), FromBits(row[8]), FromBits(row[9]) };
  result.numberOfOutliers = row[10];
  result.isDamped = row[11] != 0;
}

using AlignmentRow = std::array<std::int64_t, 16>;

AlignmentRow
RowOf(const ImageAlignment & alignment)
{
  AlignmentRow row{};
  const auto   end =
    std::transform(alignment.transform.matrix.begin(), alignment.transform.matrix.end(), row.begin(), [](double a) {
      return BitsOf(a);
    });
  std::transform(
    alignment.transform.offset.begin(), alignment.transform.offset.end(), end, [](double a) { return BitsOf(a); });
  row[12] = BitsOf(alignment.metric);
  row[13] = BitsOf(alignment.overlap);
  row[14] = BitsOf(alignment.quality);
  row[15] = alignment.isSuccess ? 1 : 0;
  return row;
}

void
FromRow(const AlignmentRow & row, ImageAlignment & alignment)
{
  for (std::size_t i = 0; i < 9; ++i)
  {
    alignment.transform.matrix[i] = FromBits(row[i]);
  }
  for (std::size_t i = 0; i < 3; ++i)
  {
    alignment.transform.offset[i] = FromBits(row[9 + i]);
  }
  alignment.metric = FromBits(row[12]);
  alignment.overlap = FromBits(row[13]);
  alignment.quality = FromBits(row[14]);
  alignment.isSuccess = row[15] != 0;
}

/** Exchanges rows of numbers as a sum: one process has an image's row, and all others add zeros. */
template <typename TResult>
std::vector<TResult>
Exchange(const Processes & processes, const std::vector<int> & own, const std::vector<TResult> & results)
{
  using RowType = decltype(RowOf(TResult()));
  constexpr std::size_t     length = std::tuple_size_v<RowType>;
  std::vector<std::int64_t> numbers(length * results.size(), 0);
  for (const int image : own)
  {
    const RowType row = RowOf(results[static_cast<std::size_t>(image)]);
    std::copy(row.begin(), row.end(), &numbers[length * static_cast<std::size_t>(image)]);
  }
  processes.Sum(numbers);
  std::vector<TResult> all(results.size());
  for (std::size_t image = 0; image < all.size(); ++image)
  {
    RowType row;
    std::copy_n(&numbers[length * image], length, row.begin());
    FromRow(row, all[image]);
  }
  return all;
}

} // namespace

std::vector<cudaneuro::AtlasImageResult>
ExchangeResults(const Processes &                                processes,
                const std::vector<int> &                         own,
                const std::vector<cudaneuro::AtlasImageResult> & results)
{
  return Exchange(processes, own, results);
}

Alignment
ExchangeAlignment(const Processes & processes, const std::vector<int> & own, const Alignment & alignment)
{
  return Exchange(processes, own, alignment);
}
