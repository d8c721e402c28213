// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/ReferenceAdaptive.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

namespace reference
{
namespace
{

using Voxel = std::array<int, 3>;

constexpr double pi = 3.14159265358979323846;

struct Volume
{
  Voxel               size;
  std::vector<double> values;

  std::size_t
  Index(const Voxel & voxel) const
  {
    return (static_cast<std::size_t>(voxel[2]) * size[1] + voxel[1]) * size[0] + voxel[0];
  }
  double
  At(const Voxel & voxel) const
  {
    return values[this->Index(voxel)];
  }
};

/** Calls body(offset) for the offsets of a box, x first. */
template <typename TBody>
void
ForBox(const Voxel & begin, const Voxel & end, const TBody & body)
{
  for (int z = begin[2]; z < end[2]; ++z)
  {
    for (int y = begin[1]; y < end[1]; ++y)
    {
      for (int x = begin[0]; x < end[0]; ++x)
      {
        body(Voxel{ x, y, z });
      }
    }
  }
}

Voxel
Sum(const Voxel & a, const Voxel & b)
{
  return { a[0] + b[0], a[1] + b[1], a[2] + b[2] };
}

/** Lengths of a block, steps of references and reach of the window, for images of voxels or of planes. */
struct Rules
{
  Voxel block;
  Voxel step;
  Voxel reach;

  explicit Rules(const Voxel & size)
    : block{ 4, 4, size[2] >= 4 ? 4 : 1 }
    , step{ 3, 3, size[2] >= 4 ? 3 : 1 }
    , reach{ size[2] >= 4 ? Voxel{ 3, 3, 3 } : Voxel{ 5, 5, 2 } }
  {}
};

std::vector<double>
BlockAt(const Rules & rules, const Volume & volume, const Voxel & place)
{
  std::vector<double> block;
  ForBox({ 0, 0, 0 }, rules.block, [&](const Voxel & offset) { block.push_back(volume.At(Sum(place, offset))); });
  return block;
}

/** The orthonormal cosine transform (DCT-II), or its inverse. */
std::vector<double>
Transform(const Rules & rules, const std::vector<double> & block, bool inverse)
{
  const Volume        from{ rules.block, block };
  std::vector<double> result;
  ForBox({ 0, 0, 0 }, rules.block, [&](const Voxel & to) {
    double sum = 0.0;
    ForBox({ 0, 0, 0 }, rules.block, [&](const Voxel & other) {
      double product = from.At(other);
      for (int axis = 0; axis < 3; ++axis)
      {
        const int    length = rules.block[axis];
        const int    frequency = inverse ? other[axis] : to[axis];
        const int    place = inverse ? to[axis] : other[axis];
        const double scale = std::sqrt((frequency == 0 ? 1.0 : 2.0) / length);
        product *= scale * std::cos(pi * frequency * (place + 0.5) / length);
      }
      sum += product;
    });
    result.push_back(sum);
  });
  return result;
}

std::uint32_t
KeyOf(const Rules & rules, const Volume & volume, const Voxel & reference, const Voxel & other, int candidate)
{
  float distance = 0.0f;
  ForBox({ 0, 0, 0 }, rules.block, [&](const Voxel & offset) {
    const float difference =
      static_cast<float>(volume.At(Sum(other, offset))) - static_cast<float>(volume.At(Sum(reference, offset)));
    const float square = difference * difference;
    distance = distance + square;
  });
  std::uint32_t bits = 0;
  std::memcpy(&bits, &distance, sizeof(bits));
  return (bits & ~2047u) | static_cast<std::uint32_t>(candidate);
}

std::vector<Voxel>
GroupOf(const Rules & rules, const Volume & volume, const Voxel & reference)
{
  std::vector<std::pair<std::uint32_t, Voxel>> found;
  int                                          candidate = 0;
  const Voxel                                  begin{ -rules.reach[0], -rules.reach[1], -rules.reach[2] };
  ForBox(begin, { rules.reach[0] + 1, rules.reach[1] + 1, rules.reach[2] + 1 }, [&](const Voxel & offset) {
    const Voxel other = Sum(reference, offset);
    bool        isInside = true;
    for (int axis = 0; axis < 3; ++axis)
    {
      isInside = isInside && other[axis] >= 0 && other[axis] + rules.block[axis] <= volume.size[axis];
    }
    bool hasValues = isInside;
    if (isInside)
    {
      for (const double value : BlockAt(rules, volume, other))
      {
        hasValues = hasValues && !std::isnan(value);
      }
    }
    if (hasValues)
    {
      const bool isSelf = offset == Voxel{ 0, 0, 0 };
      found.emplace_back(isSelf ? 0 : KeyOf(rules, volume, reference, other, candidate), other);
    }
    ++candidate;
  });
  std::stable_sort(found.begin(), found.end(), [](const auto & a, const auto & b) { return a.first < b.first; });
  std::vector<Voxel> group;
  for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 16); ++i)
  {
    group.push_back(found[i].second);
  }
  return group;
}

