// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/similarity/StructuralSimilarity.h"

#include "core/ApproximateMath.h"
#include "core/VectorDispatch.h"
#include "denoising/similarity/StructuralSimilarityFormulas.h"
#include "jobs/HostJob.h"
#include "jobs/TileCpu.h"

#include <limits>
#include <vector>

/** SSIM in tiles: window averages of four moments, separable, plane by plane over a ring of the last 11 planes. */
namespace cudaneuro::cpu
{
namespace
{

constexpr int windowRadius = similarityWindowRadius;
constexpr int windowSize = 2 * windowRadius + 1;

/** The number of window averages: s, d, s^2, and d^2, where s and d are the images' sum and difference, and 1. All
 * are 0 for excluded voxels. */
constexpr int numberOfMoments = 5;

using Taps = std::array<double, windowRadius + 1>;

/** out[k] = weighted sum over the window of in[k - 5 shift] ... in[k + 5 shift] */
CUDANEURO_ALWAYS_INLINE void
SmoothAlong(std::int64_t n, const Taps & taps, const double * in, std::int64_t shift, double * out)
{
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t k = 0; k < n; ++k)
  {
    double sum = taps[0] * in[k];
    for (int offset = 1; offset <= windowRadius; ++offset)
    {
      sum += taps[offset] * (in[k - offset * shift] + in[k + offset * shift]);
    }
    out[k] = sum;
  }
}

/** Does the same along z, over a ring of planes that begins at plane \p first. */
CUDANEURO_ALWAYS_INLINE void
SmoothRing(std::int64_t n, const Taps & taps, const double * ring, std::int64_t planeStride, int first, double * out)
{
  const double * planes[windowSize];
  for (int i = 0; i < windowSize; ++i)
  {
    planes[i] = ring + (first + i) % windowSize * planeStride;
  }
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t k = 0; k < n; ++k)
  {
    double sum = taps[0] * planes[windowRadius][k];
    for (int offset = 1; offset <= windowRadius; ++offset)
    {
      sum += taps[offset] * (planes[windowRadius - offset][k] + planes[windowRadius + offset][k]);
    }
    out[k] = sum;
  }
}

/** The constants that all tiles share. */
struct SimilarityInputs
{
  Grid                  grid;
  const float *         reference = nullptr;
  const float *         image = nullptr;
  const unsigned char * mask = nullptr;
  float *               map = nullptr;
  /** Offsets are subtracted from the images, so that squares of intensities far from 0 do not hide variances. */
  double                      referenceOffset = 0.0;
  double                      imageOffset = 0.0;
  Taps                        taps{};
  SimilarityConstants<double> constants{};

  bool
  TakesPart(std::int64_t i) const
  {
    return IsFinite(reference[i]) && IsFinite(image[i]);
  }
};

/** Sums over the voxels of a tile. */
struct Sums
{
  double       similarity = 0.0;
  std::int64_t numberOfSimilarities = 0;
  double       squaredDifference = 0.0;
  std::int64_t numberOfDifferences = 0;
};

class TileSimilarity
{
public:
  TileSimilarity(const SimilarityInputs & inputs, const Tile & tile)
    : m_Inputs(inputs)
    , m_Tile(tile)
    , m_InputStride(tile.size[0] + 2 * windowRadius)
    , m_PlaneSize(tile.size[0] * tile.size[1])
    , m_Row(m_InputStride * numberOfMoments)
    , m_Rows(tile.size[0] * (tile.size[1] + 2 * windowRadius) * numberOfMoments)
    , m_Ring(m_PlaneSize * windowSize * numberOfMoments)
    , m_Averages(m_PlaneSize * numberOfMoments)
  {
    for (std::int64_t x = -windowRadius; x < tile.size[0] + windowRadius; ++x)
    {
      m_ReflectedX.push_back(this->Reflect(0, x));
    }
  }

  Sums
  Run()
  {
    for (std::int64_t plane = 0; plane < m_Tile.size[2] + 2 * windowRadius; ++plane)
    {
      VectorDispatch([this, plane] { this->AddPlane(plane); });
      if (plane >= 2 * windowRadius)
      {
        VectorDispatch([this, plane] { this->AveragePlanes(plane); });
        this->FinishPlane(plane - 2 * windowRadius);
      }
    }
    return m_Sums;
  }

private:
  /** Returns the index in the volume for a local coordinate, which is reflected if it is outside. */
  std::int64_t
  Reflect(int axis, std::int64_t i) const
  {
    return ReflectIndex(static_cast<int>(m_Tile.begin[axis] + i), static_cast<int>(m_Inputs.grid.size[axis]));
  }

