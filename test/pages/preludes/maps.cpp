// A pair of images, and transforms between them.
#include "itkAffineTransform.h"
#include "files/transforms/TransformFile.h"
using namespace cudaneuro::files;
for (const char * const name : { "fixed.nii.gz", "moving.nii.gz", "mask.nii.gz" })
{
  WriteImage<float, 3>(OutputFile(name), MakeBall(0.0).GetPointer());
}
ImageToWrite series = DescribeToWrite<float, 3>(*MakeBall(0.0));
series.size.push_back(3);
series.dimension = 4;
const std::vector<float> volumes(3 * 24 * 22 * 20, 1.0f);
series.pixels = volumes.data();
StageImage(OutputFile("dwi.nii.gz"), series).Commit();
const auto affine = itk::AffineTransform<double, 3>::New();
affine->Scale(2.0);
StageTransform<3>(OutputFile("affine.tfm"), affine.GetPointer()).Commit();
const auto shifts = itk::Image<itk::Vector<float, 3>, 3>::New();
shifts->SetRegions(MakeBall(0.0)->GetLargestPossibleRegion());
shifts->Allocate();
shifts->FillBuffer(itk::Vector<float, 3>(0.5f));
WriteImage<itk::Vector<float, 3>, 3>(OutputFile("warp.nii.gz"), shifts.GetPointer());
// The block.
const itk::Point<double, 3> inner(3.0);
EXPECT_NEAR(one->TransformPoint(inner)[0], 7.0, 1e-5);
EXPECT_NEAR(back->TransformPoint(itk::Point<double, 3>(7.0))[0], 3.0, 1e-5);
EXPECT_NEAR(jacobian.maximum, 8.0, 1e-4);
EXPECT_LT(distances.maximum, 1e-4);
EXPECT_EQ(distances.voxelsWithoutPlace, 0u);
EXPECT_NEAR(moved.coordinates[0], 7.0, 1e-5);
EXPECT_NEAR(ReadMapFile<3>("flirt.mat", format)->TransformPoint(inner)[0], 6.0, 1e-12);
ExpectFile("affine.lta");
EXPECT_EQ(OpenAnyImage("dwi_still.nii.gz").size, OpenAnyImage("dwi.nii.gz").size);
