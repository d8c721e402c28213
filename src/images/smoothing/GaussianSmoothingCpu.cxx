// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/smoothing/GaussianSmoothing.h"

#include "core/HostMemory.h"
#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::cpu
{
namespace
{

struct AxisConvolution
{
  int                radius = 0;
  std::vector<float> weights; // of distances 0 to radius

  explicit AxisConvolution(const GaussianTaps & taps)
    : radius(taps.radius)
    , weights(static_cast<std::size_t>(taps.radius) + 1)
  {
    taps.Fill(weights.data(), radius + 1);
  }
};

/** Adds VTaps taps, starting at distance \p first, in one pass over the rows. With VBegins the sum starts with the
 * middle row; otherwise it continues in \p output, which must be none of the rows. */
template <int VTaps, bool VBegins>
CUDANEURO_ALWAYS_INLINE void
AddTaps(const AxisConvolution & convolution, const float * const * rows, int first, std::int64_t count, float * output)
{
  const float * const center = rows[convolution.radius];
  const float         centerWeight = convolution.weights[0];
  float               weights[VTaps + 1];
  const float *       before[VTaps + 1];
  const float *       after[VTaps + 1];
  for (int tap = 0; tap < VTaps; ++tap)
  {
    weights[tap] = convolution.weights[first + tap];
    before[tap] = rows[convolution.radius - first - tap];
    after[tap] = rows[convolution.radius + first + tap];
  }
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t i = 0; i < count; ++i)
  {
    float sum = VBegins ? centerWeight * center[i] : output[i];
    for (int tap = 0; tap < VTaps; ++tap)
    {
      sum += weights[tap] * (before[tap][i] + after[tap][i]);
    }
    output[i] = sum;
  }
}

/** Adds the remaining taps, fewer than 4. */
template <bool VBegins>
CUDANEURO_ALWAYS_INLINE void
AddLastTaps(
  const AxisConvolution & convolution, const float * const * rows, int first, std::int64_t count, float * output)
{
  switch (convolution.radius + 1 - first)
  {
    case 3:
      AddTaps<3, VBegins>(convolution, rows, first, count, output);
      return;
    case 2:
      AddTaps<2, VBegins>(convolution, rows, first, count, output);
      return;
    case 1:
      AddTaps<1, VBegins>(convolution, rows, first, count, output);
      return;
    default:
      if constexpr (VBegins)
      {
        std::copy_n(rows[convolution.radius], count, output);
      }
  }
}

/** output = weights[0] rows[radius] + the sum of weights[k] (rows[radius - k] + rows[radius + k]). */
CUDANEURO_ALWAYS_INLINE void
ConvolveRows(const AxisConvolution & convolution, const float * const * rows, std::int64_t count, float * output)
{
  if (convolution.radius < 4)
  {
    AddLastTaps<true>(convolution, rows, 1, count, output);
    return;
  }
  AddTaps<4, true>(convolution, rows, 1, count, output);
  int first = 5;
  for (; first + 4 <= convolution.radius + 1; first += 4)
  {
    AddTaps<4, false>(convolution, rows, first, count, output);
  }
  AddLastTaps<false>(convolution, rows, first, count, output);
}

/** Convolves a plane along x and y, row by row, so that the rows in use stay in the cache. */
class PlaneSmoother
{
public:
  PlaneSmoother(const Extent & extent, const AxisConvolution & alongX, const AxisConvolution & alongY, bool zeroBeyond)
    : m_Extent(extent)
    , m_AlongX(alongX)
    , m_AlongY(alongY)
    , m_ZeroBeyond(zeroBeyond)
    , m_Padded(std::int64_t{ extent.x } + 2 * alongX.radius)
    , m_Zeros(extent.x)
    , m_RingRows(static_cast<int>(std::min<std::int64_t>(extent.y, 2 * std::int64_t{ alongY.radius } + 1)))
    , m_Smoothed(std::int64_t{ extent.x } * m_RingRows)
    , m_RowsX(2 * static_cast<std::size_t>(alongX.radius) + 1)
    , m_RowsY(2 * static_cast<std::size_t>(alongY.radius) + 1)
  {
    m_Zeros.Fill(0.0f);
    for (std::size_t i = 0; i < m_RowsX.size(); ++i)
    {
      m_RowsX[i] = m_Padded.Data() + i;
    }
  }

  /** Convolves a plane. The output may be the input. */
  CUDANEURO_ALWAYS_INLINE void
  Run(const float * input, float * output)
  {
    int smoothed = 0;
    for (int y = 0; y < m_Extent.y; ++y)
    {
      for (; smoothed < m_Extent.y && smoothed <= std::int64_t{ y } + m_AlongY.radius; ++smoothed)
      {
        this->SmoothRow(input + std::int64_t{ smoothed } * m_Extent.x, this->Smoothed(smoothed));
      }
      for (int i = -m_AlongY.radius; i <= m_AlongY.radius; ++i)
      {
        const int onGrid = static_cast<int>(std::clamp<std::int64_t>(std::int64_t{ y } + i, 0, m_Extent.y - 1));
        m_RowsY[i + m_AlongY.radius] = m_ZeroBeyond && onGrid != y + i ? m_Zeros.Data() : this->Smoothed(onGrid);
      }
      ConvolveRows(m_AlongY, m_RowsY.data(), m_Extent.x, output + std::int64_t{ y } * m_Extent.x);
    }
  }

private:
  /** Returns the buffer of row y after convolution along x; rows that no output needs any more are overwritten. */
  float *
  Smoothed(int y)
  {
    return m_Smoothed.Data() + std::int64_t{ y % m_RingRows } * m_Extent.x;
  }

  CUDANEURO_ALWAYS_INLINE void
  SmoothRow(const float * input, float * output)
  {
    const int   radius = m_AlongX.radius;
    float *     padded = m_Padded.Data();
    const float before = m_ZeroBeyond ? 0.0f : input[0];
    const float after = m_ZeroBeyond ? 0.0f : input[m_Extent.x - 1];
    std::fill_n(padded, radius, before);
    std::copy_n(input, m_Extent.x, padded + radius);
    std::fill_n(padded + radius + m_Extent.x, radius, after);
    ConvolveRows(m_AlongX, m_RowsX.data(), m_Extent.x, output);
  }

  Extent                     m_Extent;
  const AxisConvolution &    m_AlongX;
  const AxisConvolution &    m_AlongY;
  bool                       m_ZeroBeyond;
  AlignedBuffer              m_Padded;
  AlignedBuffer              m_Zeros;
  int                        m_RingRows;
  AlignedBuffer              m_Smoothed;
  std::vector<const float *> m_RowsX;
  std::vector<const float *> m_RowsY;
};

/** Convolves rows [beginY, endY) of all planes along z. The output must not be the input. \p zeros is a row of zeros,
 * or null if the boundary repeats values. */
CUDANEURO_ALWAYS_INLINE void
SmoothAlongZ(const Extent &          extent,
             const AxisConvolution & alongZ,
             const float *           zeros,
             int                     beginY,
             int                     endY,
             const float *           input,
             const float **          rows,
             float *                 output)
{
  const std::int64_t plane = std::int64_t{ extent.x } * extent.y;
  for (int y = beginY; y < endY; ++y)
  {
    for (int z = 0; z < extent.z; ++z)
    {
      for (int i = -alongZ.radius; i <= alongZ.radius; ++i)
      {
        const std::int64_t wanted = std::int64_t{ z } + i;
        const std::int64_t onGrid = std::clamp<std::int64_t>(wanted, 0, extent.z - 1);
        rows[i + alongZ.radius] =
          zeros && onGrid != wanted ? zeros : input + onGrid * plane + std::int64_t{ y } * extent.x;
      }
      ConvolveRows(alongZ, rows, extent.x, output + z * plane + std::int64_t{ y } * extent.x);
    }
  }
}

/** Volumes that are convolved with the same weights. */
struct Volumes
{
  int           count;
  const float * from[3];
  float *       between[3];
  float *       to[3];
};

void
SmoothPlanes(Context &               context,
             const Extent &          extent,
             const GaussianWeights & weights,
             Boundary                boundary,
             const Volumes &         volumes,
             float * const *         to)
{
  const AxisConvolution alongX(weights.Taps(0, extent.x, boundary));
  const AxisConvolution alongY(weights.Taps(1, extent.y, boundary));
  const std::int64_t    plane = std::int64_t{ extent.x } * extent.y;
  context.ParallelFor(std::int64_t{ extent.z } * volumes.count, [&](std::int64_t i) {
    PlaneSmoother       smoother(extent, alongX, alongY, boundary == Boundary::Zero);
    const float * const input = volumes.from[i / extent.z] + i % extent.z * plane;
    float * const       output = to[i / extent.z] + i % extent.z * plane;
    VectorDispatch([&smoother, input, output] { smoother.Run(input, output); });
  });
}

void
SmoothColumns(
  Context & context, const Extent & extent, const AxisConvolution & alongZ, Boundary boundary, const Volumes & volumes)
{
  // A task has so few rows that its input stays in the second-level cache.
  constexpr std::int64_t voxelsPerTask = 1 << 16;
  const std::int64_t     voxelsPerRow = std::int64_t{ extent.x } * extent.z;
  const int     rowsPerTask = static_cast<int>(std::clamp<std::int64_t>(voxelsPerTask / voxelsPerRow, 1, extent.y));
  const int     tasks = DivideUp(extent.y, rowsPerTask);
  AlignedBuffer zeros(extent.x);
  zeros.Fill(0.0f);
  const float * const beyond = boundary == Boundary::Zero ? zeros.Data() : nullptr;
  context.ParallelFor(std::int64_t{ tasks } * volumes.count, [&](std::int64_t i) {
    const std::int64_t         volume = i / tasks;
    const std::int64_t         beginY = i % tasks * rowsPerTask;
    const int                  endY = static_cast<int>(std::min<std::int64_t>(beginY + rowsPerTask, extent.y));
    std::vector<const float *> rows(2 * static_cast<std::size_t>(alongZ.radius) + 1);
    VectorDispatch([&, volume, beginY, endY] {
      SmoothAlongZ(extent,
                   alongZ,
                   beyond,
                   static_cast<int>(beginY),
                   endY,
                   volumes.between[volume],
                   rows.data(),
                   volumes.to[volume]);
    });
  });
}

void
SmoothVolumes(
  Context & context, const Extent & extent, const GaussianWeights & weights, Boundary boundary, const Volumes & volumes)
{
  const AxisConvolution alongZ(weights.Taps(2, extent.z, boundary));
  if (alongZ.radius == 0)
  {
    SmoothPlanes(context, extent, weights, boundary, volumes, volumes.to);
    return;
  }
  {
    const Context::ProgressRange range(context, 0.0, 0.65);
    SmoothPlanes(context, extent, weights, boundary, volumes, volumes.between);
  }
  const Context::ProgressRange range(context, 0.65, 1.0);
  SmoothColumns(context, extent, alongZ, boundary, volumes);
}

} // namespace

void
SmoothVolume(Context & context, const GaussianWeights & weights, const VolumeSmoothing & smoothing)
{
  const Volumes volumes{ 1, { smoothing.input }, { smoothing.scratch }, { smoothing.output } };
  SmoothVolumes(context, smoothing.extent, weights, smoothing.boundary, volumes);
}

void
SmoothField(Context & context, const GaussianWeights & weights, const FieldSmoothing & smoothing)
{
  const ConstSoAField & input = smoothing.input;
  const SoAField &      scratch = smoothing.scratch;
  const SoAField &      output = smoothing.output;
  const Volumes         volumes{
    3, { input.x, input.y, input.z }, { scratch.x, scratch.y, scratch.z }, { output.x, output.y, output.z }
  };
  SmoothVolumes(context, smoothing.extent, weights, smoothing.boundary, volumes);
}

} // namespace cudaneuro::cpu