struct Moments
{
  double mean = 0.0;
  double variance = 0.0;
};

Moments
MomentsOf(const std::vector<std::vector<double>> & blocks, std::size_t coefficient)
{
  Moments    moments;
  const auto count = static_cast<double>(blocks.size());
  for (const auto & block : blocks)
  {
    moments.mean += block[coefficient] / count;
  }
  for (const auto & block : blocks)
  {
    moments.variance += std::pow(block[coefficient] - moments.mean, 2) / count;
  }
  return moments;
}

/** Shrinks coefficients of the noisy blocks. \param guides of the first result, empty in the first pass */
void
Shrink(std::vector<std::vector<double>> & blocks, const std::vector<std::vector<double>> & guides, double variance)
{
  const auto count = static_cast<double>(blocks.size());
  for (std::size_t i = 0; i < blocks[0].size(); ++i)
  {
    const Moments noisy = MomentsOf(blocks, i);
    double        mean = noisy.mean;
    double        factor = 0.0;
    if (guides.empty())
    {
      const double signal = std::max(0.0, noisy.variance - 2.0 * variance * (count - 1.0) / count);
      factor = signal / (signal + variance);
      const double share = 4.0 * variance / (count * mean * mean);
      mean *= i == 0 ? 1.0 : (share < 1.0 ? 1.0 - share * share : 0.0);
    }
    else
    {
      const Moments guide = MomentsOf(guides, i);
      factor = guide.variance / (guide.variance + variance);
      mean *= i == 0 ? 1.0 : guide.mean * guide.mean / (guide.mean * guide.mean + variance / count);
    }
    for (auto & block : blocks)
    {
      block[i] = mean + factor * (block[i] - noisy.mean);
    }
  }
}

struct Work
{
  Rules               rules;
  Volume              noisy; // gaps filled
  std::vector<bool>   isGap;
  std::vector<double> variances; // of each voxel
};

/** The places of references along an axis. */
std::vector<int>
References(int length, int block, int step)
{
  std::vector<int> places;
  for (int place = 0; place < length - block; place += step)
  {
    places.push_back(place);
  }
  places.push_back(length - block);
  return places;
}

