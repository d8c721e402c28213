// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/transforms/TransformFile.h"

#include "files/base/FormatFiles.h"
#include "files/images/ImageFile.h"
#include "files/input/InputFile.h"
#include "files/images/ImageFormat.h"
#include "files/output/WrittenFile.h"
#include "itkAffineTransform.h"
#include "itkCompositeTransform.h"
#include "itkDisplacementFieldTransform.h"
#include "itkGeodesicShootingTransform.h"
#include "itkTransformFactoryBase.h"
#include "itkTransformFileReader.h"
#include "itkTransformFileWriter.h"
#include "itkTransformIOFactory.h"
#include "itkTranslationTransform.h"
#include "files/transforms/InputTransform.h"
#include "files/base/ErrorStream.h"

namespace
{

constexpr const char * writtenFormats = "HDF5 (.h5, .hdf5), text (.tfm, .txt)";

using TransformIOType = itk::TransformIOBaseTemplate<double>;

TransformIOType::Pointer
FindIO(const std::string & path, itk::IOFileModeEnum mode)
{
  return itk::TransformIOFactoryTemplate<double>::CreateTransformIO(path.c_str(), mode);
}

/** The one transform of a file, which may be a composite. */
itk::TransformBaseTemplate<double>::Pointer
ReadOne(const std::string & path)
{
  const auto reader = itk::TransformFileReaderTemplate<double>::New();
  reader->SetFileName(path);
  try
  {
    const ErrorStreamCapture errors;
    reader->Update();
  }
  catch (const itk::ExceptionObject & error)
  {
    RefuseInput(path, OneLine(error.GetDescription()));
  }
  catch (const std::bad_alloc &)
  {
    RefuseInput(path, "there is not enough memory for its parameters");
  }
  ThrowIfInterrupted();
  const auto * const list = reader->GetTransformList();
  if (list->size() != 1)
  {
    throw UserError(path + " has " + std::to_string(list->size()) +
                    " transforms; a file with one, or with a composite transform, can be worked on");
  }
  return list->front();
}

template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
ReadFieldTransform(const std::string & path)
{
  const auto transform = itk::DisplacementFieldTransform<double, VDimension>::New();
  transform->SetDisplacementField(ReadField<double, VDimension>(OpenAnyImage(path)));
  return transform.GetPointer();
}

/** Checks that a transform maps a cube of points to numbers. */
template <unsigned int VDimension>
void
CheckMap(const std::string & path, const itk::Transform<double, VDimension, VDimension> & transform)
{
  for (unsigned int corner = 0; corner < (1u << VDimension); ++corner)
  {
    itk::Point<double, VDimension> point;
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      point[axis] = (corner >> axis) & 1u ? 1.0 : 0.0;
    }
    const auto mapped = transform.TransformPoint(point);
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      CheckCoordinate(path, "a coordinate to which its transform maps a point", mapped[axis]);
    }
  }
}

template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
ReadTransform(const std::string & path)
{
  if (IsImageName(path))
  {
    return ReadFieldTransform<VDimension>(path);
  }
  CheckTransformFile(path);
  const auto any = ReadOne(path);
  using TransformType = itk::Transform<double, VDimension, VDimension>;
  if (any->GetInputSpaceDimension() != VDimension || any->GetOutputSpaceDimension() != VDimension)
  {
    throw UserError(path + " has a transform of " + std::to_string(any->GetInputSpaceDimension()) +
                    " axes, and the images have " + std::to_string(VDimension));
  }
  const typename TransformType::Pointer transform = dynamic_cast<TransformType *>(any.GetPointer());
  if (transform.IsNull())
  {
    throw UserError(path + " has a " + any->GetNameOfClass() + ", which maps no points");
  }
  try
  {
    CheckMap<VDimension>(path, *transform);
  }
  catch (const itk::ExceptionObject & error)
  {
    RefuseInput(path,
                "its " + std::string(any->GetNameOfClass()) + " maps no points: " + OneLine(error.GetDescription()));
  }
  return transform;
}

} // namespace

