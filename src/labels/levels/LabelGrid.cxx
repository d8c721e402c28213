// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/levels/LabelGrid.h"

#include "core/CounterRandom.h"
#include "core/ParallelRanges.h"
#include "core/ParameterChecks.h"
#include "cudaneuro/SignedDistance.h"
#include "labels/levels/LabelTypes.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace cudaneuro
{
namespace
{

void
Widen(LabelBox & box, std::int64_t firstX, std::int64_t lastX, std::int64_t y, std::int64_t z, std::int64_t count)
{
  const std::array<std::int64_t, 3> low{ firstX, y, z };
  const std::array<std::int64_t, 3> high{ lastX, y, z };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.low[axis] = box.count == 0 ? low[axis] : std::min(box.low[axis], low[axis]);
    box.high[axis] = box.count == 0 ? high[axis] : std::max(box.high[axis], high[axis]);
  }
  box.count += count;
}

void
Merge(const LabelBox & from, LabelBox & into)
{
  for (std::size_t axis = 0; axis < 3 && from.count > 0; ++axis)
  {
    into.low[axis] = into.count == 0 ? from.low[axis] : std::min(into.low[axis], from.low[axis]);
    into.high[axis] = into.count == 0 ? from.high[axis] : std::max(into.high[axis], from.high[axis]);
  }
  into.count += from.count;
}

/** Random numbers of the positions along an axis. Their sums do not depend on the order of axes. */
std::vector<std::uint64_t>
PlaceBits(int size)
{
  constexpr std::uint64_t    seed = 7;
  std::vector<std::uint64_t> bits;
  for (int i = 0; i < size; ++i)
  {
    bits.push_back(RandomBits(seed, static_cast<std::uint64_t>(i)));
  }
  return bits;
}

} // namespace

std::vector<LabelBox>
FindBoxes(Context & context, const Grid & grid, const ConstVolume & labels, const std::vector<double> & wanted)
{
  std::vector<LabelBox> boxes;
  for (const double label : wanted)
  {
    boxes.push_back({ label });
  }
  // Indices of the labels in ascending order.
  std::vector<std::size_t> order(wanted.size());
  for (std::size_t i = 0; i < order.size(); ++i)
  {
    order[i] = i;
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  std::mutex mutex;
  WithLabels(labels, [&](const auto * values) {
    context.ParallelFor(grid.size[2], [&](std::int64_t z) {
      std::vector<LabelBox> found(boxes.size());
      for (std::int64_t y = 0; y < grid.size[1]; ++y)
      {
        const auto * const row = values + (z * grid.size[1] + y) * grid.size[0];
        for (std::int64_t x = 0; x < grid.size[0];)
        {
          std::int64_t end = x + 1;
          while (end < grid.size[0] && row[end] == row[x])
          {
            ++end;
          }
          const auto value = static_cast<double>(row[x]);
          const auto place =
            std::lower_bound(order.begin(), order.end(), value, [&](std::size_t i, double v) { return wanted[i] < v; });
          for (auto i = place; i != order.end() && wanted[*i] == value; ++i)
          {
            Widen(found[*i], x, end - 1, y, z, end - x);
          }
          x = end;
        }
      }
      const std::lock_guard<std::mutex> lock(mutex);
      for (std::size_t i = 0; i < boxes.size(); ++i)
      {
        Merge(found[i], boxes[i]);
      }
    });
  });
  return boxes;
}

AxisShares
LabelGrid::Shares() const
{
  std::array<double, 3> weights{};
  double                sum = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    weights[axis] = 1.0 / (spacing[axis] * spacing[axis]);
    sum += weights[axis];
  }
  return { static_cast<float>(0.5 * weights[0] / sum),
           static_cast<float>(0.5 * weights[1] / sum),
           static_cast<float>(0.5 * weights[2] / sum) };
}

double
LabelGrid::SpectralRadius() const
{
  double sum = 0.0;
  for (const double h : spacing)
  {
    sum += 4.0 / (h * h);
  }
  return sum;
}

