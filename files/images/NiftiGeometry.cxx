// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/NiftiGeometry.h"

#include "files/base/Errors.h"
#include "files/input/InputFile.h"
#include <vnl/algo/vnl_determinant.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <sstream>

namespace
{

using Matrix = itk::Matrix<double, 3, 3>;
using Vector = itk::Vector<double, 3>;

/** Maps the index of a voxel to its place, in the header's unit, RAS. */
struct Affine
{
  Matrix matrix;
  Vector offset;
  /** How far the axes may be turned by the rounding of the fields, in radians. */
  double rounding = 0.0;
};

constexpr double degreesOfRadian = 57.29577951308232;
/** What rounding to float changes of a number, with that of a few operations in float. */
constexpr double floatRounding = 4e-6;

NiftiPlace placeInUse = NiftiPlace::Sform;

std::string
TextOf(double value, int digits = 6)
{
  std::ostringstream text;
  text.precision(digits);
  text << value;
  return text.str();
}

Vector
ColumnOf(const Matrix & matrix, unsigned int column)
{
  return Vector(matrix.GetVnlMatrix().get_column(column).data_block());
}

/** The field pixdim[i]: 0, which is no distance, is taken as 1, and a negative one as positive, as nibabel does. */
double
PixdimOf(const std::string & path, const NiftiHeader & header, unsigned int axis)
{
  const double pixdim = std::abs(header.Number("pixdim", axis + 1));
  CheckSpacing(path, Indexed("pixdim", axis + 1), pixdim == 0.0 ? 1.0 : pixdim);
  return pixdim == 0.0 ? 1.0 : pixdim;
}

void
NotePixdims(const NiftiHeader & header, unsigned int axes, std::vector<std::string> & notes)
{
  for (unsigned int axis = 1; axis <= axes; ++axis)
  {
    const double pixdim = header.Number("pixdim", axis);
    if (pixdim <= 0.0)
    {
      notes.push_back(Indexed("pixdim", axis) + " is " + TextOf(pixdim) + ", and is taken as " +
                      TextOf(pixdim == 0.0 ? 1.0 : -pixdim));
    }
  }
}

Affine
ReadSform(const std::string & path, const NiftiHeader & header)
{
  Affine sform;
  for (unsigned int row = 0; row < 3; ++row)
  {
    for (unsigned int column = 0; column < 4; ++column)
    {
      const double value = header.Number(niftiRows[row], column);
      CheckCoordinate(path, Indexed(niftiRows[row], column), value);
      (column < 3 ? sform.matrix[row][column] : sform.offset[row]) = value;
    }
  }
  return sform;
}

Affine
ReadQform(const std::string & path, const NiftiHeader & header)
{
  constexpr double      rounding = 0.01;
  constexpr double      smallest = 1e-7; // below it nifticlib takes a as 0
  std::array<double, 4> q{};
  Affine                qform;
  for (unsigned int i = 0; i < 3; ++i)
  {
    q[i + 1] = header.Number(niftiQuaternion[i]);
    qform.offset[i] = header.Number(niftiOffsets[i]);
    CheckCoordinate(path, niftiQuaternion[i], q[i + 1]);
    CheckCoordinate(path, niftiOffsets[i], qform.offset[i]);
  }
  const double squares = q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (squares > 1.0 + rounding)
  {
    RefuseField(path, "quatern_b^2 + quatern_c^2 + quatern_d^2", squares, "a rotation has 1 at the most");
  }
  if (1.0 - squares > smallest)
  {
    q[0] = std::sqrt(1.0 - squares);
  }
  else
  {
    std::transform(q.begin(), q.end(), q.begin(), [&](double value) { return value / std::sqrt(squares); });
  }
  // The angle is 2 acos(q0), and rounding changes q0 by its own size over q0.
  qform.rounding = 2.0 * 2e-7 / std::max(q[0], std::sqrt(smallest));
  const auto [a, b, c, d] = q;
  const double values[3][3] = { { a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c) },
                                { 2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b) },
                                { 2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - c * c - b * b } };
  const double handedness = header.Number("pixdim", 0) < 0.0 ? -1.0 : 1.0;
  for (unsigned int row = 0; row < 3; ++row)
  {
    for (unsigned int column = 0; column < 3; ++column)
    {
      qform.matrix[row][column] = values[row][column] * PixdimOf(path, header, column) * (column == 2 ? handedness : 1);
    }
  }
  return qform;
}

/** A matrix that may be damaged as long as the other one counts. */
template <typename TRead>
std::optional<Affine>
ReadIf(bool isThere, const std::string & path, const NiftiHeader & header, const TRead & read)
{
  try
  {
    return isThere ? std::optional<Affine>(read(path, header)) : std::nullopt;
  }
  catch (const UserError &)
  {
    return std::nullopt;
  }
}