template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::Pointer
ReadTransforms(const std::vector<std::string> & paths)
{
  if (paths.empty())
  {
    return nullptr;
  }
  if (paths.size() == 1)
  {
    return ReadTransform<VDimension>(paths.front());
  }
  const auto composite = itk::CompositeTransform<double, VDimension>::New();
  // A composite applies the transform that was added last first.
  for (auto path = paths.rbegin(); path != paths.rend(); ++path)
  {
    composite->AddTransform(ReadTransform<VDimension>(*path));
  }
  return composite.GetPointer();
}

void
CheckTransformFormat(const std::string & path, TransformParts parts)
{
  const TransformIOType::Pointer io = FindIO(path, itk::IOFileModeEnum::WriteMode);
  const std::string              name = io.IsNull() ? "" : io->GetNameOfClass();
  const bool                     isMatlab = name == "MatlabTransformIO" || name == "MatlabTransformIOTemplate";
  if (io.IsNull() || (isMatlab && parts == TransformParts::Several))
  {
    throw UserError("cannot write " + path + ": its ending is that of no format for " +
                    (parts == TransformParts::Several ? "composite transforms with displacement fields, which are "
                                                      : "transforms, which are Matlab (.mat), ") +
                    writtenFormats);
  }
}

namespace
{

/** The number of parameters and fixed parameters of a transform. */
template <unsigned int VDimension>
std::uint64_t
CountParameters(const itk::Transform<double, VDimension, VDimension> & transform)
{
  using CompositeType = itk::CompositeTransform<double, VDimension>;
  const auto * const composite = dynamic_cast<const CompositeType *>(&transform);
  if (composite == nullptr)
  {
    return transform.GetNumberOfParameters() + transform.GetFixedParameters().size();
  }
  std::uint64_t count = 0;
  for (itk::SizeValueType i = 0; i < composite->GetNumberOfTransforms(); ++i)
  {
    count += CountParameters<VDimension>(*composite->GetNthTransformConstPointer(i));
  }
  return count;
}

/** The same map as an affine transform with the same center, with not a digit less; null where it is none. */
template <unsigned int VDimension>
typename itk::AffineTransform<double, VDimension>::Pointer
AsAffine(const itk::Transform<double, VDimension, VDimension> & transform)
{
  const auto affine = itk::AffineTransform<double, VDimension>::New();
  if (const auto * const matrix =
        dynamic_cast<const itk::MatrixOffsetTransformBase<double, VDimension, VDimension> *>(&transform))
  {
    affine->SetCenter(matrix->GetCenter());
    affine->SetMatrix(matrix->GetMatrix());
    affine->SetTranslation(matrix->GetTranslation());
    return affine;
  }
  if (const auto * const translation = dynamic_cast<const itk::TranslationTransform<double, VDimension> *>(&transform))
  {
    affine->SetTranslation(translation->GetOffset());
    return affine;
  }
  return nullptr;
}

/** What is written of a transform. Matlab's files have what ANTs writes there, which is an affine transform whatever was
 * looked for. */
template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::ConstPointer
AsWritten(const std::string & path, const itk::Transform<double, VDimension, VDimension> * transform)
{
  if (HasEnding(path, ".mat"))
  {
    const auto affine = AsAffine<VDimension>(*transform);
    if (affine.IsNotNull())
    {
      return affine.GetPointer();
    }
  }
  return transform;
}

} // namespace

template <unsigned int VDimension>
StagedFile
StageTransform(const OutputFile & file, const itk::Transform<double, VDimension, VDimension> * transform)
{
  // ITK registers its transforms when the first reader or writer is made, which several threads may not do at once.
  static const bool isRegistered = (itk::TransformFactoryBase::RegisterDefaultTransforms(), true);
  static_cast<void>(isRegistered);
  return file.Stage([&](const std::string & path) {
    const auto written = AsWritten<VDimension>(path, transform);
    const auto writer = itk::TransformFileWriterTemplate<double>::New();
    writer->SetInput(written);
    writer->SetFileName(path);
    writer->Update();
    RequireWholeTransform(path, CountParameters<VDimension>(*written));
  });
}

template StagedFile
StageTransform<2>(const OutputFile &, const itk::Transform<double, 2, 2> *);
template StagedFile
StageTransform<3>(const OutputFile &, const itk::Transform<double, 3, 3> *);

template itk::Transform<double, 2, 2>::Pointer
ReadTransforms<2>(const std::vector<std::string> &);
template itk::Transform<double, 3, 3>::Pointer
ReadTransforms<3>(const std::vector<std::string> &);
