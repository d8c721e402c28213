// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaLinearRegistrationTransforms.h"

#include "itkAffineTransform.h"
#include "itkCudaFluidRegistrationTransforms.h"
#include "itkEuler2DTransform.h"
#include "itkSimilarity2DTransform.h"
#include "itkSimilarity3DTransform.h"
#include "itkTranslationTransform.h"
#include "itkVersorRigid3DTransform.h"
#include <vnl/algo/vnl_svd_fixed.h>
#include <vnl/vnl_cross.h>
#include <vnl/vnl_det.h>

#include <cmath>
#include <sstream>
#include <string>

namespace itk::CudaNeuroDetail
{

namespace
{

using MatrixType = vnl_matrix_fixed<double, 3, 3>;

MatrixType
MatrixOf(const cudaneuro::AffineMap & map)
{
  return MatrixType(map.matrix.data());
}

/** The scale of a map if it is a similarity; in 2D the third axis keeps its length. */
double
ScaleOf(unsigned int dimension, const MatrixType & matrix)
{
  return std::pow(std::abs(vnl_det(matrix)), 1.0 / dimension);
}

MatrixType
ScaledRotation(unsigned int dimension, double scale, const MatrixType & rotation)
{
  MatrixType matrix = rotation;
  for (unsigned int axis = 0; axis < dimension; ++axis)
  {
    matrix.scale_column(axis, scale);
  }
  return matrix;
}

MatrixType
NearestRotation(const MatrixType & matrix)
{
  const vnl_svd_fixed<double, 3, 3> svd(matrix);
  return svd.U() * svd.V().transpose();
}

MatrixType
NearestMatrix(unsigned int dimension, cudaneuro::LinearTransformType type, const MatrixType & matrix)
{
  switch (type)
  {
    case cudaneuro::LinearTransformType::Translation:
      return MatrixType().set_identity();
    case cudaneuro::LinearTransformType::Rigid:
      return NearestRotation(matrix);
    case cudaneuro::LinearTransformType::Similarity:
    {
      const double scale = ScaleOf(dimension, matrix);
      return ScaledRotation(dimension, scale, NearestRotation(ScaledRotation(dimension, 1.0 / scale, matrix)));
    }
    case cudaneuro::LinearTransformType::Affine:
      break;
  }
  return matrix;
}

const char *
MatrixOfType(cudaneuro::LinearTransformType type)
{
  switch (type)
  {
    case cudaneuro::LinearTransformType::Translation:
      return "the identity";
    case cudaneuro::LinearTransformType::Rigid:
      return "a rotation";
    case cudaneuro::LinearTransformType::Similarity:
      return "a rotation times a positive scale";
    case cudaneuro::LinearTransformType::Affine:
      break;
  }
  return "invertible";
}

std::string
TextOf(unsigned int dimension, const MatrixType & matrix)
{
  std::ostringstream text;
  for (unsigned int row = 0; row < dimension; ++row)
  {
    for (unsigned int column = 0; column < dimension; ++column)
    {
      text << (column > 0 ? " " : row > 0 ? "; " : "[") << matrix(row, column);
    }
  }
  text << "]";
  return text.str();
}

/** Sets the remaining parameters of a transform with a center, after its rotation and scale: T(p) = M (p - center) +
 * center + translation. */
template <typename TTransform>
void
SetTranslationOf(TTransform * transform, const cudaneuro::AffineMap & map, const std::array<double, 3> & center)
{
  typename TTransform::OutputVectorType translation;
  for (unsigned int row = 0; row < TTransform::SpaceDimension; ++row)
  {
    translation[row] = map.offset[row] - center[row];
    for (unsigned int column = 0; column < TTransform::SpaceDimension; ++column)
    {
      translation[row] += map.matrix[3 * row + column] * center[column];
    }
  }
  transform->SetTranslation(translation);
}

template <typename TTransform>
typename TTransform::Pointer
NewWithCenter(const std::array<double, 3> & center)
{
  const auto                          transform = TTransform::New();
  typename TTransform::InputPointType point;
  for (unsigned int axis = 0; axis < TTransform::SpaceDimension; ++axis)
  {
    point[axis] = center[axis];
  }
  transform->SetCenter(point);
  return transform;
}

template <unsigned int VDimension>
typename Transform<double, VDimension, VDimension>::Pointer
MakeTranslation(const cudaneuro::AffineMap & map)
{
  using TranslationType = TranslationTransform<double, VDimension>;
  typename TranslationType::OutputVectorType offset;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    offset[axis] = map.offset[axis];
  }
  const auto transform = TranslationType::New();
  transform->SetOffset(offset);
  return transform.GetPointer();
}

template <unsigned int VDimension>
typename Transform<double, VDimension, VDimension>::Pointer
MakeAffine(const cudaneuro::AffineMap & map, const std::array<double, 3> & center)
{
  using AffineType = AffineTransform<double, VDimension>;
  typename AffineType::MatrixType matrix;
  for (unsigned int row = 0; row < VDimension; ++row)
  {
    for (unsigned int column = 0; column < VDimension; ++column)
    {
      matrix(row, column) = map.matrix[3 * row + column];
    }
  }
  const auto transform = NewWithCenter<AffineType>(center);
  transform->SetMatrix(matrix);
  SetTranslationOf(transform.GetPointer(), map, center);
  return transform.GetPointer();
}

double
AngleOf(const cudaneuro::AffineMap & map)
{
  return std::atan2(map.matrix[3], map.matrix[0]);
}

/** The rotation of a map that is a rotation times \p scale. */
Versor<double>
VersorOf(const cudaneuro::AffineMap & map, double scale)
{
  Matrix<double, 3, 3> rotation;
  rotation = MatrixOf(map) / scale;
  Versor<double> versor;
  versor.Set(rotation);
  return versor;
}

Transform<double, 2, 2>::Pointer
MakeRigid(const cudaneuro::AffineMap &  map,
          const std::array<double, 3> & center,
          std::integral_constant<unsigned int, 2>)
{
  const auto transform = NewWithCenter<Euler2DTransform<double>>(center);
  transform->SetAngle(AngleOf(map));
  SetTranslationOf(transform.GetPointer(), map, center);
  return transform.GetPointer();
}

Transform<double, 3, 3>::Pointer
MakeRigid(const cudaneuro::AffineMap &  map,
          const std::array<double, 3> & center,
          std::integral_constant<unsigned int, 3>)
{
  const auto transform = NewWithCenter<VersorRigid3DTransform<double>>(center);
  transform->SetRotation(VersorOf(map, 1.0));
  SetTranslationOf(transform.GetPointer(), map, center);
  return transform.GetPointer();
}

Transform<double, 2, 2>::Pointer
MakeSimilarity(const cudaneuro::AffineMap &  map,
               const std::array<double, 3> & center,
               std::integral_constant<unsigned int, 2>)
{
  const auto transform = NewWithCenter<Similarity2DTransform<double>>(center);
  transform->SetScale(ScaleOf(2, MatrixOf(map)));
  transform->SetAngle(AngleOf(map));
  SetTranslationOf(transform.GetPointer(), map, center);
  return transform.GetPointer();
}

Transform<double, 3, 3>::Pointer
MakeSimilarity(const cudaneuro::AffineMap &  map,
               const std::array<double, 3> & center,
               std::integral_constant<unsigned int, 3>)
{
  const double scale = ScaleOf(3, MatrixOf(map));
  const auto   transform = NewWithCenter<Similarity3DTransform<double>>(center);
  transform->SetScale(scale);
  transform->SetRotation(VersorOf(map, scale));
  SetTranslationOf(transform.GetPointer(), map, center);
  return transform.GetPointer();
}

} // namespace

