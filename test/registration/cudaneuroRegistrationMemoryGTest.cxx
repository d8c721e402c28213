// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "CountedMemory.h"
#include "DeviceTest.h"
#include "TestVolumes.h"
#include "core/IntegerMath.h"
#include "cudaneuro/Registration.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

#include <cmath>
#include <cstdint>
#include <sstream>

/** How much memory of the device registrations take, and that results do not depend on whose memory iterations work
 * in. */
namespace
{

using namespace cudaneuro;

/** Columns fill a GPU, which then smooths without scratch memory. */
constexpr std::array<std::int64_t, 3> largeSize{ 160, 160, 64 };
constexpr std::array<std::int64_t, 3> middleSize{ 64, 64, 32 };
constexpr std::array<std::int64_t, 3> smallSize{ 32, 28, 26 };

/** A texture, or the same seen through a map that moves it by up to a voxel. */
std::vector<float>
MakeImage(const Grid & grid, bool isMoved)
{
  std::vector<float> image;
  ForEachVoxel(grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const double at = static_cast<double>(x) + (isMoved ? std::sin(0.2 * static_cast<double>(y)) : 0.0);
    const double value =
      std::sin(0.3 * at) * std::cos(0.25 * static_cast<double>(y)) + std::sin(0.35 * static_cast<double>(z) + 1.0);
    image.push_back(static_cast<float>(100.0 * value));
  });
  return image;
}

struct Results
{
  std::vector<float> displacement;
  std::vector<float> inverse;
  std::vector<float> warped;
};

class RegistrationMemory : public DeviceTest
{
protected:
  /** Images and results, each in memory of the device of its own, or where \p shift is not 0, that many floats
   * further. */
  void
  Make(const std::array<std::int64_t, 3> & size, std::int64_t shift = 0)
  {
    m_Geometry.grid = testvolumes::MakeGrid(size);
    m_Images = {};
    m_Images.fixedGeometry = m_Geometry;
    m_Images.movingGeometry = m_Geometry;
    const Volume fixed = this->ToDevice(MakeImage(m_Geometry.grid, true));
    const Volume moving = this->ToDevice(MakeImage(m_Geometry.grid, false));
    m_Images.fixedImage = { fixed.data, fixed.type, fixed.space };
    m_Images.movingImage = { moving.data, moving.type, moving.space };
    const std::int64_t voxels = m_Geometry.grid.NumberOfVoxels();
    m_Outputs.displacement = { this->Allocate(3 * voxels + shift) + shift, 3, this->Space() };
    m_Outputs.inverse = { this->Allocate(3 * voxels + shift) + shift, 3, this->Space() };
    m_Outputs.warped = { this->Allocate(voxels + shift) + shift, PixelType::Float, this->Space() };
  }

  /** Gives all further channels the images of the first one. */
  void
  SetChannels(const RegistrationParameters & parameters)
  {
    ChannelImages channel;
    channel.fixedGeometry = m_Geometry;
    channel.movingGeometry = m_Geometry;
    channel.fixedImage = m_Images.fixedImage;
    channel.movingImage = m_Images.movingImage;
    m_Images.furtherChannels.assign(parameters.furtherChannels.size(), channel);
  }

  MemorySpace
  Space() const
  {
    return this->GetParam().IsCuda() ? MemorySpace::Device : MemorySpace::Host;
  }

  /** Memory of the device as a context allocates it on a GPU: aligned to 256 bytes. */
  float *
  Allocate(std::int64_t count)
  {
    constexpr std::uintptr_t alignment = 256;
    m_Memories.push_back(
      AllocateDeviceMemory(this->GetParam(), static_cast<std::size_t>(count) * sizeof(float) + alignment));
    return reinterpret_cast<float *>(RoundUp(reinterpret_cast<std::uintptr_t>(m_Memories.back().Data()), alignment));
  }

  Volume
  ToDevice(const std::vector<float> & values)
  {
    const Volume volume{ this->Allocate(static_cast<std::int64_t>(values.size())), PixelType::Float, this->Space() };
    const Grid   grid = testvolumes::MakeGrid({ static_cast<std::int64_t>(values.size()), 1, 1 });
    RunDeviceJob(this->GetContext(), [&] { CopyVolume(this->GetContext(), grid, ConstView(values), volume); });
    return volume;
  }

  std::vector<float>
  ToHost(const void * data, std::int64_t count)
  {
    std::vector<float> values(static_cast<std::size_t>(count));
    const Grid         grid = testvolumes::MakeGrid({ count, 1, 1 });
    RunDeviceJob(this->GetContext(), [&] {
      CopyVolume(this->GetContext(), grid, { data, PixelType::Float, this->Space() }, View(values));
    });
    return values;
  }

  Results
  Run(const RegistrationParameters & parameters)
  {
    Register(this->GetContext(), parameters, m_Images, m_Outputs);
    const std::int64_t voxels = m_Geometry.grid.NumberOfVoxels();
    return { this->ToHost(m_Outputs.displacement.data, 3 * voxels),
             this->ToHost(m_Outputs.inverse.data, 3 * voxels),
             this->ToHost(m_Outputs.warped.data, voxels) };
  }

  Geometry                  m_Geometry;
  RegistrationImages        m_Images;
  RegistrationOutputs       m_Outputs;
  std::vector<DeviceMemory> m_Memories;
};

RegistrationParameters
MakeParameters(RegistrationMetric metric, bool isSymmetric, int iterations)
{
  RegistrationParameters parameters;
  parameters.metric = metric;
  parameters.isSymmetric = isSymmetric;
  parameters.unbiasedWeight = 0.02;
  parameters.levels = { { { 2, 2, 2 }, iterations }, { { 1, 1, 1 }, iterations } };
  return parameters;
}

RegistrationParameters
MakeGreedyParameters(RegistrationMetric metric, int iterations)
{
  RegistrationParameters parameters = MakeParameters(metric, false, iterations);
  parameters.unbiasedWeight = 0.0;
  parameters.useDeformedGradient = true;
  parameters.velocityMethod = VelocityMethod::SuccessiveOverRelaxation;
  parameters.firstSweeps = 5;
  return parameters;
}

/** With so many further channels of the same metric. */
RegistrationParameters
WithChannels(RegistrationParameters parameters, int furtherChannels)
{
  ChannelParameters channel;
  channel.metric = parameters.metric;
  parameters.furtherChannels.assign(static_cast<std::size_t>(furtherChannels), channel);
  return parameters;
}

/** Volumes of float of the finest grid that a registration takes besides its images and results. */
struct MemoryCase
{
  RegistrationParameters parameters;
  double                 onCpu;
  double                 onGpu;
};

/** Images of the level (2), maps, force and velocity (12), less the results (7), in which iterations work. On the
 * CPU and for relaxation 3 of scratch memory. LocalCorrelation takes the deformed image besides, and on the CPU sums
 * over boxes and terms (10). A symmetric registration takes two maps, forces and deformed images (11), and no
 * scratch memory; when its maps are joined, two halves, inverses and joined maps, a residual, marks and a
 * determinant (23).
 *
 * A further channel takes the images of the level (2), a derivative by LocalCorrelation (1), and in a symmetric
 * registration what the second force needs (1), be it a derivative. */
std::vector<MemoryCase>
MemoryCases()
{
  return { { MakeParameters(RegistrationMetric::MeanSquares, false, 1), 10.0, 7.0 },
           { MakeParameters(RegistrationMetric::LocalCorrelation, false, 1), 21.0, 8.0 },
           { MakeGreedyParameters(RegistrationMetric::MeanSquares, 1), 10.0, 10.0 },
           { MakeGreedyParameters(RegistrationMetric::LocalCorrelation, 1), 21.0, 11.0 },
           { MakeParameters(RegistrationMetric::MeanSquares, true, 1), 23.0, 23.0 },
           { MakeParameters(RegistrationMetric::LocalCorrelation, true, 1), 29.0, 23.0 },
           { WithChannels(MakeParameters(RegistrationMetric::MeanSquares, false, 1), 4), 18.0, 15.0 },
           { WithChannels(MakeParameters(RegistrationMetric::LocalCorrelation, false, 1), 4), 33.0, 20.0 },
           { WithChannels(MakeParameters(RegistrationMetric::MeanSquares, true, 1), 4), 30.0, 30.0 },
           { WithChannels(MakeParameters(RegistrationMetric::LocalCorrelation, true, 1), 4), 41.0, 31.0 } };
}

TEST_P(RegistrationMemory, IsThatOfTheBuffersOfAStep)
{
  this->Make(this->GetParam().IsCuda() ? largeSize : middleSize);
  const double volume = sizeof(float) * static_cast<double>(m_Geometry.grid.NumberOfVoxels());
  // Sums of blocks, tables and records.
  constexpr double rest = 0.2;
  for (const MemoryCase & oneCase : MemoryCases())
  {
    std::ostringstream name;
    name << oneCase.parameters.metric << ", " << oneCase.parameters.velocityMethod << ", "
         << oneCase.parameters.isSymmetric << ", " << oneCase.parameters.furtherChannels.size();
    this->SetChannels(oneCase.parameters);
    if (this->GetParam().IsCuda())
    {
      const auto setLimit = [&](double volumes) {
        this->GetContext().SetMemoryLimit(static_cast<std::size_t>(volumes * volume));
      };
      setLimit(oneCase.onGpu + rest);
      EXPECT_NO_THROW(Register(this->GetContext(), oneCase.parameters, m_Images, m_Outputs)) << name.str();
      setLimit(0.5 * oneCase.onGpu);
      EXPECT_THROW(Register(this->GetContext(), oneCase.parameters, m_Images, m_Outputs), OutOfMemoryError);
      setLimit(0.0);
    }
    else
    {
      countedmemory::Begin();
      Register(this->GetContext(), oneCase.parameters, m_Images, m_Outputs);
      EXPECT_LT(static_cast<double>(countedmemory::MostBytes()) / volume, oneCase.onCpu + rest) << name.str();
    }
  }
}

TEST_P(RegistrationMemory, DoesNotChangeResults)
{
  for (const MemoryCase & oneCase : MemoryCases())
  {
    RegistrationParameters parameters = oneCase.parameters;
    for (RegistrationLevel & level : parameters.levels)
    {
      level.iterations = 3;
    }
    this->Make(smallSize);
    this->SetChannels(parameters);
    const Results lent = this->Run(parameters);
    // Results that are not aligned lend fewer volumes.
    this->Make(smallSize, 1);
    this->SetChannels(parameters);
    const Results own = this->Run(parameters);
    EXPECT_EQ(lent.displacement, own.displacement);
    EXPECT_EQ(lent.inverse, own.inverse);
    EXPECT_EQ(lent.warped, own.warped);
  }
}

/** The moving image is read when all iterations are over. */
TEST_P(RegistrationMemory, OfImagesAndFieldsThatAreReadIsNotLent)
{
  const RegistrationParameters parameters = MakeParameters(RegistrationMetric::MeanSquares, false, 10);
  this->Make(smallSize);
  const std::vector<float> initial = this->Run(parameters).displacement;
  const Volume             field = this->ToDevice(initial);
  m_Images.initialField = { static_cast<float *>(field.data), 3, this->Space() };
  const Results apart = this->Run(parameters);
  m_Outputs.displacement = { static_cast<float *>(field.data), 3, this->Space() };
  m_Outputs.warped = this->ToDevice(MakeImage(m_Geometry.grid, false));
  m_Images.movingImage = { m_Outputs.warped.data, PixelType::Float, this->Space() };
  const Results inPlace = this->Run(parameters);
  EXPECT_EQ(inPlace.displacement, apart.displacement);
  EXPECT_EQ(inPlace.inverse, apart.inverse);
  EXPECT_EQ(inPlace.warped, apart.warped);
}

CUDANEURO_TEST_ON_ALL_DEVICES(RegistrationMemory);

} // namespace
