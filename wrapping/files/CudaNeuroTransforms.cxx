// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaNeuroTransforms.h"

#include "FileWarnings.h"
#include "NamedTypes.h"
#include "WithAxes.h"
#include "files/base/Errors.h"
#include "files/images/ImageFile.h"
#include "files/images/ImageGrid.h"
#include "files/maps/MapFile.h"
#include "files/maps/MoveSeries.h"
#include "itkCompositeTransform.h"

using namespace cudaneuro::files;

namespace itk
{

namespace
{

using TransformType = CudaNeuroTransforms::TransformType;

/** Returns a transform as one of VDimension axes. */
template <unsigned int VDimension>
const MapType<VDimension> &
MapOf(const TransformType & transform)
{
  const auto * const map = dynamic_cast<const MapType<VDimension> *>(&transform);
  if (map == nullptr)
  {
    throw UserError("cannot use the transform: it maps " + std::to_string(transform.GetInputSpaceDimension()) +
                    " axes to " + std::to_string(transform.GetOutputSpaceDimension()) + ", and " +
                    std::to_string(VDimension) + " to " + std::to_string(VDimension) + " are needed");
  }
  return *map;
}

/** Calls a generic function with the number of axes, 2 or 3, and the map. ITK's error messages become one line. */
template <typename TFunction>
auto
WithMap(const TransformType & transform, const TFunction & function)
{
  try
  {
    return WithAxes(transform.GetInputSpaceDimension(),
                    [&](auto axes) { return function(axes, MapOf<axes()>(transform)); });
  }
  catch (const ExceptionObject & error)
  {
    throw UserError("cannot use the transform: " + OneLine(error.GetDescription()));
  }
}

/** The grid of an image, or none for null. */
template <unsigned int VDimension>
MapGrid<VDimension>
GridOf(const DataObject * image, const std::string & name)
{
  if (image == nullptr)
  {
    return {};
  }
  const auto * const grid = dynamic_cast<const ImageBase<VDimension> *>(image);
  if (grid == nullptr)
  {
    throw UserError("the " + name + " image is none of " + std::to_string(VDimension) + " axes, as the transform has");
  }
  return { grid, GridMetadata(grid->GetMetaDataDictionary()) };
}

NiftiPlace
PlaceNamed(const std::string & name)
{
  return name == "qform" ? NiftiPlace::Qform : NiftiPlace::Sform;
}

/** Returns the description of an image that formats of transforms need. */
std::optional<NamedGrid>
NamedGridOf(const DataObject * image, const std::string & name)
{
  if (image == nullptr)
  {
    return std::nullopt;
  }
  NamedGrid          result{ image->GetObjectName().empty() ? name : image->GetObjectName(), {} };
  const auto * const grid = dynamic_cast<const ImageBase<3> *>(image);
  result.image.dimension = grid == nullptr ? 2 : 3;
  if (grid != nullptr)
  {
    const auto & region = grid->GetLargestPossibleRegion();
    result.image.size = { region.GetSize(0), region.GetSize(1), region.GetSize(2) };
    result.image.geometry.spacing = grid->GetSpacing();
    result.image.geometry.direction = grid->GetDirection();
    grid->TransformIndexToPhysicalPoint(region.GetIndex(), result.image.geometry.origin);
    result.image.metadata = grid->GetMetaDataDictionary();
  }
  return result;
}

MapFormat
FormatOf(const std::string & name, const DataObject * fixed, const DataObject * moving)
{
  MapFormat format;
  format.matrix = name == "flirt" ? MatrixFormat::Flirt : name == "ras-matrix" ? MatrixFormat::Ras : MatrixFormat::Auto;
  format.fixed = NamedGridOf(fixed, "fixed");
  format.moving = NamedGridOf(moving, "moving");
  return format;
}

MapComputing
ComputingOn(const std::string & device)
{
  try
  {
    return MapComputing{ device.empty() ? ComputeDevice::GetDefault() : ComputeDevice::FromName(device) };
  }
  catch (const ExceptionObject & error)
  {
    throw UserError(OneLine(error.GetDescription()));
  }
}

/** Returns the parts of a composite of 3 axes. */
std::vector<MapType<3>::ConstPointer>
PartsOf(const TransformType & together)
{
  const auto & composite = dynamic_cast<const CompositeTransform<double, 3> &>(MapOf<3>(together));
  std::vector<MapType<3>::ConstPointer> parts;
  for (SizeValueType i = 0; i < composite.GetNumberOfTransforms(); ++i)
  {
    parts.push_back(composite.GetNthTransformConstPointer(i));
  }
  return parts;
}

} // namespace

SmartPointer<TransformType>
CudaNeuroTransforms::Read(const std::string & path,
                          const std::string & place,
                          const std::string & format,
                          const DataObject *  fixed,
                          const DataObject *  moving)
{
  FileWarnings::Keep();
  ReadingOptions reading;
  reading.place = PlaceNamed(place);
  const MapFormat own = FormatOf(format, fixed, moving);
  return WithAxes(AxesOfMap(path, own, reading), [&](auto axes) -> SmartPointer<TransformType> {
    return ReadMapFile<axes()>(path, own, reading).GetPointer();
  });
}

void
CudaNeuroTransforms::Write(const std::string &   path,
                           const TransformType * transform,
                           const DataObject *    reference,
                           const std::string &   format,
                           const DataObject *    fixed,
                           const DataObject *    moving)
{
  FileWarnings::Keep();
  const MapFormat own = FormatOf(format, fixed, moving);
  WithMap(*transform, [&](auto axes, const auto & map) {
    constexpr unsigned int dimension = axes();
    StageMapFile<dimension>(OutputFile(path), map, own, GridOf<dimension>(reference, "reference")).Commit();
  });
}

CudaNeuroTransforms
CudaNeuroTransforms::Compose(const TransformType * transform, const DataObject * reference, const std::string & device)
{
  CudaNeuroTransforms result;
  result.m_Transform = WithMap(*transform, [&](auto axes, const auto & map) -> SmartPointer<TransformType> {
    constexpr unsigned int dimension = axes();
    const auto             grid = GridOf<dimension>(reference, "reference").grid;
    return ComposeMap<dimension>(map, grid, ComputingOn(device)).GetPointer();
  });
  return result;
}

CudaNeuroTransforms
CudaNeuroTransforms::Invert(const TransformType * transform,
                            unsigned int          maximumNumberOfIterations,
                            double                tolerance,
                            const std::string &   device)
{
  cudaneuro::InversionParameters parameters;
  parameters.maximumNumberOfIterations = static_cast<int>(maximumNumberOfIterations);
  parameters.tolerance = tolerance;
  std::vector<cudaneuro::InversionResult> results;
  CudaNeuroTransforms                     result;
  result.m_Transform = WithMap(*transform, [&](auto axes, const auto & map) -> SmartPointer<TransformType> {
    constexpr unsigned int dimension = axes();
    return InvertMap<dimension>(map, ComputingOn(device), parameters, &results).GetPointer();
  });
  const cudaneuro::InversionResult worst = WorstOf(results);
  result.m_Numbers = { { "iterations", worst.numberOfIterations },
                       { "mean_residual_voxels", worst.meanResidual },
                       { "maximum_residual_voxels", worst.maximumResidual } };
  return result;
}

CudaNeuroTransforms
CudaNeuroTransforms::Displacements(const TransformType * transform,
                                   const DataObject *    reference,
                                   const std::string &   device)
{
  CudaNeuroTransforms result;
  result.m_Image = WithMap(*transform, [&](auto axes, const auto & map) -> SmartPointer<DataObject> {
    constexpr unsigned int dimension = axes();
    const auto             grid = GridFor<dimension>({ &map }, GridOf<dimension>(reference, "reference")).grid;
    return DisplacementsOf<dimension>(map, *grid, ComputingOn(device)).GetPointer();
  });
  return result;
}

CudaNeuroTransforms
CudaNeuroTransforms::Jacobian(const TransformType * transform, const DataObject * reference, const std::string & device)
{
  return WithMap(*transform, [&](auto axes, const auto & map) {
    constexpr unsigned int dimension = axes();
    const auto             grid = GridOf<dimension>(reference, "reference").grid;
    const auto             jacobian = JacobianOf<dimension>(map, grid, ComputingOn(device));
    CudaNeuroTransforms    result;
    result.m_Image = jacobian.image.GetPointer();
    result.m_Numbers = { { "minimum", jacobian.minimum },
                         { "maximum", jacobian.maximum },
                         { "folded_voxels", static_cast<double>(jacobian.foldedVoxels) },
                         { "voxels", static_cast<double>(jacobian.voxels) } };
    return result;
  });
}

CudaNeuroTransforms
CudaNeuroTransforms::Compare(const TransformType * first,
                             const TransformType * second,
                             const DataObject *    reference,
                             const DataObject *    mask,
                             const std::string &   device)
{
  return WithMap(*first, [&](auto axes, const auto & map) {
    constexpr unsigned int dimension = axes();
    const auto             maskGrid = GridOf<dimension>(mask, "mask").grid;
    const auto             given = GridOf<dimension>(reference, "reference").grid;
    using MaskType = Image<unsigned char, dimension>;
    auto * const voxels = const_cast<MaskType *>(dynamic_cast<const MaskType *>(maskGrid.GetPointer()));
    if (voxels != nullptr && given.IsNotNull())
    {
      AlignWith<dimension>(*given, "the reference image", *voxels, "the mask");
    }
    const auto distances = CompareMaps<dimension>(map, MapOf<dimension>(*second), given, voxels, ComputingOn(device));
    CudaNeuroTransforms result;
    result.m_Image = distances.image.GetPointer();
    result.m_Numbers = { { "mean", distances.mean },
                         { "median", distances.median },
                         { "percentile_95", distances.percentile95 },
                         { "maximum", distances.maximum },
                         { "root_mean_square", distances.rootMeanSquare },
                         { "voxels", static_cast<double>(distances.voxels) },
                         { "voxels_without_place", static_cast<double>(distances.voxelsWithoutPlace) } };
    return result;
  });
}

vnl_vector<double>
CudaNeuroTransforms::MovePoints(const TransformType *      transform,
                                const vnl_vector<double> & coordinates,
                                const std::string &        device)
{
  return WithMap(*transform, [&](auto axes, const auto & map) {
    PointData points;
    points.dimension = axes();
    points.coordinates.assign(coordinates.begin(), coordinates.end());
    const PointData moved = cudaneuro::files::MovePoints<axes()>(map, points, ComputingOn(device));
    return vnl_vector<double>(moved.coordinates.data(), moved.coordinates.size());
  });
}

void
CudaNeuroTransforms::MoveSeries(const std::string &   input,
                                const std::string &   output,
                                const std::string &   reference,
                                const TransformType * transform,
                                const TransformType * volumeTransforms,
                                const std::string &   interpolation,
                                double                background,
                                const std::string &   outputType,
                                const std::string &   place,
                                const std::string &   device,
                                unsigned int          numberOfThreads)
{
  FileWarnings::Keep();
  SeriesOptions options;
  cudaneuro::FromName(interpolation, options.interpolation);
  options.background = background;
  if (!outputType.empty())
  {
    options.outputType = TypesNamed({ outputType }).front();
  }
  options.place = PlaceNamed(place);
  options.computing = ComputingOn(device);
  options.computing.numberOfThreads = numberOfThreads;
  try
  {
    cudaneuro::files::MoveSeries(input,
                                 output,
                                 reference,
                                 transform == nullptr ? nullptr : &MapOf<3>(*transform),
                                 volumeTransforms == nullptr ? std::vector<MapType<3>::ConstPointer>()
                                                             : PartsOf(*volumeTransforms),
                                 options);
  }
  catch (const ExceptionObject & error)
  {
    throw UserError("cannot move " + input + ": " + OneLine(error.GetDescription()));
  }
}

SmartPointer<DataObject>
CudaNeuroTransforms::GetImage() const
{
  return m_Image;
}

SmartPointer<TransformType>
CudaNeuroTransforms::GetTransform() const
{
  return m_Transform;
}

std::vector<std::string>
CudaNeuroTransforms::GetNames() const
{
  std::vector<std::string> names;
  for (const auto & number : m_Numbers)
  {
    names.push_back(number.first);
  }
  return names;
}

std::vector<double>
CudaNeuroTransforms::GetNumbers() const
{
  std::vector<double> numbers;
  for (const auto & number : m_Numbers)
  {
    numbers.push_back(number.second);
  }
  return numbers;
}

} // namespace itk