/** One pass. \param guide null in the first */
Volume
Pass(const Work & work, const Volume * guide)
{
  const Rules &       rules = work.rules;
  const Voxel &       size = work.noisy.size;
  std::vector<double> sums(work.noisy.values.size());
  std::vector<double> counts(sums.size());
  for (const int z : References(size[2], rules.block[2], rules.step[2]))
  {
    for (const int y : References(size[1], rules.block[1], rules.step[1]))
    {
      for (const int x : References(size[0], rules.block[0], rules.step[0]))
      {
        double variance = 0.0;
        int    known = 0;
        ForBox({ 0, 0, 0 }, rules.block, [&](const Voxel & offset) {
          const std::size_t i = work.noisy.Index(Sum({ x, y, z }, offset));
          variance += work.isGap[i] ? 0.0 : work.variances[i];
          known += work.isGap[i] ? 0 : 1;
        });
        if (known == 0)
        {
          continue;
        }
        const auto                       group = GroupOf(rules, guide != nullptr ? *guide : work.noisy, { x, y, z });
        std::vector<std::vector<double>> blocks;
        std::vector<std::vector<double>> guides;
        for (const Voxel & place : group)
        {
          blocks.push_back(Transform(rules, BlockAt(rules, work.noisy, place), false));
          if (guide != nullptr)
          {
            guides.push_back(Transform(rules, BlockAt(rules, *guide, place), false));
          }
        }
        Shrink(blocks, guides, variance / known);
        for (std::size_t k = 0; k < group.size(); ++k)
        {
          const std::vector<double> values = Transform(rules, blocks[k], true);
          std::size_t               i = 0;
          ForBox({ 0, 0, 0 }, rules.block, [&](const Voxel & offset) {
            const std::size_t voxel = work.noisy.Index(Sum(group[k], offset));
            sums[voxel] += values[i++];
            counts[voxel] += 1.0;
          });
        }
      }
    }
  }
  Volume result = work.noisy;
  for (std::size_t i = 0; i < sums.size(); ++i)
  {
    result.values[i] = counts[i] > 0.0 ? sums[i] / counts[i] : result.values[i];
  }
  return result;
}

void
FillGaps(Work & work)
{
  const std::vector<double> values = work.noisy.values;
  const Voxel &             size = work.noisy.size;
  const int                 depth = work.rules.block[2];
  ForBox({ 0, 0, 0 }, size, [&](const Voxel & voxel) {
    const std::size_t i = work.noisy.Index(voxel);
    if (!work.isGap[i])
    {
      return;
    }
    double sum = 0.0;
    int    count = 0;
    ForBox({ -3, -3, 1 - depth }, { 4, 4, depth }, [&](const Voxel & offset) {
      const Voxel other = Sum(voxel, offset);
      for (int axis = 0; axis < 3; ++axis)
      {
        if (other[axis] < 0 || other[axis] >= size[axis])
        {
          return;
        }
      }
      const std::size_t j = work.noisy.Index(other);
      sum += work.isGap[j] ? 0.0 : values[j];
      count += work.isGap[j] ? 0 : 1;
    });
    work.noisy.values[i] = count > 0 ? sum / count : std::nan("");
  });
}

} // namespace

std::vector<double>
AdaptiveNonLocalMeans(const cudaneuro::AdaptiveNonLocalMeansParameters & parameters,
                      const Image &                                      image,
                      std::vector<double>                                noise,
                      float                                              center)
{
  const Voxel size{ static_cast<int>(image.grid.size[0]),
                    static_cast<int>(image.grid.size[1]),
                    static_cast<int>(image.grid.size[2]) };
  if (noise.empty())
  {
    noise.assign(image.values.size(), 1.0);
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < noise.size(); ++i)
  {
    largest = image.mask.empty() || image.mask[i] != 0 ? std::max(largest, noise[i]) : largest;
  }
  const double unit = parameters.smoothingFactor * parameters.noiseStandardDeviation * largest;
  Work         work{ Rules(size), { size, image.values }, std::vector<bool>(noise.size()), noise };
  for (std::size_t i = 0; i < noise.size(); ++i)
  {
    const double value = (image.values[i] - static_cast<double>(center)) / unit;
    work.isGap[i] = !std::isfinite(value) || !(noise[i] > 0.0) || (!image.mask.empty() && image.mask[i] == 0);
    work.noisy.values[i] = work.isGap[i] ? 0.0 : value;
    work.variances[i] = std::pow(noise[i] / largest, 2);
  }
  FillGaps(work);
  const Volume        first = Pass(work, nullptr);
  const Volume        second = Pass(work, &first);
  std::vector<double> result = image.values;
  for (std::size_t i = 0; i < result.size(); ++i)
  {
    result[i] = work.isGap[i] ? result[i] : static_cast<double>(center) + unit * second.values[i];
  }
  return result;
}

} // namespace reference
