// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/Segmentation.h"

#include "files/base/Errors.h"
#include "itkMetaDataObject.h"

#include <algorithm>
#include <cstdlib>

namespace cudaneuro::files
{

namespace
{

std::string
TextOf(const itk::MetaDataDictionary & dictionary, const std::string & key)
{
  std::string text;
  itk::ExposeMetaData(dictionary, key, text);
  return text;
}

/** The number of a text; a number where it has none. */
std::int64_t
NumberOf(const std::string & text, std::int64_t absent)
{
  char *             end = nullptr;
  const std::int64_t number = std::strtoll(text.c_str(), &end, 10);
  return end == text.c_str() ? absent : number;
}

} // namespace

Segmentation::Segmentation(const itk::MetaDataDictionary & dictionary)
{
  for (std::size_t i = 0; dictionary.HasKey("Segment" + std::to_string(i) + "_ID"); ++i)
  {
    const std::string key = "Segment" + std::to_string(i) + '_';
    // Older files have a layer for each segment, without these keys.
    const std::int64_t layer = NumberOf(TextOf(dictionary, key + "Layer"), static_cast<std::int64_t>(i));
    m_Segments.push_back({ TextOf(dictionary, key + "ID"),
                           TextOf(dictionary, key + "Name"),
                           std::max<std::int64_t>(1, NumberOf(TextOf(dictionary, key + "LabelValue"), 1)),
                           std::min(static_cast<std::size_t>(std::max<std::int64_t>(layer, 0)), mostLayers - 1) });
    m_Layers = std::max(m_Layers, m_Segments.back().layer + 1);
    while (m_Bits < 62 && m_Segments.back().label >> m_Bits != 0)
    {
      ++m_Bits;
    }
  }
}

std::string
Segmentation::NameOf(std::int64_t label, std::size_t layer) const
{
  const auto found = std::find_if(m_Segments.begin(), m_Segments.end(), [&](const Segment & segment) {
    return segment.label == label && segment.layer == layer;
  });
  return found == m_Segments.end() ? "" : found->name;
}

void
RequireOneLayer(const itk::MetaDataDictionary & dictionary, const std::string & reason)
{
  const std::size_t layers = Segmentation(dictionary).GetLayers();
  if (layers > 1)
  {
    throw UserError(reason + ", and the segmentation has segments that overlap, in " + std::to_string(layers) +
                    " layers; cudaneuro-register takes these as labels, as cudaneuro-transform apply does by "
                    "--interpolation label, and writes them as .seg.nrrd");
  }
}

void
CopySegments(const itk::MetaDataDictionary & from, itk::MetaDataDictionary & to)
{
  for (const std::string & key : from.GetKeys())
  {
    if (key.rfind("Segment", 0) == 0)
    {
      itk::EncapsulateMetaData<std::string>(to, key, TextOf(from, key));
    }
  }
}

void
ResetExtents(itk::MetaDataDictionary & dictionary, const std::vector<std::size_t> & size)
{
  std::string extent;
  for (const std::size_t voxels : size)
  {
    extent += (extent.empty() ? "0 " : " 0 ") + std::to_string(voxels - 1);
  }
  for (const std::string & key : dictionary.GetKeys())
  {
    const bool isExtent = key.rfind("Segment", 0) == 0 && key.size() > 7 && key.rfind("_Extent") == key.size() - 7;
    if (isExtent || key == "Segmentation_ReferenceImageExtentOffset")
    {
      itk::EncapsulateMetaData<std::string>(dictionary, key, isExtent ? extent : "0 0 0");
    }
  }
}

} // namespace cudaneuro::files
