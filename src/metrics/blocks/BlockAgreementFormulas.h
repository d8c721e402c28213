// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_blocks_BlockAgreementFormulas_h
#define cudaneuro_metrics_blocks_BlockAgreementFormulas_h

#include "core/IntegerMath.h"
#include "fields/IndexPosition.h"
#include "metrics/blocks/BlockAgreement.h"

#include <cmath>
#include <cstring>
#include <limits>

/** Normalized gradients, and their sums over the voxels of blocks, for both compilers. */
namespace cudaneuro
{

/** Lengths of gradients are counted in bins of the upper bits of floats, whose width is 1/64 to 1/128 of the length. */
constexpr int gradientBinShift = 17;
constexpr int gradientBins = 0x7F800000 >> gradientBinShift;

CUDANEURO_HOST_DEVICE int
GradientBin(float length)
{
  std::uint32_t bits = 0;
  std::memcpy(&bits, &length, sizeof(bits));
  return static_cast<int>(bits >> gradientBinShift);
}

/** Returns the inverse of GradientBin, also for positions between bins. */
inline double
GradientLengthAt(double position)
{
  const auto bits = static_cast<std::uint32_t>(std::ldexp(position, gradientBinShift));
  float      length = 0.0f;
  std::memcpy(&length, &bits, sizeof(length));
  return static_cast<double>(length);
}

/** A gradient per mm along the axes of space. In double precision, the squares of all floats are finite. */
struct MaskedGradient
{
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  bool   isInside = true;

  /** Returns the length as a float, at most the largest float. */
  CUDANEURO_HOST_DEVICE float
  Length() const
  {
    constexpr auto largest = static_cast<double>(std::numeric_limits<float>::max());
    const double   length = std::sqrt(x * x + y * y + z * z);
    return static_cast<float>(length < largest ? length : largest);
  }
};

/** A normalized gradient; inside is 1 for a voxel inside the mask, and 0 for others. */
struct alignas(16) GradientVoxel
{
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;
  float inside = 0.0f;
};

/** The inputs from which the gradients of an image are computed. */
struct GradientSource
{
  Extent                extent;
  const float *         image = nullptr;
  const unsigned char * mask = nullptr;   // may be null
  const float *         weight = nullptr; // may be null
  double                pointToIndex[9] = {};

  CUDANEURO_HOST_DEVICE bool
  IsInside(std::int64_t voxel) const
  {
    return mask == nullptr || mask[voxel] != 0;
  }

  /** Returns the gradient of a voxel; 0 if the voxel or a neighbor is outside the mask. */
  CUDANEURO_HOST_DEVICE MaskedGradient
  GradientAt(int x, int y, int z) const
  {
    const std::int64_t stepZ = std::int64_t{ extent.x } * extent.y;
    const std::int64_t voxel = z * stepZ + std::int64_t{ y } * extent.x + x;
    MaskedGradient     gradient;
    gradient.isInside = IsInside(voxel);
    double along[3] = {};
    if (gradient.isInside && Differentiate(voxel, x, extent.x, 1, along[0]) &&
        Differentiate(voxel, y, extent.y, extent.x, along[1]) && Differentiate(voxel, z, extent.z, stepZ, along[2]))
    {
      gradient.x = pointToIndex[0] * along[0] + pointToIndex[3] * along[1] + pointToIndex[6] * along[2];
      gradient.y = pointToIndex[1] * along[0] + pointToIndex[4] * along[1] + pointToIndex[7] * along[2];
      gradient.z = pointToIndex[2] * along[0] + pointToIndex[5] * along[1] + pointToIndex[8] * along[2];
    }
    return gradient;
  }

  /** Returns the bin of a voxel's gradient; -1 for a voxel without weight or gradient. */
  CUDANEURO_HOST_DEVICE int
  BinAt(int x, int y, int z) const
  {
    const std::int64_t voxel = (std::int64_t{ z } * extent.y + y) * extent.x + x;
    const bool         hasWeight = weight == nullptr || weight[voxel] > 0.0f;
    const float        length = hasWeight ? GradientAt(x, y, z).Length() : 0.0f;
    return length > 0.0f ? GradientBin(length) : -1;
  }

