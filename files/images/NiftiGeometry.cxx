// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/NiftiGeometry.h"

#include "files/base/Errors.h"
#include "files/base/Text.h"
#include "files/images/AxesShear.h"
#include "files/input/InputFile.h"
#include <vnl/vnl_det.h>
#include <vnl/vnl_inverse.h>
#include <vnl/vnl_quaternion.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

namespace cudaneuro::files
{

namespace
{

using Matrix = vnl_matrix_fixed<double, 3, 3>;
using Vector = vnl_vector_fixed<double, 3>;

/** A map of the index of a voxel to its place, in the header's unit, RAS. */
struct Affine
{
  Matrix matrix{ 0.0 };
  Vector offset{ 0.0 };
  /** How far the axes may be turned by the rounding of the fields, in radians. */
  double rounding = 0.0;
};

/** What rounding to float changes of a number, with that of a few operations in float. */
constexpr double floatRounding = 4e-6;

/** The field pixdim[i]: 0, which is no distance, is taken as 1, and a negative one as positive, as nibabel does. */
double
PixdimOf(const std::string & path, const NiftiHeader & header, unsigned int axis)
{
  const double pixdim = std::abs(header.Number("pixdim", axis + 1));
  CheckSpacing(path, Indexed("pixdim", axis + 1), pixdim == 0.0 ? 1.0 : pixdim);
  return pixdim == 0.0 ? 1.0 : pixdim;
}

void
NotePixdims(const NiftiHeader & header, unsigned int axes, NiftiGrid & grid)
{
  for (unsigned int axis = 1; axis <= axes; ++axis)
  {
    const double pixdim = header.Number("pixdim", axis);
    if (pixdim <= 0.0)
    {
      grid.notes.push_back(Indexed("pixdim", axis) + " is " + TextOf(pixdim) + ", and is taken as " +
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
  constexpr double       rounding = 0.01;
  constexpr double       smallest = 1e-7; // below it nifticlib takes the real part as 0
  vnl_quaternion<double> q(0.0, 0.0, 0.0, 0.0);
  Affine                 qform;
  for (unsigned int i = 0; i < 3; ++i)
  {
    q[i] = header.Number(niftiQuaternion[i]);
    qform.offset[i] = header.Number(niftiOffsets[i]);
    CheckCoordinate(path, niftiQuaternion[i], q[i]);
    CheckCoordinate(path, niftiOffsets[i], qform.offset[i]);
  }
  const double squares = q.squared_magnitude();
  if (squares > 1.0 + rounding)
  {
    RefuseField(path, "quatern_b^2 + quatern_c^2 + quatern_d^2", squares, "a rotation has 1 at the most");
  }
  q.r() = 1.0 - squares > smallest ? std::sqrt(1.0 - squares) : 0.0;
  q.normalize();
  // The angle is 2 acos(r), and rounding changes r by its own size over r.
  qform.rounding = 2.0 * 2e-7 / std::max(q.r(), std::sqrt(smallest));
  qform.matrix = q.rotation_matrix_transpose().transpose();
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    const bool isMirrored = axis == 2 && header.Number("pixdim", 0) < 0.0;
    qform.matrix.scale_column(axis, PixdimOf(path, header, axis) * (isMirrored ? -1.0 : 1.0));
  }
  return qform;
}

/** Reads the matrix that does not count, if it can be read. */
template <typename TRead>
std::optional<Affine>
ReadIfSound(const TRead & read)
{
  try
  {
    return read();
  }
  catch (const UserError &)
  {
    return std::nullopt;
  }
}

/** The largest distance of a voxel's two places, which a corner of the grid has, and the distance that rounding
 * explains. */
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
    result[0] = std::max(result[0], (along + a.offset - b.matrix * index - b.offset).two_norm());
    result[1] = std::max(result[1], along.two_norm() * (a.rounding + b.rounding + floatRounding));
  }
  result[1] += share * a.matrix.get_column(0).two_norm() + floatRounding * a.offset.two_norm();
  return result;
}

/** Notes how far two matrices place a voxel apart.
 * \param place the one that counts */
void
NoteDifference(const Affine & place, const Affine & other, const NiftiHeader & header, bool isSform, NiftiGrid & grid)
{
  const auto [distance, rounding] = DistanceOf(place, other, header);
  if (distance > rounding)
  {
    const auto code = [&](const char * name) { return std::to_string(header.Integer(name)); };
    grid.notes.push_back(
      "its qform (code " + code("qform_code") + ") and its sform (code " + code("sform_code") +
      ") place voxels up to " + TextOf(distance * MillimetersOf(header)) + " mm apart, and the " +
      (isSform ? "sform counts; --nifti-place qform takes the other" : "qform counts, as was asked for"));
  }
}

/** Sets spacing and directions, which are perpendicular, to an sform. */
void
TakeSform(const std::string & path, const Matrix & matrix, bool hasQform, NiftiGrid & grid)
{
  constexpr double leastDeterminant = 1e-6;
  constexpr double smallest = std::numeric_limits<double>::min(); // so that nothing is divided by 0
  auto &           spacing = grid.geometry.spacing;
  Matrix           units = matrix;
  for (unsigned int column = 0; column < 3; ++column)
  {
    spacing[column] = matrix.get_column(column).two_norm();
    units.set_column(column, matrix.get_column(column) / std::max(spacing[column], smallest));
  }
  if (std::abs(vnl_det(units)) < leastDeterminant)
  {
    RefuseField(path,
                "the determinant of the sform",
                vnl_det(matrix),
                "its axes must span space" + std::string(hasQform ? "; --nifti-place qform takes the qform" : ""));
  }
  for (unsigned int column = 0; column < 3; ++column)
  {
    CheckSpacing(path, "the length of column " + std::to_string(column + 1) + " of the sform", spacing[column]);
  }
  const AxesShear   shear = ShearOf(units);
  const std::string text = "its sform has " + shear.text;
  if (shear.cosine > mostShear)
  {
    RefuseInput(path, text + hintOnShear + (hasQform ? ", or take its qform by --nifti-place qform" : ""));
  }
  if (shear.cosine > floatRounding)
  {
    grid.notes.push_back(text + ", which is left out");
  }
  grid.geometry.direction = shear.cosine > 0.0 ? NearestRotation(units) : units;
}

/** The spacing of an sform is that of pixdim, where they differ by rounding only, so that it is the number that was
 * meant. */
void
CompareWithPixdim(const NiftiHeader & header, unsigned int axes, NiftiGrid & grid)
{
  constexpr double mostSilent = 1e-4;
  auto &           spacing = grid.geometry.spacing;
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
      grid.notes.push_back(Indexed("pixdim", axis + 1) + " is " + TextOf(pixdim) + ", and column " +
                           std::to_string(axis + 1) + " of its sform has the length " + TextOf(spacing[axis]) +
                           ", which counts");
    }
  }
}

} // namespace

