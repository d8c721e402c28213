// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/transforms/InputTransform.h"

#include "files/input/InputFile.h"
#include "itkTransformBase.h"
#include "itkTransformFactoryBase.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace
{

[[noreturn]] void
RefuseCount(const std::string & path, const std::string & what, std::uint64_t count, std::uint64_t expected)
{
  RefuseField(path, "the count of " + what, count, "it must be " + std::to_string(expected));
}

/** The grid of a displacement field or of B-splines is size, origin, spacing and direction. */
std::uint64_t
CheckGrid(const std::string & path, const std::vector<double> & fixed, std::size_t axes)
{
  if (fixed.size() != axes * (axes + 3))
  {
    RefuseCount(path, "fixed parameters", fixed.size(), axes * (axes + 3));
  }
  std::vector<std::uint64_t> factors{ axes };
  for (std::size_t axis = 0; axis < axes; ++axis)
  {
    constexpr double largest = 1 << 30;
    const double     size = fixed[axis];
    if (!(size >= 1.0 && size <= largest && size == std::trunc(size)))
    {
      RefuseField(path, "a size of the grid of its transform", size, "it must be a whole number above 0");
    }
    factors.push_back(static_cast<std::uint64_t>(size));
    CheckCoordinate(path, "the origin of its transform", fixed[axes + axis]);
    CheckSpacing(path, "the spacing of its transform", fixed[2 * axes + axis]);
  }
  return SaturatedProduct(factors);
}

bool
HasEnd(const std::string & text, const std::string & end)
{
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/** The fixed parameters of geodesic shooting: version of the layout, axes, points, sigma, time steps, sums in a time step,
 * direction, and the coordinates of the points. The transform itself checks their values; here is what they count. */
void
CheckShooting(const std::string & path, const TransformRecord & record)
{
  constexpr std::size_t       numbersBeforePoints = 7;
  const std::vector<double> & fixed = record.fixedParameters;
  if (fixed.size() < numbersBeforePoints)
  {
    RefuseField(path,
                "the count of fixed parameters of its " + record.type,
                fixed.size(),
                "it must be at least " + std::to_string(numbersBeforePoints));
  }
  const std::size_t axes = record.type.back() == '2' ? 2 : 3;
  if (fixed[1] != static_cast<double>(axes))
  {
    RefuseField(path, "the number of axes of its " + record.type, fixed[1], "it must be " + std::to_string(axes));
  }
  const std::size_t expected = fixed.size() - numbersBeforePoints;
  if (fixed[2] * fixed[1] != static_cast<double>(expected))
  {
    RefuseField(path,
                "the number of points of its " + record.type,
                fixed[2],
                "there are " + std::to_string(expected) + " coordinates");
  }
  if (record.numberOfParameters != expected)
  {
    RefuseCount(path, "parameters of its " + record.type, record.numberOfParameters, expected);
  }
}

void
CheckLinear(const std::string & path, const TransformRecord & record)
{
  // Files of older versions are of float, too, and are read as double.
  std::string       type = record.type;
  const std::size_t precision = type.find("_float_");
  if (precision != std::string::npos)
  {
    type.replace(precision, 7, "_double_");
  }
  itk::TransformFactoryBase::RegisterDefaultTransforms();
  const itk::LightObject::Pointer object = itk::ObjectFactoryBase::CreateInstance(type.c_str());
  const auto * const transform = dynamic_cast<const itk::TransformBaseTemplate<double> *>(object.GetPointer());
  if (transform == nullptr ||
      transform->GetTransformCategory() != itk::TransformBaseTemplate<double>::TransformCategoryEnum::Linear)
  {
    RefuseInput(path,
                "it has a transform of type " + record.type +
                  "; linear ones, displacement fields, B-splines, those of geodesic shooting, and composites of them "
                  "can be worked on");
  }
  if (record.numberOfParameters != transform->GetNumberOfParameters())
  {
    RefuseCount(
      path, "parameters of its " + record.type, record.numberOfParameters, transform->GetNumberOfParameters());
  }
  const std::size_t fixed = transform->GetFixedParameters().Size();
  // Older files have no flag after the center.
  const bool isOlder = type.rfind("Euler3DTransform_", 0) == 0 && record.fixedParameters.size() == 3;
  if (record.fixedParameters.size() != fixed && !isOlder)
  {
    RefuseCount(path, "fixed parameters of its " + record.type, record.fixedParameters.size(), fixed);
  }
}

} // namespace

void
CheckTransform(const std::string & path, const TransformRecord & record)
{
  const auto isOf = [&](const std::string & name) { return record.type.rfind(name + '_', 0) == 0; };
  const auto last = record.type.empty() ? '0' : record.type.back();
  for (const double value : record.fixedParameters)
  {
    CheckCoordinate(path, "a fixed parameter of its transform", value);
  }
  if (isOf("CompositeTransform"))
  {
    return;
  }
  if (isOf("DisplacementFieldTransform") || isOf("BSplineTransform") || isOf(shootingTransform))
  {
    const std::string axes = std::string("_") + last + '_' + last;
    const bool        isKnown = HasEnd(record.type, "_double" + axes) || HasEnd(record.type, "_float" + axes);
    if (!isKnown || (last != '2' && last != '3'))
    {
      RefuseField(path,
                  "the type of its transform",
                  record.type,
                  "transforms of double or float and of 2 or 3 axes can be worked on");
    }
    if (isOf(shootingTransform))
    {
      CheckShooting(path, record);
      return;
    }
    const std::uint64_t expected = CheckGrid(path, record.fixedParameters, static_cast<std::size_t>(last - '0'));
    if (record.numberOfParameters != expected)
    {
      RefuseCount(path, "parameters of its " + record.type, record.numberOfParameters, expected);
    }
    return;
  }
  CheckLinear(path, record);
}

void
CheckTransformFile(const std::string & path)
{
  CheckRegularFile(path);
  const std::string ending = EndingOf(path);
  if (ending == ".tfm" || ending == ".txt")
  {
    CheckTextTransforms(path);
  }
  else if (ending == ".mat")
  {
    CheckMatlabTransforms(path);
  }
  else
  {
    CheckHdf5Transforms(path);
  }
}
