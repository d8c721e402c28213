// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_SourceImage_h
#define cudaneuro_atlas_SourceImage_h

#include "atlas/AtlasPlan.h"
#include "core/SoAField.h"
#include "images/ValidImage.h"
#include "jobs/DeviceVolumes.h"

#include <string>

namespace cudaneuro
{

/** Whether the image lies on another grid than the template, or has an initial transform. */
bool
NeedsResampling(const AtlasPlan & plan, const AtlasImage & image);

/** An image of an atlas on its own grid, in memory of the context's device, without outliers and excluded voxels. */
class SourceImage
{
public:
  /** \param image must outlive the object
   * \throws InvalidParameterError naming the image, for one that cannot be used or has no contrast */
  SourceImage(Context & context, const AtlasPlan & plan, const AtlasImage & image);

  const ValidImage &
  GetValid() const
  {
    return m_Valid;
  }

  /** The image on the grid of the template: output(i) = image(initial transform(i + map(i))) in one interpolation,
   * without any where NeedsResampling is false and there is no map. NaN where the image has no value.
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
