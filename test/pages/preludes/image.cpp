// An image that is there.
using ImageType = itk::Image<float, 3>;
const auto image = MakeBall(0.0);
// The block.
EXPECT_EQ(diffusion->GetOutput()->GetBufferedRegion(), image->GetBufferedRegion());
