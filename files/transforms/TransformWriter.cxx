// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/Errors.h"
#include "files/base/FormatFiles.h"
#include "files/transforms/Hdf5Mutex.h"
#include "files/transforms/TransformFile.h"
#include "files/transforms/TransformRecords.h"
#include "itkAffineTransform.h"
#include "itkCompositeTransform.h"
#include "itkHDF5TransformIO.h"
#include "itkMatlabTransformIO.h"
#include "itkTransformFileWriter.h"
#include "itkTranslationTransform.h"
#include "itkTxtTransformIO.h"

#include <cstdint>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>

namespace cudaneuro::files
{

namespace
{

using WriterOfFormat = itk::TransformIOBaseTemplate<double>;

/** Makes ITK's writer of a format, by the ending of a name; null where it is that of no format. ITK's factories are not
 * asked for it, so that nothing needs to be registered with them. */
WriterOfFormat::Pointer
MakeWriter(const std::string & path)
{
  if (HasEnding(path, ".h5") || HasEnding(path, ".hdf5"))
  {
    return itk::HDF5TransformIOTemplate<double>::New().GetPointer();
  }
  if (HasEnding(path, ".mat"))
  {
    return itk::MatlabTransformIOTemplate<double>::New().GetPointer();
  }
  if (HasEnding(path, ".tfm") || HasEnding(path, ".txt"))
  {
    return itk::TxtTransformIOTemplate<double>::New().GetPointer();
  }
  return nullptr;
}

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

/** Whether a text has its last line, which a stream that failed once does not write. Lines of displacement fields have
 * many megabytes, and are not kept. */
bool
HasLastLine(const std::string & path)
{
  std::ifstream file(path, std::ios::binary);
  bool          isLast = false;
  for (std::string name; file >> name;)
  {
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    isLast = name == "FixedParameters:" && !file.eof();
  }
  return isLast;
}

/** Counts the numbers of a file of another format; 0 where it cannot be read. */
std::uint64_t
CountNumbers(const std::string & path)
{
  std::uint64_t numbers = 0;
  try
  {
    for (const TransformRecord & record : ReadTransformRecords(path, TransformNumbers::FixedOnly))
    {
      numbers += record.fixedParameters.size() + record.numberOfParameters;
    }
  }
  catch (const UserError &)
  {
    return 0;
  }
  return numbers;
}

/** Checks what was written: ITK's writers report nothing when the disk is full.
 * \throws std::runtime_error when the file is cut short */
void
RequireWhole(const std::string & path, std::uint64_t expected)
{
  const bool isText = HasEnding(path, ".tfm") || HasEnding(path, ".txt");
  if (isText ? !HasLastLine(path) : CountNumbers(path) < expected)
  {
    throw std::runtime_error("the disk may be full: what was written is cut short");
  }
}

} // namespace

void
CheckTransformFormat(const std::string & path, TransformParts parts)
{
  if (MakeWriter(path).IsNull() || (HasEnding(path, ".mat") && parts == TransformParts::Several))
  {
    throw UserError("cannot write " + path + ": its ending is that of no format for " +
                    (parts == TransformParts::Several ? "composite transforms and those that are not linear, which are "
                                                      : "transforms, which are Matlab (.mat), ") +
                    "HDF5 (.h5, .hdf5), text (.tfm, .txt)");
  }
}

template <unsigned int VDimension>
StagedFile
StageTransform(const OutputFile & file, const itk::Transform<double, VDimension, VDimension> * transform)
{
  RegisterTransforms();
  return file.Stage([&](const std::string & path) {
    const auto written = AsWritten<VDimension>(path, transform);
    const auto writer = itk::TransformFileWriterTemplate<double>::New();
    writer->SetTransformIO(MakeWriter(path));
    writer->SetInput(written);
    writer->SetFileName(path);
    {
      const std::lock_guard<std::mutex> lock(Hdf5Mutex());
      writer->Update();
    }
    RequireWhole(path, written->GetNumberOfParameters() + written->GetFixedParameters().Size());
  });
}

template StagedFile
StageTransform<2>(const OutputFile &, const itk::Transform<double, 2, 2> *);
template StagedFile
StageTransform<3>(const OutputFile &, const itk::Transform<double, 3, 3> *);

} // namespace cudaneuro::files