template <unsigned int VDimension>
cudaneuro::AffineMap
LinearMapOf(const Transform<double, VDimension, VDimension> * transform, const char * name)
{
  if (transform == nullptr)
  {
    return {};
  }
  TransformQueue<VDimension> queue;
  AppendParts<VDimension>(transform, queue);
  const TransformQueue<VDimension> parts = queue;
  const cudaneuro::AffineMap       map = TakeLinearParts<VDimension>(queue);
  if (!queue.empty())
  {
    itkGenericExceptionMacro("The " << name << " must be linear, or a composite of linear transforms; it is ("
                                    << NamesOf<VDimension>(parts) << "), and " << queue.front()->GetNameOfClass()
                                    << " is not linear");
  }
  return map;
}

cudaneuro::AffineMap
OfTypeInSpace(unsigned int                   dimension,
              cudaneuro::LinearTransformType type,
              const cudaneuro::Geometry &    fixed,
              cudaneuro::AffineMap           map)
{
  if (dimension != 3 || fixed.grid.size[2] != 1 || type != cudaneuro::LinearTransformType::Similarity)
  {
    return map;
  }
  using VectorType = vnl_vector_fixed<double, 3>;
  const auto & direction = fixed.direction;
  VectorType   normal = vnl_cross_3d(VectorType(direction[0], direction[3], direction[6]),
                                   VectorType(direction[1], direction[4], direction[7]));
  normal.normalize();
  // The normal's image is multiplied by the scale of the plane; the images of the plane's points are unchanged.
  const MatrixType matrix = MatrixOf(map);
  const VectorType longer = (ScaleOf(2, matrix) - 1.0) * (matrix * normal);
  const double     height = dot_product(normal, VectorType(fixed.origin.data()));
  for (unsigned int row = 0; row < 3; ++row)
  {
    for (unsigned int column = 0; column < 3; ++column)
    {
      map.matrix[3 * row + column] += longer[row] * normal[column];
    }
    map.offset[row] -= longer[row] * height;
  }
  return map;
}

