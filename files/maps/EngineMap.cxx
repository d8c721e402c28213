// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/maps/EngineMap.h"

#include "itkCudaFluidRegistrationTransforms.h"

#include <algorithm>

namespace cudaneuro::files
{

namespace detail = itk::CudaNeuroDetail;

template <unsigned int VDimension>
std::optional<EngineMap<VDimension>>
FindEngineMap(const SpaceMap<VDimension> & map, const itk::ImageBase<VDimension> & grid)
{
  using TransformType = itk::Transform<double, VDimension, VDimension>;
  using FieldTransformType = itk::DisplacementFieldTransform<double, VDimension>;
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(&map, queue);
  const auto isLinear = [](const auto * part) { return part->IsLinear(); };
  const auto others = std::find_if_not(queue.begin(), queue.end(), isLinear);

  EngineMap<VDimension> result;
  result.linear = SpaceMap<VDimension>::New();
  std::for_each(queue.begin(), others, [&](const TransformType * part) {
    result.linear->AddTransform(const_cast<TransformType *>(part));
  });
  if (others == queue.end())
  {
    return result;
  }
  const auto * const field = dynamic_cast<const FieldTransformType *>(*others);
  if (others + 1 != queue.end() || field == nullptr ||
      !cudaneuro::IsSameGeometry(detail::GeometryOf<VDimension>(field->GetDisplacementField()),
                                 detail::GeometryOf<VDimension>(&grid)))
  {
    return std::nullopt;
  }
  result.field = const_cast<FieldTransformType *>(field)->GetModifiableDisplacementField();
  return result;
}

bool
IsExactInFloat(itk::IOComponentEnum type)
{
  using Type = itk::IOComponentEnum;
  const Type types[] = { Type::CHAR, Type::UCHAR, Type::SHORT, Type::USHORT, Type::FLOAT };
  return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

template std::optional<EngineMap<2>>
FindEngineMap<2>(const SpaceMap<2> &, const itk::ImageBase<2> &);
template std::optional<EngineMap<3>>
FindEngineMap<3>(const SpaceMap<3> &, const itk::ImageBase<3> &);

} // namespace cudaneuro::files
