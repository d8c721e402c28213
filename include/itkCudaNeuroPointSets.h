// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroPointSets_h
#define itkCudaNeuroPointSets_h

#include "CudaNeuroExport.h"
#include "cudaneuro/Context.h"
#include "itkDevicePointSet.h"
#include "itkIntTypes.h"
#include "itkPointSet.h"

#include <algorithm>
#include <vector>

/** Conversions between ITK's sets of points and the engine. For the module's own classes. */
namespace itk::CudaNeuroDetail
{

/** Copies numbers, float or double, between the memory of any two devices that the context
 * reaches. */
CudaNeuro_EXPORT void
CopyNumbers(cudaneuro::Context &           context,
            std::size_t                    count,
            const cudaneuro::ConstPoints & from,
            const cudaneuro::Points &      to);

/** Properties of a target before it is matched, over the points of positive weight. */
struct TargetProperties
{
  /** Distances from the template to the target, in mm, with their weighted root mean square. */
  double meanDistance = 0.0;
  double maximumDistance = 0.0;
  double rootMeanSquareDistance = 0.0;
  /** Weighted root mean square distance of the target's points from their weighted mean. */
  double spread = 0.0;
  double sumOfWeights = 0.0;
  /** Number of points at the same place in the template whose targets differ. */
  SizeValueType numberOfUnreachablePoints = 0;
};

/** Returns the weighted root mean square distance between corresponding points.
 * \param weights as for PropertiesOf */
CudaNeuro_EXPORT double
RootMeanSquareDistance(unsigned int                dimension,
                       const std::vector<double> & a,
                       const std::vector<double> & b,
                       const std::vector<double> & weights);

/** \param weights of the points, of which one is positive; empty for 1. */
CudaNeuro_EXPORT TargetProperties
PropertiesOf(unsigned int                dimension,
             const std::vector<double> & templatePositions,
             const std::vector<double> & targetPositions,
             const std::vector<double> & weights);

/** Returns the CUDA device whose memory the points are in; null for host memory, which every device reaches. */
template <typename TPixel, unsigned int VDimension, typename TTraits>
const ComputeDevice *
DeviceOf(const PointSet<TPixel, VDimension, TTraits> *)
{
  return nullptr;
}
template <typename TCoordRep, unsigned int VDimension>
const ComputeDevice *
DeviceOf(const DevicePointSet<TCoordRep, VDimension> * points)
{
  return points->GetComputeDevice().IsCuda() ? &points->GetComputeDevice() : nullptr;
}

/** The coordinates of all points, one point after the other. */
template <typename TPixel, unsigned int VDimension, typename TTraits>
std::vector<double>
PositionsOf(const PointSet<TPixel, VDimension, TTraits> * points)
{
  std::vector<double> positions;
  const auto * const  container = points->GetPoints();
  if (container != nullptr)
  {
    positions.reserve(container->Size() * VDimension);
    for (auto point = container->Begin(); point != container->End(); ++point)
    {
      for (unsigned int axis = 0; axis < VDimension; ++axis)
      {
        positions.push_back(static_cast<double>(point.Value()[axis]));
      }
    }
  }
  return positions;
}
template <typename TPixel, unsigned int VDimension, typename TTraits>
std::vector<double>
PositionsOf(cudaneuro::Context &, const PointSet<TPixel, VDimension, TTraits> * points)
{
  return PositionsOf(points);
}
template <typename TCoordRep, unsigned int VDimension>
std::vector<double>
PositionsOf(cudaneuro::Context & context, const DevicePointSet<TCoordRep, VDimension> * points)
{
  const std::size_t count = points->GetNumberOfPoints() * VDimension;
  if (!points->GetComputeDevice().IsCuda())
  {
    return { points->GetDevicePointer(), points->GetDevicePointer() + count };
  }
  std::vector<TCoordRep>  positions(count);
  const cudaneuro::Points host{ positions.data(),
                                cudaneuro::PixelTypeOf<TCoordRep>::value,
                                cudaneuro::MemorySpace::Host };
  CopyNumbers(context, positions.size(), points->GetEnginePoints(), host);
  return { positions.begin(), positions.end() };
}

/** Writes the points of \p input, with its cells and data, but other positions, to \p output. */
template <typename TPixel, unsigned int VDimension, typename TTraits, typename TPointSet>
void
SetMovedPoints(cudaneuro::Context &,
               const PointSet<TPixel, VDimension, TTraits> *,
               const TPointSet *           input,
               const std::vector<double> & positions,
               TPointSet *                 output)
{
  using CoordRepType = typename TPointSet::CoordRepType;
  auto points = TPointSet::PointsContainer::New();
  auto from = positions.begin();
  for (auto point = input->GetPoints()->Begin(); point != input->GetPoints()->End(); ++point)
  {
    typename TPointSet::PointType moved;
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      moved[axis] = static_cast<CoordRepType>(*from++);
    }
    points->InsertElement(point.Index(), moved);
  }
  // Graft shares cells and data. The pipeline then checks that the requested region exists.
  output->Graft(input);
  output->SetPoints(points);
  output->SetRequestedRegionToLargestPossibleRegion();
  output->SetBufferedRegion(output->GetRequestedRegion());
}
template <typename TCoordRep, unsigned int VDimension>
void
SetMovedPoints(cudaneuro::Context & context,
               const DevicePointSet<TCoordRep, VDimension> *,
               const DevicePointSet<TCoordRep, VDimension> * input,
               const std::vector<double> &                   positions,
               DevicePointSet<TCoordRep, VDimension> *       output)
{
  const std::vector<TCoordRep> numbers(positions.begin(), positions.end());
  output->SetComputeDevice(input->GetComputeDevice());
  output->Allocate(input->GetNumberOfPoints());
  if (!output->GetComputeDevice().IsCuda())
  {
    std::copy(numbers.begin(), numbers.end(), output->GetDevicePointer());
    return;
  }
  CopyNumbers(context,
              numbers.size(),
              { numbers.data(), cudaneuro::PixelTypeOf<TCoordRep>::value, cudaneuro::MemorySpace::Host },
              output->GetEnginePoints());
}

} // namespace itk::CudaNeuroDetail

#endif
