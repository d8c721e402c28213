// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/transforms/TransformRecords.h"

#include "files/base/ErrorStream.h"
#include "files/base/Errors.h"
#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"
#include "itk_H5Cpp.h"

#include <algorithm>
#include <cstdlib>

namespace cudaneuro::files
{

namespace
{

/** Reads a set of numbers, or no more than how many there are, which it returns.
 * \throws UserError when they are not all in the file */
std::uint64_t
ReadNumbers(const std::string &   path,
            const H5::H5File &    file,
            const std::string &   group,
            const std::string &   name,
            TransformNumbers      wanted,
            std::vector<double> & values)
{
  // Older versions of ITK misspell the names.
  const bool            isOlder = !file.nameExists(group + "/Transform" + name);
  const H5::DataSet     numbers = file.openDataSet(group + (isOlder ? "/Tranform" : "/Transform") + name);
  const H5::DataSpace   space = numbers.getSpace();
  constexpr std::size_t bytes = sizeof(double);
  if (numbers.getTypeClass() != H5T_FLOAT || space.getSimpleExtentNdims() != 1)
  {
    RefuseInput(path, "parameters of a transform in it are no list of real numbers");
  }
  const auto size = static_cast<std::uint64_t>(space.getSimpleExtentNpoints());
  if (size > 0 && numbers.getStorageSize() == 0)
  {
    RefuseInput(path, "parameters of a transform are not in it");
  }
  CheckRatio(path, CheckRegularFile(path), SaturatedProduct({ bytes, std::max<std::uint64_t>(1, size) }));
  if (wanted == TransformNumbers::All && size > 0)
  {
    values.resize(size);
    numbers.read(values.data(), H5::PredType::NATIVE_DOUBLE);
  }
  return size;
}

TransformRecord
ReadRecord(const std::string & path, const H5::H5File & file, const std::string & group, TransformNumbers numbers)
{
  TransformRecord   record;
  const H5::DataSet type = file.openDataSet(group + "/TransformType");
  if (type.getTypeClass() != H5T_STRING || type.getSpace().getSimpleExtentNpoints() != 1)
  {
    RefuseInput(path, "the type of a transform in it is no text");
  }
  const hsize_t one = 1;
  type.read(record.type, H5::StrType(H5::PredType::C_S1, H5T_VARIABLE), H5::DataSpace(1, &one));
  if (record.type.rfind("CompositeTransform_", 0) != 0)
  {
    ReadNumbers(path, file, group, "FixedParameters", TransformNumbers::All, record.fixedParameters);
    record.numberOfParameters = ReadNumbers(path, file, group, "Parameters", numbers, record.parameters);
  }
  return record;
}

} // namespace

TransformRecords
ReadHdf5Records(const std::string & path, TransformNumbers numbers)
{
  const ErrorStreamCapture errors;
  try
  {
    const H5::H5File  file(path, H5F_ACC_RDONLY);
    const std::string group = "/TransformGroup";
    const hsize_t     count = file.openGroup(group).getNumObjs();
    TransformRecords  records;
    for (hsize_t i = 0; i < count; ++i)
    {
      records.push_back(ReadRecord(path, file, group + ('/' + std::to_string(i)), numbers));
    }
    return records;
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

} // namespace cudaneuro::files
