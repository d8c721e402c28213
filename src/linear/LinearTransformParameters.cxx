// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearTransformParameters.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

using Matrix = Matrix3d;
using Vector = Vector3d;

constexpr Matrix identity{ 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 };

/** The matrix D with dR = D R for the derivative of a rotation R(w) by one component of w: with the axis e of the
 * component, D = (w_e [w]x + [w x (1 - R) e]x) / |w|^2 (Gallego and Yezzi, "A compact formula for the derivative of a
 * 3-D rotation in exponential coordinates", J. Math. Imaging Vis. 2015). */
Matrix
RotationDerivative(const Vector & w, const Matrix & rotation, int axis)
{
  Vector unit{};
  unit[axis] = 1.0;
  const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  if (square < 1e-12)
  {
    // The omitted terms are of first order in w, below 1e-6.
    return CrossProductMatrix(unit);
  }
  Vector rest = unit;
  for (int row = 0; row < 3; ++row)
  {
    rest[row] -= rotation[3 * row + axis];
  }
  const Vector cross{ w[1] * rest[2] - w[2] * rest[1],
                      w[2] * rest[0] - w[0] * rest[2],
                      w[0] * rest[1] - w[1] * rest[0] };
  Vector       sum{};
  for (int k = 0; k < 3; ++k)
  {
    sum[k] = (w[axis] * w[k] + cross[k]) / square;
  }
  return CrossProductMatrix(sum);
}

double
InnerProduct(const Matrix & a, const Matrix & b)
{
  double sum = 0.0;
  for (int entry = 0; entry < 9; ++entry)
  {
    sum += a[entry] * b[entry];
  }
  return sum;
}

} // namespace

Matrix
RotationMatrix(const Vector & vector)
{
  // R = 1 + sin(a) / a K + (1 - cos(a)) / a^2 K^2 (Rodrigues), a = |w|.
  const double angle = std::sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
  const double half = std::sin(0.5 * angle) / (angle > 1e-8 ? 0.5 * angle : 1.0);
  const double first = angle > 1e-8 ? std::sin(angle) / angle : 1.0;
  const double second = angle > 1e-8 ? 0.5 * half * half : 0.5;
  const Matrix cross = CrossProductMatrix(vector);
  const Matrix square = Multiply(cross, cross);
  Matrix       rotation = identity;
  for (int entry = 0; entry < 9; ++entry)
  {
    rotation[entry] += first * cross[entry] + second * square[entry];
  }
  return rotation;
}

AffineMap
MapAbout(const Matrix & matrix, const Vector & center, const Vector & image)
{
  const Vector turned = Apply({ matrix, {} }, center);
  AffineMap    map{ matrix, image };
  for (int axis = 0; axis < 3; ++axis)
  {
    map.offset[axis] -= turned[axis];
  }
  return map;
}

double
Determinant(const Matrix & m)
{
  return m[0] * (m[4] * m[8] - m[5] * m[7]) + m[1] * (m[5] * m[6] - m[3] * m[8]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

GridCorners::GridCorners(const Geometry & geometry)
  : m_IsFlat(geometry.grid.size[2] == 1)
{
  const AffineMap toPoint = IndexToPoint(geometry);
  Vector          last{};
  for (int axis = 0; axis < 3; ++axis)
  {
    last[axis] = static_cast<double>(geometry.grid.size[axis] - 1);
  }
  m_Center = Apply(toPoint, { 0.5 * last[0], 0.5 * last[1], 0.5 * last[2] });
  const int count = m_IsFlat ? 4 : 8;
  for (int corner = 0; corner < count; ++corner)
  {
    m_Corners.push_back(Apply(
      toPoint,
      { (corner & 1) != 0 ? last[0] : 0.0, (corner & 2) != 0 ? last[1] : 0.0, (corner & 4) != 0 ? last[2] : 0.0 }));
    for (int axis = 0; axis < 3; ++axis)
    {
      const double distance = m_Corners.back()[axis] - m_Center[axis];
      m_Extent[axis] += distance * distance / count;
    }
  }
  for (double & extent : m_Extent)
  {
    extent = std::sqrt(extent);
  }
}

double
GridCorners::LargestDistance(const AffineMap & a, const AffineMap & b) const
{
  double largest = 0.0;
  for (const Vector & corner : m_Corners)
  {
    const Vector first = Apply(a, corner);
    const Vector second = Apply(b, corner);
    largest = std::max(largest, std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]));
  }
  return largest;
}

