// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/ReferenceBlockAgreement.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace reference
{

namespace
{

using cudaneuro::AffineMap;
using Vector = std::array<double, 3>;
using Index = std::array<int, 3>;

Vector
Times(const std::array<double, 9> & matrix, const Vector & x)
{
  Vector y{};
  for (int entry = 0; entry < 9; ++entry)
  {
    y[entry / 3] += matrix[entry] * x[entry % 3];
  }
  return y;
}

Vector
Mapped(const AffineMap & map, const Vector & x)
{
  const Vector y = Times(map.matrix, x);
  return { y[0] + map.offset[0], y[1] + map.offset[1], y[2] + map.offset[2] };
}

double
Dot(const Vector & a, const Vector & b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double
WeightOf(const WeightedScan & scan, std::size_t voxel)
{
  return scan.image.IsInMask(voxel) ? (scan.weight.empty() ? 1.0 : scan.weight[voxel]) : 0.0;
}

template <typename TVisit>
void
ForVoxels(const ImageOnGrid & image, const TVisit & visit)
{
  for (std::size_t i = 0; i < image.values.size(); ++i)
  {
    const int row = static_cast<int>(i / image.size[0]);
    visit(i, Index{ static_cast<int>(i % image.size[0]), row % image.size[1], row / image.size[1] });
  }
}

Vector
GradientOf(const WeightedScan & scan, const Index & index)
{
  const ImageOnGrid & image = scan.image;
  const auto          voxel = image.Index(index[0], index[1], index[2]);
  Vector              along{};
  for (int axis = 0; axis < 3; ++axis)
  {
    Index before = index;
    Index after = index;
    before[axis] = std::max(0, index[axis] - 1);
    after[axis] = std::min(image.size[axis] - 1, index[axis] + 1);
    const auto b = image.Index(before[0], before[1], before[2]);
    const auto a = image.Index(after[0], after[1], after[2]);
    if (!image.IsInMask(voxel) || !image.IsInMask(a) || !image.IsInMask(b))
    {
      return {};
    }
    along[axis] = a == b ? 0.0 : (image.values[a] - image.values[b]) / (after[axis] - before[axis]);
  }
  // By the chain rule, derivatives along the axes are the transposed matrix times the gradient.
  const auto inverse = cudaneuro::Inverse(scan.indexToPoint).matrix;
  Vector     gradient{};
  for (int entry = 0; entry < 9; ++entry)
  {
    gradient[entry % 3] += inverse[entry] * along[entry / 3];
  }
  return gradient;
}

std::vector<Vector>
NormalizedGradients(const WeightedScan & scan)
{
  std::vector<Vector> gradients;
  std::vector<double> lengths;
  ForVoxels(scan.image, [&](std::size_t i, const Index & index) {
    gradients.push_back(GradientOf(scan, index));
    const double length = std::sqrt(Dot(gradients.back(), gradients.back()));
    if (length > 0.0 && (scan.weight.empty() || scan.weight[i] > 0.0))
    {
      lengths.push_back(length);
    }
  });
  std::sort(lengths.begin(), lengths.end());
  const double e = lengths.empty() ? 1.0 : 0.3 * lengths[lengths.size() / 2];
  for (Vector & g : gradients)
  {
    const double scale = 1.0 / std::sqrt(Dot(g, g) + e * e);
    g = { g[0] * scale, g[1] * scale, g[2] * scale };
  }
  return gradients;
}

struct Seen
{
  double v = 1.0;
  Vector n{};
};

/** What is seen of the target at a continuous index. */
Seen
See(const WeightedScan & target, const std::vector<Vector> & gradients, Vector index)
{
  const ImageOnGrid & image = target.image;
  Seen                seen;
  double              fading = 1.0;
  for (int axis = 0; axis < 3; ++axis)
  {
    const double last = image.size[axis] - 1.0;
    const double beyond = std::max({ 0.0, -index[axis], index[axis] - last });
    const bool   goesOn = index[axis] < 0.0 ? image.goesOnBefore[axis] : image.goesOnBehind[axis];
    (goesOn ? fading : seen.v) *= std::max(0.0, 1.0 - beyond);
    index[axis] = std::min(std::max(index[axis], 0.0), last);
  }
  if (fading == 0.0)
  {
    return seen;
  }
  double inside = 0.0;
  for (int corner = 0; corner < 8; ++corner)
  {
    double weight = fading;
    Index  at{};
    for (int axis = 0; axis < 3; ++axis)
    {
      const int lower = static_cast<int>(index[axis]);
      const int upper = (corner >> axis) & 1;
      at[axis] = std::min(lower + upper, image.size[axis] - 1);
      weight *= upper == 1 ? index[axis] - lower : 1.0 - (index[axis] - lower);
    }
    const auto voxel = image.Index(at[0], at[1], at[2]);
    inside += image.IsInMask(voxel) ? weight / fading : 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
      seen.n[axis] += weight * gradients[voxel][axis];
    }
  }
  seen.v *= inside;
  return seen;
}

struct Sums
{
  double              visible = 0.0;
  double              source = 0.0;
  std::vector<double> lengths;
  std::vector<double> aligned;
};

/** Displacements of points of the target: none, and forth and back along its axes. */
std::vector<Vector>
Shifts(const WeightedScan & target, int axes, double shift)
{
  std::vector<Vector> shifts(1, Vector{});
  for (int axis = 0; axis < axes; ++axis)
  {
    const auto & m = target.indexToPoint.matrix;
    const Vector step{ m[axis], m[3 + axis], m[6 + axis] };
    const double scale = shift / std::sqrt(Dot(step, step));
    shifts.push_back({ scale * step[0], scale * step[1], scale * step[2] });
    shifts.push_back({ -scale * step[0], -scale * step[1], -scale * step[2] });
  }
  return shifts;
}

std::map<Index, Sums>
SumBlocks(
  const WeightedScan & source, const WeightedScan & target, const AffineMap & map, double blockSide, double shift)
{
  const auto                n = NormalizedGradients(source);
  const auto                nOfTarget = NormalizedGradients(target);
  const bool                is2D = source.image.size[2] == 1 && target.image.size[2] == 1;
  const std::vector<Vector> shifts = Shifts(target, is2D ? 2 : 3, shift);
  const AffineMap           toIndex = cudaneuro::Inverse(target.indexToPoint);
  std::map<Index, Sums>     blocks;
  ForVoxels(source.image, [&](std::size_t i, const Index & index) {
    Index place{};
    for (int axis = 0; axis < 3; ++axis)
    {
      const auto & m = source.indexToPoint.matrix;
      const double spacing = std::sqrt(m[axis] * m[axis] + m[3 + axis] * m[3 + axis] + m[6 + axis] * m[6 + axis]);
      place[axis] = index[axis] / std::max(1, static_cast<int>(std::lround(blockSide / spacing)));
    }
    Sums & sums = blocks[place];
    sums.aligned.resize(shifts.size());
    sums.lengths.resize(shifts.size());
    const double w = WeightOf(source, i);
    const Vector point =
      Mapped(map, Mapped(source.indexToPoint, { double(index[0]), double(index[1]), double(index[2]) }));
    const Vector pulled = Times(map.matrix, n[i]);
    sums.source += w * Dot(n[i], n[i]);
    for (std::size_t k = 0; k < shifts.size(); ++k)
    {
      const Vector & d = shifts[k];
      const Seen seen = See(target, nOfTarget, Mapped(toIndex, { point[0] + d[0], point[1] + d[1], point[2] + d[2] }));
      const double c = Dot(pulled, seen.n);
      sums.aligned[k] += w * seen.v * c * c;
      sums.visible += k == 0 ? w * seen.v : 0.0;
      sums.lengths[k] += w * seen.v * Dot(pulled, pulled) * Dot(seen.n, seen.n);
    }
  });
  return blocks;
}

} // namespace

BlockAgreementPart
AgreementOfBlocks(
  const WeightedScan & source, const WeightedScan & target, const AffineMap & map, double blockSide, double shift)
{
  const std::map<Index, Sums> blocks = SumBlocks(source, target, map, blockSide, shift);
  double                      largest = 0.0;
  double                      squares = 0.0;
  double                      lengths = 0.0;
  double                      aligned = 0.0;
  for (const auto & [place, sums] : blocks)
  {
    largest = std::max(largest, sums.visible);
    squares += sums.source;
    lengths += sums.lengths[0];
    aligned += sums.aligned[0];
  }
  BlockAgreementPart part;
  double             counted = 0.0;
  for (const auto & [place, sums] : blocks)
  {
    if (sums.source > 0.0 && sums.visible > 0.0 && sums.visible >= 0.15 * largest)
    {
      const double here = sums.lengths[0] > 0.0 ? sums.aligned[0] / sums.lengths[0] : 0.0;
      double       best = 0.0;
      for (std::size_t k = 1; k < sums.lengths.size(); ++k)
      {
        best = sums.lengths[k] >= 0.2 * sums.lengths[0] ? std::max(best, sums.aligned[k] / sums.lengths[k]) : best;
      }
      ++part.numberOfBlocks;
      counted += sums.visible;
      part.agreement += here > 0.0 && here >= best ? sums.visible : 0.0;
      part.undecided += std::abs(here - best) < 2e-3 * best ? sums.visible : 0.0;
    }
  }
  part.agreement = counted > 0.0 ? part.agreement / counted : 0.0;
  part.undecided = counted > 0.0 ? part.undecided / counted : 0.0;
  part.squaredCosine = lengths > 0.0 ? aligned / lengths : 0.0;
  part.alignedGradients = squares > 0.0 ? aligned / squares : 0.0;
  return part;
}

} // namespace reference
