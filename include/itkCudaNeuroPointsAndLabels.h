// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroPointsAndLabels_h
#define itkCudaNeuroPointsAndLabels_h

#include "cudaneuro/Registration.h"
#include "itkCudaNeuroDetail.h"
#include "itkCudaNeuroImageChecks.h"
#include "itkCudaNeuroPointSets.h"

#include <array>
#include <vector>

/** \file
 * Conversion of the points and labels of a registration between ITK's classes and the engine. */
namespace itk::CudaNeuroDetail
{

/** Converts coordinates, point after point, to points.
 * \throws ExceptionObject if their number is not a multiple of the dimension */
template <unsigned int VDimension>
std::vector<std::array<double, 3>>
PointsOf(const LightObject * filter, const char * name, const std::vector<double> & coordinates)
{
  if (coordinates.size() % VDimension != 0)
  {
    Reject(filter,
           "The number of coordinates of ",
           name,
           " is ",
           coordinates.size(),
           "; it must be a multiple of ",
           VDimension);
  }
  std::vector<std::array<double, 3>> points(coordinates.size() / VDimension);
  for (std::size_t i = 0; i < coordinates.size(); ++i)
  {
    points[i / VDimension][i % VDimension] = coordinates[i];
  }
  return points;
}

/** The voxels of a map of labels, an absent volume for null. */
template <unsigned int VDimension>
cudaneuro::ConstVolume
LabelVolumeOf(const LightObject *           object,
              const char *                  name,
              const ImageBase<VDimension> * labels,
              const ComputeDevice &         device)
{
  if (labels == nullptr)
  {
    return {};
  }
  cudaneuro::ConstVolume volume;
  const auto             takeAs = [&](const auto * image) {
    if (image != nullptr)
    {
      VerifyPixels(object, name, image, device);
      volume = VolumeOf(image);
    }
    return image != nullptr;
  };
  if (!takeAs(dynamic_cast<const Image<unsigned char, VDimension> *>(labels)) &&
      !takeAs(dynamic_cast<const Image<unsigned short, VDimension> *>(labels)) &&
      !takeAs(dynamic_cast<const DeviceImage<unsigned char, VDimension> *>(labels)) &&
      !takeAs(dynamic_cast<const DeviceImage<unsigned short, VDimension> *>(labels)))
  {
    Reject(object,
           "Labels must be an Image or a DeviceImage of unsigned char or unsigned short; ",
           name,
           " is a ",
           labels->GetNameOfClass(),
           " of another pixel type or class");
  }
  return volume;
}

/** The labels of a filter for the engine. */
template <typename TFilter>
cudaneuro::LabelPair
LabelPairOf(const TFilter * filter, const std::vector<double> & weights)
{
  constexpr unsigned int dimension = TFilter::ImageDimension;
  cudaneuro::LabelPair   labels;
  const auto * const     fixed = filter->GetFixedLabelImage();
  const auto * const     moving = filter->GetMovingLabelImage();
  const auto             device = filter->GetComputeDevice();
  if (fixed != nullptr)
  {
    labels.fixedGeometry = GeometryOf<dimension>(fixed);
    labels.fixed = LabelVolumeOf<dimension>(filter, "the fixed label image", fixed, device);
  }
  if (moving != nullptr)
  {
    labels.movingGeometry = GeometryOf<dimension>(moving);
    labels.moving = LabelVolumeOf<dimension>(filter, "the moving label image", moving, device);
  }
  labels.weights = weights;
  return labels;
}

} // namespace itk::CudaNeuroDetail

/** Set and get a list of numbers that is a data member. */
#define itkCudaNeuroNumbersMacro(name, member) \
  void Set##name(const std::vector<double> & numbers) \
  { \
    if (this->member != numbers) \
    { \
      this->member = numbers; \
      this->Modified(); \
    } \
  } \
  const std::vector<double> & Get##name() const \
  { \
    return this->member; \
  } \
  static_assert(true, "so that a semicolon follows")

/** Take a list of coordinates from a PointSet or a Mesh. */
#if defined(ITK_WRAPPING_PARSER)
#  define itkCudaNeuroPointSetMacro(name) static_assert(true, "so that a semicolon follows")
#else
#  define itkCudaNeuroPointSetMacro(name) \
    template <typename TPointSet> \
    void Set##name##Set(const TPointSet * points) \
    { \
      this->Set##name##s(::itk::CudaNeuroDetail::PositionsOf(points)); \
    } \
    static_assert(true, "so that a semicolon follows")
#endif

/** The functions by which users set and get the points and labels of a registration. The class must have the engine's
 * structs m_Parameters and m_Result, and lists of numbers, m_FixedPoints and so on. */
#define itkCudaNeuroPointsAndLabelsMacro() \
  itkCudaNeuroNumbersMacro(FixedPoints, m_FixedPoints); \
  itkCudaNeuroNumbersMacro(MovingPoints, m_MovingPoints); \
  itkCudaNeuroPointSetMacro(FixedPoint); \
  itkCudaNeuroPointSetMacro(MovingPoint); \
  itkCudaNeuroNumbersMacro(PointStandardDeviations, m_PointStandardDeviations); \
  itkCudaNeuroParameterMacro(PointWeight, double, pointWeight); \
  itkCudaNeuroSetGetInputMacro(FixedLabelImage, MaskImageType); \
  itkCudaNeuroSetGetInputMacro(MovingLabelImage, MaskImageType); \
  itkCudaNeuroNumbersMacro(LabelWeights, m_LabelWeights); \
  itkCudaNeuroParameterMacro(LabelWeight, double, labelWeight); \
  itkCudaNeuroGetResultMacro(PointEnergy, double, final.pointEnergy); \
  itkCudaNeuroGetResultMacro(LabelEnergy, double, final.labelEnergy); \
  itkCudaNeuroGetResultMacro(InitialPointDistances, std::vector<double>, pointDistances.before); \
  itkCudaNeuroGetResultMacro(PointDistances, std::vector<double>, pointDistances.after)

#endif