LinearTransformParameters::LinearTransformParameters(LinearTransformType type,
                                                     const GridCorners & corners,
                                                     const AffineMap &   base)
  : m_Type(type)
  , m_IsFlat(corners.IsFlat())
  , m_Center(corners.GetCenter())
  , m_Base(base)
  , m_Slots(SlotsInUse())
{
  const Vector & extent = corners.GetExtent();
  Slots          scales;
  for (int axis = 0; axis < 3; ++axis)
  {
    scales[axis] = 1.0;
    scales[firstOfRotation + axis] = 1.0 / std::hypot(extent[(axis + 1) % 3], extent[(axis + 2) % 3]);
  }
  scales[slotOfScale] = 1.0 / std::hypot(extent[0], extent[1], extent[2]);
  for (int entry = 0; entry < 9; ++entry)
  {
    scales[firstOfMatrix + entry] = 1.0 / extent[entry % 3];
  }
  for (const int slot : m_Slots)
  {
    m_Scales.push_back(scales[slot]);
  }
}

std::vector<int>
LinearTransformParameters::SlotsInUse() const
{
  const int        axes = m_IsFlat ? 2 : 3;
  std::vector<int> slots;
  for (int axis = 0; axis < axes; ++axis)
  {
    slots.push_back(axis);
  }
  if (m_Type == LinearTransformType::Affine)
  {
    for (int entry = 0; entry < axes * axes; ++entry)
    {
      slots.push_back(firstOfMatrix + 3 * (entry / axes) + entry % axes);
    }
  }
  else if (m_Type != LinearTransformType::Translation)
  {
    // In a plane, rotations are about the axis across it only.
    for (int axis = m_IsFlat ? 2 : 0; axis < 3; ++axis)
    {
      slots.push_back(firstOfRotation + axis);
    }
  }
  if (m_Type == LinearTransformType::Similarity)
  {
    slots.push_back(slotOfScale);
  }
  return slots;
}

LinearTransformParameters::Slots
LinearTransformParameters::Unscale(const std::vector<double> & parameters) const
{
  Slots slots{};
  for (std::size_t i = 0; i < m_Slots.size(); ++i)
  {
    slots[m_Slots[i]] = m_Scales[i] * parameters[i];
  }
  return slots;
}

Matrix
LinearTransformParameters::TurnedMatrix(const Slots & slots) const
{
  const double scale = std::exp(slots[slotOfScale]);
  Matrix    turn = RotationMatrix({ slots[firstOfRotation], slots[firstOfRotation + 1], slots[firstOfRotation + 2] });
  const int axes = m_IsFlat ? 2 : 3;
  for (int entry = 0; entry < 3 * axes; ++entry)
  {
    turn[entry] *= scale;
  }
  return Multiply(turn, m_Base.matrix);
}

AffineMap
LinearTransformParameters::MapOf(const std::vector<double> & parameters) const
{
  const Slots slots = this->Unscale(parameters);
  Matrix      matrix = this->TurnedMatrix(slots);
  Vector      image = Apply(m_Base, m_Center);
  for (int entry = 0; entry < 9; ++entry)
  {
    matrix[entry] += slots[firstOfMatrix + entry];
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    image[axis] += slots[axis];
  }
  return MapAbout(matrix, m_Center, image);
}

std::vector<double>
LinearTransformParameters::Gradient(const std::vector<double> &    parameters,
                                    const LinearMetricEvaluation & evaluation) const
{
  // The offset is y + t - matrix c, so that the derivative by the matrix includes its effect on the offset.
  Matrix byMatrix = evaluation.derivativeByMatrix;
  for (int entry = 0; entry < 9; ++entry)
  {
    byMatrix[entry] -= evaluation.derivativeByOffset[entry / 3] * m_Center[entry % 3];
  }
  const Slots  slots = this->Unscale(parameters);
  const Vector vector{ slots[firstOfRotation], slots[firstOfRotation + 1], slots[firstOfRotation + 2] };
  const Matrix turned = this->TurnedMatrix(slots);
  Slots        derivatives{};
  for (int axis = 0; axis < 3; ++axis)
  {
    derivatives[axis] = evaluation.derivativeByOffset[axis];
    derivatives[firstOfRotation + axis] =
      InnerProduct(byMatrix, Multiply(RotationDerivative(vector, RotationMatrix(vector), axis), turned));
  }
  const int axes = m_IsFlat ? 2 : 3;
  for (int entry = 0; entry < 3 * axes; ++entry)
  {
    derivatives[slotOfScale] += byMatrix[entry] * turned[entry];
  }
  std::copy(byMatrix.begin(), byMatrix.end(), derivatives.begin() + firstOfMatrix);
  std::vector<double> gradient;
  for (std::size_t i = 0; i < m_Slots.size(); ++i)
  {
    gradient.push_back(m_Scales[i] * derivatives[m_Slots[i]]);
  }
  return gradient;
}

} // namespace cudaneuro
