// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/SourceImage.h"

#include "core/PlaneFrames.h"
#include "fields/FieldComposition.h"
#include "fields/FieldVolumes.h"
#include "registration/FieldInPlane.h"
#include "registration/LevelImage.h"

namespace cudaneuro
{

bool
NeedsResampling(const AtlasPlan & plan, const AtlasImage & image)
{
  const AffineMap identity;
  return !IsSameGeometry(plan.geometry, image.geometry) || image.transform.matrix != identity.matrix ||
         image.transform.offset != identity.offset || image.transformField.data != nullptr;
}

SourceMapping::SourceMapping(Context &             context,
                             const Geometry &      ofTemplate,
                             const std::string &   name,
                             const Geometry &      source,
                             const AffineMap &     transform,
                             const ConstField &    transformField,
                             const ConstSoAField & map)
{
  m_Mapping.indexMap = IndexMapBetween(ofTemplate, transform, source);
  m_Mapping.field = map;
  if (transformField.data == nullptr)
  {
    return;
  }
  m_TransformField =
    ReadFieldInPlane(context, "field of the initial transform of the " + name, ofTemplate, transformField);
  m_Mapping.field = m_TransformField.View();
  if (map.x != nullptr)
  {
    m_Composed = SoAFieldMemory(context, ofTemplate.grid.NumberOfVoxels());
    ComposeFields(context, ExtentOf(ofTemplate.grid), map, m_TransformField.View(), m_Composed.View());
    m_Mapping.field = m_Composed.View();
  }
}

SourceImage::SourceImage(Context & context, const AtlasPlan & plan, const AtlasImage & image)
  : m_Context(context)
  , m_Plan(plan)
  , m_Image(image)
  , m_Name("image '" + image.name + "'")
  , m_Input(context, image.geometry.grid, image.image)
  , m_Valid(
      context, m_Name, image.geometry.grid, m_Input.Data(), image.mask, plan.parameters.registration.repairOutliers)
{
  m_Valid.RequireContrastBesideGaps(m_Name);
}

void
SourceImage::Sample(const ConstSoAField & map, float * output) const
{
  if (map.x == nullptr && !NeedsResampling(m_Plan, m_Image))
  {
    this->CopyWithGaps(output);
    return;
  }
  const SourceMapping mapping(
    m_Context, m_Plan.geometry, m_Name, m_Image.geometry, m_Image.transform, m_Image.transformField, map);
  ResampleImage(m_Context,
                m_Image.geometry.grid,
                m_Valid.Image(),
                m_Valid.Mask(),
                mapping.Get(),
                ExtentOf(m_Plan.geometry.grid),
                output);
}

void
SourceImage::CopyWithGaps(float * output) const
{
  const MemorySpace space = MemorySpaceOf(m_Context);
  CopyVolume(
    m_Context, m_Plan.geometry.grid, { m_Valid.Image(), PixelType::Float, space }, { output, PixelType::Float, space });
  if (m_Valid.Mask() != nullptr)
  {
    MapIntensities(m_Context, m_Plan.NumberOfVoxels(), { { 0.0f, 1.0f }, { 0.0f, 1.0f } }, m_Valid.Mask(), output);
  }
}

} // namespace cudaneuro