/** The largest distance of a voxel's two places, which a corner of the grid has, and the distance that rounding explains. */
std::array<double, 2>
DistanceOf(const Affine & a, const Affine & b, const NiftiHeader & header)
{
  constexpr double      share = 0.01; // of a voxel, which no one sees
  std::array<double, 2> result{};
  for (unsigned int corner = 0; corner < 8; ++corner)
  {
    Vector index;
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      const double last = header.Number("dim", 0) > axis ? header.Number("dim", axis + 1) - 1.0 : 0.0;
      index[axis] = (corner >> axis & 1) != 0 ? last : 0.0;
    }
    const Vector along = a.matrix * index;
    result[0] = std::max(result[0], (along + a.offset - b.matrix * index - b.offset).GetNorm());
    result[1] = std::max(result[1], along.GetNorm() * (a.rounding + b.rounding + floatRounding));
  }
  result[1] += share * ColumnOf(a.matrix, 0).GetNorm() + floatRounding * a.offset.GetNorm();
  return result;
}

void
NoteDifference(const Affine &             qform,
               const Affine &             sform,
               const NiftiHeader &        header,
               double                     millimeters,
               std::vector<std::string> & notes)
{
  const auto [distance, rounding] = DistanceOf(qform, sform, header);
  if (distance > rounding)
  {
    const auto code = [&](const char * name) { return std::to_string(header.Integer(name)); };
    const bool isSform = placeInUse == NiftiPlace::Sform;
    notes.push_back("its qform (code " + code("qform_code") + ") and its sform (code " + code("sform_code") +
                    ") place voxels up to " + TextOf(distance * millimeters) + " mm apart, and the " +
                    (isSform ? "sform counts; --nifti-place qform takes the other" : "qform counts, as was asked for"));
  }
}

/** What to do about an sform that cannot be used. */
std::string
Remedy(bool hasQform)
{
  return std::string("resample it to axes that are perpendicular, as nibabel.processing.resample_to_output does") +
         (hasQform ? ", or take its qform by --nifti-place qform" : "");
}

/** The nearest matrix of perpendicular axes of length 1, by Newton's iteration for the polar decomposition. The svd of VNL fails for
 * numbers that are nearly 0. */
Matrix
NearestRotation(Matrix matrix)
{
  constexpr int steps = 4; // each squares the error, which is 2e-4 at most
  for (int step = 0; step < steps; ++step)
  {
    const std::array<Vector, 3> columns{ ColumnOf(matrix, 0), ColumnOf(matrix, 1), ColumnOf(matrix, 2) };
    const double                determinant = columns[0] * itk::CrossProduct(columns[1], columns[2]);
    for (unsigned int column = 0; column < 3; ++column)
    {
      const Vector inverse = itk::CrossProduct(columns[(column + 1) % 3], columns[(column + 2) % 3]) / determinant;
      for (unsigned int row = 0; row < 3; ++row)
      {
        matrix[row][column] = 0.5 * (columns[column][row] + inverse[row]);
      }
    }
  }
  return matrix;
}

/** Takes the spacing out of the columns of a matrix, and makes them perpendicular.
 * \param path the file, if the matrix is an sform */
Matrix
DirectionsOf(
  const std::string & path, const Matrix & matrix, Vector & spacing, bool hasQform, std::vector<std::string> & notes)
{
  constexpr double mostShear = 2e-4;
  constexpr double leastDeterminant = 1e-6;
  Matrix           units = matrix;
  for (unsigned int column = 0; column < 3; ++column)
  {
    spacing[column] = ColumnOf(matrix, column).GetNorm();
    for (unsigned int row = 0; row < 3; ++row)
    {
      units[row][column] = spacing[column] > 0.0 ? matrix[row][column] / spacing[column] : 0.0;
    }
  }
  if (std::abs(vnl_determinant(units.GetVnlMatrix().as_ref())) < leastDeterminant)
  {
    RefuseField(path,
                "the determinant of the sform",
                vnl_determinant(matrix.GetVnlMatrix().as_ref()),
                "its axes must span space" + std::string(hasQform ? "; --nifti-place qform takes the qform" : ""));
  }
  for (unsigned int column = 0; column < 3; ++column)
  {
    CheckSpacing(path, "the length of column " + std::to_string(column + 1) + " of the sform", spacing[column]);
  }
  double      shear = 0.0;
  std::string between;
  for (const auto & [i, j] : { std::pair(0u, 1u), std::pair(0u, 2u), std::pair(1u, 2u) })
  {
    const double cosine = std::abs(ColumnOf(units, i) * ColumnOf(units, j));
    if (cosine > shear)
    {
      shear = cosine;
      between = std::string(1, "ijk"[i]) + " and " + "ijk"[j];
    }
  }
  const std::string text = "its sform has a shear of " + TextOf(std::asin(std::min(1.0, shear)) * degreesOfRadian, 4) +
                           " degrees between the axes " + between;
  if (shear > mostShear)
  {
    RefuseInput(path, text + ", and axes must be perpendicular here: " + Remedy(hasQform));
  }
  if (shear > floatRounding)
  {
    notes.push_back(text + ", which is left out");
  }
  return shear > 0.0 ? NearestRotation(units) : units;
}

