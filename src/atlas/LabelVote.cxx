// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/LabelVote.h"

#include "core/ParallelRanges.h"
#include "cudaneuro/Error.h"
#include "registration/labels/LabelTerm.h"

#include <algorithm>
#include <cstring>

namespace cudaneuro
{

namespace
{

/** Number of codes of all images that processes exchange at a time. */
constexpr std::int64_t mostCodes = std::int64_t{ 1 } << 26;
/** Number of voxels that a single process counts at a time, so that it can report progress. */
constexpr std::int64_t voxelsAtATime = std::int64_t{ 1 } << 22;
constexpr std::int64_t codesInOne = sizeof(std::int64_t) / sizeof(std::uint16_t);

/** The labels of one voxel with their weights. */
class Counts
{
public:
  void
  Clear()
  {
    m_Counts.clear();
    m_Sum = 0;
  }
  void
  Add(int label, std::int64_t weight)
  {
    m_Sum += weight;
    // A voxel has few labels, and mostly the last one again.
    const auto found =
      std::find_if(m_Counts.rbegin(), m_Counts.rend(), [label](const Count & count) { return count.label == label; });
    if (found != m_Counts.rend())
    {
      found->weight += weight;
    }
    else
    {
      m_Counts.push_back({ label, weight });
    }
  }
  void
  Write(std::uint16_t & label, float & share) const
  {
    Count best{ 0, 0 };
    for (const Count & count : m_Counts)
    {
      if (count.weight > best.weight || (count.weight == best.weight && count.label < best.label))
      {
        best = count;
      }
    }
    label = static_cast<std::uint16_t>(best.label);
    share = m_Sum > 0 ? static_cast<float>(static_cast<double>(best.weight) / static_cast<double>(m_Sum)) : 0.0f;
  }

private:
  struct Count
  {
    int          label;
    std::int64_t weight;
  };
  std::vector<Count> m_Counts;
  std::int64_t       m_Sum = 0;
};

/** The images of any process that have labels: numbers other than 0.
 * \throws Error if there are none */
std::vector<std::int64_t>
FindVoters(Communicator * communicator, const LabelBallots & own)
{
  std::vector<std::int64_t> voters;
  for (const std::uint16_t * const codes : own.codes)
  {
    voters.push_back(codes != nullptr ? 1 : 0);
  }
  if (communicator != nullptr)
  {
    communicator->Sum(voters.data(), voters.size());
  }
  if (std::all_of(voters.begin(), voters.end(), [](std::int64_t voter) { return voter == 0; }))
  {
    throw Error("GetLabels", "no image of the atlas has labels: SetLabels was not called");
  }
  return voters;
}

/** Codes of some voxels for the images of all processes: each image is in one process, and the others add zeros. */
class GatheredCodes
{
public:
  GatheredCodes(std::size_t images, std::int64_t voxels)
    : m_Row(DivideUp(voxels, codesInOne))
    , m_Bits(images * static_cast<std::size_t>(m_Row))
  {}

  /** \param ballots those of this process; receives those of all processes
   * \param voters result of FindVoters */
  void
  Gather(Communicator & communicator, const std::vector<std::int64_t> & voters, LabelBallots & ballots)
  {
    std::fill(m_Bits.begin(), m_Bits.end(), 0);
    for (std::size_t image = 0; image < voters.size(); ++image)
    {
      if (ballots.codes[image] != nullptr)
      {
        std::memcpy(
          this->RowOf(image), ballots.codes[image], static_cast<std::size_t>(ballots.voxels) * sizeof(std::uint16_t));
      }
    }
    communicator.Sum(m_Bits.data(), m_Bits.size());
    for (std::size_t image = 0; image < voters.size(); ++image)
    {
      ballots.codes[image] = voters[image] != 0 ? reinterpret_cast<const std::uint16_t *>(this->RowOf(image)) : nullptr;
    }
  }

private:
  std::int64_t *
  RowOf(std::size_t image)
  {
    return m_Bits.data() + image * static_cast<std::size_t>(m_Row);
  }

