// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_SourceImage_h
#define cudaneuro_atlas_SourceImage_h

#include "atlas/AtlasPlan.h"
#include "core/SoAField.h"
#include "fields/warp/Warp.h"
#include "images/ValidImage.h"
#include "jobs/DeviceVolumes.h"

#include <string>

namespace cudaneuro
{

/** Whether the image lies on another grid than the template, or has an initial transform. */
bool
NeedsResampling(const AtlasPlan & plan, const AtlasImage & image);

/** The mapping from voxels of the template to an image or a map of labels on its own grid: map(i), followed by the
 * initial transform, for a single interpolation. Copies share the memory of fields. */
class SourceMapping
{
public:
  /** \param name of the image or labels, for messages
   * \param transformField see AtlasImage; its pointer may be null
   * \param map displacements in voxels of the template; its pointers may be null
   * \throws InvalidParameterError, OutOfMemoryError */
  SourceMapping(Context &             context,
                const Geometry &      ofTemplate,
                const std::string &   name,
                const Geometry &      source,
                const AffineMap &     transform,
                const ConstField &    transformField,
                const ConstSoAField & map);

  const IndexMapping &
  Get() const
  {
    return m_Mapping;
  }

private:
  SoAFieldMemory m_TransformField;
  SoAFieldMemory m_Composed;
  IndexMapping   m_Mapping;
};

/** An image of an atlas on its own grid, in memory of the context's device, without outliers and excluded voxels. */
class SourceImage
{
public:
  /** \param image must outlive this object
   * \throws InvalidParameterError naming the image, for one that cannot be used or has no contrast */
  SourceImage(Context & context, const AtlasPlan & plan, const AtlasImage & image);

  const ValidImage &
  GetValid() const
  {
    return m_Valid;
  }

  /** Samples the image on the grid of the template: output(i) = image(initial transform(i + map(i))) in one
   * interpolation, or a copy where NeedsResampling is false and there is no map. NaN where the image has no value.
   * \param map displacements in voxels of the template; its pointers may be null */
  void
  Sample(const ConstSoAField & map, float * output) const;

private:
  void
  CopyWithGaps(float * output) const;

  Context &          m_Context;
  const AtlasPlan &  m_Plan;
  const AtlasImage & m_Image;
  std::string        m_Name;
  FloatInput         m_Input;
  ValidImage         m_Valid;
};

} // namespace cudaneuro

#endif
