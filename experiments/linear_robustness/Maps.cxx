// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Maps.h"

#include "itkMatrixOffsetTransformBase.h"
#include "itkTransformFileReader.h"

#include <cmath>
#include <stdexcept>

using cudaneuro::AffineMap;

namespace
{

constexpr double degree = 3.14159265358979323846 / 180.0;

/** The rotation of a quaternion that need not have length 1. */
std::array<double, 9>
RotationOf(double w, double x, double y, double z)
{
  const double s = 2.0 / (w * w + x * x + y * y + z * z);
  return { 1.0 - s * (y * y + z * z), s * (x * y - w * z),       s * (x * z + w * y),
           s * (x * y + w * z),       1.0 - s * (x * x + z * z), s * (y * z - w * x),
           s * (x * z - w * y),       s * (y * z + w * x),       1.0 - s * (x * x + y * y) };
}

std::array<double, 9>
RandomRotation(Random & random, double degrees)
{
  if (degrees >= 180.0)
  {
    // The direction of a Gaussian vector of four components is uniform on the sphere of quaternions.
    const double w = random.Normal();
    const double x = random.Normal();
    const double y = random.Normal();
    return RotationOf(w, x, y, random.Normal());
  }
  AffineMap rotation;
  for (int axis = 0; axis < 3; ++axis)
  {
    const double half = 0.5 * degree * random.Uniform(-degrees, degrees);
    double       q[3] = {};
    q[axis] = std::sin(half);
    rotation = Compose({ RotationOf(std::cos(half), q[0], q[1], q[2]), {} }, rotation);
  }
  return rotation.matrix;
}

Point
RandomShift(Random & random, double distance)
{
  Point shift{};
  for (double & component : shift)
  {
    component = random.Uniform(-distance, distance);
  }
  return shift;
}

} // namespace

Point
Apply(const AffineMap & map, const Point & point)
{
  return Compose(map, { {}, point }).offset;
}

AffineMap
AboutCenter(const std::array<double, 9> & matrix, const Point & center, const Point & shift)
{
  const Point moved = Apply({ matrix, {} }, center);
  AffineMap   map{ matrix, center };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    map.offset[axis] += shift[axis] - moved[axis];
  }
  return map;
}

AffineMap
RandomRigid(Random & random, double degrees, double distance, const Point & center)
{
  const std::array<double, 9> rotation = RandomRotation(random, degrees);
  return AboutCenter(rotation, center, RandomShift(random, distance));
}

AffineMap
RandomAffine(Random & random, double degrees, double distance, double scale, const Point & center)
{
  AffineMap deformation;
  for (std::size_t row = 0; row < 3; ++row)
  {
    deformation.matrix[4 * row] += random.Uniform(-scale, scale);
    for (std::size_t column = row + 1; column < 3; ++column)
    {
      deformation.matrix[3 * row + column] = random.Uniform(-0.5 * scale, 0.5 * scale);
    }
  }
  const AffineMap rigid = RandomRigid(random, degrees, distance, center);
  return Compose(rigid, AboutCenter(deformation.matrix, center, {}));
}

AffineMap
ReadMap(const std::string & path)
{
  const auto reader = itk::TransformFileReaderTemplate<double>::New();
  reader->SetFileName(path);
  reader->Update();
  const auto & all = *reader->GetTransformList();
  const auto * linear = all.size() == 1
                          ? dynamic_cast<const itk::MatrixOffsetTransformBase<double, 3, 3> *>(all.front().GetPointer())
                          : nullptr;
  if (linear == nullptr)
  {
    throw std::runtime_error(path + " has no linear transform in 3D, or more than one");
  }
  AffineMap map;
  for (unsigned int row = 0; row < 3; ++row)
  {
    map.offset[row] = linear->GetOffset()[row];
    for (unsigned int column = 0; column < 3; ++column)
    {
      map.matrix[3 * row + column] = linear->GetMatrix()(row, column);
    }
  }
  return map;
}

double
MeanDistance(const AffineMap & map, const Corners & corners, const Corners & points)
{
  double sum = 0.0;
  for (std::size_t i = 0; i < corners.size(); ++i)
  {
    const Point image = Apply(map, corners[i]);
    sum += std::sqrt(std::pow(image[0] - points[i][0], 2) + std::pow(image[1] - points[i][1], 2) +
                     std::pow(image[2] - points[i][2], 2));
  }
  return sum / static_cast<double>(corners.size());
}
