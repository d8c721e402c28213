// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/maps/Maps.h"

#include "files/base/Errors.h"
#include "files/maps/FieldInFloat.h"
#include "itkCudaFluidRegistrationTransforms.h"
#include "itkCudaInvertDisplacementFieldImageFilter.h"

#include <algorithm>
#include <cmath>

namespace detail = itk::CudaNeuroDetail;

namespace cudaneuro::files
{

namespace
{

template <unsigned int VDimension>
using FieldTransform = itk::DisplacementFieldTransform<double, VDimension>;

/** Returns the inverse of a field on its grid, with the field as its own inverse. */
template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
InverseOfField(const FieldTransform<VDimension> &        transform,
               const MapComputing &                      computing,
               const cudaneuro::InversionParameters &    parameters,
               std::vector<cudaneuro::InversionResult> * results)
{
  auto &     original = const_cast<FieldTransform<VDimension> &>(transform);
  const auto filter = itk::CudaInvertDisplacementFieldImageFilter<MapFieldType<VDimension>>::New();
  filter->SetDisplacementField(FieldInFloat<VDimension>(*original.GetModifiableDisplacementField()));
  filter->SetMaximumNumberOfIterations(static_cast<unsigned int>(parameters.maximumNumberOfIterations));
  filter->SetMaxErrorToleranceThreshold(parameters.tolerance);
  UpdateFilter(*filter, computing, "Inverting");
  if (results != nullptr)
  {
    results->push_back(
      { static_cast<int>(filter->GetNumberOfIterations()), filter->GetMeanErrorNorm(), filter->GetMaxErrorNorm() });
  }
  const auto inverse = FieldTransform<VDimension>::New();
  const auto field = detail::FieldInDouble<VDimension>(filter->GetOutput());
  field->SetMetaDataDictionary(original.GetDisplacementField()->GetMetaDataDictionary());
  inverse->SetDisplacementField(field);
  // Set after the field, whose setter resets the inverse.
  inverse->SetInverseDisplacementField(original.GetModifiableDisplacementField());
  return inverse.GetPointer();
}

template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
InverseOfPart(const MapType<VDimension> &               part,
              const std::string &                       name,
              const MapComputing &                      computing,
              const cudaneuro::InversionParameters &    parameters,
              std::vector<cudaneuro::InversionResult> * results)
{
  const auto * const field = dynamic_cast<const FieldTransform<VDimension> *>(&part);
  if (field != nullptr && field->GetInverseDisplacementField() == nullptr)
  {
    return InverseOfField<VDimension>(*field, computing, parameters, results);
  }
  const auto   inverse = part.GetInverseTransform();
  auto * const result = dynamic_cast<MapType<VDimension> *>(inverse.GetPointer());
  if (result == nullptr)
  {
    throw UserError(name + " has a " + part.GetNameOfClass() +
                    ", which can't be inverted; a displacement field, which compose makes of it, can");
  }
  return result;
}

} // namespace

template <unsigned int VDimension>
typename MapType<VDimension>::Pointer
InvertMap(const MapType<VDimension> &               map,
          const MapComputing &                      computing,
          const cudaneuro::InversionParameters &    parameters,
          std::vector<cudaneuro::InversionResult> * results,
          const std::string &                       name)
{
  RequireRegular<VDimension>(name, map);
  detail::TransformQueue<VDimension> parts;
  detail::AppendParts<VDimension>(&map, parts);
  if (parts.size() == 1)
  {
    return InverseOfPart<VDimension>(*parts.front(), name, computing, parameters, results);
  }
  const auto inverse = itk::CompositeTransform<double, VDimension>::New();
  // A composite applies its last part first. The inverse of the part that it applies first must be added first.
  for (std::size_t i = parts.size(); i-- > 0;)
  {
    inverse->AddTransform(InverseOfPart<VDimension>(*parts[i], name, computing, parameters, results));
  }
  const auto affine = AsAffine<VDimension>(*inverse);
  return affine.IsNotNull() ? affine : inverse.GetPointer();
}

cudaneuro::InversionResult
WorstOf(const std::vector<cudaneuro::InversionResult> & results)
{
  // NaN is the worst.
  const auto                 larger = [](double a, double b) { return std::isnan(a) || a > b ? a : b; };
  cudaneuro::InversionResult worst;
  for (const cudaneuro::InversionResult & result : results)
  {
    worst.numberOfIterations = std::max(worst.numberOfIterations, result.numberOfIterations);
    worst.meanResidual = larger(worst.meanResidual, result.meanResidual);
    worst.maximumResidual = larger(worst.maximumResidual, result.maximumResidual);
  }
  return worst;
}

#define INSTANTIATE(VDimension) \
  template MapType<VDimension>::Pointer InvertMap<VDimension>(const MapType<VDimension> &, \
                                                              const MapComputing &, \
                                                              const cudaneuro::InversionParameters &, \
                                                              std::vector<cudaneuro::InversionResult> *, \
                                                              const std::string &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE

} // namespace cudaneuro::files