double
MillimetersOf(const NiftiHeader & header)
{
  constexpr std::int64_t lengths = 7;
  constexpr double       ofMeter = 1000.0;
  constexpr double       ofMicron = 1e-3;
  const std::int64_t     unit = header.GetKind() == NiftiKind::Analyze ? 0 : header.Integer("xyzt_units") & lengths;
  return unit == 1 ? ofMeter : unit == 3 ? ofMicron : 1.0;
}

void
KeepTwoAxes(NiftiGrid & grid)
{
  constexpr double tilt = 1e-3;
  auto &           direction = grid.geometry.direction;
  if (std::hypot(direction[2][0], direction[2][1]) > tilt)
  {
    grid.notes.emplace_back("it has two axes, and its plane is tilted in space, which is left out: they are taken as x "
                            "and y; with a third axis of size 1 the place is kept");
    direction.SetIdentity();
  }
  direction[2][0] = direction[2][1] = direction[0][2] = direction[1][2] = 0.0;
  direction[2][2] = 1.0;
  grid.geometry.spacing[2] = 1.0;
  grid.geometry.origin[2] = 0.0;
}

NiftiGrid
NiftiGridOf(const std::string & path, const NiftiHeader & header, unsigned int axes, NiftiPlace choice)
{
  const bool      isNifti = header.GetKind() != NiftiKind::Analyze;
  const bool      hasSform = isNifti && header.Integer("sform_code") > 0;
  const bool      hasQform = isNifti && header.Integer("qform_code") > 0;
  const bool      isSform = hasSform && (!hasQform || choice == NiftiPlace::Sform);
  const auto      read = [&](bool sform) { return sform ? ReadSform(path, header) : ReadQform(path, header); };
  const double    millimeters = MillimetersOf(header);
  NiftiGrid       grid;
  ImageGeometry & geometry = grid.geometry;
  if (millimeters != 1.0)
  {
    grid.notes.push_back(std::string("its lengths are in ") + (millimeters > 1.0 ? "meters" : "microns") +
                         ", and converted to mm");
  }
  if (!isSform)
  {
    NotePixdims(header, axes, grid);
    for (unsigned int axis = 0; axis < (hasQform ? 3 : axes); ++axis)
    {
      geometry.spacing[axis] = PixdimOf(path, header, axis);
    }
  }
  if (hasSform || hasQform)
  {
    const Affine place = read(isSform);
    const auto   other = hasSform && hasQform ? ReadIfSound([&] { return read(!isSform); }) : std::nullopt;
    if (isSform)
    {
      TakeSform(path, place.matrix, other.has_value(), grid);
      CompareWithPixdim(header, axes, grid);
    }
    for (unsigned int row = 0; row < 3; ++row)
    {
      // RAS is LPS with the first two axes turned around.
      const double sign = row < 2 ? -1.0 : 1.0;
      geometry.origin[row] = sign * place.offset[row] * millimeters;
      for (unsigned int axis = 0; axis < 3; ++axis)
      {
        const double cosine =
          isSform ? geometry.direction[row][axis] : place.matrix[row][axis] / geometry.spacing[axis];
        geometry.direction[row][axis] = sign * cosine;
      }
    }
    if (other)
    {
      NoteDifference(place, *other, header, isSform, grid);
    }
  }
  geometry.spacing *= millimeters;
  if (axes == 2)
  {
    KeepTwoAxes(grid);
  }
  return grid;
}

} // namespace cudaneuro::files