  /** Returns the normalized gradient. \param noise the constant e, above 0 */
  CUDANEURO_HOST_DEVICE GradientVoxel
  NormalizedAt(int x, int y, int z, double noise) const
  {
    const MaskedGradient g = GradientAt(x, y, z);
    const double         scale = 1.0 / std::sqrt(g.x * g.x + g.y * g.y + g.z * g.z + noise * noise);
    GradientVoxel        normalized;
    normalized.x = static_cast<float>(g.x * scale);
    normalized.y = static_cast<float>(g.y * scale);
    normalized.z = static_cast<float>(g.z * scale);
    normalized.inside = g.isInside ? 1.0f : 0.0f;
    return normalized;
  }

private:
  /** Computes the central difference along an axis, one-sided at the border, and 0 along an axis of one voxel.
   * \returns whether the neighbors are inside the mask */
  CUDANEURO_HOST_DEVICE bool
  Differentiate(std::int64_t voxel, int position, int length, std::int64_t stride, double & derivative) const
  {
    const std::int64_t before = position > 0 ? voxel - stride : voxel;
    const std::int64_t after = position + 1 < length ? voxel + stride : voxel;
    const bool         areInside = IsInside(before) && IsInside(after);
    if (areInside)
    {
      const double difference = static_cast<double>(image[after]) - static_cast<double>(image[before]);
      derivative = after - before > stride ? 0.5 * difference : difference;
    }
    return areInside;
  }
};

/** The number of shifts: none, and one in both directions along each of three axes. */
constexpr int blockShifts = 7;

/** Sums over the voxels of a block. */
struct BlockSums
{
  /** sum of w v */
  double visible = 0.0;
  /** sum of w |n_source|^2 */
  double source = 0.0;
  /** sum of w v |A n_source|^2 |n_target|^2 for each shift. */
  double lengths[blockShifts] = {};
  /** sum of w v c^2 for each shift. */
  double aligned[blockShifts] = {};
};

/** The terms that a voxel adds to the sums of its block. */
struct BlockTerms
{
  double visible = 0.0;
  double source = 0.0;
  double lengths = 0.0;
  double aligned = 0.0;
};

/** The voxels of a block, starting at begin. */
struct BlockBox
{
  int begin[3] = {};
  int size[3] = {};

  CUDANEURO_HOST_DEVICE std::int64_t
                        NumberOfVoxels() const
  {
    return std::int64_t{ size[0] } * size[1] * size[2];
  }
};

/** A voxel of a block. */
struct BlockVoxel
{
  /** The weight w, which is 0 outside the mask. */
  float weight = 0.0f;
  /** The squared length |n_source|^2. */
  float squaredLength = 0.0f;
  /** The mapped gradient A n_source. */
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;
  /** The position on the target's grid. */
  SplitPosition position{};
};

/** The target at the position of a voxel. */
struct SeenGradient
{
  float x = 0.0f;
  float y = 0.0f;
  float z = 0.0f;
  float visible = 0.0f;
};

/** The blocks of a source image, whose voxels are mapped to a target image. */
struct BlockView
{
  Extent                sourceExtent;
  const GradientVoxel * source = nullptr;
  const float *         weight = nullptr; // may be null
  int                   voxelsOfBlock[3] = {};
  int                   blocks[3] = {};
  Extent                targetExtent;
  const GradientVoxel * target = nullptr;
  GridSides             extended;
  /** The map from indices of the source to indices of the target. */
  IndexTransform transform{};
  /** The matrix A, for points. */
  float matrix[9] = {};
  /** The shift along each axis of the target, in voxels. */
  float shifts[3] = {};
  int   numberOfShifts = blockShifts;

  CUDANEURO_HOST_DEVICE int
  NumberOfBlocks() const
  {
    return blocks[0] * blocks[1] * blocks[2];
  }

  CUDANEURO_HOST_DEVICE BlockBox
  BoxOf(int block) const
  {
    const int places[3] = { block % blocks[0], block / blocks[0] % blocks[1], block / blocks[0] / blocks[1] };
    const int lengths[3] = { sourceExtent.x, sourceExtent.y, sourceExtent.z };
    BlockBox  box;
    for (int axis = 0; axis < 3; ++axis)
    {
      box.begin[axis] = places[axis] * voxelsOfBlock[axis];
      const int rest = lengths[axis] - box.begin[axis];
      box.size[axis] = rest < voxelsOfBlock[axis] ? rest : voxelsOfBlock[axis];
    }
    return box;
  }

  /** Returns a voxel. TIndex is as in Sampling.h, for both grids, also below. */
  template <typename TIndex>
  CUDANEURO_HOST_DEVICE BlockVoxel
  VoxelAt(int x, int y, int z) const
  {
    const TIndex        i = (static_cast<TIndex>(z) * sourceExtent.y + y) * sourceExtent.x + x;
    const GradientVoxel n = source[i];
    BlockVoxel          voxel;
    voxel.weight = weight == nullptr ? n.inside : n.inside * weight[i];
    voxel.squaredLength = n.x * n.x + n.y * n.y + n.z * n.z;
    voxel.x = matrix[0] * n.x + matrix[1] * n.y + matrix[2] * n.z;
    voxel.y = matrix[3] * n.x + matrix[4] * n.y + matrix[5] * n.z;
    voxel.z = matrix[6] * n.x + matrix[7] * n.y + matrix[8] * n.z;
    voxel.position = MapVoxel<TIndex>(transform, x, y, z);
    return voxel;
  }

