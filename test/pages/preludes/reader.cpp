// An image that is read from somewhere.
#include <memory>
struct Reader
{
  itk::Image<float, 3>::Pointer image;
  itk::Image<float, 3> *
  GetOutput() const
  {
    return image;
  }
};
const auto reader = std::make_unique<Reader>(Reader{ MakeBall(0.0) });
// The block.
EXPECT_GT(filter->GetNoiseStandardDeviation(), 0.0);
EXPECT_EQ(filter->GetOutput()->GetBufferedRegion(), reader->GetOutput()->GetBufferedRegion());
