// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/labels/LabelOverlap.h"

#include <algorithm>
#include <future>
#include <thread>
#include <unordered_map>
#include <vector>

namespace
{

/** The numbers of voxels of a label in image a, in image b, and in both. */
struct Counts
{
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t both = 0;

  void
  Add(const Counts & other)
  {
    a += other.a;
    b += other.b;
    both += other.both;
  }

  double
  GetDice() const
  {
    return a + b == 0 ? 0.0 : 2.0 * static_cast<double>(both) / static_cast<double>(a + b);
  }
};

/** Counts the voxels of all labels: labels from 0 to 4095 in a table, others in a map. */
class LabelCounts
{
public:
  void
  AddVoxel(std::int64_t a, std::int64_t b)
  {
    if (a == 0 && b == 0)
    {
      return;
    }
    if (a == b)
    {
      Counts & counts = this->At(a);
      ++counts.a;
      ++counts.b;
      ++counts.both;
    }
    else
    {
      this->At(a).a += a != 0 ? 1 : 0;
      this->At(b).b += b != 0 ? 1 : 0;
    }
    m_Union.a += a != 0 ? 1 : 0;
    m_Union.b += b != 0 ? 1 : 0;
    m_Union.both += a != 0 && b != 0 ? 1 : 0;
  }

  void
  Add(const LabelCounts & other)
  {
    for (std::size_t i = 0; i < tableSize; ++i)
    {
      m_Table[i].Add(other.m_Table[i]);
    }
    for (const auto & [label, counts] : other.m_Others)
    {
      m_Others[label].Add(counts);
    }
    m_Union.Add(other.m_Union);
  }

  LabelOverlap
  GetOverlap() const
  {
    LabelOverlap overlap;
    const auto   note = [&](std::int64_t label, const Counts & counts) {
      if (label != 0 && counts.a + counts.b > 0)
      {
        overlap.dice[label] = counts.GetDice();
      }
    };
    for (std::size_t i = 0; i < tableSize; ++i)
    {
      note(static_cast<std::int64_t>(i), m_Table[i]);
    }
    for (const auto & [label, counts] : m_Others)
    {
      note(label, counts);
    }
    for (const auto & [label, dice] : overlap.dice)
    {
      overlap.mean += dice / static_cast<double>(overlap.dice.size());
    }
    overlap.unionDice = m_Union.GetDice();
    return overlap;
  }

private:
  static constexpr std::size_t tableSize = 4096;

  Counts &
  At(std::int64_t label)
  {
    return label >= 0 && label < static_cast<std::int64_t>(tableSize) ? m_Table[static_cast<std::size_t>(label)]
                                                                      : m_Others[label];
  }

  std::vector<Counts>                      m_Table = std::vector<Counts>(tableSize);
  std::unordered_map<std::int64_t, Counts> m_Others;
  Counts                                   m_Union;
};

} // namespace

LabelOverlap
ComputeLabelOverlap(const std::int64_t * a, const std::int64_t * b, std::size_t count)
{
  const std::size_t parts = std::max(1u, std::thread::hardware_concurrency());

  std::vector<std::future<LabelCounts>> futures;
  for (std::size_t part = 0; part < parts; ++part)
  {
    futures.push_back(std::async(std::launch::async, [=] {
      LabelCounts counts;
      for (std::size_t i = count * part / parts; i < count * (part + 1) / parts; ++i)
      {
        counts.AddVoxel(a[i], b[i]);
      }
      return counts;
    }));
  }
  LabelCounts total;
  for (std::future<LabelCounts> & future : futures)
  {
    total.Add(future.get());
  }
  return total.GetOverlap();
}
