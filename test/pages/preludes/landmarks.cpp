// Landmarks, where they are to go, another point, and the format of the file that is written.
#include "itkHDF5TransformIOFactory.h"
#include "itkPointSet.h"
itk::HDF5TransformIOFactory::RegisterOneFactory();
auto templatePoints = itk::PointSet<double, 3>::New();
auto targetPoints = itk::PointSet<double, 3>::New();
for (unsigned int i = 0; i < 8; ++i)
{
  itk::PointSet<double, 3>::PointType point;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    point[axis] = (i >> axis) % 2 == 0 ? -5.0 : 5.0;
  }
  templatePoints->SetPoint(i, point);
  point[0] += 0.1 * point[1] + 1.0;
  targetPoints->SetPoint(i, point);
}
const itk::Point<double, 3> anyPoint(1.0);
// The block.
EXPECT_LT(registration->GetMeanDistance(), 0.01 * registration->GetInitialMeanDistance());
EXPECT_LT(inverse->TransformPoint(moved).EuclideanDistanceTo(anyPoint), 1e-6);
EXPECT_TRUE(std::filesystem::exists("map.h5"));
