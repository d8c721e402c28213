// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Registration.h"

#include "cudaneuro/Error.h"
#include "fields/FieldComposition.h"
#include "fields/FieldInversion.h"
#include "fields/FieldVolumes.h"
#include "fields/Jacobian.h"
#include "fields/Warp.h"
#include "images/GaussianSmoothing.h"
#include "images/ImagePreparation.h"
#include "images/ImageStatistics.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"
#include "registration/LevelSolver.h"
#include "registration/RegistrationChecks.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cudaneuro
{

namespace
{

/** Share of the progress before the first iteration, and until the end of the last one. */
constexpr double beginOfIterations = 0.05;
constexpr double endOfIterations = 0.95;

DeviceMemory
AllocateFloats(Context & context, std::int64_t count)
{
  return context.Allocate(static_cast<std::size_t>(count) * sizeof(float));
}

float *
Floats(const DeviceMemory & memory)
{
  return static_cast<float *>(memory.Data());
}

/** Hands iterations on to the result and to the caller's observer, and reports progress. */
class IterationCollector : public LevelObserver
{
public:
  IterationCollector(Context & context, const RegistrationObserver & observer, RegistrationResult & result)
    : m_Context(context)
    , m_Observer(observer)
    , m_Result(result)
  {
    m_Range.emplace(context, 0.0, 0.0);
  }

  /** The iterations that follow take the progress from \p begin to \p end. */
  void
  BeginLevel(double begin, double end, int iterations)
  {
    m_Begin = begin;
    m_PerIteration = (end - begin) / std::max(1, iterations);
    this->Report(begin);
  }

  bool
  Observe(const RegistrationIteration & iteration) override
  {
    m_Result.iterations.push_back(iteration);
    this->Report(m_Begin + (iteration.iteration + 1) * m_PerIteration);
    return !m_Observer || m_Observer(iteration);
  }

private:
  /** What threads report until the next call is this same progress. */
  void
  Report(double fraction)
  {
    m_Range.reset();
    m_Range.emplace(m_Context, fraction, fraction);
    m_Context.ReportProgress(0.0);
  }

  Context &                             m_Context;
  const RegistrationObserver &          m_Observer;
  RegistrationResult &                  m_Result;
  std::optional<Context::ProgressRange> m_Range;
  double                                m_Begin = 0.0;
  double                                m_PerIteration = 0.0;
};

/** One registration. */
class Job
{
public:
  Job(Context &                      context,
      const RegistrationParameters & parameters,
      const RegistrationImages &     images,
      const RegistrationOutputs &    outputs)
    : m_Context(context)
    , m_Parameters(parameters)
    , m_Images(images)
    , m_Outputs(outputs)
    , m_Grid(images.fixedGeometry.grid)
    , m_Extent(ExtentOf(m_Grid))
    , m_Voxels(m_Grid.NumberOfVoxels())
    , m_LevelGeometry(images.fixedGeometry)
  {}

  void
  Run(const RegistrationObserver & observer, RegistrationResult & result)
  {
    {
      const Context::ProgressRange range(m_Context, 0.0, beginOfIterations);
      this->LoadImages();
      this->LoadFields();
    }
    this->RunLevels(observer, result);
    const Context::ProgressRange range(m_Context, endOfIterations, 1.0);
    m_FixedImage = {};
    m_MovingOnFixedGrid = {};
    this->MoveToLevel(m_Images.fixedGeometry);
    this->Write(result);
  }

private:
  /** Index of the fixed grid to index of the moving image, through the initial transform. */
  AffineMap
  FixedToMovingIndex() const
  {
    return Compose(PointToIndex(m_Images.movingGeometry),
                   Compose(m_Images.transform, IndexToPoint(m_Images.fixedGeometry)));
  }

  /** Both images on the fixed grid, with NaN for "no value", in standard deviations of the fixed image. */
  void
  LoadImages()
  {
    const Grid & movingGrid = m_Images.movingGeometry.grid;
    m_FixedImage = AllocateFloats(m_Context, m_Voxels);
    m_MovingOnFixedGrid = AllocateFloats(m_Context, m_Voxels);
    const MemorySpace space = m_Context.GetDevice().IsCuda() ? MemorySpace::Device : MemorySpace::Host;
    {
      const Context::ProgressRange range(m_Context, 0.0, 0.4);
      CopyVolume(m_Context, m_Grid, m_Images.fixedImage, { m_FixedImage.Data(), PixelType::Float, space });
    }
    {
      const Context::ProgressRange range(m_Context, 0.4, 0.8);
      m_MovingImage.emplace(m_Context, movingGrid, m_Images.movingImage);
    }
    const Context::ProgressRange range(m_Context, 0.8, 0.8);
    const MaskInput              fixedMask(m_Context, m_Grid, m_Images.fixedMask);
    m_MovingMask.emplace(m_Context, movingGrid, m_Images.movingMask);
    RequireUsableImage("fixed image",
                       VolumeStatistics(m_Context, m_Voxels, Floats(m_FixedImage), nullptr),
                       VolumeStatistics(m_Context, m_Voxels, Floats(m_FixedImage), fixedMask.Data()));
    RequireUsableImage(
      "moving image",
      VolumeStatistics(m_Context, movingGrid.NumberOfVoxels(), m_MovingImage->Data(), nullptr),
      VolumeStatistics(m_Context, movingGrid.NumberOfVoxels(), m_MovingImage->Data(), m_MovingMask->Data()));
    this->ResampleMovingImage();
    this->Normalize(fixedMask.Data());
  }

  /** The moving image through the initial transform. */
  void
  ResampleMovingImage()
  {
    if (m_Images.transformField.data != nullptr)
    {
      m_TransformField.emplace(
        ReadField(m_Context, m_Images.fixedGeometry, m_Images.fixedGeometry, m_Images.transformField));
    }
    IndexMapping mapping;
    mapping.indexMap = this->FixedToMovingIndex();
    if (m_TransformField)
    {
      mapping.field = m_TransformField->View();
    }
    // Where the moving image has smaller voxels than the fixed one, what the latter cannot show is smoothed away.
    std::array<double, 3> sigma{};
    for (int axis = 0; axis < 3; ++axis)
    {
      const double * const row = mapping.indexMap.matrix.data() + 3 * axis;
      const double         ratio = std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
      sigma[axis] = ratio > 1.0 + 1e-6 ? 0.5 * std::sqrt(ratio * ratio - 1.0) : 0.0;
    }
    const Grid &       movingGrid = m_Images.movingGeometry.grid;
    const std::int64_t movingVoxels = movingGrid.NumberOfVoxels();
    const float *      moving = m_MovingImage->Data();
    DeviceMemory       smoothed;
    if (sigma[0] > 0.0 || sigma[1] > 0.0 || sigma[2] > 0.0)
    {
      smoothed = AllocateFloats(m_Context, movingVoxels);
      const DeviceMemory scratch = AllocateFloats(m_Context, movingVoxels);
      SmoothVolume(
        m_Context, sigma, { ExtentOf(movingGrid), Boundary::Repeat, moving, Floats(scratch), Floats(smoothed) });
      moving = Floats(smoothed);
    }
    WarpVolume(m_Context,
               { ExtentOf(movingGrid),
                 moving,
                 m_MovingMask->Data(),
                 m_Extent,
                 mapping,
                 Interpolation::Linear,
                 std::numeric_limits<float>::quiet_NaN(),
                 Floats(m_MovingOnFixedGrid) });
  }

  void
  Normalize(const unsigned char * fixedMask)
  {
    float * const      fixed = Floats(m_FixedImage);
    float * const      moving = Floats(m_MovingOnFixedGrid);
    const IntensityMap identity{ { 0.0f, 1.0f }, { 0.0f, 1.0f } };
    MapIntensities(m_Context, m_Voxels, identity, fixedMask, fixed);
    const DeviceMemory overlapMemory = m_Context.Allocate(static_cast<std::size_t>(m_Voxels));
    auto * const       overlap = static_cast<unsigned char *>(overlapMemory.Data());
    MarkOverlap(m_Context, m_Voxels, fixed, moving, overlap);
    const ImageStatistics ofFixed = VolumeStatistics(m_Context, m_Voxels, fixed, overlap);
    RequireOverlap(ofFixed.count);
    const ImageStatistics ofMoving = VolumeStatistics(m_Context, m_Voxels, moving, overlap);
    RequireContrast("fixed image", ofFixed);
    RequireContrast("moving image", ofMoving);
    m_HasGaps = ofFixed.count < m_Voxels;
    if (m_Parameters.matchIntensities)
    {
      MapIntensities(m_Context, m_Voxels, this->QuantileMap(ofFixed, ofMoving, overlap), nullptr, moving);
    }
    const auto mean = static_cast<float>(ofFixed.mean);
    const auto deviation = static_cast<float>(std::sqrt(ofFixed.variance));
    // For the correlation, which does not care, each image by its own figures: rounding is least then.
    const bool isCorrelation = m_Parameters.metric == RegistrationMetric::LocalCorrelation;
    const auto meanOfMoving = isCorrelation ? static_cast<float>(ofMoving.mean) : mean;
    const auto deviationOfMoving = isCorrelation ? static_cast<float>(std::sqrt(ofMoving.variance)) : deviation;
    const auto standardize = [](float m, float s) { return IntensityMap{ { m, m + s }, { 0.0f, 1.0f } }; };
    MapIntensities(m_Context, m_Voxels, standardize(mean, deviation), nullptr, fixed);
    MapIntensities(m_Context, m_Voxels, standardize(meanOfMoving, deviationOfMoving), nullptr, moving);
  }

  /** From quantiles of the moving image to the same quantiles of the fixed one. */
  IntensityMap
  QuantileMap(const ImageStatistics & ofFixed, const ImageStatistics & ofMoving, const unsigned char * overlap)
  {
    constexpr int bins = 1024;
    const auto    quantiles = [&](const DeviceMemory & image, const ImageStatistics & statistics) {
      return Quantiles(
        Histogram(m_Context, m_Voxels, Floats(image), overlap, { statistics.minimum, statistics.maximum, bins }),
        statistics.minimum,
        statistics.maximum);
    };
    return MonotoneMap(quantiles(m_MovingOnFixedGrid, ofMoving), quantiles(m_FixedImage, ofFixed));
  }

  /** The displacement to start from, on the fixed grid. */
  void
  LoadFields()
  {
    m_Displacement = SoAFieldMemory(m_Context, m_Voxels);
    this->MakeZero(m_Displacement, m_Voxels);
    if (m_Images.initialField.data != nullptr)
    {
      const SoAFieldMemory field =
        ReadField(m_Context, m_Images.fixedGeometry, m_Images.fixedGeometry, m_Images.initialField);
      const JacobianResult jacobian = JacobianDeterminant(m_Context, m_Extent, field.View(), 1.0f, nullptr);
      RequireNoFolds("initial displacement field", jacobian);
      const std::array<double, 3> negative{ -1.0, -1.0, -1.0 };
      ResampleField(m_Context, m_Extent, field.View(), AffineMap(), negative, m_Extent, m_Displacement.View());
    }
  }

  void
  MakeZero(const SoAFieldMemory & memory, std::int64_t voxels)
  {
    const SoAField field = memory.View();
    for (float * const component : { field.x, field.y, field.z })
    {
      FillWithZeros(m_Context, voxels, component);
    }
  }

  /** Puts the displacement on another grid over the same part of space. */
  void
  MoveToLevel(const Geometry & geometry)
  {
    if (IsSameGeometry(geometry, m_LevelGeometry))
    {
      return;
    }
    const std::int64_t    voxels = geometry.grid.NumberOfVoxels();
    SoAFieldMemory        moved(m_Context, voxels);
    std::array<double, 3> scale{};
    for (int axis = 0; axis < 3; ++axis)
    {
      scale[axis] = m_LevelGeometry.grid.spacing[axis] / geometry.grid.spacing[axis];
    }
    ResampleField(m_Context,
                  ExtentOf(m_LevelGeometry.grid),
                  m_Displacement.View(),
                  Compose(PointToIndex(m_LevelGeometry), IndexToPoint(geometry)),
                  scale,
                  ExtentOf(geometry.grid),
                  moved.View());
    m_Displacement = std::move(moved);
    m_LevelGeometry = geometry;
    this->SmoothKinks(scale);
  }

  /** Linear interpolation of a coarser grid's field, whose voxels are \p ratio of this grid's, has kinks, in which a map
   * may fold that did not before. They are smoothed over half a coarse voxel, and again until nothing folds. */
  void
  SmoothKinks(const std::array<double, 3> & ratio)
  {
    std::array<double, 3> sigma{};
    for (int axis = 0; axis < 3; ++axis)
    {
      sigma[axis] = ratio[axis] > 1.0 ? 0.5 * ratio[axis] : 0.0;
    }
    const Extent       extent = ExtentOf(m_LevelGeometry.grid);
    const SoAField     field = m_Displacement.View();
    const DeviceMemory scratch = AllocateFloats(m_Context, NumberOfVoxels(extent));
    constexpr int      mostTimes = 20;
    for (int time = 0; time < mostTimes; ++time)
    {
      for (float * const component : { field.x, field.y, field.z })
      {
        SmoothVolume(m_Context, sigma, { extent, Boundary::Repeat, component, Floats(scratch), component });
      }
      if (JacobianDeterminant(m_Context, extent, field, -1.0f, nullptr).numberOfFoldedVoxels == 0)
      {
        return;
      }
    }
    throw Error("Register",
                "the map of a coarser level folds on the next one; fewer levels or more smoothing avoid that");
  }

  /** An image on the grid of a level. */
  DeviceMemory
  Shrink(const DeviceMemory & image, const Geometry & geometry, const std::array<int, 3> & factors)
  {
    std::array<double, 3> sigma{};
    for (int axis = 0; axis < 3; ++axis)
    {
      sigma[axis] = factors[axis] > 1 && m_Grid.size[axis] > 1 ? 0.5 * factors[axis] : 0.0;
    }
    IndexMapping mapping;
    mapping.indexMap = Compose(PointToIndex(m_Images.fixedGeometry), IndexToPoint(geometry));
    const std::int64_t voxels = geometry.grid.NumberOfVoxels();
    const DeviceMemory full = AllocateFloats(m_Context, m_Voxels);
    const DeviceMemory scratch = AllocateFloats(m_Context, m_Voxels);
    const auto         smoothAndShrink = [&](const float * volume) {
      SmoothVolume(m_Context, sigma, { m_Extent, Boundary::Repeat, volume, Floats(scratch), Floats(full) });
      DeviceMemory small = AllocateFloats(m_Context, voxels);
      WarpVolume(m_Context,
                 { m_Extent,
                   Floats(full),
                   nullptr,
                   ExtentOf(geometry.grid),
                   mapping,
                   Interpolation::Linear,
                   0.0f,
                   Floats(small) });
      return small;
    };
    if (!m_HasGaps)
    {
      return smoothAndShrink(Floats(image));
    }
    const DeviceMemory weight = AllocateFloats(m_Context, m_Voxels);
    const DeviceMemory filled = AllocateFloats(m_Context, m_Voxels);
    IndexMapping       identity;
    WarpVolume(m_Context,
               { m_Extent, Floats(image), nullptr, m_Extent, identity, Interpolation::Nearest, 0.0f, Floats(filled) });
    SplitWeights(m_Context, m_Voxels, Floats(filled), Floats(weight));
    DeviceMemory       small = smoothAndShrink(Floats(filled));
    const DeviceMemory smallWeight = smoothAndShrink(Floats(weight));
    JoinWeights(m_Context, voxels, Floats(smallWeight), Floats(small));
    return small;
  }

  void
  RunLevels(const RegistrationObserver & observer, RegistrationResult & result)
  {
    IterationCollector collector(m_Context, observer, result);
    try
    {
      double total = 0.0;
      for (const RegistrationLevel & level : m_Parameters.levels)
      {
        total += this->CostOf(level);
      }
      double done = 0.0;
      for (std::size_t index = 0; index < m_Parameters.levels.size(); ++index)
      {
        const RegistrationLevel & level = m_Parameters.levels[index];
        const auto                progressAt = [total](double cost) {
          return beginOfIterations + (endOfIterations - beginOfIterations) * cost / std::max(total, 1.0);
        };
        const double cost = this->CostOf(level);
        collector.BeginLevel(progressAt(done), progressAt(done + cost), level.iterations);
        done += cost;
        const LevelResult levelResult = this->RunOneLevel(static_cast<int>(index), level, collector);
        result.final = levelResult.final;
        result.numberOfShortenedSteps += levelResult.numberOfShortenedSteps;
        if (levelResult.wasStopped)
        {
          break;
        }
      }
    }
    catch (...)
    {
      this->WriteFieldsOnly(result);
      throw;
    }
  }

  /** Of a level, in voxels. */
  double
  CostOf(const RegistrationLevel & level) const
  {
    const Geometry geometry = ShrunkGeometry(m_Images.fixedGeometry, level.shrinkFactors);
    return static_cast<double>(level.iterations) * static_cast<double>(geometry.grid.NumberOfVoxels());
  }

  LevelResult
  RunOneLevel(int index, const RegistrationLevel & level, IterationCollector & collector)
  {
    const Geometry geometry = ShrunkGeometry(m_Images.fixedGeometry, level.shrinkFactors);
    this->MoveToLevel(geometry);
    const bool         isFull = IsSameGeometry(geometry, m_Images.fixedGeometry);
    const DeviceMemory fixed = isFull ? m_FixedImage : this->Shrink(m_FixedImage, geometry, level.shrinkFactors);
    const DeviceMemory moving =
      isFull ? m_MovingOnFixedGrid : this->Shrink(m_MovingOnFixedGrid, geometry, level.shrinkFactors);
    LevelProblem problem;
    problem.images.extent = ExtentOf(geometry.grid);
    problem.images.fixed = Floats(fixed);
    problem.images.moving = Floats(moving);
    problem.level = index;
    problem.iterations = level.iterations;
    double smallest = std::numeric_limits<double>::max();
    for (int axis = 0; axis < 3; ++axis)
    {
      if (geometry.grid.size[axis] > 1)
      {
        smallest = std::min(smallest, geometry.grid.spacing[axis]);
      }
    }
    for (int axis = 0; axis < 3; ++axis)
    {
      const double ratio = geometry.grid.size[axis] > 1 ? smallest / geometry.grid.spacing[axis] : 1.0;
      problem.images.descentScale[axis] = static_cast<float>(ratio * ratio);
    }
    return RunLevel(m_Context, m_Parameters, problem, m_Displacement.View(), collector);
  }

  /** What is left to the caller of an ended run. */
  void
  WriteFieldsOnly(RegistrationResult & result) noexcept
  {
    try
    {
      const Context::ProgressPause pause(m_Context);
      m_FixedImage = {};
      m_MovingOnFixedGrid = {};
      this->MoveToLevel(m_Images.fixedGeometry);
      this->WriteMaps(result);
    }
    catch (...)
    {
      // The first exception is the one to report.
    }
  }

  void
  WriteMaps(RegistrationResult & result)
  {
    const SoAFieldMemory        map(m_Context, m_Voxels);
    const std::array<double, 3> negative{ -1.0, -1.0, -1.0 };
    ResampleField(m_Context, m_Extent, m_Displacement.View(), AffineMap(), negative, m_Extent, map.View());
    if (m_Outputs.displacement.data != nullptr)
    {
      WriteField(m_Context, m_Images.fixedGeometry, map.View(), m_Outputs.displacement);
      result.hasField = true;
    }
    if (m_Outputs.inverse.data != nullptr)
    {
      const SoAFieldMemory inverse(m_Context, m_Voxels);
      result.inversion = InvertField(m_Context, m_Parameters.inversion, m_Extent, map.View(), inverse.View());
      WriteField(m_Context, m_Images.fixedGeometry, inverse.View(), m_Outputs.inverse);
    }
  }

  void
  Write(RegistrationResult & result)
  {
    {
      const Context::ProgressRange range(m_Context, 0.3, 0.3); // several steps, each of which reports from 0 to 1
      this->WriteMaps(result);
    }
    {
      const Context::ProgressRange range(m_Context, 0.6, 0.8);
      FloatOutput                  jacobian(m_Context, m_Grid, m_Outputs.jacobian);
      result.jacobian = JacobianDeterminant(m_Context, m_Extent, m_Displacement.View(), -1.0f, jacobian.Data());
      jacobian.Finish();
    }
    if (m_Outputs.warped.data != nullptr)
    {
      const Context::ProgressRange range(m_Context, 0.8, 1.0);
      this->WriteWarped();
    }
  }

  void
  WriteWarped()
  {
    IndexMapping mapping;
    mapping.indexMap = this->FixedToMovingIndex();
    mapping.field = m_Displacement.View();
    mapping.sign = -1.0f;
    SoAFieldMemory whole;
    if (m_TransformField)
    {
      whole = SoAFieldMemory(m_Context, m_Voxels);
      const SoAFieldMemory        map(m_Context, m_Voxels);
      const std::array<double, 3> negative{ -1.0, -1.0, -1.0 };
      ResampleField(m_Context, m_Extent, m_Displacement.View(), AffineMap(), negative, m_Extent, map.View());
      ComposeFields(m_Context, m_Extent, map.View(), m_TransformField->View(), whole.View());
      mapping.field = whole.View();
      mapping.sign = 1.0f;
    }
    FloatOutput warped(m_Context, m_Grid, m_Outputs.warped, m_Images.movingImage.data);
    WarpVolume(m_Context,
               { ExtentOf(m_Images.movingGeometry.grid),
                 m_MovingImage->Data(),
                 nullptr,
                 m_Extent,
                 mapping,
                 Interpolation::Linear,
                 0.0f,
                 warped.Data() });
    warped.Finish();
  }

  Context &                      m_Context;
  const RegistrationParameters & m_Parameters;
  const RegistrationImages &     m_Images;
  const RegistrationOutputs &    m_Outputs;
  Grid                           m_Grid;
  Extent                         m_Extent;
  std::int64_t                   m_Voxels;
  DeviceMemory                   m_FixedImage;
  std::optional<FloatInput>      m_MovingImage;
  std::optional<MaskInput>       m_MovingMask;
  DeviceMemory                   m_MovingOnFixedGrid;
  std::optional<SoAFieldMemory>  m_TransformField;
  /** Some voxels have no value in one of the images. */
  bool m_HasGaps = false;
  /** u in h(x) = x - u(x), on the grid of m_LevelGeometry. */
  SoAFieldMemory m_Displacement;
  Geometry       m_LevelGeometry;
};

} // namespace

void
Register(Context &                      context,
         const RegistrationParameters & parameters,
         const RegistrationImages &     images,
         const RegistrationOutputs &    outputs,
         const RegistrationObserver &   observer,
         RegistrationResult &           result)
{
  result = RegistrationResult();
  RequireRegistrationParameters(parameters, images.fixedGeometry.grid);
  RequireRegistrationImages(context, images);
  RequireRegistrationOutputs(context, images, outputs);
  RunDeviceJob(context, [&] { Job(context, parameters, images, outputs).Run(observer, result); });
}

RegistrationResult
Register(Context &                      context,
         const RegistrationParameters & parameters,
         const RegistrationImages &     images,
         const RegistrationOutputs &    outputs,
         const RegistrationObserver &   observer)
{
  RegistrationResult result;
  Register(context, parameters, images, outputs, observer, result);
  return result;
}

} // namespace cudaneuro
