// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroTransforms_h
#define itkCudaNeuroTransforms_h

#include "itkDataObject.h"
#include "itkTransformBase.h"
#include "vnl/vnl_vector.h"

#include <string>
#include <utility>
#include <vector>

namespace itk
{

/** \class CudaNeuroTransforms
 * \brief Reads and writes transforms, and computes with them, for the Python package itk_cudaneuro.
 *
 * An object is a result: an image or a transform, and numbers. Grids are images, or results of
 * CudaNeuroFiles::ReadGrid; a null one is that of the transform. Formats are "auto", "flirt" and "ras-matrix"; a device
 * without a name is the default one.
 *
 * \ingroup CudaNeuro
 */
class CudaNeuroTransforms
{
public:
  using TransformType = TransformBaseTemplate<double>;

  /** Reads a transform, a composite, or an image of displacements as a transform.
   * \param fixed, moving null, or the images that the format needs */
  static SmartPointer<TransformType>
  Read(const std::string & path,
       const std::string & place,
       const std::string & format,
       const DataObject *  fixed,
       const DataObject *  moving);

  static void
  Write(const std::string &   path,
        const TransformType * transform,
        const DataObject *    reference,
        const std::string &   format,
        const DataObject *    fixed,
        const DataObject *    moving);

  /** Composes the parts to a linear transform, if all are linear, or else to one of displacements. */
  static CudaNeuroTransforms
  Compose(const TransformType * transform, const DataObject * reference, const std::string & device);

  static CudaNeuroTransforms
  Invert(const TransformType * transform,
         unsigned int          maximumNumberOfIterations,
         double                tolerance,
         const std::string &   device);

  /** Converts a transform to an image of displacements. */
  static CudaNeuroTransforms
  Displacements(const TransformType * transform, const DataObject * reference, const std::string & device);

  static CudaNeuroTransforms
  Jacobian(const TransformType * transform, const DataObject * reference, const std::string & device);

  /** \param mask null, or an image of unsigned char on the grid of the reference */
  static CudaNeuroTransforms
  Compare(const TransformType * first,
          const TransformType * second,
          const DataObject *    reference,
          const DataObject *    mask,
          const std::string &   device);

  /** \param coordinates point after point */
  static vnl_vector<double>
  MovePoints(const TransformType * transform, const vnl_vector<double> & coordinates, const std::string & device);

  /** Resamples a series from file to file under transforms.
   * \param transform null for none
   * \param volumeTransforms null, or a composite whose parts, in the order of their numbers, belong to the volumes
   * \param outputType the type's name in the package itk; empty for that of the input
   * \param numberOfThreads 0 for all cores */
  static void
  MoveSeries(const std::string &   input,
             const std::string &   output,
             const std::string &   reference,
             const TransformType * transform,
             const TransformType * volumeTransforms,
             const std::string &   interpolation,
             double                background,
             const std::string &   outputType,
             const std::string &   place,
             const std::string &   device,
             unsigned int          numberOfThreads);

  SmartPointer<DataObject>
  GetImage() const;
  SmartPointer<TransformType>
  GetTransform() const;
  /** The names of the numbers. */
  std::vector<std::string>
  GetNames() const;
  std::vector<double>
  GetNumbers() const;

private:
  SmartPointer<DataObject>                    m_Image;
  SmartPointer<TransformType>                 m_Transform;
  std::vector<std::pair<std::string, double>> m_Numbers;
};

} // namespace itk

#endif
