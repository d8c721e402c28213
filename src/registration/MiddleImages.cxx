// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/FieldComposition.h"
#include "fields/FieldInversion.h"
#include "fields/FieldVolumes.h"
#include "images/ImageChecks.h"
#include "images/ImagePreparation.h"
#include "images/ValidImage.h"
#include "registration/LevelImage.h"
#include "registration/MapRepair.h"
#include "registration/MiddleGrid.h"
#include "registration/RegistrationChecks.h"

#include <utility>

namespace cudaneuro
{

namespace
{

/** A geometry whose axes are those of \p geometry, mapped by \p map. The origin is left as it is, because readers of
 * vectors ignore it. */
Geometry
WithAxesMapped(const AffineMap & map, const Geometry & geometry)
{
  Geometry mapped = geometry;
  mapped.direction = Compose({ map.matrix, {} }, { geometry.direction, {} }).matrix;
  return mapped;
}

/** A field of vectors in mm from displacements in voxels. */
DeviceMemory
Vectors(Context & context, const Geometry & geometry, const SoAFieldMemory & field)
{
  DeviceMemory vectors = AllocateFloats(context, 3 * geometry.grid.NumberOfVoxels());
  WriteField(context, geometry, field.View(), { Floats(vectors), 3, MemorySpaceOf(context) });
  return vectors;
}

/** The field of s^-1 h s in voxels of the grid \p to, where h is the map of \p field on the grid \p from, and s takes
 * points of \p to to points of \p from. */
SoAFieldMemory
Conjugate(Context & context, const Geometry & from, const ConstField & field, const AffineMap & s, const Geometry & to)
{
  const SoAFieldMemory read = ReadField(context, from, WithAxesMapped(s, to), field);
  SoAFieldMemory       planes(context, to.grid.NumberOfVoxels());
  ResampleField(context,
                ExtentOf(from.grid),
                read.View(),
                IndexMapBetween(to, s, from),
                { 1.0, 1.0, 1.0 },
                ExtentOf(to.grid),
                planes.View());
  return planes;
}

} // namespace

MiddleImages::MiddleImages(Context &                      context,
                           const RegistrationParameters & parameters,
                           const RegistrationImages &     images,
                           const MiddleGrid &             middle)
  : m_Images(images)
{
  RequireRegistrationGrid("middle grid of the images", middle.geometry.grid);
  RequireRegistrationParameters(parameters, middle.geometry.grid);
  m_Images.fixedGeometry = middle.geometry;
  m_Images.movingGeometry = middle.moving;
  m_Images.transform = middle.half;
  this->PlaceFurtherTerms(images, middle);
  if (images.HasImages())
  {
    this->ResampleFixedImage(context, images, middle, parameters.repairOutliers);
  }
  if (images.initialField.data != nullptr)
  {
    this->ResampleInitialField(context, images, middle);
  }
}

void
MiddleImages::PlaceFurtherTerms(const RegistrationImages & images, const MiddleGrid & middle)
{
  const AffineMap toFixed = Inverse(middle.half);
  // Slices have been laid on another plane, which keeps indices.
  const bool      isSame = IsSameGeometry(middle.moving, images.movingGeometry);
  const AffineMap toMoving =
    isSame ? AffineMap() : Compose(IndexToPoint(images.movingGeometry), PointToIndex(middle.moving));
  for (ChannelImages & channel : m_Images.furtherChannels)
  {
    channel.fixedTransform = Compose(channel.fixedTransform, toFixed);
    channel.movingTransform = Compose(channel.movingTransform, toMoving);
  }
  m_Images.labels.fixedTransform = Compose(images.labels.fixedTransform, toFixed);
  m_Images.labels.movingTransform = Compose(images.labels.movingTransform, toMoving);
  m_Images.points.fixed = Mapped(middle.half, images.points.fixed);
  m_Images.points.moving = Mapped(Inverse(toMoving), images.points.moving);
}

void
MiddleImages::ResampleFixedImage(Context &                  context,
                                 const RegistrationImages & images,
                                 const MiddleGrid &         middle,
                                 bool                       repairOutliers)
{
  const Grid &       grid = images.fixedGeometry.grid;
  const FloatInput   fixed(context, grid, images.fixedImage);
  const ValidImage   valid(context, "fixed image", grid, fixed.Data(), images.fixedMask, repairOutliers);
  const std::int64_t voxels = middle.geometry.grid.NumberOfVoxels();
  m_Fixed = AllocateFloats(context, voxels);
  m_FixedMask = context.Allocate(static_cast<std::size_t>(voxels));
  ResampleImage(context,
                grid,
                valid.Image(),
                valid.Mask(),
                { IndexMapBetween(middle.geometry, Inverse(middle.half), images.fixedGeometry), {} },
                ExtentOf(middle.geometry.grid),
                Floats(m_Fixed));
  m_NumberOfOutliers = valid.GetNumberOfOutliers();
  auto * const hasValue = static_cast<unsigned char *>(m_FixedMask.Data());
  MarkOverlap(context, voxels, Floats(m_Fixed), Floats(m_Fixed), hasValue);
  // Only voxels without a value are changed.
  IntensityRescaling rescaling;
  rescaling.least = valid.GetStatistics().minimum;
  rescaling.largest = valid.GetStatistics().maximum;
  RescaleIntensities(context, voxels, rescaling, Floats(m_Fixed));
  m_Images.fixedImage = { m_Fixed.Data(), PixelType::Float, MemorySpaceOf(context) };
  m_Images.fixedMask = { hasValue, PixelType::UnsignedChar, MemorySpaceOf(context) };
}

void
MiddleImages::ResampleInitialField(Context & context, const RegistrationImages & images, const MiddleGrid & middle)
{
  const SoAFieldMemory field =
    Conjugate(context, images.fixedGeometry, images.initialField, Inverse(middle.half), middle.geometry);
  m_InitialField = Vectors(context, middle.geometry, field);
  m_Images.initialField = { Floats(m_InitialField), 3, MemorySpaceOf(context) };
}

void
TakeToFixedGrid(const RegistrationRun & run, const MiddleGrid & middle, LevelMap & map, RegistrationResult & result)
{
  const auto taken = [&](const SoAFieldMemory & field) {
    const DeviceMemory vectors = Vectors(run.context, middle.geometry, field);
    return Conjugate(
      run.context, middle.geometry, { Floats(vectors), 3, MemorySpaceOf(run.context) }, middle.half, run.GetGeometry());
  };
  // After a failure in one of the two, the map is still on the middle grid.
  SoAFieldMemory displacement = taken(map.displacement);
  SoAFieldMemory inverse = taken(map.inverse);
  map.displacement = std::move(displacement);
  map.inverse = std::move(inverse);
  map.geometry = run.GetGeometry();
  map.CountRepair(RepairMaps(
    run.context, run.GetExtent(), run.parameters.jacobianBound, { map.displacement.View(), map.inverse.View() }));
  result.inversion = InverseResidual(run.context, run.GetExtent(), map.displacement.View(), map.inverse.View());
}

} // namespace cudaneuro
