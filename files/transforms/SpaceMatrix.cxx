// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/transforms/SpaceMatrix.h"

#include "files/base/Errors.h"
#include "files/images/NiftiHeader.h"
#include "files/input/HeaderLines.h"
#include "files/output/WholeFile.h"
#include "itkMetaDataObject.h"
#include <vnl/algo/vnl_determinant.h>
#include <vnl/algo/vnl_matrix_inverse.h>

#include <cmath>
#include <ostream>
#include <vector>

namespace cudaneuro::files
{

namespace
{

/** Whether a NIfTI header tells no place of its voxels, where FSL takes the axes as they are. */
bool
IsWithoutPlace(const ImageDescription & image)
{
  std::string bytes;
  if (!itk::ExposeMetaData<std::string>(image.metadata, niftiKey, bytes))
  {
    return false;
  }
  const NiftiHeader header("", bytes);
  return header.Integer("qform_code") <= 0 && header.Integer("sform_code") <= 0;
}

} // namespace

SpaceMatrix
Flipped(const SpaceMatrix & map)
{
  SpaceMatrix result = map;
  for (unsigned int axis = 0; axis < 2; ++axis)
  {
    result.scale_row(axis, -1.0);
    result.scale_column(axis, -1.0);
  }
  return result;
}

Determinant
DeterminantOf(const vnl_matrix_fixed<double, 3, 3> & matrix)
{
  constexpr double rounding = 1e-12; // what rounding of the entries makes of the determinant, by the lengths of columns
  double           volume = 1.0;
  for (unsigned int column = 0; column < 3; ++column)
  {
    volume *= std::hypot(matrix(0, column), matrix(1, column), matrix(2, column));
  }
  const double value = vnl_determinant(matrix.as_ref());
  return { value, !(std::abs(value) > rounding * volume) };
}

SpaceMatrix
InverseOf(const std::string & path, const SpaceMatrix & map)
{
  const Determinant determinant = DeterminantOf(map.extract(3, 3));
  if (determinant.isSingular)
  {
    RefuseField(path, "the determinant of its matrix", determinant.value, "it must not be 0");
  }
  SpaceMatrix inverse = vnl_matrix_inverse<double>(map.as_ref()).inverse();
  for (unsigned int column = 0; column < 4; ++column)
  {
    inverse(3, column) = column == 3 ? 1.0 : 0.0;
  }
  return inverse;
}

SpaceMatrix
IndexToPoint(const ImageDescription & image)
{
  SpaceMatrix result;
  result.set_identity();
  for (unsigned int row = 0; row < 3; ++row)
  {
    result(row, 3) = image.geometry.origin[row];
    for (unsigned int column = 0; column < 3; ++column)
    {
      result(row, column) = image.geometry.direction[row][column] * image.geometry.spacing[column];
    }
  }
  return result;
}

SpaceMatrix
FslToPoint(const ImageDescription & image)
{
  SpaceMatrix toIndex;
  toIndex.set_identity();
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    toIndex(axis, axis) = 1.0 / image.geometry.spacing[axis];
  }
  if (vnl_determinant(image.geometry.direction.GetVnlMatrix().as_ref()) > 0.0 && !IsWithoutPlace(image))
  {
    toIndex(0, 0) = -toIndex(0, 0);
    toIndex(0, 3) = static_cast<double>(image.size[0]) - 1.0;
  }
  return IndexToPoint(image) * toIndex;
}

SpaceMatrix
MatrixOf(const std::string & path, const std::vector<double> & numbers)
{
  if (numbers.size() != 16)
  {
    RefuseField(path, "the count of its numbers", numbers.size(), "a matrix has 16");
  }
  constexpr double rounding = 1e-5; // FreeSurfer multiplies and inverts matrices in single precision
  SpaceMatrix      matrix(numbers.data());
  for (unsigned int column = 0; column < 4; ++column)
  {
    const double expected = column == 3 ? 1.0 : 0.0;
    if (!(std::abs(matrix(3, column) - expected) < rounding))
    {
      RefuseInput(path, "the last row of its matrix is not 0 0 0 1");
    }
    matrix(3, column) = expected;
  }
  return matrix;
}

SpaceMatrix
ReadMatrixFile(const std::string & path)
{
  std::vector<double> numbers;
  HeaderLines         lines(path);
  for (std::string line; lines.Take(line);)
  {
    for (const std::string & word : SplitWords(Replaced(line.substr(0, line.find('#')), ",", " ")))
    {
      numbers.push_back(ParseNumber(path, "a number of its matrix", word));
      CheckCoordinate(path, "a number of its matrix", numbers.back());
    }
  }
  return MatrixOf(path, numbers);
}

void
WriteMatrixFile(const std::string & path, const SpaceMatrix & matrix)
{
  WriteLines(path, [&](std::ostream & out) {
    for (unsigned int row = 0; row < 4; ++row)
    {
      for (unsigned int column = 0; column < 4; ++column)
      {
        out << matrix(row, column) << (column == 3 ? "\n" : "  ");
      }
    }
  });
}

} // namespace cudaneuro::files
