// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/levels/BandFilterCpu.h"

#include <algorithm>

namespace cudaneuro::cpu
{
namespace
{

/** Calls body(index of a number, indices of the neighbors' numbers) for all numbers of all versions of a row. */
template <typename TBody>
CUDANEURO_ALWAYS_INLINE void
ForEachOfRow(const BandRows::Row & row, const AxisShares & shares, const float * values, const TBody & body)
{
  const std::int64_t  begin = std::int64_t{ versions } * row.begin;
  const std::int64_t  count = std::int64_t{ versions } * (row.end - row.begin);
  const float * const own = values + begin;
  const float * const lowX = own + versions * row.steps[0];
  const float * const highX = own + versions * row.steps[1];
  const float * const lowY = own + versions * row.steps[2];
  const float * const highY = own + versions * row.steps[3];
  const float * const lowZ = own + versions * row.steps[4];
  const float * const highZ = own + versions * row.steps[5];
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t j = 0; j < count; ++j)
  {
    body(begin + j, MeanOfNeighbors(shares, lowX[j], highX[j], lowY[j], highY[j], lowZ[j], highZ[j]));
  }
}

} // namespace

BandRows::BandRows(const LabelBand & band)
{
  constexpr std::int32_t longest = 1024;
  for (std::int32_t i = 0; i < band.count; ++i)
  {
    Row row{ i, i + 1, {} };
    for (int direction = 0; direction < 6; ++direction)
    {
      row.steps[direction] = band.neighbors[static_cast<std::size_t>(direction) * static_cast<std::size_t>(band.count) +
                                            static_cast<std::size_t>(i)] -
                             i;
    }
    const bool continues = !m_Rows.empty() && m_Rows.back().end - m_Rows.back().begin < longest &&
                           std::equal(row.steps, row.steps + 6, m_Rows.back().steps);
    if (continues)
    {
      m_Rows.back().end = row.end;
    }
    else
    {
      m_Rows.push_back(row);
    }
  }
}

BandSeries::BandSeries(const AxisShares & shares, const BandRows & rows, std::int32_t count)
  : m_Rows(rows)
  , m_Shares(shares)
  , m_First(versions * static_cast<std::size_t>(count))
  , m_Second(m_First.size())
  , m_Input(m_First.size())
  , m_Result(m_First.size())
{}

void
BandSeries::Apply(const std::vector<float> & series)
{
  const auto          degree = static_cast<int>(series.size()) - 1;
  const float * const input = m_Input.data();
  std::fill(m_Second.begin(), m_Second.end(), 0.0f);
  std::transform(m_Input.begin(), m_Input.end(), m_First.begin(), [&](float x) {
    return series[static_cast<std::size_t>(degree)] * x;
  });
  VectorDispatch([&] {
    float * last = m_First.data();
    float * beforeLast = m_Second.data();
    for (int k = degree - 1; k > 0; --k)
    {
      const float coefficient = series[static_cast<std::size_t>(k)];
      for (const BandRows::Row & row : m_Rows.Get())
      {
        ForEachOfRow(row, m_Shares, last, [&](std::int64_t j, float mean) {
          beforeLast[j] = NextClenshaw(coefficient, input[j], mean, beforeLast[j]);
        });
      }
      std::swap(last, beforeLast);
    }
    float * const results = m_Result.data();
    for (const BandRows::Row & row : m_Rows.Get())
    {
      ForEachOfRow(row, m_Shares, last, [&](std::int64_t j, float mean) {
        results[j] = EndClenshaw(series[0], input[j], mean, beforeLast[j]);
      });
    }
  });
}

} // namespace cudaneuro::cpu