  std::int64_t              m_Row;
  std::vector<std::int64_t> m_Bits;
};

/** The ballots of some of the voxels. */
LabelBallots
PartOf(const LabelBallots & ballots, std::int64_t begin, std::int64_t count)
{
  LabelBallots part = ballots;
  part.voxels = count;
  for (const std::uint16_t *& codes : part.codes)
  {
    codes = codes != nullptr ? codes + begin : nullptr;
  }
  return part;
}

} // namespace

void
CountBallots(Context & context, const LabelBallots & ballots, const LabelVote & vote)
{
  constexpr std::int64_t length = 4096;
  ForEachRange(context, ballots.voxels, length, [&](std::int64_t begin, std::int64_t end) {
    Counts counts;
    for (std::int64_t i = begin; i < end; ++i)
    {
      counts.Clear();
      for (std::size_t image = 0; image < ballots.codes.size(); ++image)
      {
        const std::uint16_t * const codes = ballots.codes[image];
        if (codes != nullptr && codes[i] != noLabel && ballots.weights[image] > 0)
        {
          counts.Add(codes[i], ballots.weights[image]);
        }
      }
      counts.Write(vote.labels[i], vote.shares[i]);
    }
  });
}

void
VoteOnLabels(Context & context, Communicator * communicator, const LabelBallots & own, const LabelVote & vote)
{
  const std::vector<std::int64_t> voters = FindVoters(communicator, own);
  const auto                      images = static_cast<std::int64_t>(voters.size());
  const bool                      isAlone = communicator == nullptr || communicator->GetSize() == 1;
  const std::int64_t              exchanged = std::max(codesInOne, mostCodes / images / codesInOne * codesInOne);
  const std::int64_t              atATime = std::min(own.voxels, isAlone ? voxelsAtATime : exchanged);
  GatheredCodes                   gathered(isAlone ? 0 : voters.size(), atATime);
  for (std::int64_t begin = 0; begin < own.voxels; begin += atATime)
  {
    LabelBallots part = PartOf(own, begin, std::min(atATime, own.voxels - begin));
    if (!isAlone)
    {
      gathered.Gather(*communicator, voters, part);
    }
    {
      const Context::ProgressPause pause(context);
      CountBallots(context, part, { vote.labels + begin, vote.shares + begin });
    }
    context.ReportProgress(static_cast<double>(begin + part.voxels) / static_cast<double>(own.voxels));
  }
}

void
WriteLabels(Context &                                        context,
            const AtlasPlan &                                plan,
            const std::vector<std::unique_ptr<AtlasShare>> & shares,
            Communicator *                                   communicator,
            const AtlasLabelOutputs &                        outputs)
{
  RequireAtlasLabelOutputs(context, outputs);
  LabelBallots own;
  own.voxels = plan.NumberOfVoxels();
  own.codes.resize(plan.weights.size());
  own.weights = plan.wholeWeights.data();
  for (const auto & share : shares)
  {
    for (const Member & member : share->GetMembers())
    {
      own.codes[static_cast<std::size_t>(member.image)] = member.labels ? member.labels->data() : nullptr;
    }
  }
  std::vector<std::uint16_t> labels(static_cast<std::size_t>(own.voxels));
  std::vector<float>         probabilities(labels.size());
  VoteOnLabels(context, communicator, own, { labels.data(), probabilities.data() });
  const Grid & grid = plan.geometry.grid;
  if (outputs.labels.data != nullptr)
  {
    CopyVolume(context, grid, { labels.data(), PixelType::UnsignedShort, MemorySpace::Host }, outputs.labels);
  }
  if (outputs.probability.data != nullptr)
  {
    CopyVolume(context, grid, { probabilities.data(), PixelType::Float, MemorySpace::Host }, outputs.probability);
  }
}

} // namespace cudaneuro
