// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The local correlation of images that are computed in several tiles on a GPU, and in several tasks on the CPU: against
// its definition in double precision, on both devices, and what it promises of bits.

#include "LocalCorrelationTest.h"

#include <cstring>
#include <vector>

namespace
{

using namespace cudaneuro;
using namespace localcorrelation;

/** Images of several tiles and columns on a GPU, and of several tasks on a CPU. */
ImagePair
LargerImages()
{
  return MakeImages({ 45, 37, 70 }, { 50, 33, 61 }, true);
}

TEST_P(LocalCorrelationTest, LargerImagesAgreeWithReference)
{
  const ImagePair     images = LargerImages();
  const AffineMap     map = MakeMap(images, 1.0, { 0.3137, -0.2291, 0.1733 });
  const MapEvaluation evaluation = Evaluate(this->GetContext(), images, 2, { map }).front();
  const MetricValue   expected = ByDefinition(images, 2, map);
  EXPECT_EQ(evaluation.count, expected.count);
  EXPECT_NEAR(evaluation.value, expected.value, 1e-5); // as in ExpectDefinition
}

bool
HaveSameBits(const MapEvaluation & a, const MapEvaluation & b)
{
  return std::memcmp(&a.value, &b.value, sizeof(a.value)) == 0 && a.count == b.count &&
         std::memcmp(a.derivativeByMatrix, b.derivativeByMatrix, sizeof(a.derivativeByMatrix)) == 0 &&
         std::memcmp(a.derivativeByOffset, b.derivativeByOffset, sizeof(a.derivativeByOffset)) == 0;
}

TEST_P(LocalCorrelationTest, BatchesHaveTheBitsOfSingleMaps)
{
  const ImagePair images = LargerImages();
  const AffineMap first = MakeMap(images, 1.0, { 0.3137, -0.2291, 0.1733 });
  const AffineMap second = MakeMap(images, 2.0, { -1.4143, 0.7071, 2.3027 });
  const auto      batch = Evaluate(this->GetContext(), images, 3, { first, second, first });
  EXPECT_TRUE(HaveSameBits(batch[0], batch[2]));
  EXPECT_TRUE(HaveSameBits(batch[0], Evaluate(this->GetContext(), images, 3, { first }).front()));
  EXPECT_TRUE(HaveSameBits(batch[1], Evaluate(this->GetContext(), images, 3, { second }).front()));
}

TEST_P(LocalCorrelationTest, ValuesDoNotDependOnDerivatives)
{
  const ImagePair images = LargerImages();
  const AffineMap map = MakeMap(images, 1.0, { 0.3137, -0.2291, 0.1733 });
  const auto      with = Evaluate(this->GetContext(), images, 3, { map }, true).front();
  const auto      without = Evaluate(this->GetContext(), images, 3, { map }, false).front();
  EXPECT_EQ(with.value, without.value);
  EXPECT_EQ(with.count, without.count);
  EXPECT_EQ(DerivativesOf(without), DerivativesOf(MapEvaluation()))
    << "derivatives that are not wanted stay as they are";
}

class LocalCorrelationOnGpu : public DeviceTest
{};

TEST_P(LocalCorrelationOnGpu, AgreesWithTheCpu)
{
  ImagePair       images = LargerImages();
  const AffineMap map = MakeMap(images, 1.0, { 0.3137, -0.2291, 0.1733 });
  Context         host{ Device{} };
  for (const bool isWeighted : { false, true })
  {
    SCOPED_TRACE(isWeighted);
    images.fixedWeights = isWeighted ? Weights(images.fixed) : std::vector<unsigned char>();
    const auto expected = Evaluate(host, images, 3, { map }).front();
    const auto actual = Evaluate(this->GetContext(), images, 3, { map }).front();
    EXPECT_DOUBLE_EQ(actual.count, expected.count);
    // Sums of boxes slide along z for 32 voxels on a GPU, and from end to end on the CPU.
    EXPECT_NEAR(actual.value, expected.value, 1e-5);
    ExpectDerivatives(DerivativesOf(actual), DerivativesOf(expected), 1e-4);
  }
}

CUDANEURO_TEST_ON_CUDA(LocalCorrelationOnGpu);

} // namespace
