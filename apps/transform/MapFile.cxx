// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "transform/MapFile.h"

#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/transforms/TransformFile.h"
#include "itkAffineTransform.h"
#include "itkTranslationTransform.h"
#include "transform/MappedGrid.h"

#include <algorithm>

namespace detail = itk::CudaNeuroDetail;

namespace
{

template <unsigned int VDimension>
using TransformType = itk::Transform<double, VDimension, VDimension>;

/** A linear transform as an affine one, which has its numbers. */
template <unsigned int VDimension>
typename itk::AffineTransform<double, VDimension>::Pointer
AffineOf(const TransformType<VDimension> & part)
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
IsLinear(const TransformType<VDimension> & map)
{
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(&map, queue);
  return std::all_of(queue.begin(), queue.end(), [](const auto * part) { return part->IsLinear(); });
}

template <unsigned int VDimension>
typename TransformType<VDimension>::Pointer
AsAffine(const TransformType<VDimension> & map)
{
  if (!IsLinear<VDimension>(map))
  {
    return nullptr;
  }
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(&map, queue);
  const auto affine = itk::AffineTransform<double, VDimension>::New();
  // From the part that is applied first on; each new one comes after what there is.
  for (auto part = queue.rbegin(); part != queue.rend(); ++part)
  {
    affine->Compose(AffineOf<VDimension>(**part), false);
  }
  return affine.GetPointer();
}

template <unsigned int VDimension>
typename TransformType<VDimension>::ConstPointer
WithoutComposite(const TransformType<VDimension> & map)
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
    flat->AddTransform(const_cast<TransformType<VDimension> *>(part));
  }
  return flat.GetPointer();
}

template <unsigned int VDimension>
typename itk::ImageBase<VDimension>::ConstPointer
GridOfField(const TransformType<VDimension> & map)
{
  const auto         part = WithoutComposite<VDimension>(map);
  const auto * const field =
    dynamic_cast<const itk::DisplacementFieldTransform<double, VDimension> *>(part.GetPointer());
  return field == nullptr ? nullptr : field->GetDisplacementField();
}

template <unsigned int VDimension>
MapGrid<VDimension>
GridFor(const TransformType<VDimension> & map, const std::string & name, OpenedImages & opened)
{
  if (!name.empty())
  {
    const OpenedImage image = opened.OpenGrid(name);
    return { ReadGrid<VDimension>(image).GetPointer(), GridMetadata(image.metadata) };
  }
  const auto grid = GridOfField<VDimension>(map);
  if (grid == nullptr)
  {
    throw UserError("--reference is missing: an image whose grid the result is to have");
  }
  return { grid, {} };
}

template <unsigned int VDimension>
StagedFile
StageMapAsField(const OutputFile &                file,
                const TransformType<VDimension> & map,
                const MapGrid<VDimension> &       grid,
                const ComputeOptions &            compute)
{
  const auto field = SampleMap<VDimension>(map, *grid.grid, compute);
  if (IsImageName(file.GetPath()))
  {
    field->SetMetaDataDictionary(grid.metadata);
    return StageImage<itk::Vector<float, VDimension>, VDimension>(file, field.GetPointer());
  }
  const auto transform = itk::DisplacementFieldTransform<double, VDimension>::New();
  transform->SetDisplacementField(detail::FieldInDouble<VDimension>(field.GetPointer()));
  return StageTransform<VDimension>(file, transform);
}

#define INSTANTIATE(VDimension) \
  template bool                                     IsLinear<VDimension>(const TransformType<VDimension> &); \
  template TransformType<VDimension>::Pointer       AsAffine<VDimension>(const TransformType<VDimension> &); \
  template TransformType<VDimension>::ConstPointer  WithoutComposite<VDimension>(const TransformType<VDimension> &); \
  template itk::ImageBase<VDimension>::ConstPointer GridOfField<VDimension>(const TransformType<VDimension> &); \
  template MapGrid<VDimension>                      GridFor<VDimension>( \
    const TransformType<VDimension> &, const std::string &, OpenedImages &); \
  template StagedFile StageMapAsField<VDimension>( \
    const OutputFile &, const TransformType<VDimension> &, const MapGrid<VDimension> &, const ComputeOptions &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
