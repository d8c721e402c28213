// Two images, a transform, and the format of the file that is written.
#include "itkAffineTransform.h"
#include "itkHDF5TransformIOFactory.h"
itk::HDF5TransformIOFactory::RegisterOneFactory();
const auto fixed = MakeBall(0.0);
const auto moving = MakeBall(1.5);
const auto affine = itk::AffineTransform<double, 3>::New();
// The block.
EXPECT_EQ(warped->GetBufferedRegion(), fixed->GetBufferedRegion());
EXPECT_EQ(registration->GetNumberOfFoldedVoxels(), 0u);
