// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/LabelNumbers.h"

#include "cudaneuro/RegistrationTerms.h"
#include "files/images/ImageGrid.h"
#include "shared/registration/LabelEncoding.h"

#include <algorithm>

namespace
{

/** The number of codes that the engine accepts, from 0 on. */
constexpr std::size_t mostLabels = cudaneuro::largestLabelCode + 1;

/** Returns whether a label is before another one in the order of final numbers. */
bool
ComesBefore(std::int64_t a, std::int64_t b)
{
  return a == 0 || b == 0 ? a == 0 && b != 0 : a < b;
}

/** Returns the labels of all processes, one list after the other, as a sum: each process has zeros in place of others'
 * labels. */
std::vector<std::int64_t>
LabelsOfAll(const Processes & processes, const std::vector<std::int64_t> & own)
{
  std::vector<std::int64_t> counts(static_cast<std::size_t>(processes.GetSize()), 0);
  const auto                rank = static_cast<std::size_t>(processes.GetRank());
  counts[rank] = static_cast<std::int64_t>(own.size());
  processes.Sum(counts);
  std::int64_t begin = 0;
  std::int64_t total = 0;
  for (std::size_t process = 0; process < counts.size(); ++process)
  {
    begin += process < rank ? counts[process] : 0;
    total += counts[process];
  }
  std::vector<std::int64_t> labels(static_cast<std::size_t>(total), 0);
  std::copy(own.begin(), own.end(), labels.begin() + begin);
  processes.Sum(labels);
  return labels;
}

} // namespace

unsigned short
LabelNumbers::NumberOf(std::int64_t label, const std::string & path)
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  const auto [found, isNew] = m_Numbers.emplace(label, static_cast<unsigned short>(m_Labels.size()));
  if (isNew)
  {
    if (m_Labels.size() == mostLabels)
    {
      throw UserError(path + " has the label " + std::to_string(label) + ", with which the images have more than " +
                      std::to_string(mostLabels) + " different labels; an atlas takes no more");
    }
    m_Labels.push_back(label);
  }
  return found->second;
}

template <unsigned int VDimension>
typename itk::Image<unsigned short, VDimension>::Pointer
LabelNumbers::Encode(const LabelImage<VDimension> & labels, const std::string & path)
{
  std::unordered_map<std::int64_t, unsigned short> known;
  return EncodeLabels<unsigned short>(labels, [&](std::int64_t label) {
    const auto found = known.find(label);
    return found != known.end() ? found->second : known.emplace(label, this->NumberOf(label, path)).first->second;
  });
}

void
LabelNumbers::Sort(const Processes & processes)
{
  m_Sorted = LabelsOfAll(processes, m_Labels);
  std::sort(m_Sorted.begin(), m_Sorted.end(), ComesBefore);
  m_Sorted.erase(std::unique(m_Sorted.begin(), m_Sorted.end()), m_Sorted.end());
  if (m_Sorted.size() > mostLabels)
  {
    throw UserError("the images have " + std::to_string(m_Sorted.size()) + " different labels; an atlas takes " +
                    std::to_string(mostLabels) + " at most");
  }
  m_Order.clear();
  for (const std::int64_t label : m_Labels)
  {
    const auto found = std::lower_bound(m_Sorted.begin(), m_Sorted.end(), label, ComesBefore);
    m_Order.push_back(static_cast<unsigned short>(found - m_Sorted.begin()));
  }
}

template <unsigned int VDimension>
void
LabelNumbers::Renumber(itk::Image<unsigned short, VDimension> & codes) const
{
  unsigned short * const begin = codes.GetBufferPointer();
  unsigned short * const end = begin + codes.GetLargestPossibleRegion().GetNumberOfPixels();
  std::transform(begin, end, begin, [this](unsigned short code) { return m_Order[code]; });
}

template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
LabelNumbers::Decode(const itk::Image<unsigned short, VDimension> & codes) const
{
  const auto labels = MakeImageOn<LabelImage<VDimension>>(codes);
  std::transform(codes.GetBufferPointer(),
                 codes.GetBufferPointer() + codes.GetLargestPossibleRegion().GetNumberOfPixels(),
                 labels->GetBufferPointer(),
                 [this](unsigned short code) { return m_Sorted[code]; });
  return labels;
}

#define INSTANTIATE(VDimension) \
  template itk::Image<unsigned short, VDimension>::Pointer LabelNumbers::Encode(const LabelImage<VDimension> &, \
                                                                                const std::string &); \
  template void                            LabelNumbers::Renumber(itk::Image<unsigned short, VDimension> &) const; \
  template LabelImage<VDimension>::Pointer LabelNumbers::Decode(const itk::Image<unsigned short, VDimension> &) const

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
