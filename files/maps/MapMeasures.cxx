// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/maps/Maps.h"

#include "files/base/Errors.h"
#include "files/base/Quantile.h"
#include "files/images/ImageGrid.h"
#include "files/maps/MappedRows.h"
#include "files/transforms/SpaceMatrix.h"
#include "itkCudaDisplacementFieldJacobianDeterminantFilter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace detail = itk::CudaNeuroDetail;

namespace cudaneuro::files
{

namespace
{

/** Computes the determinants on a grid. Those of linear parts that are applied last are a factor, because displacements
 * that include these parts would be long far from the origin, and lose digits. */
template <unsigned int VDimension>
typename itk::Image<float, VDimension>::Pointer
DeterminantsOf(const MapType<VDimension> & map, const itk::ImageBase<VDimension> & grid, const MapComputing & computing)
{
  using ImageType = itk::Image<float, VDimension>;
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(&map, queue);
  const cudaneuro::AffineMap last = detail::TakeLinearParts<VDimension>(queue);
  const double               factor = DeterminantOf(vnl_matrix_fixed<double, 3, 3>(last.matrix.data())).value;
  if (queue.empty())
  {
    const auto image = MakeImageOn<ImageType>(grid);
    image->FillBuffer(static_cast<float>(factor));
    return image;
  }
  const auto rest = itk::CompositeTransform<double, VDimension>::New();
  for (const auto * const part : queue)
  {
    rest->AddTransform(const_cast<MapType<VDimension> *>(part));
  }
  const auto filter = itk::CudaDisplacementFieldJacobianDeterminantFilter<MapFieldType<VDimension>, ImageType>::New();
  filter->SetInput(DisplacementsOf<VDimension>(*rest, grid, computing));
  UpdateFilter(*filter, computing, "Determinants");
  const typename ImageType::Pointer image = filter->GetOutput();
  image->DisconnectPipeline();
  std::for_each_n(image->GetBufferPointer(),
                  grid.GetLargestPossibleRegion().GetNumberOfPixels(),
                  [factor](float & value) { value = static_cast<float>(factor * static_cast<double>(value)); });
  return image;
}

/** Returns the distances between the points to which two maps take the voxels of a grid; NaN if a map leads to no
 * point, and -1 outside a mask. */
template <unsigned int VDimension>
std::vector<double>
DistancesOf(const MapType<VDimension> &                   first,
            const MapType<VDimension> &                   second,
            const itk::ImageBase<VDimension> &            grid,
            const itk::Image<unsigned char, VDimension> * mask,
            const MapComputing &                          computing)
{
  const auto          rowLength = static_cast<std::int64_t>(grid.GetLargestPossibleRegion().GetSize(0));
  const std::size_t   count = grid.GetLargestPossibleRegion().GetNumberOfPixels();
  std::vector<double> places(count * VDimension);
  std::vector<double> distances(count);
  cudaneuro::Context  context = ContextOf(computing);
  const auto          keep = [&](std::int64_t row, const double * points) {
    std::copy_n(points, rowLength * VDimension, places.data() + row * VDimension);
  };
  const auto measure = [&](std::int64_t row, const double * points) {
    for (std::int64_t x = 0; x < rowLength; ++x)
    {
      double square = 0.0;
      for (unsigned int axis = 0; axis < VDimension; ++axis)
      {
        const double difference = points[x * VDimension + axis] - places[(row + x) * VDimension + axis];
        square += difference * difference;
      }
      const bool isOutside = mask != nullptr && mask->GetBufferPointer()[row + x] == 0;
      distances[row + x] = isOutside ? -1.0 : std::sqrt(square);
    }
  };
  ForEachMappedRow<VDimension>(first, grid, context, computing.watch("Mapping"), keep);
  ForEachMappedRow<VDimension>(second, grid, context, computing.watch("Comparing"), measure);
  return distances;
}

/** Sets the statistics of distances.
 * \throws UserError if there are none */
template <unsigned int VDimension>
void
Summarize(const std::vector<double> & distances, MapDistances<VDimension> & result)
{
  std::vector<double> sorted;
  double              sum = 0.0;
  double              squares = 0.0;
  for (const double distance : distances)
  {
    result.voxelsWithoutPlace += std::isnan(distance) ? 1 : 0;
    if (distance >= 0.0)
    {
      sorted.push_back(distance);
      sum += distance;
      squares += distance * distance;
    }
  }
  if (sorted.empty())
  {
    throw UserError("no voxel is left to compare at: at " + std::to_string(result.voxelsWithoutPlace) +
                    " a map leads to no place");
  }
  std::sort(sorted.begin(), sorted.end());
  const auto count = static_cast<double>(sorted.size());
  result.mean = sum / count;
  result.median = QuantileOf(sorted, 0.5);
  result.percentile95 = QuantileOf(sorted, 0.95);
  result.maximum = sorted.back();
  result.rootMeanSquare = std::sqrt(squares / count);
  result.voxels = sorted.size();
}

} // namespace

template <unsigned int VDimension>
MapJacobian<VDimension>
JacobianOf(const MapType<VDimension> &        map,
           const itk::ImageBase<VDimension> * reference,
           const MapComputing &               computing)
{
  RequireRegular<VDimension>("the transform", map);
  const auto              grid = GridFor<VDimension>({ &map }, { reference, {} }).grid;
  MapJacobian<VDimension> result;
  result.image = DeterminantsOf<VDimension>(map, *grid, computing);
  result.minimum = std::numeric_limits<double>::infinity();
  result.maximum = -result.minimum;
  result.voxels = grid->GetLargestPossibleRegion().GetNumberOfPixels();
  std::for_each_n(result.image->GetBufferPointer(), result.voxels, [&](float value) {
    result.foldedVoxels += value > 0.0f ? 0 : 1;
    if (!std::isnan(value))
    {
      result.minimum = std::min(result.minimum, static_cast<double>(value));
      result.maximum = std::max(result.maximum, static_cast<double>(value));
    }
  });
  if (result.minimum > result.maximum)
  {
    throw UserError("no determinant is a number, at none of " + std::to_string(result.voxels) + " voxels");
  }
  return result;
}

template <unsigned int VDimension>
MapDistances<VDimension>
CompareMaps(const MapType<VDimension> &                   first,
            const MapType<VDimension> &                   second,
            const itk::ImageBase<VDimension> *            reference,
            const itk::Image<unsigned char, VDimension> * mask,
            const MapComputing &                          computing)
{
  const itk::ImageBase<VDimension> * const given = reference != nullptr ? reference : mask;
  const auto                               grid = GridFor<VDimension>({ &first, &second }, { given, {} }).grid;
  if (mask != nullptr && mask->GetLargestPossibleRegion().GetSize() != grid->GetLargestPossibleRegion().GetSize())
  {
    std::ostringstream text;
    text << "the mask has " << mask->GetLargestPossibleRegion().GetSize() << " voxels, and the grid where the maps are "
         << "compared " << grid->GetLargestPossibleRegion().GetSize();
    throw UserError(text.str());
  }
  const auto               distances = DistancesOf<VDimension>(first, second, *grid, mask, computing);
  MapDistances<VDimension> result;
  Summarize<VDimension>(distances, result);
  result.image = MakeImageOn<itk::Image<float, VDimension>>(*grid);
  std::transform(distances.begin(), distances.end(), result.image->GetBufferPointer(), [](double distance) {
    return static_cast<float>(distance < 0.0 ? 0.0 : distance);
  });
  return result;
}

#define INSTANTIATE(VDimension) \
  template MapJacobian<VDimension> JacobianOf<VDimension>( \
    const MapType<VDimension> &, const itk::ImageBase<VDimension> *, const MapComputing &); \
  template MapDistances<VDimension> CompareMaps<VDimension>(const MapType<VDimension> &, \
                                                            const MapType<VDimension> &, \
                                                            const itk::ImageBase<VDimension> *, \
                                                            const itk::Image<unsigned char, VDimension> *, \
                                                            const MapComputing &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE

} // namespace cudaneuro::files
