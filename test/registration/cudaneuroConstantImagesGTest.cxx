// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/TestPopulation.h"
#include "registration/RegistrationCases.h"

#include <limits>

/** Images that are constant where they count give a registration nothing to go by. Each method refuses them, and
 * names the image and the intensity, also where interpolation makes voxels of them that differ in their last bits. */

using namespace registrationcases;

namespace
{

/** A value whose products with weights of interpolation have rounding errors. */
constexpr float        constant = 103.7f;
constexpr const char * constantText = "103.699";

enum class Which
{
  Fixed,
  Moving
};

const char *
NameOf(Which which)
{
  return which == Which::Fixed ? "the intensity of the fixed image inside its mask"
                               : "the intensity of the moving image inside its mask";
}

/** The pair, of which one image is constant inside its mask. */
Pair
WithConstant(Pair pair, Which which)
{
  PlacedImage & image = which == Which::Fixed ? pair.fixed : pair.moving;
  for (std::size_t i = 0; i < image.values.size(); ++i)
  {
    image.values[i] = image.mask[i] != 0 ? constant : image.values[i];
  }
  return pair;
}

/** Turns and shears, so that no voxel falls on a voxel. */
AffineMap
Turned(bool isFlat)
{
  AffineMap map;
  map.matrix = { 0.98, 0.07, 0.0, -0.05, 1.01, 0.0, 0.0, 0.0, isFlat ? 1.0 : 0.97 };
  map.offset = { 0.4, -0.3, isFlat ? 0.0 : 0.2 };
  return map;
}

} // namespace

class ConstantImages : public DeviceTest
{};

TEST_P(ConstantImages, AreNotDeformed)
{
  for (const bool isFlat : { false, true })
  {
    const Pair whole = MakePair(1.0, isFlat);
    for (const Which which : { Which::Fixed, Which::Moving })
    {
      const Pair         pair = WithConstant(whole, which);
      RegistrationImages images = ImagesOf<RegistrationImages>(pair);
      for (const AffineMap & start : { AffineMap(), Turned(isFlat) })
      {
        images.transform = start;
        for (const DeformableMethod & method : DeformableMethods())
        {
          SCOPED_TRACE(method.name);
          ExpectInvalidParameter(
            [&] { Register(this->GetContext(), ParametersOf(method), images, {}); }, NameOf(which), constantText);
        }
      }
    }
  }
}

TEST_P(ConstantImages, AreNotDeformedWhereOthersAreNotFinite)
{
  // Where neighbors are excluded, the weights of interpolation are divided by their sum.
  Pair pair = WithConstant(MakePair(1.0, false), Which::Moving);
  for (std::size_t i = 0; i < pair.moving.values.size(); ++i)
  {
    pair.moving.values[i] = pair.moving.mask[i] != 0 ? constant : std::numeric_limits<float>::quiet_NaN();
  }
  pair.moving.mask.clear();
  RegistrationImages images = ImagesOf<RegistrationImages>(pair);
  images.transform = Turned(false);
  for (const DeformableMethod & method : DeformableMethods())
  {
    SCOPED_TRACE(method.name);
    ExpectInvalidParameter([&] { Register(this->GetContext(), ParametersOf(method), images, {}); },
                           "the intensity of the moving image at its finite voxels",
                           constantText);
  }
}

TEST_P(ConstantImages, AreNotAligned)
{
  for (const bool isFlat : { false, true })
  {
    for (const Which which : { Which::Fixed, Which::Moving })
    {
      const Pair               pair = WithConstant(MakePair(1.0, isFlat), which);
      const LinearMetricImages images = ImagesOf<LinearMetricImages>(pair);
      for (const RegistrationMetric metric : metrics)
      {
        LinearRegistrationParameters parameters;
        parameters.metric.metric = metric;
        ExpectInvalidParameter(
          [&] { RegisterLinearly(this->GetContext(), parameters, images); }, NameOf(which), constantText);
      }
    }
  }
}

TEST_P(ConstantImages, AreNoPartOfAnAtlas)
{
  using namespace testpopulation;
  const Pair   pair = WithConstant(MakePair(1.0, false), Which::Moving);
  AtlasDevices devices;
  devices.devices = { this->GetParam() };
  for (const AffineMap & transform : { AffineMap(), Turned(false) })
  {
    DiffeomorphicAtlas atlas(ShortSchedule(), pair.fixed.geometry, { 1.0, 1.0 }, devices);
    AtlasImage         image;
    image.name = "b.nii";
    image.geometry = pair.moving.geometry;
    image.image = ConstView(pair.moving.values);
    image.mask = ConstView(pair.moving.mask);
    image.transform = transform;
    ExpectInvalidParameter(
      [&] { atlas.SetImage(0, image); }, "the intensity of the image 'b.nii' inside its mask", constantText);
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(ConstantImages);
