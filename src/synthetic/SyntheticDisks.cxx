// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "synthetic/SyntheticDisks.h"

#include "core/CounterRandom.h"

#include <cmath>
#include <limits>

namespace cudaneuro
{
namespace
{

using Vector = std::array<double, 3>;
using Cell = std::array<std::int64_t, 3>;

/** Points in cells of a lattice, found by a hash table with open addressing. A cell's points form a linked list. */
class PointCells
{
public:
  /** \param mostPoints maximum number of points that will be added */
  PointCells(double radius, std::size_t mostPoints)
    : m_Radius(radius)
  {
    constexpr std::size_t slotsPerPoint = 4;
    std::size_t           slots = 16;
    while (slots < slotsPerPoint * mostPoints)
    {
      slots *= 2;
    }
    m_Slots.resize(slots);
    m_Points.reserve(mostPoints);
  }

  std::size_t
  GetNumberOfPoints() const
  {
    return m_Points.size();
  }

  /** Adds a point, unless one is nearer than the radius. */
  void
  AddIfFree(const Vector & position)
  {
    const Cell cell{ this->Along(position[0]), this->Along(position[1]), this->Along(position[2]) };
    // Most candidates are rejected by a point in their own cell, or in one that shares a face.
    for (const Cell & offset : m_Offsets)
    {
      if (this->HasNear(position, { cell[0] + offset[0], cell[1] + offset[1], cell[2] + offset[2] }))
      {
        return;
      }
    }
    Slot & slot = m_Slots[this->SlotOf(cell)];
    slot.cell = cell;
    m_Points.push_back({ position, slot.first });
    slot.first = static_cast<std::int32_t>(m_Points.size()) - 1;
  }

  std::vector<Vector>
  Take(std::size_t count) const
  {
    std::vector<Vector> positions(count);
    for (std::size_t i = 0; i < count; ++i)
    {
      positions[i] = m_Points[i].position;
    }
    return positions;
  }

private:
  static constexpr std::int32_t none = -1;

  struct Point
  {
    Vector       position;
    std::int32_t next; // index of the next point of the same cell
  };
  struct Slot
  {
    Cell         cell{};
    std::int32_t first = none;
  };

  static std::vector<Cell>
  MakeOffsets()
  {
    std::vector<Cell> offsets;
    for (int length = 0; length <= 3; ++length)
    {
      for (int code = 0; code < 27; ++code)
      {
        const Cell offset{ code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1 };
        if (std::abs(offset[0]) + std::abs(offset[1]) + std::abs(offset[2]) == length)
        {
          offsets.push_back(offset);
        }
      }
    }
    return offsets;
  }

  std::int64_t
  Along(double coordinate) const
  {
    return static_cast<std::int64_t>(std::floor(coordinate / m_Radius));
  }

  /** The slot of a cell, or the free slot in which it would be stored. */
  std::size_t
  SlotOf(const Cell & cell) const
  {
    const std::size_t mask = m_Slots.size() - 1;
    std::uint64_t     hash = 0;
    for (const std::int64_t along : cell)
    {
      hash = RandomBits(hash, static_cast<std::uint64_t>(along));
    }
    std::size_t slot = hash & mask;
    while (m_Slots[slot].first != none && m_Slots[slot].cell != cell)
    {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  bool
  HasNear(const Vector & position, const Cell & cell) const
  {
    for (std::int32_t i = m_Slots[this->SlotOf(cell)].first; i != none; i = m_Points[i].next)
    {
      double square = 0.0;
      for (int axis = 0; axis < 3; ++axis)
      {
        const double difference = position[axis] - m_Points[i].position[axis];
        square += difference * difference;
      }
      if (square < m_Radius * m_Radius)
      {
        return true;
      }
    }
    return false;
  }

  double             m_Radius;
  std::vector<Cell>  m_Offsets = MakeOffsets();
  std::vector<Slot>  m_Slots;
  std::vector<Point> m_Points;
};

/** Throws darts until all candidates have been tried, or \p most of them have been taken. */
PointCells
ThrowDarts(const std::vector<Vector> & candidates, double radius, std::size_t most)
{
  PointCells taken(radius, most);
  for (const Vector & candidate : candidates)
  {
    taken.AddIfFree(candidate);
    if (taken.GetNumberOfPoints() == most)
    {
      break;
    }
  }
  return taken;
}

} // namespace

std::vector<Vector>
PoissonDiskSample(const std::vector<Vector> & candidates, std::int64_t count, double area)
{
  // The radius that darts reach, relative to that of the densest packing of disks in a plane.
  constexpr double reached = 0.7;
  constexpr int    passes = 30;
  constexpr double excess = 0.001;
  const auto       wanted = static_cast<std::size_t>(count);
  double           radius = reached * std::sqrt(2.0 * area / (std::sqrt(3.0) * static_cast<double>(count)));
  double           fits = 0.0;
  double           tooLarge = std::numeric_limits<double>::infinity();

  std::vector<Vector> best;
  for (int pass = 0; pass < passes || best.empty(); ++pass)
  {
    const PointCells  darts = ThrowDarts(candidates, radius, 2 * wanted);
    const std::size_t taken = darts.GetNumberOfPoints();
    if (taken >= wanted)
    {
      fits = radius;
      best = darts.Take(wanted);
      if (static_cast<double>(taken - wanted) <= 2.0 * excess * static_cast<double>(wanted))
      {
        break;
      }
    }
    else
    {
      tooLarge = radius;
    }
    // The number of points is approximately proportional to the inverse square of the radius.
    radius *= std::sqrt(static_cast<double>(taken) / ((1.0 + excess) * static_cast<double>(wanted)));
    if (radius <= fits || radius >= tooLarge)
    {
      radius = 0.5 * (fits + tooLarge);
    }
  }
  return best;
}

} // namespace cudaneuro