double
LabelGrid::BandRadius() const
{
  double longest = 1.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    longest = std::max(longest, division[axis] * spacing[axis]);
  }
  return bandRadius + 0.5 * (longest - 1.0);
}

double
LabelGrid::ImageIndex(int axis, double coordinate) const
{
  const auto   a = static_cast<std::size_t>(axis);
  const double place = coordinate / spacing[a] - division[a] / 2;
  return static_cast<double>(first[a]) + place / division[a];
}

namespace
{

/** The grid of the box, without codes, and the number of its voxels. */
LabelGrid
LayOut(const Grid & grid, const LabelBox & box, std::array<std::int64_t, 3> & size)
{
  LabelGrid result;
  result.unit = *std::min_element(grid.spacing.begin(), grid.spacing.end());
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double ratio = grid.spacing[axis] / result.unit;
    result.division[axis] = std::clamp(static_cast<int>(std::lround(ratio)), 1, mostDivision);
    result.spacing[axis] = ratio / result.division[axis];
  }
  const double margin = result.BandRadius() + bandMargin;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const auto free = static_cast<std::int64_t>(std::ceil(margin * result.unit / grid.spacing[axis]));
    result.first[axis] = box.low[axis] - free;
    size[axis] = (box.high[axis] - box.low[axis] + 1 + 2 * free) * result.division[axis];
  }
  return result;
}

double
Product(const std::array<std::int64_t, 3> & size)
{
  return static_cast<double>(size[0]) * static_cast<double>(size[1]) * static_cast<double>(size[2]);
}

} // namespace

double
VoxelsOfBox(const Grid & grid, const LabelBox & box)
{
  std::array<std::int64_t, 3> size{};
  LayOut(grid, box, size);
  return Product(size);
}

LabelGrid
MakeLabelGrid(Context & context, const Grid & grid, const ConstVolume & labels, const LabelBox & box)
{
  constexpr double            most = 2147483647.0;
  std::array<std::int64_t, 3> size{};
  LabelGrid                   result = LayOut(grid, box, size);
  const double                voxels = Product(size);
  if (voxels > most)
  {
    ThrowInvalid("the number of voxels of the shortest spacing around a label", voxels, "2147483647 or less");
  }
  result.extent = { static_cast<int>(size[0]), static_cast<int>(size[1]), static_cast<int>(size[2]) };
  result.codes.resize(static_cast<std::size_t>(voxels));
  const std::array<std::vector<std::uint64_t>, 3> bits{ PlaceBits(result.extent.x),
                                                        PlaceBits(result.extent.y),
                                                        PlaceBits(result.extent.z) };
  const std::array<int, 3>                        division = result.division;
  WithLabels(labels, [&](const auto * values) {
    context.ParallelFor(result.extent.z, [&](std::int64_t z) {
      const std::int64_t imageZ = result.first[2] + z / division[2];
      for (int y = 0; y < result.extent.y; ++y)
      {
        const std::int64_t imageY = result.first[1] + y / division[1];
        const bool         isRowInside = imageZ >= 0 && imageZ < grid.size[2] && imageY >= 0 && imageY < grid.size[1];
        const bool         isRowKnown = z % division[2] == division[2] / 2 && y % division[1] == division[1] / 2;
        for (int x = 0; x < result.extent.x; ++x)
        {
          const std::int64_t imageX = result.first[0] + x / division[0];
          const bool         isInImage = isRowInside && imageX >= 0 && imageX < grid.size[0];
          const bool         isInside =
            isInImage &&
            static_cast<double>(values[(imageZ * grid.size[1] + imageY) * grid.size[0] + imageX]) == box.label;
          const bool          isKnown = isRowKnown && x % division[0] == division[0] / 2;
          const std::uint64_t place = bits[0][static_cast<std::size_t>(x)] + bits[1][static_cast<std::size_t>(y)] +
                                      bits[2][static_cast<std::size_t>(z)];
          const auto part = static_cast<unsigned int>(RandomBits(0, place) % numberOfParts);
          result.codes[static_cast<std::size_t>(result.Offset(x, y, static_cast<int>(z)))] =
            static_cast<std::uint8_t>((isInside ? isInsideBit : 0u) | (isKnown ? isKnownBit : 0u) | part << partShift);
        }
      }
    });
  });
  return result;
}

