// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

#include "ItkDeviceTest.h"
#include "TestImages.h"
#include "itk/landmarks/LandmarkPoints.h"
#include "itkDeviceImage.h"
#include "itkDevicePointSet.h"

#include <sstream>

using namespace landmarkpoints;
using namespace testimages;

namespace
{

template <typename TCoordRep, unsigned int VDimension>
using DevicePointsOf = itk::DevicePointSet<TCoordRep, VDimension>;

} // namespace

class DevicePointSet : public ItkDeviceTest
{
protected:
  template <typename TCoordRep, unsigned int VDimension>
  typename DevicePointsOf<TCoordRep, VDimension>::Pointer
  Upload(const std::vector<double> & positions)
  {
    const std::vector<TCoordRep> numbers(positions.begin(), positions.end());
    const auto                   points = DevicePointsOf<TCoordRep, VDimension>::New();
    points->SetComputeDevice(this->GetDevice());
    points->Allocate(positions.size() / VDimension);
    itk::CudaNeuroDetail::CopyNumbers(
      this->GetContext(),
      numbers.size(),
      { numbers.data(), cudaneuro::PixelTypeOf<TCoordRep>::value, cudaneuro::MemorySpace::Host },
      points->GetEnginePoints());
    return points;
  }

  template <typename TCoordRep, unsigned int VDimension>
  std::vector<double>
  Download(const DevicePointsOf<TCoordRep, VDimension> * points)
  {
    return itk::CudaNeuroDetail::PositionsOf(this->GetContext(), points);
  }

  /** Points on the device give what ITK's points give, to the bit. */
  template <typename TCoordRep, unsigned int VDimension>
  void
  CheckRegistration()
  {
    using PointSetType =
      itk::PointSet<TCoordRep, VDimension, itk::DefaultStaticMeshTraits<TCoordRep, VDimension, VDimension, TCoordRep>>;
    using DevicePointSetType = DevicePointsOf<TCoordRep, VDimension>;
    const auto expected = MakeRegistration<PointSetType>(this->GetDevice());
    expected->Update();
    const auto registration = itk::CudaGeodesicShootingRegistration<DevicePointSetType>::New();
    registration->SetTemplatePointSet(this->Upload<TCoordRep, VDimension>(Positions(expected->GetTemplatePointSet())));
    registration->SetTargetPointSet(this->Upload<TCoordRep, VDimension>(Positions(expected->GetTargetPointSet())));
    registration->SetSigma(latticeSigma);
    registration->SetNumberOfTimeSteps(10);
    registration->SetMaximumNumberOfIterations(100);
    registration->SetComputeDevice(this->GetDevice());
    registration->Update();
    EXPECT_EQ(registration->GetOutput()->GetComputeDevice(), this->GetDevice());
    EXPECT_EQ(this->Download(registration->GetOutput()), Positions(expected->GetOutput()));
    EXPECT_EQ(registration->GetMomenta(), expected->GetMomenta());
    EXPECT_EQ(registration->GetTrajectory(), expected->GetTrajectory());
  }
};

TEST_P(DevicePointSet, HoldsPoints)
{
  const std::vector<double> positions = Lattice<3>();
  const auto                points = this->Upload<double, 3>(positions);
  EXPECT_EQ(points->GetNumberOfPoints(), 27u);
  EXPECT_EQ(this->Download(points.GetPointer()), positions);
  const double * const memory = points->GetDevicePointer();
  points->Allocate(5);
  EXPECT_EQ(points->GetNumberOfPoints(), 5u);
  EXPECT_EQ(points->GetDevicePointer(), memory); // it suffices

  const auto other = DevicePointsOf<double, 3>::New();
  other->Graft(points);
  EXPECT_EQ(other->GetDevicePointer(), memory);
  EXPECT_EQ(other->GetNumberOfPoints(), 5u);
  points->Allocate(5);
  EXPECT_NE(points->GetDevicePointer(), memory); // somebody else has it
  EXPECT_EQ(other->GetDevicePointer(), memory);
  const auto image = itk::DeviceImage<float, 3>::New();
  EXPECT_TRUE(Contains(MessageOf([&] { other->Graft(image); }), "Graft of a DeviceImage into a DevicePointSet"));

  points->Initialize();
  EXPECT_EQ(points->GetNumberOfPoints(), 0u);
  EXPECT_EQ(points->GetDevicePointer(), nullptr);
}

TEST_P(DevicePointSet, IsAnArray)
{
  const std::vector<double>    positions = Lattice<2>();
  const auto                   points = this->Upload<float, 2>(positions);
  const cudaneuro::DeviceArray array = points->GetDeviceArray();
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{ 9, 2 }));
  EXPECT_EQ(array.type, cudaneuro::PixelType::Float);
  EXPECT_EQ(array.device, this->GetParam());
  const auto other = DevicePointsOf<float, 2>::New();
  other->SetDeviceArray(array);
  EXPECT_EQ(other->GetDevicePointer(), points->GetDevicePointer());
  EXPECT_EQ(other->GetComputeDevice(), this->GetDevice());
  EXPECT_EQ(this->Download(other.GetPointer()), this->Download(points.GetPointer()));

  EXPECT_TRUE(Contains(MessageOf([&] { DevicePointsOf<double, 2>::New()->SetDeviceArray(array); }),
                       "The array's elements are of type float32 and the points' coordinates of type float64"));
  EXPECT_TRUE(Contains(MessageOf([&] { DevicePointsOf<float, 3>::New()->SetDeviceArray(array); }),
                       "The array has points of 2 coordinates and the point set of 3"));
  cudaneuro::DeviceArray flat = array;
  flat.shape = { 18 };
  EXPECT_TRUE(Contains(MessageOf([&] { other->SetDeviceArray(flat); }), "The array has 1 axes; points have 2"));
  EXPECT_TRUE(Contains(MessageOf([] { DevicePointsOf<float, 3>::New()->GetDeviceArray(); }), "There are no points"));
}

TEST_P(DevicePointSet, IsRegisteredAsPointsOfItk)
{
  this->CheckRegistration<double, 3>();
  this->CheckRegistration<float, 3>();
  this->CheckRegistration<double, 2>();
  this->CheckRegistration<float, 2>();
}

TEST_P(DevicePointSet, Prints)
{
  std::ostringstream text;
  this->Upload<double, 3>(Lattice<3>())->Print(text);
  EXPECT_TRUE(Contains(text.str(), "DevicePointSet"));
  EXPECT_TRUE(Contains(text.str(), "NumberOfPoints: 27"));
  EXPECT_TRUE(Contains(text.str(), "ComputeDevice: " + this->GetDevice().GetName()));
}

CUDANEURO_TEST_ON_ALL_DEVICES(DevicePointSet);
