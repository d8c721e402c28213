// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/labels/LabelCodes.h"

#include "files/images/ImageGrid.h"
#include "files/images/LabelTypes.h"
#include "shared/Files.h"
#include "shared/registration/LabelEncoding.h"

#include <algorithm>
#include <unordered_map>

template <unsigned int VDimension>
typename itk::Image<float, VDimension>::Pointer
LabelCodes::Encode(const LabelImage<VDimension> & labels, const std::string & path)
{
  constexpr std::size_t most = 1 << 24;

  std::unordered_map<std::int64_t, float> codes;
  return EncodeLabels<float>(labels, [&](std::int64_t label) {
    const auto [found, isNew] = codes.emplace(label, static_cast<float>(m_Labels.size()));
    if (isNew)
    {
      m_Labels.push_back(label);
    }
    if (m_Labels.size() > most)
    {
      throw UserError(path + " has more than " + std::to_string(most) +
                      " different labels, which a device cannot number");
    }
    return found->second;
  });
}

template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
LabelCodes::Decode(const itk::Image<float, VDimension> & codes) const
{
  const auto labels = MakeImageOn<LabelImage<VDimension>>(codes);
  std::transform(codes.GetBufferPointer(),
                 codes.GetBufferPointer() + codes.GetLargestPossibleRegion().GetNumberOfPixels(),
                 labels->GetBufferPointer(),
                 [this](float code) { return m_Labels[static_cast<std::size_t>(code)]; });
  return labels;
}

itk::IOComponentEnum
LabelCodes::TypeToWrite(itk::IOComponentEnum wanted) const
{
  return TypeForLabels(m_Labels, wanted);
}

#define INSTANTIATE(VDimension) \
  template itk::Image<float, VDimension>::Pointer LabelCodes::Encode(const LabelImage<VDimension> &, \
                                                                     const std::string &); \
  template LabelImage<VDimension>::Pointer        LabelCodes::Decode(const itk::Image<float, VDimension> &) const

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
