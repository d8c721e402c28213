// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_noisemap_NoiseMapFormulas_h
#define cudaneuro_denoising_noisemap_NoiseMapFormulas_h

#include "core/ApproximateMath.h"
#include "core/IntegerMath.h"
#include "denoising/noisemap/NoiseMap.h"

#include <cmath>

namespace cudaneuro
{

/** Returns the number of cubes of a block along an axis in the slices. */
inline int
NoiseBlockEdge(int axes)
{
  return axes == 3 ? 8 : 16;
}

/** Returns the number of cubes of a volume's block along an axis, so that blocks of thick slices are about as deep as
 * wide. \param thickness spacing along the axis over the larger one of the other two */
inline int
NoiseBlockDepth(double thickness)
{
  constexpr double step = 1.41;
  return thickness < step ? 8 : thickness < 2.0 * step ? 4 : thickness < 4.0 * step ? 2 : 1;
}

/** Cubes whose squared deviations from their mean exceed this multiple of the variance have little weight. Measured:
 * smaller multiples leave too few cubes, larger ones include too many edges. */
CUDANEURO_HOST_DEVICE constexpr float
SquaredNoiseWidth(int axes)
{
  return axes == 3 ? 1.96f : 1.21f;
}

/** The minimum standard deviation of scaled intensities; float does not resolve smaller differences between values. */
constexpr float leastScaledNoise = 1e-15f;

/** Returns whether a voxel inside the mask counts, which a code, an error, or NaN does not. */
CUDANEURO_HOST_DEVICE bool
IsNoiseVoxel(float value, float limit)
{
  return fabsf(value) <= limit;
}

/** The Haar transform of a cube of 8 voxels, or of a square of 4. */
struct NoiseCube
{
  float mean;
  /** Square of the coefficient that differs along all axes; its expectation is the variance of the noise. */
  float component;
  /** Sum of the squares of all coefficients but the mean, this one included. */
  float deviations;
};

/** Returns the transform. \param v voxels, x fastest */
template <int VCorners>
CUDANEURO_HOST_DEVICE NoiseCube
MakeNoiseCube(const float (&v)[VCorners])
{
  constexpr float share = 1.0f / VCorners;
  float           sum = (v[0] + v[1]) + (v[2] + v[3]);
  float           difference = (v[3] - v[2]) - (v[1] - v[0]);
  if constexpr (VCorners == 8)
  {
    sum += (v[4] + v[5]) + (v[6] + v[7]);
    difference = ((v[7] - v[6]) - (v[5] - v[4])) - difference;
  }
  const float mean = share * sum;
  float       deviations = 0.0f;
  for (int corner = 0; corner < VCorners; ++corner)
  {
    deviations += (v[corner] - mean) * (v[corner] - mean);
  }
  return { mean, share * (difference * difference), deviations };
}

/** Variance of the magnitude over sigma^2 from the mean m of a cube's magnitudes over sigma:
 *
 *   1 - u (a + u (b + u (c + u d))),   u = 1 / (1 + k m^2),
 *
 * fitted so that its mean over the noise of m is that of Koay and Basser 2006, eq. 17, to 0.2 % for every signal.
 * Without signal the variance is 2 - pi / 2. */
struct RicianVarianceFit
{
  float k;
  float a;
  float b;
  float c;
  float d;

  CUDANEURO_HOST_DEVICE float
  operator()(float mean) const
  {
    const float u = 1.0f / (1.0f + k * mean * mean);
    return 1.0f - u * (a + u * (b + u * (c + u * d)));
  }
};

/** Returns the fit for the mean of 4 voxels (2 axes) or of 8 (3 axes). */
inline RicianVarianceFit
RicianVarianceOfCubes(int axes)
{
  return axes == 3 ? RicianVarianceFit{ 0.30907158f, 0.17972355f, -0.18550992f, 2.1627903f, -0.70619386f }
                   : RicianVarianceFit{ 0.32884334f, 0.18057945f, -0.0447282f, 1.482140f, 0.0000784643f };
}

/** Returns the variance of the magnitude over sigma^2 from that variance over the squared mean of the magnitude. This
 * ratio is at most 4 / pi - 1, its value without signal. A fit to 0.2 %. */
CUDANEURO_HOST_DEVICE float
RicianVarianceOfRatio(float ratio)
{
  constexpr float ratioOfNoise = 0.27323954f;
  const float     below = 1.0f - ratio / ratioOfNoise;
  const float     v = 1.0f - sqrtf(below > 0.0f ? below : 0.0f);
  return 1.0f + v * (-0.20481019f + v * (-0.92927909f + v * (0.72809932f - v * 0.16398629f)));
}

/** The three sums over the cubes of a block. */
struct NoiseTerms
{
  float x;
  float y;
  float z;

