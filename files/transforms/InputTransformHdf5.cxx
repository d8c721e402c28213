// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/transforms/InputTransform.h"

#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"
#include "itk_H5Cpp.h"
#include "files/base/ErrorStream.h"
#include "files/base/Errors.h"

#include <algorithm>
#include <cstdlib>

namespace
{

constexpr const char * transformGroup = "/TransformGroup";

/** Opens a set of numbers by its name, which older versions of ITK misspell. */
H5::DataSet
OpenNumbers(const H5::H5File & file, const std::string & group, const std::string & name, const std::string & older)
{
  const std::string path = group + '/' + name;
  return file.openDataSet(file.nameExists(path) ? path : group + '/' + older);
}

/** Counts a set of numbers.
 * \throws UserError when its numbers are not all in the file */
std::uint64_t
CountOf(const std::string & path, const H5::DataSet & numbers)
{
  const H5::DataSpace space = numbers.getSpace();
  if (numbers.getTypeClass() != H5T_FLOAT || space.getSimpleExtentNdims() != 1)
  {
    RefuseInput(path, "parameters of a transform in it are no list of real numbers");
  }
  const auto count = static_cast<std::uint64_t>(space.getSimpleExtentNpoints());
  if (count > 0 && numbers.getStorageSize() == 0)
  {
    RefuseInput(path, "parameters of a transform are not in it");
  }
  return count;
}

std::vector<double>
FixedParametersOf(const std::string & path, const std::string & type, const H5::DataSet & numbers)
{
  constexpr std::uint64_t most = 100;
  const std::uint64_t     count = CountOf(path, numbers);
  if (count > most && type.rfind(shootingTransform, 0) != 0)
  {
    RefuseField(path, "the count of fixed parameters of its transform", count, "it must be less than 100");
  }
  CheckRatio(path, CheckRegularFile(path), SaturatedProduct({ sizeof(double), std::max<std::uint64_t>(1, count) }));
  std::vector<double> values(count);
  if (count > 0)
  {
    numbers.read(values.data(), H5::PredType::NATIVE_DOUBLE);
  }
  return values;
}

TransformRecord
ReadRecord(const std::string & path, const H5::H5File & file, const std::string & group)
{
  TransformRecord   record;
  const H5::DataSet type = file.openDataSet(group + "/TransformType");
  if (type.getTypeClass() != H5T_STRING || type.getSpace().getSimpleExtentNpoints() != 1)
  {
    RefuseInput(path, "the type of a transform in it is no text");
  }
  hsize_t             one = 1;
  const H5::DataSpace space(1, &one);
  type.read(record.type, H5::StrType(H5::PredType::C_S1, H5T_VARIABLE), space);
  if (record.type.rfind("CompositeTransform_", 0) != 0)
  {
    record.fixedParameters = FixedParametersOf(
      path, record.type, OpenNumbers(file, group, "TransformFixedParameters", "TranformFixedParameters"));
    record.numberOfParameters = CountOf(path, OpenNumbers(file, group, "TransformParameters", "TranformParameters"));
  }
  return record;
}

} // namespace

void
CheckHdf5Transforms(const std::string & path)
{
  if (ReadStart(path, 8) != "\x89HDF\r\n\x1a\n")
  {
    RefuseInput(path,
                "it is neither an image of displacements nor a transform file, HDF5 (.h5, .hdf5), text (.tfm, .txt), "
                "Matlab (.mat)");
  }
  const ErrorStreamCapture errors;
  try
  {
    const H5::H5File file(path, H5F_ACC_RDONLY);
    const H5::Group  transforms = file.openGroup(transformGroup);
    const hsize_t    count = transforms.getNumObjs();
    for (hsize_t i = 0; i < count; ++i)
    {
      CheckTransform(path, ReadRecord(path, file, transformGroup + ('/' + std::to_string(i))));
    }
    if (count == 0)
    {
      RefuseInput(path, "it has no transform");
    }
  }
  catch (const H5::Exception & error)
  {
    const std::string reason = OneLine(error.getDetailMsg());
    // The library cannot close what it opened of a damaged file, and says so when the program ends.
    std::atexit([] {
      // Never destroyed, because the library prints after static objects are gone.
      static const ErrorStreamCapture & capture = *new ErrorStreamCapture;
      capture.TakeText();
    });
    RefuseInput(path, "it is damaged, or an HDF5 file of something else: " + reason);
  }
}
