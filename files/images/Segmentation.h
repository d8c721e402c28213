// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_Segmentation_h
#define files_images_Segmentation_h

#include "itkMetaDataDictionary.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** A segment of 3D Slicer's segmentations (.seg.nrrd). */
struct Segment
{
  std::string  id;
  std::string  name;
  std::int64_t label = 1;
  std::size_t  layer = 0;
};

/** The segments of an image, whose names, colors and labels are pairs of keys and values in its dictionary, like
 * Segment0_Name. Segments that overlap are in several layers, each of which has labels of its own. Programs take such
 * layers as one image of whole numbers: the label of layer i is in the bits from i * GetBits() on. */
class Segmentation
{
public:
  /** More are taken as the last one. */
  static constexpr std::size_t mostLayers = 64;

  explicit Segmentation(const itk::MetaDataDictionary & dictionary);

  const std::vector<Segment> &
  GetSegments() const
  {
    return m_Segments;
  }
  /** 1 where no segment is in another layer than the first. */
  std::size_t
  GetLayers() const
  {
    return m_Layers;
  }
  /** The bits that the largest label needs. */
  std::size_t
  GetBits() const
  {
    return m_Bits;
  }
  std::int64_t
  LabelIn(std::int64_t voxel, std::size_t layer) const
  {
    return m_Layers == 1 ? voxel : voxel >> (layer * m_Bits) & ((std::int64_t(1) << m_Bits) - 1);
  }
  /** The name of the segment of a label; empty where there is none. */
  std::string
  NameOf(std::int64_t label, std::size_t layer = 0) const;

private:
  std::vector<Segment> m_Segments;
  std::size_t          m_Layers = 1;
  std::size_t          m_Bits = 1;
};

/** \throws UserError for an image with layers: "REASON; ..." */
void
RequireOneLayer(const itk::MetaDataDictionary & dictionary, const std::string & reason);

/** Gives an image's segments to another image of the same labels. */
void
CopySegments(const itk::MetaDataDictionary & from, itk::MetaDataDictionary & to);

/** Says in a dictionary that its segments may be anywhere in an image of a size: those of a warped image are where
 * others were not. */
void
ResetExtents(itk::MetaDataDictionary & dictionary, const std::vector<std::size_t> & size);

} // namespace cudaneuro::files

#endif