void
LabelBand::FindNeighbors(Context & context, const Extent & box)
{
  const std::array<int, 3>          sizes{ box.x, box.y, box.z };
  const std::array<std::int64_t, 3> steps{ 1, box.x, std::int64_t{ box.x } * box.y };
  neighbors.resize(6 * static_cast<std::size_t>(count));
  ForEachInRanges(context, count, [&](std::int64_t i) {
    const std::int64_t voxel = voxels[static_cast<std::size_t>(i)];
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const std::int64_t place = voxel / steps[axis] % sizes[axis];
      for (std::size_t side = 0; side < 2; ++side)
      {
        const bool         isInBox = side == 0 ? place > 0 : place + 1 < sizes[axis];
        const std::int64_t other = side == 0 ? voxel - steps[axis] : voxel + steps[axis];
        const std::int32_t number = isInBox ? numbers[static_cast<std::size_t>(other)] : -1;
        neighbors[(2 * axis + side) * static_cast<std::size_t>(count) + static_cast<std::size_t>(i)] =
          number < 0 ? static_cast<std::int32_t>(i) : number;
      }
    }
  });
}

LabelBand
MakeLabelBand(Context & context, const LabelGrid & grid)
{
  const std::size_t          voxels = grid.codes.size();
  std::vector<unsigned char> inside(voxels);
  std::transform(grid.codes.begin(), grid.codes.end(), inside.begin(), [](unsigned int code) {
    return static_cast<unsigned char>(code & isInsideBit);
  });
  std::vector<float> distances(voxels);
  const double       radius = grid.BandRadius();
  const Grid         boxGrid{ { grid.extent.x, grid.extent.y, grid.extent.z }, grid.spacing };
  SignedDistanceOfLabel(context,
                        { radius + 1.0 },
                        1.0,
                        boxGrid,
                        { inside.data(), PixelType::UnsignedChar },
                        { distances.data(), PixelType::Float });
  LabelBand band;
  band.numbers.assign(voxels, -1);
  for (std::size_t i = 0; i < voxels; ++i)
  {
    if (std::abs(distances[i]) < static_cast<float>(radius))
    {
      band.numbers[i] = band.count++;
      band.voxels.push_back(static_cast<std::int32_t>(i));
      band.codes.push_back(grid.codes[i]);
    }
  }
  band.FindNeighbors(context, grid.extent);
  return band;
}

double
ShareOfSingleVoxels(const LabelGrid & grid, const LabelBand & band)
{
  const std::array<std::int64_t, 3> steps{ grid.division[0],
                                           std::int64_t{ grid.division[1] } * grid.extent.x,
                                           std::int64_t{ grid.division[2] } * grid.extent.x * grid.extent.y };
  std::int64_t                      boundary = 0;
  std::int64_t                      single = 0;
  for (std::size_t i = 0; i < band.voxels.size(); ++i)
  {
    if (!IsKnown(band.codes[i]))
    {
      continue;
    }
    int like = 0;
    for (const std::int64_t step : steps)
    {
      for (const std::int64_t place : { band.voxels[i] - step, band.voxels[i] + step })
      {
        // Voxels beyond the box do not have the label.
        const bool         isInBox = place >= 0 && place < static_cast<std::int64_t>(grid.codes.size());
        const unsigned int code = isInBox ? grid.codes[static_cast<std::size_t>(place)] : 0u;
        like += (code & isInsideBit) == (band.codes[i] & isInsideBit) ? 1 : 0;
      }
    }
    boundary += like < 6 ? 1 : 0;
    single += like <= 1 ? 1 : 0;
  }
  // A label of few voxels is not noise.
  constexpr std::int64_t few = 5;
  return static_cast<double>(std::max<std::int64_t>(single - few, 0)) /
         static_cast<double>(std::max<std::int64_t>(boundary, 1));
}

} // namespace cudaneuro