cudaneuro::AffineMap
NearestOfType(unsigned int                   dimension,
              cudaneuro::LinearTransformType type,
              const cudaneuro::AffineMap &   map,
              const char *                   name)
{
  constexpr double tolerance = 1e-5; // transforms in files have 6 digits and more
  const MatrixType matrix = MatrixOf(map);
  const MatrixType nearest = NearestMatrix(dimension, type, matrix);
  const bool       isProper = type == cudaneuro::LinearTransformType::Affine || vnl_det(nearest) > 0.0;
  // The difference is NaN for a matrix that cannot be scaled.
  if (!isProper || !((matrix - nearest).absolute_value_max() <= tolerance * nearest.absolute_value_max()))
  {
    itkGenericExceptionMacro("The matrix of " << name << " is " << TextOf(dimension, matrix)
                                              << "; for the TransformType " << type << " it must be "
                                              << MatrixOfType(type));
  }
  cudaneuro::AffineMap result = map;
  nearest.copy_out(result.matrix.data());
  return result;
}

template <unsigned int VDimension>
typename Transform<double, VDimension, VDimension>::Pointer
MakeLinearTransform(cudaneuro::LinearTransformType type,
                    const cudaneuro::AffineMap &   map,
                    const std::array<double, 3> &  center)
{
  using Dimension = std::integral_constant<unsigned int, VDimension>;
  switch (type)
  {
    case cudaneuro::LinearTransformType::Translation:
      return MakeTranslation<VDimension>(map);
    case cudaneuro::LinearTransformType::Rigid:
      return MakeRigid(map, center, Dimension());
    case cudaneuro::LinearTransformType::Similarity:
      return MakeSimilarity(map, center, Dimension());
    case cudaneuro::LinearTransformType::Affine:
      break;
  }
  return MakeAffine<VDimension>(map, center);
}

template cudaneuro::AffineMap
LinearMapOf<2>(const Transform<double, 2, 2> *, const char *);
template cudaneuro::AffineMap
LinearMapOf<3>(const Transform<double, 3, 3> *, const char *);
template Transform<double, 2, 2>::Pointer
MakeLinearTransform<2>(cudaneuro::LinearTransformType, const cudaneuro::AffineMap &, const std::array<double, 3> &);
template Transform<double, 3, 3>::Pointer
MakeLinearTransform<3>(cudaneuro::LinearTransformType, const cudaneuro::AffineMap &, const std::array<double, 3> &);

} // namespace itk::CudaNeuroDetail
