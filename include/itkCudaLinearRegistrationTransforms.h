// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaLinearRegistrationTransforms_h
#define itkCudaLinearRegistrationTransforms_h

#include "CudaNeuroExport.h"
#include "cudaneuro/LinearRegistration.h"
#include "itkCudaNeuroCompatibility.h"
#include "itkIdentityTransform.h"
#include "itkTransform.h"

#include <array>

/** Conversions between ITK's linear transforms and the engine's maps. For the module's own classes; for dimensions 2
 * and 3. */
namespace itk::CudaNeuroDetail
{

/** \class TransformToBeFound
 * \brief The transform in a pipeline before it is found: an identity that does not report that it is linear.
 *
 * Given a linear transform, ResampleImageFilter requests only the part of its input that it needs, before it has the
 * transform that it will use; given another one, it requests all of its input.
 *
 * \ingroup CudaNeuro */
template <unsigned int VDimension>
class TransformToBeFound : public IdentityTransform<double, VDimension>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(TransformToBeFound);

  using Self = TransformToBeFound;
  using Superclass = IdentityTransform<double, VDimension>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(TransformToBeFound);

  typename Superclass::TransformCategoryEnum
  GetTransformCategory() const override
  {
    return Superclass::TransformCategoryEnum::UnknownTransformCategory;
  }

protected:
  TransformToBeFound() = default;
  ~TransformToBeFound() override = default;
};

/** Returns a linear transform, or a composite of linear transforms, as a map; the identity for null.
 * \param name of the transform in messages
 * \throws ExceptionObject that names the classes of parts that are not linear, not finite or without an inverse. */
template <unsigned int VDimension>
cudaneuro::AffineMap
LinearMapOf(const Transform<double, VDimension, VDimension> * transform, const char * name = "initial transform");

/** Converts a map of slices, which keeps lengths along their normals, to one of its type in space: a similarity scales
 * across a slice as in its plane. Other maps, and those of images in 2D, are returned unchanged. */
CudaNeuro_EXPORT cudaneuro::AffineMap
                 OfTypeInSpace(unsigned int                   dimension,
                               cudaneuro::LinearTransformType type,
                               const cudaneuro::Geometry &    fixed,
                               cudaneuro::AffineMap           map);

/** Returns the map of a type that is closest to \p map: its matrix is corrected for rounding, so that a transform of
 * the type's class accepts it.
 * \param name of the map in messages
 * \throws ExceptionObject where the matrix differs from one of the type by more than 1e-5 of its scale. */
CudaNeuro_EXPORT cudaneuro::AffineMap
                 NearestOfType(unsigned int                   dimension,
                               cudaneuro::LinearTransformType type,
                               const cudaneuro::AffineMap &   map,
                               const char *                   name);

/** Converts a map of a type to the transform of its class: TranslationTransform; VersorRigid3DTransform or
 * Euler2DTransform; Similarity3DTransform or Similarity2DTransform; AffineTransform. The matrix must be one that
 * NearestOfType returns. */
template <unsigned int VDimension>
typename Transform<double, VDimension, VDimension>::Pointer
MakeLinearTransform(cudaneuro::LinearTransformType type,
                    const cudaneuro::AffineMap &   map,
                    const std::array<double, 3> &  center);

extern template CudaNeuro_EXPORT cudaneuro::AffineMap
                                 LinearMapOf<2>(const Transform<double, 2, 2> *, const char *);
extern template CudaNeuro_EXPORT cudaneuro::AffineMap
                                 LinearMapOf<3>(const Transform<double, 3, 3> *, const char *);
extern template CudaNeuro_EXPORT Transform<double, 2, 2>::Pointer
MakeLinearTransform<2>(cudaneuro::LinearTransformType, const cudaneuro::AffineMap &, const std::array<double, 3> &);
extern template CudaNeuro_EXPORT Transform<double, 3, 3>::Pointer
MakeLinearTransform<3>(cudaneuro::LinearTransformType, const cudaneuro::AffineMap &, const std::array<double, 3> &);

} // namespace itk::CudaNeuroDetail

#endif
