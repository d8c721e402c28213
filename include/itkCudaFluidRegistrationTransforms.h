// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaFluidRegistrationTransforms_h
#define itkCudaFluidRegistrationTransforms_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/Geometry.h"
#include "itkCompositeTransform.h"
#include "itkCudaNeuroDetail.h"
#include "itkDeviceDownloadImageFilter.h"
#include "itkGeodesicShootingTransform.h"
#include "itkImage.h"
#include "itkMultiThreaderBase.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <typeinfo>
#include <vector>

// The class of which maps of registrations are composed belongs to ITK's module ITKDisplacementField, which is optional
// for this module.
#if !defined(ITK_WRAPPING_PARSER) && __has_include("itkDisplacementFieldTransform.h")
#  include "itkDisplacementFieldTransform.h"
#  define CUDANEURO_HAS_DISPLACEMENT_FIELD_TRANSFORM
#endif

/** How the registration filters use transforms. For the module's own classes. */
namespace itk
{

template <typename TParametersValueType, unsigned int VDimension>
class DisplacementFieldTransform;

namespace CudaNeuroDetail
{

/** A flattened transform: the parts of composites, in the order of itk::CompositeTransform's queue, which is applied
 * from the back. */
template <unsigned int VDimension>
using TransformQueue = std::vector<const Transform<double, VDimension, VDimension> *>;

/** Appends the parts of \p transform, including those of composites in composites. */
template <unsigned int VDimension>
void
AppendParts(const Transform<double, VDimension, VDimension> * transform, TransformQueue<VDimension> & queue)
{
  const auto * const composite = dynamic_cast<const CompositeTransform<double, VDimension> *>(transform);
  if (composite == nullptr)
  {
    queue.push_back(transform);
    return;
  }
  for (SizeValueType i = 0; i < composite->GetNumberOfTransforms(); ++i)
  {
    AppendParts<VDimension>(composite->GetNthTransformConstPointer(i), queue);
  }
}

/** Returns whether a transform, which may be null, has a part that is not linear. */
template <unsigned int VDimension>
bool
HasNonlinearPart(const Transform<double, VDimension, VDimension> * transform)
{
  TransformQueue<VDimension> queue;
  if (transform != nullptr)
  {
    AppendParts<VDimension>(transform, queue);
  }
  return std::any_of(queue.begin(), queue.end(), [](const auto * part) { return !part->IsLinear(); });
}

template <unsigned int VDimension>
std::string
NamesOf(const TransformQueue<VDimension> & queue)
{
  std::string names;
  for (const auto * const part : queue)
  {
    names += (names.empty() ? "" : ", ") + std::string(part->GetNameOfClass());
  }
  return names;
}

/** Removes the linear parts that are applied last from the queue, and returns them as one map.
 * \throws ExceptionObject for one that is not finite or has no inverse. */
template <unsigned int VDimension>
cudaneuro::AffineMap
TakeLinearParts(TransformQueue<VDimension> & queue)
{
  cudaneuro::AffineMap map;
  std::size_t          count = 0;
  while (count < queue.size() && queue[count]->IsLinear())
  {
    const cudaneuro::AffineMap part = AffineMapOf(queue[count]);
    try
    {
      cudaneuro::Inverse(part);
    }
    catch (const cudaneuro::InvalidParameterError & error)
    {
      itkGenericExceptionMacro("The initial transform cannot be used: its " << queue[count]->GetNameOfClass()
                                                                            << " has no inverse: " << error.what());
    }
    map = cudaneuro::Compose(map, part);
    ++count;
  }
  queue.erase(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(count));
  return map;
}

/** The treatment of a point that a transform maps to no place, as a field does where it is NaN. */
enum class LostPoints
{
  Refused,
  /** The point becomes NaN, and later transforms keep it so. */
  Kept
};

/** Maps points, D numbers each, through the parts of \p queue: geodesic shooting runs on the context's device, other
 * transforms on the context's threads.
 * \throws ExceptionObject for transforms that fail or, with LostPoints::Refused, give points that are not finite. */
template <unsigned int VDimension>
void
MovePoints(cudaneuro::Context &               context,
           const TransformQueue<VDimension> & queue,
           std::int64_t                       numberOfPoints,
           double *                           points,
           LostPoints                         lost = LostPoints::Refused)
{
  using PointType = Point<double, VDimension>;
  constexpr std::int64_t pointsOfTask = 256;
  for (std::size_t part = queue.size(); part-- > 0;)
  {
    const auto * const shooting = dynamic_cast<const GeodesicShootingTransform<double, VDimension> *>(queue[part]);
    if (shooting != nullptr && shooting->GetNumberOfPoints() > 0)
    {
      Call([&] {
        shooting->GetFlow()->TransformPoints(context,
                                             shooting->GetDirection(),
                                             numberOfPoints,
                                             cudaneuro::ConstPoints{ points },
                                             cudaneuro::Points{ points });
      });
      continue;
    }
    context.ParallelFor((numberOfPoints + pointsOfTask - 1) / pointsOfTask, [&](std::int64_t task) {
      const std::int64_t end = std::min(numberOfPoints, (task + 1) * pointsOfTask);
      for (std::int64_t i = task * pointsOfTask; i < end; ++i)
      {
        double * const at = points + i * VDimension;
        if (lost == LostPoints::Kept && !std::isfinite(std::accumulate(at, at + VDimension, 0.0)))
        {
          // ITK's interpolators may read outside their images for such points.
          std::fill_n(at, VDimension, std::numeric_limits<double>::quiet_NaN());
          continue;
        }
        const PointType point(at);
        const PointType mapped = queue[part]->TransformPoint(point);
        for (unsigned int axis = 0; axis < VDimension; ++axis)
        {
          if (lost == LostPoints::Refused && !std::isfinite(mapped[axis]))
          {
            itkGenericExceptionMacro("it takes the point " << point << " to " << mapped);
          }
          at[axis] = mapped[axis];
        }
      }
    });
  }
}

/** Returns the displacements of \p queue at the voxels of \p grid, in mm.
 * \throws ExceptionObject for transforms that fail or give points that are not finite. */
template <unsigned int VDimension>
typename Image<Vector<float, VDimension>, VDimension>::Pointer
SampleTransforms(cudaneuro::Context &               context,
                 const TransformQueue<VDimension> & queue,
                 const ImageBase<VDimension> *      grid)
{
  using FieldType = Image<Vector<float, VDimension>, VDimension>;
  const auto field = FieldType::New();
  field->CopyInformation(grid);
  field->SetRegions(grid->GetLargestPossibleRegion());
  field->Allocate();
  const auto rowLength = static_cast<std::int64_t>(grid->GetLargestPossibleRegion().GetSize(0));
  const auto numberOfRows = static_cast<std::int64_t>(grid->GetLargestPossibleRegion().GetNumberOfPixels()) / rowLength;
  // The number of points per block is large enough to keep a GPU busy, and small enough for memory not to matter.
  constexpr std::int64_t pointsOfBlock = 1 << 20;
  const std::int64_t     rowsOfBlock = std::max<std::int64_t>(1, pointsOfBlock / rowLength);
  std::vector<double>    points(static_cast<std::size_t>(std::min(rowsOfBlock, numberOfRows) * rowLength) * VDimension);
  for (std::int64_t begin = 0; begin < numberOfRows; begin += rowsOfBlock)
  {
    const std::int64_t rows = std::min(rowsOfBlock, numberOfRows - begin);
    // Calls a function with all points of the block: their coordinates on the grid, and their indices in the field and
    // in the block.
    const auto forEachPoint = [&](const auto & function) {
      context.ParallelFor(rows, [&](std::int64_t row) {
        const std::int64_t            first = (begin + row) * rowLength;
        typename FieldType::IndexType index = field->ComputeIndex(first);
        for (std::int64_t x = 0; x < rowLength; ++x, ++index[0])
        {
          Point<double, VDimension> point;
          field->TransformIndexToPhysicalPoint(index, point);
          function(point, field->GetBufferPointer()[first + x], points.data() + (row * rowLength + x) * VDimension);
        }
      });
    };
    try
    {
      const cudaneuro::Context::ProgressPause pause(context);
      forEachPoint([](const auto & point, auto &, double * at) { std::copy(point.Begin(), point.End(), at); });
      MovePoints<VDimension>(context, queue, rows * rowLength, points.data());
      forEachPoint([](const auto & point, auto & displacement, const double * at) {
        for (unsigned int axis = 0; axis < VDimension; ++axis)
        {
          displacement[axis] = static_cast<float>(at[axis] - point[axis]);
        }
      });
    }
    catch (const ExceptionObject & error)
    {
      itkGenericExceptionMacro("The initial transform (" << NamesOf<VDimension>(queue)
                                                         << ") cannot be used: " << error.GetDescription());
    }
    context.ReportProgress(static_cast<double>(begin + rows) / static_cast<double>(numberOfRows));
  }
  return field;
}

/** Returns the pixels of a field in host memory, shared with the field. */
template <unsigned int VDimension>
typename Image<Vector<float, VDimension>, VDimension>::ConstPointer
HostField(const Image<Vector<float, VDimension>, VDimension> * field)
{
  return field;
}

/** Returns the pixels of a field in host memory, as a copy. */
template <unsigned int VDimension>
typename Image<Vector<float, VDimension>, VDimension>::ConstPointer
HostField(const DeviceImage<Vector<float, VDimension>, VDimension> * field)
{
  const auto download = DeviceDownloadImageFilter<DeviceImage<Vector<float, VDimension>, VDimension>>::New();
  download->UsePinnedOutputOff();
  download->SetInput(field);
  download->Update();
  const typename Image<Vector<float, VDimension>, VDimension>::Pointer copy = download->GetOutput();
  copy->DisconnectPipeline();
  return copy.GetPointer();
}

/** Returns a copy in double, the type that itk::DisplacementFieldTransform<double> takes. */
template <unsigned int VDimension>
typename Image<Vector<double, VDimension>, VDimension>::Pointer
FieldInDouble(const Image<Vector<float, VDimension>, VDimension> * field)
{
  const auto result = Image<Vector<double, VDimension>, VDimension>::New();
  result->CopyInformation(field);
  result->SetRegions(field->GetBufferedRegion());
  result->Allocate();
  constexpr SizeValueType block = 1 << 16;
  const SizeValueType     count = field->GetBufferedRegion().GetNumberOfPixels();
  const auto * const      from = field->GetBufferPointer();
  auto * const            to = result->GetBufferPointer();
  MultiThreaderBase::New()->ParallelizeArray(
    0,
    (count + block - 1) / block,
    [=](SizeValueType i) {
      const SizeValueType end = std::min(count, (i + 1) * block);
      for (SizeValueType voxel = i * block; voxel < end; ++voxel)
      {
        for (unsigned int axis = 0; axis < VDimension; ++axis)
        {
          to[voxel][axis] = static_cast<double>(from[voxel][axis]);
        }
      }
    },
    nullptr);
  return result;
}

/** Returns a copy of a field in double, in host memory. */
template <unsigned int VDimension, typename TField>
typename Image<Vector<double, VDimension>, VDimension>::Pointer
HostFieldInDouble(const TField * field)
{
  return FieldInDouble<VDimension>(HostField<VDimension>(field).GetPointer());
}

/** Returns a copy of a transform that is not a composite; it is independent of the original. The fields of a
 * DisplacementFieldTransform are large and are shared, and so is a transform of another class that consists of
 * fields. */
template <unsigned int VDimension>
typename Transform<double, VDimension, VDimension>::Pointer
CopyOfPart(const Transform<double, VDimension, VDimension> * part)
{
  using TransformType = Transform<double, VDimension, VDimension>;
  auto * const original = const_cast<TransformType *>(part);
#ifdef CUDANEURO_HAS_DISPLACEMENT_FIELD_TRANSFORM
  // The Clone of this class has an inverse field of zeros.
  using FieldTransformType = DisplacementFieldTransform<double, VDimension>;
  if (typeid(*original) == typeid(FieldTransformType))
  {
    auto * const from = static_cast<FieldTransformType *>(original);
    // An interpolator belongs to one field, so the copy needs its own.
    const auto another = [](const auto * interpolator) {
      using InterpolatorType = typename FieldTransformType::InterpolatorType;
      const LightObject::Pointer copy = interpolator->CreateAnother();
      return typename InterpolatorType::Pointer(dynamic_cast<InterpolatorType *>(copy.GetPointer()));
    };
    const auto copy = FieldTransformType::New();
    copy->SetInterpolator(another(from->GetInterpolator()));
    copy->SetInverseInterpolator(another(from->GetInverseInterpolator()));
    copy->SetDisplacementField(from->GetModifiableDisplacementField());
    copy->SetInverseDisplacementField(from->GetModifiableInverseDisplacementField());
    return copy.GetPointer();
  }
#endif
  using CategoryEnum = typename TransformType::TransformCategoryEnum;
  const CategoryEnum category = part->GetTransformCategory();
  if (category == CategoryEnum::DisplacementField || category == CategoryEnum::VelocityField)
  {
    return original;
  }
  return part->Clone();
}

/** Returns a composite of copies of the parts of \p transform; null for null. */
template <unsigned int VDimension>
typename CompositeTransform<double, VDimension>::Pointer
CopyOfParts(const Transform<double, VDimension, VDimension> * transform)
{
  if (transform == nullptr)
  {
    return nullptr;
  }
  const auto                 composite = CompositeTransform<double, VDimension>::New();
  TransformQueue<VDimension> queue;
  AppendParts<VDimension>(transform, queue);
  for (const auto * const part : queue)
  {
    composite->AddTransform(CopyOfPart<VDimension>(part));
  }
  return composite;
}

/** Returns the map that is p -> p + field(p) followed by the initial transform, which may be null: copies of its parts,
 * followed by a DisplacementFieldTransform with copies of the fields, which is applied first. \p inverse may be
 * null. */
template <unsigned int VDimension, typename TField>
typename CompositeTransform<double, VDimension>::Pointer
MapOf(const Transform<double, VDimension, VDimension> * initialTransform, const TField * field, const TField * inverse)
{
  const auto composite = initialTransform != nullptr ? CopyOfParts<VDimension>(initialTransform)
                                                     : CompositeTransform<double, VDimension>::New();
  const auto displacement = DisplacementFieldTransform<double, VDimension>::New();
  displacement->SetDisplacementField(HostFieldInDouble<VDimension>(field));
  if (inverse != nullptr)
  {
    // The inverse is set after the field, whose setter resets it.
    displacement->SetInverseDisplacementField(HostFieldInDouble<VDimension>(inverse));
  }
  composite->AddTransform(displacement);
  return composite;
}

} // namespace CudaNeuroDetail
} // namespace itk

#endif