/** The spacing of an sform is that of pixdim, where they differ by rounding only, so that it is the number that was meant. */
void
CompareWithPixdim(const NiftiHeader & header, unsigned int axes, Vector & spacing, std::vector<std::string> & notes)
{
  constexpr double mostSilent = 1e-4;
  for (unsigned int axis = 0; axis < axes; ++axis)
  {
    const double pixdim = std::abs(header.Number("pixdim", axis + 1));
    const double difference = std::abs(pixdim / spacing[axis] - 1.0);
    if (difference <= floatRounding)
    {
      spacing[axis] = pixdim;
    }
    else if (!(difference <= mostSilent))
    {
      notes.push_back(Indexed("pixdim", axis + 1) + " is " + TextOf(pixdim) + ", and column " +
                      std::to_string(axis + 1) + " of its sform has the length " + TextOf(spacing[axis]) +
                      ", which counts");
    }
  }
}

/** The part of a direction that two axes have. */
void
KeepTwoAxes(Matrix & direction, std::vector<std::string> & notes)
{
  constexpr double tilt = 1e-3;
  if (std::hypot(direction[2][0], direction[2][1]) > tilt)
  {
    notes.push_back("it has two axes, and its plane is tilted in space, which is left out: they are taken as x and y; "
                    "with a third axis of size 1 the place is kept");
    direction.SetIdentity();
    return;
  }
  direction[2][0] = direction[2][1] = direction[0][2] = direction[1][2] = 0.0;
  direction[2][2] = 1.0;
}

} // namespace

void
SetNiftiPlace(NiftiPlace place)
{
  placeInUse = place;
}

double
MillimetersOf(const NiftiHeader & header, std::vector<std::string> & notes)
{
  constexpr std::int64_t lengths = 7;
  constexpr double       ofMeter = 1000.0;
  constexpr double       ofMicron = 1e-3;
  if (header.GetKind() == NiftiKind::Analyze)
  {
    return 1.0;
  }
  const std::int64_t unit = header.Integer("xyzt_units") & lengths;
  if (unit == 1 || unit == 3)
  {
    notes.push_back(std::string("its lengths are in ") + (unit == 1 ? "meters" : "microns") + ", and converted to mm");
  }
  return unit == 1 ? ofMeter : unit == 3 ? ofMicron : 1.0;
}

ImageGeometry
GeometryOf(const std::string & path, const NiftiHeader & header, unsigned int axes, std::vector<std::string> & notes)
{
  const bool isNifti = header.GetKind() != NiftiKind::Analyze;
  const bool hasSform = isNifti && header.Integer("sform_code") > 0;
  const bool hasQform = isNifti && header.Integer("qform_code") > 0;
  const bool takesSform = hasSform && (!hasQform || placeInUse == NiftiPlace::Sform);

  std::vector<std::string> unitNotes;
  const double             millimeters = MillimetersOf(header, unitNotes);
  ImageGeometry            geometry;
  if (!hasSform && !hasQform)
  {
    NotePixdims(header, axes, notes);
    for (unsigned int axis = 0; axis < axes; ++axis)
    {
      geometry.spacing[axis] = PixdimOf(path, header, axis) * millimeters;
    }
    return geometry;
  }
  const auto   qform = ReadIf(hasQform, path, header, ReadQform);
  const auto   sform = ReadIf(hasSform, path, header, ReadSform);
  const Affine place =
    takesSform ? (sform ? *sform : ReadSform(path, header)) : (qform ? *qform : ReadQform(path, header));
  if (takesSform)
  {
    geometry.direction = DirectionsOf(path, place.matrix, geometry.spacing, qform.has_value(), notes);
    CompareWithPixdim(header, axes, geometry.spacing, notes);
  }
  else
  {
    NotePixdims(header, axes, notes);
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      geometry.spacing[axis] = PixdimOf(path, header, axis);
      for (unsigned int row = 0; row < 3; ++row)
      {
        geometry.direction[row][axis] = place.matrix[row][axis] / geometry.spacing[axis];
      }
    }
  }
  if (qform && sform)
  {
    NoteDifference(*qform, *sform, header, millimeters, notes);
  }
  geometry.spacing *= millimeters;
  for (unsigned int row = 0; row < 3; ++row)
  {
    // RAS is LPS with the first two axes turned around.
    const double sign = row < 2 ? -1.0 : 1.0;
    geometry.origin[row] = sign * place.offset[row] * millimeters;
    for (unsigned int column = 0; column < 3; ++column)
    {
      geometry.direction[row][column] *= sign;
    }
  }
  if (axes == 2)
  {
    KeepTwoAxes(geometry.direction, notes);
  }
  return geometry;
}