  /** Computes the moments of one row of voxels, including its reflected ends. */
  CUDANEURO_ALWAYS_INLINE void
  LoadRow(std::int64_t y, std::int64_t z)
  {
    const std::int64_t start =
      m_Inputs.grid.size[0] * (this->Reflect(1, y) + m_Inputs.grid.size[1] * this->Reflect(2, z));
    double * const row = m_Row.data();
    for (std::int64_t x = 0; x < m_InputStride; ++x)
    {
      const std::int64_t i = start + m_ReflectedX[x];
      const bool         takesPart = m_Inputs.TakesPart(i);
      const double       a = takesPart ? m_Inputs.reference[i] - m_Inputs.referenceOffset : 0.0;
      const double       b = takesPart ? m_Inputs.image[i] - m_Inputs.imageOffset : 0.0;
      row[x] = a + b;
      row[x + m_InputStride] = a - b;
      row[x + 2 * m_InputStride] = (a + b) * (a + b);
      row[x + 3 * m_InputStride] = (a - b) * (a - b);
      row[x + 4 * m_InputStride] = takesPart ? 1.0 : 0.0;
    }
  }

  CUDANEURO_ALWAYS_INLINE void
  AddPlane(std::int64_t plane)
  {
    const std::int64_t nx = m_Tile.size[0];
    const std::int64_t numberOfRows = m_Tile.size[1] + 2 * windowRadius;
    for (std::int64_t y = 0; y < numberOfRows; ++y)
    {
      this->LoadRow(y - windowRadius, plane - windowRadius);
      for (int moment = 0; moment < numberOfMoments; ++moment)
      {
        SmoothAlong(nx,
                    m_Inputs.taps,
                    m_Row.data() + moment * m_InputStride + windowRadius,
                    1,
                    m_Rows.data() + (moment * numberOfRows + y) * nx);
      }
    }
    for (int moment = 0; moment < numberOfMoments; ++moment)
    {
      SmoothAlong(m_PlaneSize,
                  m_Inputs.taps,
                  m_Rows.data() + (moment * numberOfRows + windowRadius) * nx,
                  nx,
                  m_Ring.data() + (moment * windowSize + plane % windowSize) * m_PlaneSize);
    }
  }

  CUDANEURO_ALWAYS_INLINE void
  AveragePlanes(std::int64_t lastPlane)
  {
    const int first = static_cast<int>((lastPlane + 1) % windowSize);
    for (int moment = 0; moment < numberOfMoments; ++moment)
    {
      SmoothRing(m_PlaneSize,
                 m_Inputs.taps,
                 m_Ring.data() + moment * windowSize * m_PlaneSize,
                 m_PlaneSize,
                 first,
                 m_Averages.data() + moment * m_PlaneSize);
    }
  }

  /** Returns whether a voxel's window fits in the image along an axis, or the axis is shorter than a window. */
  bool
  WindowFits(int axis, std::int64_t i) const
  {
    const std::int64_t size = m_Inputs.grid.size[axis];
    const std::int64_t position = m_Tile.begin[axis] + i;
    return size < windowSize || (position >= windowRadius && position < size - windowRadius);
  }

  void
  FinishPlane(std::int64_t z)
  {
    const bool         planeFits = this->WindowFits(2, z);
    const std::int64_t nx = m_Tile.size[0];
    for (std::int64_t y = 0; y < m_Tile.size[1]; ++y)
    {
      const bool         rowFits = planeFits && this->WindowFits(1, y);
      const std::int64_t row =
        m_Tile.begin[0] + m_Inputs.grid.size[0] * (m_Tile.begin[1] + y + m_Inputs.grid.size[1] * (m_Tile.begin[2] + z));
      for (std::int64_t x = 0; x < nx; ++x)
      {
        this->FinishVoxel(row + x, y * nx + x, rowFits && this->WindowFits(0, x));
      }
    }
  }

