// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/Errors.h"
#include "files/base/Interruption.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageFormat.h"
#include "files/images/OpenedField.h"
#include "files/input/InputFile.h"
#include "files/transforms/TransformFile.h"
#include "files/transforms/TransformRecords.h"
#include "itkBSplineTransform.h"
#include "itkCompositeTransform.h"
#include "itkDisplacementFieldTransform.h"
#include "itkTransformFactory.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace cudaneuro::files
{

namespace
{

using TransformBase = itk::TransformBaseTemplate<double>;
using Category = TransformBase::TransformCategoryEnum;

/** A type such as "AffineTransform_float_3_3" or "BSplineTransform_double_2_2_1": the class whose transform of double
 * is used for it, the number of axes, which is 0 where it is not from 2 axes to 2 or from 3 to 3, and "_1" where the
 * order of a spline is not 3. */
struct TransformType
{
  std::string  name;
  unsigned int axes = 0;
  std::string  order;
};

TransformType
TypeOf(const TransformRecord & record)
{
  // Types of the same parameters, not all of which ITK's factory knows.
  static const std::map<std::string, std::string> others{
    { "MatrixOffsetTransformBase", "AffineTransform" },
    { "Rigid3DTransform", "AffineTransform" },
    { "GaussianSmoothingOnUpdateDisplacementFieldTransform", "DisplacementFieldTransform" },
    { "BSplineSmoothingOnUpdateDisplacementFieldTransform", "DisplacementFieldTransform" }
  };
  for (const std::string axes : { "_double_2_2", "_float_2_2", "_double_3_3", "_float_3_3" })
  {
    const std::size_t length = record.type.rfind(axes);
    const std::string order = length == std::string::npos ? "" : record.type.substr(length + axes.size());
    if (length != std::string::npos && (order.empty() || order == "_1" || order == "_2"))
    {
      const std::string name = record.type.substr(0, length);
      const auto        other = others.find(name);
      return { other == others.end() ? name : other->second, axes.back() == '2' ? 2u : 3u, order };
    }
  }
  return { record.type, 0, "" };
}

bool
IsComposite(const TransformRecord & record)
{
  return TypeOf(record).name == "CompositeTransform";
}

void
RequireCount(const std::string & path, const std::string & what, std::uint64_t count, std::uint64_t expected)
{
  if (count != expected)
  {
    RefuseField(path, "the count of " + what, count, "it must be " + std::to_string(expected));
  }
}

/** Checks a grid, which is size, origin, spacing and direction, before a transform takes memory for it. */
void
CheckGrid(const std::string & path, const TransformRecord & record, std::size_t axes)
{
  std::vector<std::uint64_t> factors{ axes };
  for (std::size_t axis = 0; axis < axes; ++axis)
  {
    constexpr double largest = 1 << 30;
    const double     size = record.fixedParameters[axis];
    if (!(size >= 1.0 && size <= largest && size == std::trunc(size)))
    {
      RefuseField(path, "a size of the grid of its transform", size, "it must be a whole number above 0");
    }
    factors.push_back(static_cast<std::uint64_t>(size));
    CheckSpacing(path, "the spacing of its transform", record.fixedParameters[2 * axes + axis]);
  }
  RequireCount(path, "parameters of its " + record.type, record.numberOfParameters, SaturatedProduct(factors));
}

/** Makes a transform of its type, which has no parameters yet. */
TransformBase::Pointer
CreateTransform(const std::string & path, const TransformRecord & record)
{
  if (IsComposite(record))
  {
    RefuseInput(path,
                "it has a composite transform inside another one, and does not say which parts are whose; write it "
                "flattened: FlattenTransformQueue of ITK, FlattenTransform of SimpleITK");
  }
  RegisterTransforms();
  const TransformType          type = TypeOf(record);
  const std::string            axes = std::to_string(type.axes);
  const std::string            name = type.name + "_double_" + axes + '_' + axes + type.order;
  const auto                   object = itk::ObjectFactoryBase::CreateInstance(name.c_str());
  const TransformBase::Pointer transform = dynamic_cast<TransformBase *>(object.GetPointer());
  const Category category = transform.IsNull() ? Category::UnknownTransformCategory : transform->GetTransformCategory();
  if (category != Category::Linear && category != Category::DisplacementField && category != Category::BSpline &&
      (transform.IsNull() || type.name != "GeodesicShootingTransform"))
  {
    RefuseInput(
      path,
      "it has a transform of type " + record.type +
        "; linear ones, displacement fields, B-splines of order 1 to 3 and those of geodesic shooting, of 2 or 3 "
        "axes, and composites of them can be worked on" +
        (type.name.rfind("Inverse", 0) == 0 ? "; 3D Slicer, whose own it is, converts it to a grid" : ""));
  }
  return transform;
}

/** Makes a transform that has as many parameters as its type takes: ITK reads past the ends of fewer. Without numbers,
 * what does not take much memory is checked. */
TransformBase::Pointer
MakeTransform(const std::string & path, const TransformRecord & record, TransformNumbers numbers)
{
  const TransformBase::Pointer transform = CreateTransform(path, record);
  const Category               category = transform->GetTransformCategory();
  const bool                   isGrid = category == Category::DisplacementField || category == Category::BSpline;
  const std::size_t            count = record.fixedParameters.size();
  const std::size_t            expected = transform->GetFixedParameters().Size();
  // The fixed parameters of geodesic shooting are points, too. Older files of Euler's angles have no flag behind the
  // center, and those of planes whose center is among the parameters have none, which ITK does not look at.
  const std::string name = TypeOf(record).name;
  const bool        isFree = category != Category::Linear && !isGrid && count >= expected;
  const bool        isOlder = (name == "Euler3DTransform" && count + 1 == expected) ||
                       ((name == "CenteredRigid2DTransform" || name == "CenteredSimilarity2DTransform") && count == 0);
  RequireCount(path, "fixed parameters of its " + record.type, count, isFree || isOlder ? count : expected);
  for (const double value : record.fixedParameters)
  {
    CheckCoordinate(path, "a fixed parameter of its transform", value);
  }
  if (isGrid)
  {
    CheckGrid(path, record, transform->GetInputSpaceDimension());
    if (numbers == TransformNumbers::FixedOnly)
    {
      return transform;
    }
  }
  const auto numbersOf = [](const std::vector<double> & values) {
    TransformBase::ParametersType result(values.size());
    std::copy(values.begin(), values.end(), result.begin());
    return result;
  };
  try
  {
    transform->SetFixedParameters(numbersOf(record.fixedParameters));
    RequireCount(
      path, "parameters of its " + record.type, record.numberOfParameters, transform->GetNumberOfParameters());
    if (numbers == TransformNumbers::All)
    {
      transform->SetParametersByValue(numbersOf(record.parameters));
      if (category == Category::Linear)
      {
        // ITK's VersorTransform passes over the center of the rotation until it is set again.
        const auto fixed = transform->GetFixedParameters();
        transform->SetFixedParameters(fixed);
      }
    }
  }
  catch (const itk::ExceptionObject & error)
  {
    RefuseInput(path, "its " + record.type + " cannot be used: " + OneLine(error.GetDescription()));
  }
  catch (const std::bad_alloc &)
  {
    RefuseInput(path, "there is not enough memory for its parameters");
  }
  return transform;
}

/** Makes the one transform of a file, or the parts of its composite transform. */
std::vector<TransformBase::Pointer>
MakeTransforms(const std::string & path, const TransformRecords & records, TransformNumbers numbers)
{
  const bool isComposite = IsComposite(records.front());
  if (isComposite == (records.size() == 1))
  {
    RefuseInput(path,
                isComposite ? std::string("its composite transform has no parts")
                            : "it has " + std::to_string(records.size()) +
                                " transforms; a file with one, or with a composite transform, can be worked on. "
                                "Those of a series' volumes are for --volume-transforms");
  }
  std::vector<TransformBase::Pointer> transforms;
  for (auto record = records.begin() + (isComposite ? 1 : 0); record != records.end(); ++record)
  {
    ThrowIfInterrupted();
    transforms.push_back(MakeTransform(path, *record, numbers));
  }
  if (!records.back().note.empty() && numbers == TransformNumbers::All)
  {
    Warn(path + ' ' + records.back().note);
  }
  return transforms;
}

/** A transform of a file, which must have as many axes as what it is for, and map points to numbers. */
template <unsigned int VDimension>
itk::Transform<double, VDimension, VDimension> *
CheckedTransform(const std::string & path, const std::string & what, TransformBase & part)
{
  auto * const transform = dynamic_cast<itk::Transform<double, VDimension, VDimension> *>(&part);
  if (transform == nullptr)
  {
    throw UserError(path + " has a transform of " + std::to_string(part.GetInputSpaceDimension()) + " axes, and " +
                    what + " have " + std::to_string(VDimension));
  }
  try
  {
    for (const double place : { 0.0, 1.0 })
    {
      itk::Point<double, VDimension> point;
      point.Fill(place);
      for (const double coordinate : transform->TransformPoint(point))
      {
        CheckCoordinate(path, "a coordinate to which its transform maps a point", coordinate);
      }
    }
  }
  catch (const itk::ExceptionObject & error)
  {
    RefuseInput(path, "its transform maps no points: " + OneLine(error.GetDescription()));
  }
  return transform;
}

/** The map of a file's transforms, as a composite where it is one there. */
template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
MapOf(const std::string & path, const std::string & what, const TransformRecords & records)
{
  const auto composite = itk::CompositeTransform<double, VDimension>::New();
  for (const auto & part : MakeTransforms(path, records, TransformNumbers::All))
  {
    composite->AddTransform(CheckedTransform<VDimension>(path, what, *part));
  }
  return IsComposite(records.front()) ? composite.GetPointer() : composite->GetNthTransformModifiablePointer(0);
}

template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
ReadTransform(const std::string & path, const std::string & what, const ReadingOptions & reading)
{
  if (IsImageName(path))
  {
    const auto transform = itk::DisplacementFieldTransform<double, VDimension>::New();
    transform->SetDisplacementField(ReadField<double, VDimension>(OpenAnyImage(path, reading)));
    return transform.GetPointer();
  }
  return MapOf<VDimension>(path, what, ReadTransformRecords(path, TransformNumbers::All));
}

} // namespace

void
RegisterTransforms()
{
  static const bool isRegistered = [] {
    itk::TransformFactoryBase::RegisterDefaultTransforms();
    itk::TransformFactory<itk::BSplineTransform<double, 2, 1>>::RegisterTransform();
    itk::TransformFactory<itk::BSplineTransform<double, 2, 2>>::RegisterTransform();
    itk::TransformFactory<itk::BSplineTransform<double, 3, 1>>::RegisterTransform();
    itk::TransformFactory<itk::BSplineTransform<double, 3, 2>>::RegisterTransform();
    return true;
  }();
  static_cast<void>(isRegistered);
}

unsigned int
AxesOfTransforms(const std::string & path)
{
  return TypeOf(ReadTransformRecords(path, TransformNumbers::FixedOnly).front()).axes == 2 ? 2 : 3;
}

void
CheckTransformFile(const std::string & path)
{
  MakeTransforms(path, ReadTransformRecords(path, TransformNumbers::FixedOnly), TransformNumbers::FixedOnly);
}

template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
ReadLinearTransform(const std::string & path, const ReadingOptions & reading, const std::string & what)
{
  if (IsImageName(path))
  {
    AsField(OpenAnyImage(path, reading), VDimension);
    return nullptr;
  }
  const TransformRecords records = ReadTransformRecords(path, TransformNumbers::FixedOnly);
  const auto             parts = MakeTransforms(path, records, TransformNumbers::FixedOnly);
  if (!std::all_of(
        parts.begin(), parts.end(), [](const auto & part) { return part->GetTransformCategory() == Category::Linear; }))
  {
    return nullptr;
  }
  const bool isWhole = std::all_of(records.begin(), records.end(), [](const TransformRecord & record) {
    return record.parameters.size() == record.numberOfParameters;
  });
  return MapOf<VDimension>(path, what, isWhole ? records : ReadTransformRecords(path, TransformNumbers::All));
}

template <unsigned int VDimension>
std::vector<typename itk::Transform<double, VDimension, VDimension>::Pointer>
ReadSeveralTransforms(const std::string & path, const std::string & what)
{
  const TransformRecords records = ReadTransformRecords(path, TransformNumbers::All);
  if (IsComposite(records.front()))
  {
    return { MapOf<VDimension>(path, what, records) };
  }
  std::vector<typename itk::Transform<double, VDimension, VDimension>::Pointer> transforms;
  for (const TransformRecord & record : records)
  {
    transforms.push_back(MapOf<VDimension>(path, what, { record }));
  }
  return transforms;
}

template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
ReadTransforms(const std::vector<std::string> & paths, const ReadingOptions & reading, const std::string & what)
{
  if (paths.size() < 2)
  {
    return paths.empty() ? nullptr : ReadTransform<VDimension>(paths.front(), what, reading);
  }
  const auto composite = itk::CompositeTransform<double, VDimension>::New();
  // A composite applies the transform that was added last first.
  for (auto path = paths.rbegin(); path != paths.rend(); ++path)
  {
    composite->AddTransform(ReadTransform<VDimension>(*path, what, reading));
  }
  return composite.GetPointer();
}

template itk::Transform<double, 2, 2>::Pointer
ReadLinearTransform<2>(const std::string &, const ReadingOptions &, const std::string &);
template itk::Transform<double, 3, 3>::Pointer
ReadLinearTransform<3>(const std::string &, const ReadingOptions &, const std::string &);
template std::vector<itk::Transform<double, 2, 2>::Pointer>
ReadSeveralTransforms<2>(const std::string &, const std::string &);
template std::vector<itk::Transform<double, 3, 3>::Pointer>
ReadSeveralTransforms<3>(const std::string &, const std::string &);
template itk::Transform<double, 2, 2>::Pointer
ReadTransforms<2>(const std::vector<std::string> &, const ReadingOptions &, const std::string &);
template itk::Transform<double, 3, 3>::Pointer
ReadTransforms<3>(const std::vector<std::string> &, const ReadingOptions &, const std::string &);

} // namespace cudaneuro::files