  CUDANEURO_HOST_DEVICE void
  Include(const NoiseTerms & other)
  {
    x += other.x;
    y += other.y;
    z += other.z;
  }
};

/** Terms of the first pass: 1, |component|^(-1/4) and mean. Small components, those of cubes without edges, dominate
 * the sum of this power. Components of 0, which images of integers have, are excluded. */
struct ComponentTerms
{
  static constexpr bool usesSigma = false;

  CUDANEURO_HOST_DEVICE NoiseTerms
  operator()(const NoiseCube & cube, float) const
  {
    const bool  counts = cube.component > 0.0f;
    const float component = counts ? cube.component : 1.0f;
    const float power = 1.0f / sqrtf(sqrtf(sqrtf(component)));
    return { counts ? 1.0f : 0.0f, counts ? power : 0.0f, counts ? cube.mean : 0.0f };
  }
};

/** Terms of the later passes: the weight w, w component / sigma^2, and w times the variance over sigma^2 that noise
 * alone would have there. Cubes of one value are excluded. */
struct WeightedTerms
{
  static constexpr bool usesSigma = true;
  bool                  isRician;
  float                 inverseSquaredWidth;
  RicianVarianceFit     varianceOfMean;

  explicit WeightedTerms(const NoiseImage & image)
    : isRician(image.isRician)
    , inverseSquaredWidth(1.0f / SquaredNoiseWidth(image.axes))
    , varianceOfMean(RicianVarianceOfCubes(image.axes))
  {}

  CUDANEURO_HOST_DEVICE NoiseTerms
  operator()(const NoiseCube & cube, float sigma) const
  {
    constexpr float half = static_cast<float>(0.5 * log2OfE);
    const float     inverse = 1.0f / (sigma > leastScaledNoise ? sigma : leastScaledNoise);
    const float     square = cube.component * inverse * inverse;
    const float     weight = Exp2(-half * inverseSquaredWidth * (cube.deviations * inverse * inverse));
    const float     variance = isRician ? varianceOfMean(cube.mean * inverse) : 1.0f;
    const bool      counts = cube.deviations > 0.0f;
    return { counts ? weight : 0.0f, counts ? weight * square : 0.0f, counts ? weight * variance : 0.0f };
  }
};

/** The position of a point between two nodes along an axis. */
struct NodePosition
{
  int   lower;
  int   upper;
  float fraction;

  /** \param coordinate in voxels; the coordinate of a cube is the middle of its voxels. Nodes are in the middle of the
   * cubes of a block. */
  CUDANEURO_HOST_DEVICE
  NodePosition(float coordinate, float blocksPerVoxel, int nodes)
  {
    const float inBlocks = coordinate * blocksPerVoxel - 0.5f;
    const float last = static_cast<float>(nodes - 1);
    const float inside = inBlocks < 0.0f ? 0.0f : (inBlocks < last ? inBlocks : last);
    lower = static_cast<int>(inside);
    lower = lower < nodes - 2 ? lower : (nodes > 1 ? nodes - 2 : 0);
    upper = lower + 1 < nodes ? lower + 1 : lower;
    fraction = inside - static_cast<float>(lower);
  }
};

CUDANEURO_HOST_DEVICE float
InterpolateBetween(float lower, float upper, float fraction)
{
  return lower + (upper - lower) * fraction;
}

/** Four rows of nodes and the weights that interpolate a row between them, at a position along y and z. */
struct NodeRow
{
  int   lowerLower;
  int   upperLower;
  int   lowerUpper;
  int   upperUpper;
  float fractionY;
  float fractionZ;

  CUDANEURO_HOST_DEVICE
  NodeRow(const Extent & nodes, const NodePosition & y, const NodePosition & z)
    : lowerLower((z.lower * nodes.y + y.lower) * nodes.x)
    , upperLower((z.lower * nodes.y + y.upper) * nodes.x)
    , lowerUpper((z.upper * nodes.y + y.lower) * nodes.x)
    , upperUpper((z.upper * nodes.y + y.upper) * nodes.x)
    , fractionY(y.fraction)
    , fractionZ(z.fraction)
  {}

  CUDANEURO_HOST_DEVICE float
  At(const float * values, int x) const
  {
    return InterpolateBetween(InterpolateBetween(values[lowerLower + x], values[upperLower + x], fractionY),
                              InterpolateBetween(values[lowerUpper + x], values[upperUpper + x], fractionY),
                              fractionZ);
  }