  template <typename TIndex>
  CUDANEURO_HOST_DEVICE BlockTerms
  TermsOf(const BlockVoxel & voxel, int shift) const
  {
    const SeenGradient seen = See<TIndex>(Shifted(voxel.position, shift));
    const float        c = voxel.x * seen.x + voxel.y * seen.y + voxel.z * seen.z;
    const float        wv = voxel.weight * seen.visible;
    const float        squaredOfSource = voxel.x * voxel.x + voxel.y * voxel.y + voxel.z * voxel.z;
    const float        squaredOfTarget = seen.x * seen.x + seen.y * seen.y + seen.z * seen.z;
    BlockTerms         terms;
    terms.visible = static_cast<double>(wv);
    terms.source = static_cast<double>(voxel.weight * voxel.squaredLength);
    terms.lengths = static_cast<double>(wv * squaredOfSource * squaredOfTarget);
    terms.aligned = static_cast<double>(wv * c * c);
    return terms;
  }

private:
  /** Returns a shifted position. Shift 0 is none; 2 a + 1 and 2 a + 2 are those along axis a. */
  CUDANEURO_HOST_DEVICE SplitPosition
  Shifted(SplitPosition position, int shift) const
  {
    const float sign = shift % 2 == 0 ? 1.0f : -1.0f;
    position.restX += shift == 1 || shift == 2 ? sign * shifts[0] : 0.0f;
    position.restY += shift == 3 || shift == 4 ? sign * shifts[1] : 0.0f;
    position.restZ += shift == 5 || shift == 6 ? sign * shifts[2] : 0.0f;
    return position;
  }

  /** Returns 1 from the first to the last voxel along an axis, falling to 0 at one voxel beyond; 0 for NaN. */
  CUDANEURO_HOST_DEVICE static float
  OnGrid(int voxel, float rest, int length)
  {
    const float sinceBefore = static_cast<float>(voxel + 1) + rest;
    const float toBehind = static_cast<float>(length - voxel) - rest;
    const float nearer = sinceBefore < toBehind ? sinceBefore : toBehind;
    return nearer > 0.0f ? (nearer < 1.0f ? nearer : 1.0f) : 0.0f;
  }

  template <typename TIndex>
  CUDANEURO_HOST_DEVICE SeenGradient
  See(const SplitPosition & position) const
  {
    const int   voxels[3] = { position.x, position.y, position.z };
    const float rests[3] = { position.restX, position.restY, position.restZ };
    const int   lengths[3] = { targetExtent.x, targetExtent.y, targetExtent.z };
    float       visible = 1.0f;
    float       hasGradient = 1.0f;
    for (int axis = 0; axis < 3; ++axis)
    {
      const float onGrid = OnGrid(voxels[axis], rests[axis], lengths[axis]);
      const bool  isLower = static_cast<float>(voxels[axis]) + rests[axis] < 0.0f;
      const bool  goesOn = isLower ? extended.lower[axis] : extended.upper[axis];
      visible *= goesOn ? 1.0f : onGrid;
      hasGradient *= goesOn ? onGrid : 1.0f;
    }
    SeenGradient seen;
    seen.visible = visible;
    if (visible > 0.0f && hasGradient > 0.0f)
    {
      seen = Interpolate<TIndex>(SampleCellOf<TIndex>(position, targetExtent));
      seen.x *= hasGradient;
      seen.y *= hasGradient;
      seen.z *= hasGradient;
      seen.visible *= visible;
    }
    return seen;
  }

  template <typename TIndex>
  CUDANEURO_HOST_DEVICE SeenGradient
  Interpolate(const SampleCellOf<TIndex> & cell) const
  {
    SeenGradient seen;
    for (int row = 0; row < 4; ++row)
    {
      const float weightY = row % 2 == 0 ? 1.0f - cell.y.fraction : cell.y.fraction;
      const float weightOfRow = row < 2 ? weightY * (1.0f - cell.z.fraction) : weightY * cell.z.fraction;
      Add(weightOfRow * (1.0f - cell.x.fraction), target[cell.rows[row] + cell.x.lower], seen);
      Add(weightOfRow * cell.x.fraction, target[cell.rows[row] + cell.x.upper], seen);
    }
    return seen;
  }

  CUDANEURO_HOST_DEVICE static void
  Add(float weightOfVoxel, const GradientVoxel & voxel, SeenGradient & seen)
  {
    seen.x += weightOfVoxel * voxel.x;
    seen.y += weightOfVoxel * voxel.y;
    seen.z += weightOfVoxel * voxel.z;
    seen.visible += weightOfVoxel * voxel.inside;
  }
};

} // namespace cudaneuro

#endif
