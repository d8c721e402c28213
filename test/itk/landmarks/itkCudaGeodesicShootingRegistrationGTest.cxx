// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What CudaGeodesicShootingRegistration computes: matched points, trajectories, meshes, several targets, weights.

#include "GeodesicShootingTest.h"
#include "LandmarkPoints.h"
#include "itk/TestImages.h"
#include "itkMesh.h"
#include "itkTriangleCell.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

using namespace landmarkpoints;
using namespace landmarkregistration;
using namespace testimages;

namespace
{

/** The last of times in an array of shape (times, points, dimension). */
std::vector<double>
Last(const std::vector<double> & overTime, std::size_t times)
{
  return { overTime.end() - static_cast<std::ptrdiff_t>(overTime.size() / times), overTime.end() };
}

} // namespace

TEST_P(CudaGeodesicShootingRegistration, MatchesPointsIn2D)
{
  this->CheckMatching<PointsOf<2>>();
}

TEST_P(CudaGeodesicShootingRegistration, MatchesPointsIn3D)
{
  this->CheckMatching<PointsOf<3>>();
}

/** ITK's default coordinates. */
TEST_P(CudaGeodesicShootingRegistration, MatchesPointsOfFloat)
{
  this->CheckMatching<itk::PointSet<float, 3>>();
}

TEST_P(CudaGeodesicShootingRegistration, KeepsTrajectories)
{
  const auto registration = MakeRegistration<PointSetType>(this->GetDevice());
  registration->Update();
  const std::vector<double> trajectory = registration->GetTrajectory();
  const std::vector<double> momenta = registration->GetMomentaOverTime();
  ASSERT_EQ(trajectory.size(), 11u * 81u);
  ASSERT_EQ(momenta.size(), trajectory.size());
  const std::vector<double> from = Lattice<3>();
  EXPECT_LT(LargestDifference({ trajectory.begin(), trajectory.begin() + 81 }, from), 2e-6);
  EXPECT_LT(LargestDifference({ momenta.begin(), momenta.begin() + 81 }, registration->GetMomenta()), 1e-6);
  EXPECT_EQ(Last(trajectory, 11), Positions(registration->GetOutput()));

  const std::vector<double> moved = Positions(registration->GetOutput());
  registration->ComputeTrajectoriesOff();
  registration->Update();
  EXPECT_EQ(Positions(registration->GetOutput()), moved);
  EXPECT_TRUE(Contains(MessageOf([&] { registration->GetTrajectory(); }), "There is no such result of target 0"));
}

/** Cells and data of a mesh go along; those of the template are shared, not copied. */
TEST_P(CudaGeodesicShootingRegistration, KeepsCellsAndDataOfAMesh)
{
  using MeshType = itk::Mesh<float, 3>;
  const auto                registration = MakeRegistration<MeshType>(this->GetDevice());
  const auto                mesh = MakePointSet<MeshType>(Lattice<3>());
  MeshType::CellAutoPointer cell;
  cell.TakeOwnership(new itk::TriangleCell<MeshType::CellType>);
  const MeshType::PointIdentifier corners[] = { 0, 1, 3 };
  cell->SetPointIds(corners);
  mesh->SetCell(0, cell);
  mesh->SetCellData(0, 4.5F);
  mesh->SetPointData(2, -1.5F);
  registration->SetTemplatePointSet(mesh);
  registration->Update();
  MeshType * const output = registration->GetOutput();
  ASSERT_EQ(output->GetNumberOfCells(), 1u);
  ASSERT_TRUE(output->GetCell(0, cell));
  EXPECT_TRUE(std::equal(cell->PointIdsBegin(), cell->PointIdsEnd(), corners));
  float value = 0.0F;
  EXPECT_TRUE(output->GetCellData(0, &value));
  EXPECT_EQ(value, 4.5F);
  EXPECT_TRUE(output->GetPointData(2, &value));
  EXPECT_EQ(value, -1.5F);
  EXPECT_NE(output->GetPoint(0), mesh->GetPoint(0));
  EXPECT_LT(registration->GetMaximumDistance(), 0.01);
}

