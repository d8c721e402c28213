// Two images, and the formats of the files that are written.
#include <array>
#include "itkNiftiImageIOFactory.h"
#include "itkTxtTransformIOFactory.h"
itk::NiftiImageIOFactory::RegisterOneFactory();
itk::TxtTransformIOFactory::RegisterOneFactory();
const auto fixed = MakeBall(0.0);
const auto moving = MakeBall(1.5);
// The block.
// A ball may be turned about its center.
const itk::Point<double, 3> center(std::array<double, 3>{ 11.5, 10.5, 9.5 });
EXPECT_NEAR(registration->GetTransform()->TransformPoint(center)[0], center[0] + 1.5, 0.3);
