// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/maps/Maps.h"

#include "files/base/Errors.h"
#include "files/images/ImageGrid.h"
#include "files/maps/MappedRows.h"
#include "files/transforms/SpaceMatrix.h"
#include "itkAffineTransform.h"
#include "itkTranslationTransform.h"

#include <algorithm>
#include <sstream>

namespace detail = itk::CudaNeuroDetail;

namespace cudaneuro::files
{

namespace
{

/** Returns a linear transform as an affine one with the same numbers. */
template <unsigned int VDimension>
typename itk::AffineTransform<double, VDimension>::Pointer
AffineOf(const MapType<VDimension> & part)
{
  const auto affine = itk::AffineTransform<double, VDimension>::New();
  if (const auto * const matrix =
        dynamic_cast<const itk::MatrixOffsetTransformBase<double, VDimension, VDimension> *>(&part))
  {
    affine->SetMatrix(matrix->GetMatrix());
    affine->SetOffset(matrix->GetOffset());
    return affine;
  }
  if (const auto * const translation = dynamic_cast<const itk::TranslationTransform<double, VDimension> *>(&part))
  {
    affine->SetOffset(translation->GetOffset());
    return affine;
  }
  const cudaneuro::AffineMap                                          map = detail::AffineMapOf(&part);
  typename itk::AffineTransform<double, VDimension>::MatrixType       rows;
  typename itk::AffineTransform<double, VDimension>::OutputVectorType offset;
  for (unsigned int row = 0; row < VDimension; ++row)
  {
    offset[row] = map.offset[row];
    for (unsigned int column = 0; column < VDimension; ++column)
    {
      rows[row][column] = map.matrix[3 * row + column];
    }
  }
  affine->SetMatrix(rows);
  affine->SetOffset(offset);
  return affine;
}

} // namespace

template <unsigned int VDimension>
bool
IsLinear(const MapType<VDimension> & map)
{
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(&map, queue);
  return std::all_of(queue.begin(), queue.end(), [](const auto * part) { return part->IsLinear(); });
}

template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
AsAffine(const MapType<VDimension> & map)
{
  if (!IsLinear<VDimension>(map))
  {
    return nullptr;
  }
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(&map, queue);
  const auto affine = itk::AffineTransform<double, VDimension>::New();
  // Begins with the part that is applied first, and applies each further part after the earlier ones.
  for (auto part = queue.rbegin(); part != queue.rend(); ++part)
  {
    affine->Compose(AffineOf<VDimension>(**part), false);
  }
  return affine.GetPointer();
}

template <unsigned int VDimension>
typename MapType<VDimension>::ConstPointer
Flattened(const MapType<VDimension> & map)
{
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(&map, queue);
  if (queue.size() == 1)
  {
    return queue.front();
  }
  const auto flat = itk::CompositeTransform<double, VDimension>::New();
  for (const auto * const part : queue)
  {
    flat->AddTransform(const_cast<MapType<VDimension> *>(part));
  }
  return flat.GetPointer();
}

template <unsigned int VDimension>
void
RequireRegular(const std::string & name, const MapType<VDimension> & map)
{
  detail::TransformQueue<VDimension> parts;
  detail::AppendParts<VDimension>(&map, parts);
  for (const auto * const part : parts)
  {
    if (!part->IsLinear())
    {
      continue;
    }
    const cudaneuro::AffineMap affine = detail::AffineMapOf(part);
    const Determinant          determinant = DeterminantOf(vnl_matrix_fixed<double, 3, 3>(affine.matrix.data()));
    if (determinant.isSingular)
    {
      std::ostringstream text;
      text << "the matrix of its " << part->GetNameOfClass() << " is singular: its determinant is "
           << determinant.value;
      throw UserError("cannot use " + name + ": " + text.str());
    }
  }
}

template <unsigned int VDimension>
MapGrid<VDimension>
GridFor(const std::vector<const MapType<VDimension> *> & maps, const MapGrid<VDimension> & given)
{
  if (given.grid.IsNotNull())
  {
    return given;
  }
  for (const auto * const map : maps)
  {
    const auto         part = Flattened<VDimension>(*map);
    const auto * const field =
      dynamic_cast<const itk::DisplacementFieldTransform<double, VDimension> *>(part.GetPointer());
    if (field != nullptr)
    {
      return { field->GetDisplacementField(), field->GetDisplacementField()->GetMetaDataDictionary() };
    }
  }
  throw UserError("--reference is missing: an image whose grid the result is to have");
}

template <unsigned int VDimension>
typename MapFieldType<VDimension>::Pointer
DisplacementsOf(const MapType<VDimension> &        map,
                const itk::ImageBase<VDimension> & grid,
                const MapComputing &               computing)
{
  const auto         field = MakeImageOn<MapFieldType<VDimension>>(grid);
  const auto         rowLength = static_cast<std::int64_t>(grid.GetLargestPossibleRegion().GetSize(0));
  const auto         show = computing.watch("Sampling the map");
  cudaneuro::Context context = ContextOf(computing);
  ForEachMappedRow<VDimension>(map, grid, context, show, [&](std::int64_t first, const double * mapped) {
    typename itk::ImageBase<VDimension>::IndexType index = field->ComputeIndex(first);
    for (std::int64_t x = 0; x < rowLength; ++x, ++index[0])
    {
      itk::Point<double, VDimension> point;
      field->TransformIndexToPhysicalPoint(index, point);
      for (unsigned int axis = 0; axis < VDimension; ++axis)
      {
        field->GetBufferPointer()[first + x][axis] = static_cast<float>(mapped[x * VDimension + axis] - point[axis]);
      }
    }
  });
  return field;
}

template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
FieldTransformOf(const MapType<VDimension> &        map,
                 const itk::ImageBase<VDimension> & grid,
                 const MapComputing &               computing)
{
  const auto field = DisplacementsOf<VDimension>(map, grid, computing);
  const auto transform = itk::DisplacementFieldTransform<double, VDimension>::New();
  transform->SetDisplacementField(detail::FieldInDouble<VDimension>(field.GetPointer()));
  return transform.GetPointer();
}

template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
ComposeMap(const MapType<VDimension> &        map,
           const itk::ImageBase<VDimension> * reference,
           const MapComputing &               computing)
{
  const auto affine = AsAffine<VDimension>(map);
  return affine.IsNotNull()
           ? affine
           : FieldTransformOf<VDimension>(map, *GridFor<VDimension>({ &map }, { reference, {} }).grid, computing);
}

template <unsigned int VDimension>
PointData
MovePoints(const MapType<VDimension> & map, const PointData & points, const MapComputing & computing)
{
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(&map, queue);
  cudaneuro::Context context = ContextOf(computing);
  PointData          moved = points;
  detail::MovePoints<VDimension>(
    context, queue, static_cast<std::int64_t>(points.GetNumberOfPoints()), moved.coordinates.data());
  return moved;
}

#define INSTANTIATE(VDimension) \
  template bool                              IsLinear<VDimension>(const MapType<VDimension> &); \
  template MapType<VDimension>::Pointer      AsAffine<VDimension>(const MapType<VDimension> &); \
  template MapType<VDimension>::ConstPointer Flattened<VDimension>(const MapType<VDimension> &); \
  template void                RequireRegular<VDimension>(const std::string &, const MapType<VDimension> &); \
  template MapGrid<VDimension> GridFor<VDimension>(const std::vector<const MapType<VDimension> *> &, \
                                                   const MapGrid<VDimension> &); \
  template MapFieldType<VDimension>::Pointer DisplacementsOf<VDimension>( \
    const MapType<VDimension> &, const itk::ImageBase<VDimension> &, const MapComputing &); \
  template MapType<VDimension>::Pointer FieldTransformOf<VDimension>( \
    const MapType<VDimension> &, const itk::ImageBase<VDimension> &, const MapComputing &); \
  template MapType<VDimension>::Pointer ComposeMap<VDimension>( \
    const MapType<VDimension> &, const itk::ImageBase<VDimension> *, const MapComputing &); \
  template PointData MovePoints<VDimension>(const MapType<VDimension> &, const PointData &, const MapComputing &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE

} // namespace cudaneuro::files