  /** Returns whether one of the four nodes has a value above 0. */
  CUDANEURO_HOST_DEVICE bool
  IsPositive(const float * values, int x) const
  {
    return values[lowerLower + x] > 0.0f || values[upperLower + x] > 0.0f || values[lowerUpper + x] > 0.0f ||
           values[upperUpper + x] > 0.0f;
  }
};

/** Returns the first estimate of a block's noise from its sums of ComponentTerms. */
CUDANEURO_HOST_DEVICE float
FirstNoise(const NoiseTerms & sums)
{
  constexpr float meanPower = 1.2263787f; // mean of |x|^(-1/4) for standard normal x: 2^(-1/8) Gamma(3/8) / sqrt(pi)
  const float     root = meanPower * sums.x / sums.y;
  const float     sigma = root * root * (root * root);
  return sigma > leastScaledNoise ? sigma : leastScaledNoise;
}

/** Returns what must be subtracted from the logarithm of a first value if the noise is Rician. */
CUDANEURO_HOST_DEVICE float
RicianShift(float first, const NoiseTerms & sums)
{
  const float ratio = expf(first) * sums.x / sums.z;
  return 0.5f * logf(RicianVarianceOfRatio(ratio * ratio));
}

/** Returns sigma corrected by smoothed sums of WeightedTerms. The component has the variance s^2, and its weighted
 * squares have the mean 1 / (1 / s^2 + 1 / (w sigma)^2), w the width, which gives s. The other differences in the
 * weight are independent of the component. */
CUDANEURO_HOST_DEVICE float
RefinedNoise(float sigma, float inverseSquaredWidth, const NoiseTerms & sums)
{
  constexpr float leastWeight = 1e-20f;
  constexpr float leastInverse = 1e-3f;
  if (!(sums.x > leastWeight) || !(sums.y > 0.0f))
  {
    return sigma;
  }
  // The variance of a magnitude without signal; only errors of sigma lead below it.
  constexpr float leastVariance = 0.42920367f;
  const float     variance = sums.z / sums.x;
  const float     inverse = sums.x / sums.y - inverseSquaredWidth;
  const float     product =
    (variance > leastVariance ? variance : leastVariance) * (inverse > leastInverse ? inverse : leastInverse);
  return sigma / sqrtf(product);
}

/** Does one step of one node. */
CUDANEURO_HOST_DEVICE void
UpdateNode(NodeStep step, const NoiseNodes & nodes, std::int64_t i)
{
  constexpr float leastWeight = 1e-6f;
  constexpr float width = 0.2f; // of the Gaussian weight, which falls with the excess of a first value's logarithm
  constexpr float inverse = 0.5f / (width * width);
  const auto      setSums = [&](float weight) {
    nodes.sums.x[i] = weight;
    nodes.sums.y[i] = weight * nodes.first[i];
  };
  switch (step)
  {
    case NodeStep::Begin:
    {
      const NoiseTerms sums{ nodes.sums.x[i], nodes.sums.y[i], nodes.sums.z[i] };
      nodes.count[i] = sums.x;
      nodes.first[i] = sums.x > 0.0f ? logf(FirstNoise(sums)) : 0.0f;
      nodes.first[i] -= nodes.isRician && sums.z > 0.0f ? RicianShift(nodes.first[i], sums) : 0.0f;
      nodes.sums.z[i] = 0.0f;
      setSums(sums.x);
      break;
    }
    case NodeStep::WeighDown:
    {
      const float excess = nodes.first[i] - nodes.smoothed.y[i] / nodes.smoothed.x[i];
      const float weight = excess > 0.0f ? expf(-inverse * excess * excess) : 1.0f;
      setSums(nodes.count[i] > 0.0f ? nodes.count[i] * (weight + leastWeight) : 0.0f);
      break;
    }
    case NodeStep::SetSigma:
      nodes.sigma[i] = nodes.smoothed.x[i] > 0.0f ? expf(nodes.smoothed.y[i] / nodes.smoothed.x[i]) : 0.0f;
      break;
    case NodeStep::Refine:
      nodes.sigma[i] = RefinedNoise(
        nodes.sigma[i], nodes.inverseSquaredWidth, { nodes.smoothed.x[i], nodes.smoothed.y[i], nodes.smoothed.z[i] });
      break;
  }
}

/** Returns the number of nodes along an axis of the image, which has \p block cubes of each block. */
inline int
NumberOfNoiseNodes(int length, int block)
{
  return length > 1 ? DivideUp(length - 1, block) : 1;
}

} // namespace cudaneuro

#endif
