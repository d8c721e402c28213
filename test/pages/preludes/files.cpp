// Files that are there.
#include "itkAffineTransform.h"
using namespace cudaneuro::files;
PointData triangle;
triangle.coordinates = { 0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0, 10.0, 0.5 };
triangle.cells = { { MeshCell::Kind::Polygon, { 0, 1, 2 } } };
StagePointFile(OutputFile("pial.gii"), triangle).Commit();
const auto ball = MakeBall(0.0);
WriteImage<float, 3>(OutputFile("head.nii.gz"), ball.GetPointer());
const auto affine = itk::AffineTransform<double, 3>::New();
affine->Scale(2.0);
StageTransform<3>(OutputFile("first.h5"), affine.GetPointer()).Commit();
StageTransform<3>(OutputFile("second.tfm"), affine.GetPointer()).Commit();
// The block.
const OpenedImage copy = OpenImage("copy.nrrd");
const auto        again = ReadImage<float, 3>(copy);
for (const auto & index : { itk::Index<3>{ { 0, 0, 0 } }, itk::Index<3>{ { 11, 10, 9 } } })
{
  EXPECT_EQ(again->GetPixel(index), ball->GetPixel(index));
}
EXPECT_EQ(ReadPointFile("pial.ply").coordinates, triangle.coordinates);
EXPECT_EQ(ReadTransforms<3>({ "map.h5" })->TransformPoint(itk::Point<double, 3>(1.0))[0], 4.0);
