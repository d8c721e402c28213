// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "transform/MapInverse.h"

#include "itkCudaFluidRegistrationTransforms.h"
#include "itkCudaInvertDisplacementFieldImageFilter.h"
#include "shared/Files.h"
#include "shared/Messages.h"
#include "transform/MappedGrid.h"

namespace
{

template <unsigned int VDimension>
using TransformType = itk::Transform<double, VDimension, VDimension>;

template <unsigned int VDimension>
using FieldTransform = itk::DisplacementFieldTransform<double, VDimension>;

/** The inverse of a field on its grid. It knows the field as its own inverse. */
template <unsigned int VDimension>
typename TransformType<VDimension>::Pointer
InverseOfField(const FieldTransform<VDimension> &        transform,
               const ComputeOptions &                    compute,
               const cudaneuro::InversionParameters &    parameters,
               std::vector<cudaneuro::InversionResult> * results)
{
  using FieldType = itk::Image<itk::Vector<float, VDimension>, VDimension>;
  auto &     original = const_cast<FieldTransform<VDimension> &>(transform);
  const auto filter = itk::CudaInvertDisplacementFieldImageFilter<FieldType>::New();
  filter->SetDisplacementField(FieldInFloat<VDimension>(*original.GetModifiableDisplacementField()));
  filter->SetMaximumNumberOfIterations(static_cast<unsigned int>(parameters.maximumNumberOfIterations));
  filter->SetMaxErrorToleranceThreshold(parameters.tolerance);
  UpdateFilter(*filter, compute, "Inverting");
  if (results != nullptr)
  {
    results->push_back(
      { static_cast<int>(filter->GetNumberOfIterations()), filter->GetMeanErrorNorm(), filter->GetMaxErrorNorm() });
  }
  const auto inverse = FieldTransform<VDimension>::New();
  inverse->SetDisplacementField(itk::CudaNeuroDetail::FieldInDouble<VDimension>(filter->GetOutput()));
  // After the field, whose setter forgets the inverse.
  inverse->SetInverseDisplacementField(original.GetModifiableDisplacementField());
  return inverse.GetPointer();
}

template <unsigned int VDimension>
typename TransformType<VDimension>::Pointer
InverseOfPart(const TransformType<VDimension> &         part,
              const std::string &                       path,
              const ComputeOptions &                    compute,
              const cudaneuro::InversionParameters &    parameters,
              std::vector<cudaneuro::InversionResult> * results)
{
  const auto * const field = dynamic_cast<const FieldTransform<VDimension> *>(&part);
  if (field != nullptr && field->GetInverseDisplacementField() == nullptr)
  {
    return InverseOfField<VDimension>(*field, compute, parameters, results);
  }
  const auto   inverse = part.GetInverseTransform();
  auto * const result = dynamic_cast<TransformType<VDimension> *>(inverse.GetPointer());
  if (result == nullptr)
  {
    throw UserError(path + " has a " + part.GetNameOfClass() +
                    ", which can't be inverted; compose makes a field of it, which can");
  }
  return result;
}

} // namespace

template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
InverseOf(const itk::Transform<double, VDimension, VDimension> & transform,
          const std::string &                                    path,
          const ComputeOptions &                                 compute,
          const cudaneuro::InversionParameters &                 parameters,
          std::vector<cudaneuro::InversionResult> *              results)
{
  itk::CudaNeuroDetail::TransformQueue<VDimension> parts;
  itk::CudaNeuroDetail::AppendParts<VDimension>(&transform, parts);
  if (parts.size() == 1)
  {
    return InverseOfPart<VDimension>(*parts.front(), path, compute, parameters, results);
  }
  const auto inverse = itk::CompositeTransform<double, VDimension>::New();
  // A composite is applied from the back: what it applies first, its inverse applies last, which is added first.
  for (std::size_t i = parts.size(); i-- > 0;)
  {
    inverse->AddTransform(InverseOfPart<VDimension>(*parts[i], path, compute, parameters, results));
  }
  return inverse.GetPointer();
}

#define INSTANTIATE(VDimension) \
  template itk::Transform<double, VDimension, VDimension>::Pointer InverseOf<VDimension>( \
    const itk::Transform<double, VDimension, VDimension> &, \
    const std::string &, \
    const ComputeOptions &, \
    const cudaneuro::InversionParameters &, \
    std::vector<cudaneuro::InversionResult> *)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