/** Each target of several has what it has alone, to the bit. */
TEST_P(CudaGeodesicShootingRegistration, SeveralTargetsAreAsEachAlone)
{
  const std::vector<double> from = Lattice<3>();
  const auto                together = MakeRegistration<PointSetType>(this->GetDevice());
  const std::vector<double> millimeters{ 1.5, -0.5, 0.0, 1.0, 0.25 };
  for (unsigned int target = 0; target < millimeters.size(); ++target)
  {
    together->SetTargetPointSet(target, MakePointSet<PointSetType>(Moved<3>(from, millimeters[target])));
  }
  std::vector<double> weights(from.size() / 3, 1.0);
  weights[5] = 0.0;
  together->SetWeights(3, weights);
  together->Update();
  EXPECT_EQ(together->GetNumberOfTargets(), 5u);
  for (unsigned int target = 0; target < millimeters.size(); ++target)
  {
    const auto alone = MakeRegistration<PointSetType>(this->GetDevice());
    alone->SetTargetPointSet(MakePointSet<PointSetType>(Moved<3>(from, millimeters[target])));
    alone->SetWeights(target == 3 ? weights : std::vector<double>());
    alone->Update();
    EXPECT_EQ(together->GetMomenta(target), alone->GetMomenta());
    EXPECT_EQ(together->GetLosses(target), alone->GetLosses());
    EXPECT_EQ(together->GetNumberOfEvaluations(target), alone->GetNumberOfEvaluations());
    EXPECT_EQ(together->GetStopReason(target), alone->GetStopReason());
    EXPECT_EQ(Positions(together->GetOutput(target)), Positions(alone->GetOutput()));
  }
  EXPECT_LT(together->GetMaximumDistance(2), 2e-6); // the template itself, up to single precision
}

/** A point of weight 0 goes where its neighbors carry it. */
TEST_P(CudaGeodesicShootingRegistration, Weights)
{
  std::vector<double> to = Moved<3>(Lattice<3>());
  to[13 * 3] += 50.0; // the point in the middle
  std::vector<double> weights(27, 1.0);
  weights[13] = 0.0;
  const auto registration = MakeRegistration<PointSetType>(this->GetDevice());
  registration->SetTargetPointSet(MakePointSet<PointSetType>(to));
  registration->SetWeights(weights);
  registration->Update();
  EXPECT_LT(registration->GetMaximumDistance(), 0.01);
  EXPECT_LT(registration->GetInitialMaximumDistance(), 3.0);
  EXPECT_LT(std::abs(registration->GetOutput()->GetPoint(13)[0] - Lattice<3>()[13 * 3]), 3.0);
}

/** Two template points at one place, whose targets are 1 mm apart, go to the middle. */
TEST_P(CudaGeodesicShootingRegistration, TellsOfTargetsThatCannotBeReached)
{
  std::vector<double> from = Lattice<3>();
  std::vector<double> to = Moved<3>(from);
  from.insert(from.end(), from.begin(), from.begin() + 3);
  to.insert(to.end(), { to[0] + 1.0, to[1], to[2] });
  const auto registration = MakeRegistration<PointSetType>(this->GetDevice());
  registration->SetTemplatePointSet(MakePointSet<PointSetType>(from));
  registration->SetTargetPointSet(MakePointSet<PointSetType>(to));
  {
    const WarningCapture warnings;
    registration->Update();
    EXPECT_TRUE(Contains(warnings.GetText(), "Target 0 cannot be reached: 2 points share their places"));
  }
  EXPECT_EQ(registration->GetNumberOfUnreachablePoints(), 2u);
  EXPECT_NEAR(registration->GetMaximumDistance(), 0.5, 0.01);
  EXPECT_NEAR(registration->GetOutput()->GetPoint(0)[0], to[0] + 0.5, 0.01);
  EXPECT_EQ(registration->GetOutput()->GetPoint(0), registration->GetOutput()->GetPoint(27));

  // With one target for both there is nothing to tell.
  to[81] = to[0];
  registration->SetTargetPointSet(MakePointSet<PointSetType>(to));
  const WarningCapture warnings;
  registration->Update();
  EXPECT_EQ(warnings.GetText(), "");
  EXPECT_EQ(registration->GetNumberOfUnreachablePoints(), 0u);
  EXPECT_LT(registration->GetMaximumDistance(), 0.01);
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaGeodesicShootingRegistration);
