// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/Errors.h"
#include "files/base/FormatFiles.h"
#include "files/output/CompleteFile.h"
#include "files/transforms/TransformFile.h"
#include "files/transforms/TransformRecords.h"
#include "itkAffineTransform.h"
#include "itkCompositeTransform.h"
#include "itkTransformFileWriter.h"
#include "itkTransformIOFactory.h"
#include "itkTranslationTransform.h"

namespace cudaneuro::files
{

void
CheckTransformFormat(const std::string & path, TransformParts parts)
{
  const auto io =
    itk::TransformIOFactoryTemplate<double>::CreateTransformIO(path.c_str(), itk::IOFileModeEnum::WriteMode);
  const std::string name = io.IsNull() ? "" : io->GetNameOfClass();
  const bool        isMatlab = name == "MatlabTransformIO" || name == "MatlabTransformIOTemplate";
  if (io.IsNull() || (isMatlab && parts == TransformParts::Several))
  {
    throw UserError("cannot write " + path + ": its ending is that of no format for " +
                    (parts == TransformParts::Several ? "composite transforms with displacement fields, which are "
                                                      : "transforms, which are Matlab (.mat), ") +
                    "HDF5 (.h5, .hdf5), text (.tfm, .txt)");
  }
}

namespace
{

/** What is written of a transform. Matlab's files have what ANTs writes there: the same map as an affine transform with
 * the same center, with not a digit less, where it is one. */
template <unsigned int VDimension>
typename itk::Transform<double, VDimension, VDimension>::ConstPointer
AsWritten(const std::string & path, const itk::Transform<double, VDimension, VDimension> * transform)
{
  const auto         affine = itk::AffineTransform<double, VDimension>::New();
  const auto * const matrix =
    dynamic_cast<const itk::MatrixOffsetTransformBase<double, VDimension, VDimension> *>(transform);
  const auto * const translation = dynamic_cast<const itk::TranslationTransform<double, VDimension> *>(transform);
  if (!HasEnding(path, ".mat") || (matrix == nullptr && translation == nullptr))
  {
    return transform;
  }
  if (matrix != nullptr)
  {
    affine->SetCenter(matrix->GetCenter());
    affine->SetMatrix(matrix->GetMatrix());
  }
  affine->SetTranslation(matrix != nullptr ? matrix->GetTranslation() : translation->GetOffset());
  return affine.GetPointer();
}

} // namespace

template <unsigned int VDimension>
StagedFile
StageTransform(const OutputFile & file, const itk::Transform<double, VDimension, VDimension> * transform)
{
  RegisterTransforms();
  return file.Stage([&](const std::string & path) {
    const auto written = AsWritten<VDimension>(path, transform);
    const auto writer = itk::TransformFileWriterTemplate<double>::New();
    writer->SetInput(written);
    writer->SetFileName(path);
    writer->Update();
    RequireWholeTransform(path, written->GetNumberOfParameters() + written->GetFixedParameters().Size());
  });
}

template StagedFile
StageTransform<2>(const OutputFile &, const itk::Transform<double, 2, 2> *);
template StagedFile
StageTransform<3>(const OutputFile &, const itk::Transform<double, 3, 3> *);

} // namespace cudaneuro::files
