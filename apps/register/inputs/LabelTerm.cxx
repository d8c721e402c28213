// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/inputs/LabelTerm.h"

#include "cudaneuro/RegistrationTerms.h"
#include "files/base/Text.h"
#include "files/images/Segmentation.h"
#include "shared/registration/LabelEncoding.h"

#include <algorithm>
#include <unordered_set>

namespace
{

/** Adds the labels of an image. */
template <unsigned int VDimension>
void
Collect(const LabelImage<VDimension> & image, std::unordered_set<std::int64_t> & labels)
{
  const std::int64_t * const voxels = image.GetBufferPointer();
  const std::size_t          count = image.GetLargestPossibleRegion().GetNumberOfPixels();
  // Neighboring voxels mostly have the same label.
  std::int64_t last = 0;
  for (std::size_t i = 0; i < count; ++i)
  {
    if (voxels[i] != last)
    {
      last = voxels[i];
      labels.insert(last);
    }
  }
}

} // namespace

template <unsigned int VDimension>
SharedLabelCodes::SharedLabelCodes(const LabelImage<VDimension> & fixed,
                                   const std::string &            fixedPath,
                                   const LabelImage<VDimension> & moving,
                                   const std::string &            movingPath,
                                   const LabelWeights &           weights)
{
  for (const auto & [image, path] : { std::pair(&fixed, &fixedPath), std::pair(&moving, &movingPath) })
  {
    RequireOneLayer(image->GetMetaDataDictionary(), *path + " has several layers, and --label-weight takes one");
  }
  std::unordered_set<std::int64_t> found;
  Collect<VDimension>(fixed, found);
  Collect<VDimension>(moving, found);
  const std::string both = fixedPath + " and " + movingPath;
  found.erase(0);
  if (found.empty())
  {
    throw UserError(both + " have no label: all voxels are 0");
  }
  constexpr std::size_t most = cudaneuro::largestLabelCode;
  if (found.size() > most)
  {
    throw UserError(both + " have " + std::to_string(found.size()) + " different labels; --label-weight takes up to " +
                    std::to_string(most));
  }
  for (const auto & [label, weight] : weights.ofLabels)
  {
    if (label != 0 && found.count(label) == 0)
    {
      throw UserError("--weight-of-label names " + std::to_string(label) + ", which neither " + fixedPath + " nor " +
                      movingPath + " has");
    }
  }
  m_Labels = { 0 };
  m_Labels.insert(m_Labels.end(), found.begin(), found.end());
  std::sort(m_Labels.begin() + 1, m_Labels.end());
  for (const std::int64_t label : m_Labels)
  {
    m_Weights.push_back(weights.Of(label));
  }
}

template <unsigned int VDimension>
typename itk::Image<unsigned short, VDimension>::Pointer
SharedLabelCodes::Encode(const LabelImage<VDimension> & labels) const
{
  return EncodeLabels<unsigned short>(labels, [this](std::int64_t label) {
    return static_cast<unsigned short>(std::lower_bound(m_Labels.begin() + 1, m_Labels.end(), label) -
                                       m_Labels.begin());
  });
}

#define INSTANTIATE(VDimension) \
  template SharedLabelCodes::SharedLabelCodes(const LabelImage<VDimension> &, \
                                              const std::string &, \
                                              const LabelImage<VDimension> &, \
                                              const std::string &, \
                                              const LabelWeights &); \
  template itk::Image<unsigned short, VDimension>::Pointer SharedLabelCodes::Encode(const LabelImage<VDimension> &) \
    const

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