  /** Computes one output. \param i index in the volume; \param k index in the plane of averages */
  void
  FinishVoxel(std::int64_t i, std::int64_t k, bool windowFits)
  {
    const bool takesPart = m_Inputs.TakesPart(i);
    const bool isAveraged = takesPart && (!m_Inputs.mask || m_Inputs.mask[i] != 0);
    if (isAveraged)
    {
      const double difference = double{ m_Inputs.reference[i] } - m_Inputs.image[i];
      m_Sums.squaredDifference += difference * difference;
      ++m_Sums.numberOfDifferences;
    }
    double similarity = std::numeric_limits<double>::quiet_NaN();
    if (takesPart && (m_Inputs.map || isAveraged))
    {
      const double * const averages = m_Averages.data() + k;
      const double         part = averages[4 * m_PlaneSize];
      const double         meanS = averages[0] / part;
      const double         meanD = averages[m_PlaneSize] / part;
      similarity = SimilarityFromVariances(meanS + (m_Inputs.referenceOffset + m_Inputs.imageOffset),
                                           meanD + (m_Inputs.referenceOffset - m_Inputs.imageOffset),
                                           averages[2 * m_PlaneSize] / part - meanS * meanS,
                                           averages[3 * m_PlaneSize] / part - meanD * meanD,
                                           m_Inputs.constants);
    }
    if (isAveraged && windowFits)
    {
      m_Sums.similarity += similarity;
      ++m_Sums.numberOfSimilarities;
    }
    if (m_Inputs.map)
    {
      m_Inputs.map[i] = static_cast<float>(similarity);
    }
  }

  const SimilarityInputs & m_Inputs;
  const Tile               m_Tile;
  std::int64_t             m_InputStride;
  std::int64_t             m_PlaneSize;
  /** Index in the volume's row of each element of m_Row. */
  std::vector<std::int64_t> m_ReflectedX;
  /** One row of voxels: moments by x. */
  std::vector<double> m_Row;
  /** One plane smoothed along x: moments by y by x. */
  std::vector<double> m_Rows;
  /** Planes smoothed along x and y: moments by ring position by y by x. */
  std::vector<double> m_Ring;
  /** One plane of averages: moments by y by x. */
  std::vector<double> m_Averages;
  Sums                m_Sums;
};

/** Returns the means over all tiles, summed in the order of the tiles. */
StructuralSimilarityResult
ComputeSimilarity(Context & context, const SimilarityInputs & inputs)
{
  const Tiling      tiling(inputs.grid, { 64, 16, 32 }, { 0, 0, 0 });
  std::vector<Sums> sums(tiling.NumberOfTiles());
  context.ParallelFor(tiling.NumberOfTiles(),
                      [&](std::int64_t i) { sums[i] = TileSimilarity(inputs, tiling.GetTile(i)).Run(); });
  Sums total;
  for (const Sums & s : sums)
  {
    total.similarity += s.similarity;
    total.numberOfSimilarities += s.numberOfSimilarities;
    total.squaredDifference += s.squaredDifference;
    total.numberOfDifferences += s.numberOfDifferences;
  }
  // Where nothing is averaged, 0 / 0 gives NaN, as documented.
  return { total.similarity / static_cast<double>(total.numberOfSimilarities),
           total.squaredDifference / static_cast<double>(total.numberOfDifferences) };
}

StructuralSimilarityResult
Compare(Context & context, const SimilarityCall & call)
{
  HostJob                    job(context, call.grid, { call.reference, call.image }, call.map);
  StructuralSimilarityResult result;
  {
    const Context::ProgressRange range = job.ComputationProgress();
    result = ComputeSimilarity(context,
                               { call.grid,
                                 job.Input(0),
                                 job.Input(1),
                                 static_cast<const unsigned char *>(call.mask.data),
                                 job.Output(),
                                 call.referenceOffset,
                                 call.imageOffset,
                                 SimilarityWindow(call.parameters),
                                 MakeSimilarityConstants<double>(call.parameters) });
  }
  job.Finish();
  return result;
}

} // namespace

std::vector<StructuralSimilarityResult>
StructuralSimilarities(Context & context, const std::vector<SimilarityCall> & calls)
{
  std::vector<StructuralSimilarityResult> results;
  Context::ProgressSteps                  progress(context);
  for (const SimilarityCall & call : calls)
  {
    progress.UpTo(static_cast<double>(results.size() + 1) / static_cast<double>(calls.size()));
    results.push_back(Compare(context, call));
  }
  return results;
}

} // namespace cudaneuro::cpu
