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
  const Extent extent = ExtentOf(m_Plan.geometry.grid);
  IndexMapping mapping;
  mapping.indexMap = IndexMapBetween(m_Plan.geometry, m_Image.transform, m_Image.geometry);
  mapping.field = map;
  SoAFieldMemory transformField;
  SoAFieldMemory composed;
  if (m_Image.transformField.data != nullptr)
  {
    transformField = ReadFieldInPlane(
      m_Context, "field of the initial transform of the " + m_Name, m_Plan.geometry, m_Image.transformField);
    mapping.field = transformField.View();
    if (map.x != nullptr)
    {
      composed = SoAFieldMemory(m_Context, m_Plan.NumberOfVoxels());
      ComposeFields(m_Context, extent, map, transformField.View(), composed.View());
      mapping.field = composed.View();
    }
  }
  ResampleImage(m_Context, m_Image.geometry.grid, m_Valid.Image(), m_Valid.Mask(), mapping, extent, output);
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
