// Images of a population, and a transform.
#include "itkAffineTransform.h"
const std::vector<itk::Image<float, 3>::Pointer> images{ MakeBall(-1.0), MakeBall(0.0), MakeBall(1.0) };
const auto affine = itk::AffineTransform<double, 3>::New();
// The block.
EXPECT_EQ(mean->GetBufferedRegion(), images[0]->GetBufferedRegion());
EXPECT_EQ(toImage->GetBufferedRegion(), images[0]->GetBufferedRegion());
EXPECT_EQ(toTemplate->GetBufferedRegion(), images[0]->GetBufferedRegion());
EXPECT_EQ(atlas->GetNumberOfFoldedVoxels(), 0u);
