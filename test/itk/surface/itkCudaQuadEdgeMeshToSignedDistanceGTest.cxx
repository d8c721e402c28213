// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "SurfaceMeshes.h"
#include "itkQuadEdgeMesh.h"

using namespace surfacemeshes;

namespace
{

class CudaQuadEdgeMeshToSignedDistance : public MeshDistanceTest
{};

} // namespace

/** Its cells are polygons, and its points have numbers that need not follow each other. */
TEST_P(CudaQuadEdgeMeshToSignedDistance, IsTheDistanceToTheMesh)
{
  using QuadEdgeMeshType = itk::QuadEdgeMesh<float, 3>;
  const auto mesh = QuadEdgeMeshType::New();
  AddCorners(mesh.GetPointer(), 10, Low(), High());
  mesh->SetPoint(2, mesh->GetPoint(17));
  for (const FaceType & face : boxFaces)
  {
    QuadEdgeMeshType::PointIdList points;
    for (const auto point : face)
    {
      points.push_back(point + 10);
    }
    ASSERT_NE(mesh->AddFace(points), nullptr);
  }
  ExpectBox(this->MakeFilter(mesh.GetPointer()).GetPointer());

  mesh->DeleteFace(mesh->GetCells()->Begin().Index());
  EXPECT_TRUE(Contains(this->MessageFor(mesh.GetPointer()), "openEdges is 4"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaQuadEdgeMeshToSignedDistance);
