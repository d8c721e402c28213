// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "fields/FieldTestCases.h"
#include "landmarks/FlowTestCases.h"

#include <limits>

namespace
{

using namespace flowtests;

class GeodesicFlowField : public DeviceTest
{
protected:
  std::vector<float>
  ComputeField(const GeodesicFlow &        flow,
               FlowDirection               direction,
               const cudaneuro::Geometry & geometry,
               unsigned int                components = 3)
  {
    std::vector<float> field(static_cast<std::size_t>(geometry.grid.NumberOfVoxels()) * components, -7.0f);
    flow.GetDisplacementField(this->GetContext(), direction, geometry, fieldtests::FieldView(field, components));
    return field;
  }
};

/** The displacements of all voxels' centers, one by one. The third component is 0 in two dimensions. */
std::vector<double>
OneByOne(const GeodesicFlow & flow, FlowDirection direction, const cudaneuro::Geometry & geometry, int dimension)
{
  return reference::FieldOf(geometry, [&](const reference::Point & point) {
    reference::Point moved = point;
    flow.TransformPoint(direction, point.data(), moved.data());
    reference::Point displacement{};
    for (int d = 0; d < dimension; ++d)
    {
      displacement[d] = moved[d] - point[d];
    }
    return displacement;
  });
}

/** Displacements of up to 10 mm as float have an error of 5e-7. */
double
FieldTolerance(ShootingPrecision precision)
{
  return precision == ShootingPrecision::Single ? singleTolerance : 5e-7;
}

TEST_P(GeodesicFlowField, IsTheDisplacementOfPointsInSpace)
{
  const Shooting shooting = MakeShooting(3, ShootingIntegrator::Euler, 20);
  // No multiples of a brick, thin grids, and one plane.
  for (const auto & size : { std::array<std::int64_t, 3>{ 13, 10, 9 }, { 9, 1, 22 }, { 1, 30, 3 }, { 21, 17, 1 } })
  {
    cudaneuro::Geometry geometry = fieldtests::ObliqueGeometry(size, 0.4);
    for (const ShootingPrecision precision : allPrecisions)
    {
      const GeodesicFlow flow = shooting.MakeFlow(this->GetContext(), precision);
      for (const FlowDirection direction : bothDirections)
      {
        const auto field = this->ComputeField(flow, direction, geometry);
        EXPECT_LE(fieldtests::LargestDifference(field, OneByOne(flow, direction, geometry, 3)),
                  FieldTolerance(precision))
          << size[0];
      }
    }
  }
}

TEST_P(GeodesicFlowField, IsTheDisplacementForAllIntegrators)
{
  for (const Shooting & shooting : AllShootings())
  {
    const bool isPlane = shooting.dimension == 2;
    const auto geometry = fieldtests::ObliqueGeometry({ 13, 11, isPlane ? 1 : 6 }, -0.3);
    for (const ShootingPrecision precision : allPrecisions)
    {
      const GeodesicFlow flow = shooting.MakeFlow(this->GetContext(), precision);
      for (const FlowDirection direction : bothDirections)
      {
        const auto expected = OneByOne(flow, direction, geometry, shooting.dimension);
        const auto field = this->ComputeField(flow, direction, geometry);
        EXPECT_LE(fieldtests::LargestDifference(field, expected), FieldTolerance(precision))
          << shooting.parameters.integrator;
        if (isPlane)
        {
          const auto flat = this->ComputeField(flow, direction, geometry, 2);
          EXPECT_TRUE(fieldtests::IsSameBits(flat, fieldtests::WithoutThirdComponent(field)));
        }
      }
    }
  }
}

TEST_P(GeodesicFlowField, StepsThatStretchMuchHaveAnInverse)
{
  // The derivative of the step goes from 0.2 to 1.8: the fixed-point iteration of the device does not converge
  // everywhere.
  const Shooting shooting = OneStep(2.6, 2.0);
  const auto     geometry = fieldtests::ObliqueGeometry({ 14, 15, 12 }, 0.2);
  for (const ShootingPrecision precision : allPrecisions)
  {
    const GeodesicFlow flow = shooting.MakeFlow(this->GetContext(), precision);
    const auto         field = this->ComputeField(flow, FlowDirection::Backward, geometry);
    EXPECT_LE(fieldtests::LargestDifference(field, OneByOne(flow, FlowDirection::Backward, geometry, 3)),
              2.0 * FieldTolerance(precision));
  }
}

TEST_P(GeodesicFlowField, IsZeroFarAway)
{
  const GeodesicFlow flow = MakeShooting(3, ShootingIntegrator::Euler, 20).MakeFlow(this->GetContext());
  for (const double distance : { 80.0, 1e12 })
  {
    cudaneuro::Geometry geometry = fieldtests::ObliqueGeometry({ 9, 8, 7 }, 0.2);
    geometry.origin[2] += distance;
    for (const FlowDirection direction : bothDirections)
    {
      for (const float value : this->ComputeField(flow, direction, geometry))
      {
        ASSERT_EQ(value, 0.0f);
      }
    }
  }
}

TEST_P(GeodesicFlowField, DoesNotDependOnTheDistanceFromZero)
{
  const Shooting      near = MakeShooting(3, ShootingIntegrator::Euler, 20);
  Shooting            far = near;
  cudaneuro::Geometry geometry = fieldtests::ObliqueGeometry({ 12, 10, 8 }, 0.2);
  cudaneuro::Geometry farGeometry = geometry;
  constexpr double    shift = 1048576.0;
  for (double & position : far.landmarks.positions)
  {
    position += shift;
  }
  for (double & origin : farGeometry.origin)
  {
    origin += shift;
  }
  for (const ShootingPrecision precision : allPrecisions)
  {
    const GeodesicFlow nearFlow = near.MakeFlow(this->GetContext(), precision);
    const GeodesicFlow farFlow = far.MakeFlow(this->GetContext(), precision);
    for (const FlowDirection direction : bothDirections)
    {
      const auto field = this->ComputeField(nearFlow, direction, geometry);
      const auto farField = this->ComputeField(farFlow, direction, farGeometry);
      // In double precision, positions there have an error of 1e-10.
      EXPECT_LE(fieldtests::LargestDifference(farField, field), FieldTolerance(precision));
    }
  }
}

TEST_P(GeodesicFlowField, StepThatFoldsIsReported)
{
  const GeodesicFlow flow = OneStep(20.0).MakeFlow(this->GetContext(), ShootingPrecision::Single);
  const auto         geometry = fieldtests::ObliqueGeometry({ 24, 20, 16 }, 0.2);
  ExpectNoInverse([&] { this->ComputeField(flow, FlowDirection::Backward, geometry); }, "7680 voxels");
  EXPECT_NO_THROW(this->ComputeField(flow, FlowDirection::Forward, geometry));
}

TEST_P(GeodesicFlowField, IsTheSameInEachRun)
{
  const GeodesicFlow flow =
    MakeShooting(3, ShootingIntegrator::Euler, 20).MakeFlow(this->GetContext(), ShootingPrecision::Single);
  const auto geometry = fieldtests::ObliqueGeometry({ 20, 16, 12 }, 0.2);
  for (const FlowDirection direction : bothDirections)
  {
    const auto field = this->ComputeField(flow, direction, geometry);
    EXPECT_TRUE(fieldtests::IsSameBits(this->ComputeField(flow, direction, geometry), field));
  }
}

TEST_P(GeodesicFlowField, IsWrittenToTheDevice)
{
  const GeodesicFlow           flow = MakeShooting(3, ShootingIntegrator::Euler, 20).MakeFlow(this->GetContext());
  const auto                   geometry = fieldtests::ObliqueGeometry({ 9, 8, 7 }, 0.2);
  const auto                   expected = this->ComputeField(flow, FlowDirection::Forward, geometry);
  const cudaneuro::MemorySpace space =
    this->GetParam().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  const cudaneuro::DeviceMemory memory = this->GetContext().Allocate(expected.size() * sizeof(float));
  flow.GetDisplacementField(
    this->GetContext(), FlowDirection::Forward, geometry, { static_cast<float *>(memory.Data()), 3, space });
  std::vector<float> field(expected.size());
  cudaneuro::CopyVolume(this->GetContext(),
                        testvolumes::MakeGrid({ static_cast<std::int64_t>(field.size()), 1, 1 }),
                        { memory.Data(), cudaneuro::PixelType::Float, space },
                        View(field));
  EXPECT_TRUE(fieldtests::IsSameBits(field, expected));
}

TEST_P(GeodesicFlowField, KeepsTheMemoryLimit)
{
  const GeodesicFlow flow = MakeShooting(3, ShootingIntegrator::Euler, 20).MakeFlow(this->GetContext());
  const auto         geometry = fieldtests::ObliqueGeometry({ 9, 8, 7 }, 0.2);
  this->GetContext().SetMemoryLimit(10000);
  if (this->GetParam().IsCuda())
  {
    EXPECT_THROW(this->ComputeField(flow, FlowDirection::Forward, geometry), cudaneuro::OutOfMemoryError);
  }
  this->GetContext().SetMemoryLimit(0);
  EXPECT_NO_THROW(this->ComputeField(flow, FlowDirection::Forward, geometry));
}

TEST_P(GeodesicFlowField, ReportsProgressAndStops)
{
  const GeodesicFlow flow = MakeShooting(3, ShootingIntegrator::Euler, 20).MakeFlow(this->GetContext());
  const auto         geometry = fieldtests::ObliqueGeometry({ 9, 8, 12 }, 0.2);
  std::vector<float> fractions;
  // The calling thread alone reports, as often as it finishes a plane: others may leave it none.
  this->GetContext().SetNumberOfThreads(1);
  this->GetContext().SetProgressFunction([&](float fraction) {
    fractions.push_back(fraction);
    return true;
  });
  this->ComputeField(flow, FlowDirection::Backward, geometry);
  ASSERT_GT(fractions.size(), 4u);
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_EQ(fractions.back(), 1.0f);
  this->GetContext().SetProgressFunction([](float fraction) { return fraction < 0.3f; });
  EXPECT_THROW(this->ComputeField(flow, FlowDirection::Backward, geometry), cudaneuro::Aborted);
}

TEST_P(GeodesicFlowField, RefusesWhatCannotBe)
{
  const GeodesicFlow  flow = MakeShooting(3, ShootingIntegrator::Euler, 2).MakeFlow(this->GetContext());
  const GeodesicFlow  flatFlow = MakeShooting(2, ShootingIntegrator::Euler, 2).MakeFlow(this->GetContext());
  const auto          geometry = fieldtests::AlignedGeometry({ 4, 3, 2 });
  const auto          plane = fieldtests::AlignedGeometry({ 4, 3, 1 });
  cudaneuro::Geometry notFinite = geometry;
  notFinite.origin[1] = std::numeric_limits<double>::quiet_NaN();
  std::vector<float> field(24 * 3);
  const auto compute = [&](const GeodesicFlow & of, const cudaneuro::Geometry & on, const cudaneuro::Field & output) {
    of.GetDisplacementField(this->GetContext(), FlowDirection::Forward, on, output);
  };
  const cudaneuro::Field three = fieldtests::FieldView(field, 3);
  ExpectInvalidParameter([&] { compute(flow, notFinite, three); }, "geometry.origin[1]", "nan");
  ExpectInvalidParameter([&] { compute(flow, geometry, {}); }, "output", "absent");
  ExpectInvalidParameter([&] { compute(flow, geometry, fieldtests::FieldView(field, 2)); }, "output.components", "2");
  ExpectInvalidParameter([&] { compute(flow, plane, fieldtests::FieldView(field, 2)); }, "output.components", "2");
  ExpectInvalidParameter([&] { compute(flatFlow, geometry, three); }, "size[2]", "2");
  cudaneuro::Geometry empty = geometry;
  empty.grid.size[0] = 0;
  EXPECT_THROW(compute(flow, empty, three), cudaneuro::InvalidParameterError);
  EXPECT_NO_THROW(compute(flatFlow, plane, fieldtests::FieldView(field, 2)));
}

CUDANEURO_TEST_ON_ALL_DEVICES(GeodesicFlowField);

} // namespace
