// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/SlicePhantom.h"
#include "registration/RegistrationCases.h"

using namespace slicephantom;

namespace
{

class RegisteredSlices : public DeviceTest
{};

/** Two slices of one head, one of them bent. */
struct SlicePair
{
  Geometry           fixedGeometry;
  Geometry           movingGeometry;
  AffineMap          transform;
  std::vector<float> fixed;
  std::vector<float> moving;
};

Geometry
CoarseSlice(const NamedPlane & plane)
{
  return SliceOn(plane, 44, 3.4);
}
Geometry
TurnedSlice(const NamedPlane & plane)
{
  return SliceOn(plane, 52, 3.1, 11.0);
}

/** Voxels that are the same on any plane. */
std::vector<float>
BentHead(const Geometry & onAcross, const AffineMap & map)
{
  const AffineMap back = Inverse(map);
  return Sample(onAcross,
                [&](const Point & p) {
                  const Point q = Mapped(back, p);
                  return WholeHead({ q[0] + 3.0 * std::sin(0.05 * q[1]), q[1] - 2.0 * std::cos(0.06 * q[0]), 11.0 });
                })
    .values;
}

/** On the grid of the fixed image, or with a moving grid and a transform of their own. */
SlicePair
MakeSlices(const NamedPlane & fixed, const NamedPlane & moving, bool isAligned)
{
  const NamedPlane across = AllPlanes().front();
  const AffineMap  known = KnownMap(LinearTransformType::Affine, 2, 8.0);
  SlicePair        pair;
  pair.fixedGeometry = CoarseSlice(fixed);
  pair.fixed = Sample(CoarseSlice(across), [](const Point & p) { return WholeHead({ p[0], p[1], 11.0 }); }).values;
  pair.movingGeometry = isAligned ? CoarseSlice(moving) : TurnedSlice(moving);
  pair.transform = isAligned ? AffineMap() : Between(fixed, known, moving);
  pair.moving =
    isAligned ? BentHead(CoarseSlice(across), {}) : BentHead(TurnedSlice(across), Between(across, known, across));
  return pair;
}

RegistrationImages
ImagesOf(const SlicePair & pair)
{
  RegistrationImages images;
  images.fixedGeometry = pair.fixedGeometry;
  images.movingGeometry = pair.movingGeometry;
  images.transform = pair.transform;
  images.fixedImage = ConstView(pair.fixed);
  images.movingImage = ConstView(pair.moving);
  return images;
}

struct SliceResult
{
  std::vector<float> displacement;
  std::vector<float> inverse;
  std::vector<float> warped;
  RegistrationResult registration;
};

SliceResult
RunSlices(Context & context, const RegistrationParameters & parameters, const RegistrationImages & images)
{
  const auto  voxels = static_cast<std::size_t>(images.fixedGeometry.grid.NumberOfVoxels());
  SliceResult result{ std::vector<float>(3 * voxels), std::vector<float>(3 * voxels), std::vector<float>(voxels), {} };
  RegistrationOutputs outputs;
  outputs.displacement = { result.displacement.data(), 3, MemorySpace::Host };
  outputs.inverse = { result.inverse.data(), 3, MemorySpace::Host };
  outputs.warped = View(result.warped);
  result.registration = Register(context, parameters, images, outputs);
  return result;
}

/** Displacements in the coordinates of a plane. */
std::vector<float>
OnPlane(const NamedPlane & plane, const std::vector<float> & field)
{
  const AffineMap    back = Inverse(AffineMap{ plane.toSpace.matrix, {} });
  std::vector<float> turned;
  for (std::size_t i = 0; i < field.size(); i += 3)
  {
    for (const double component : Mapped(back, { field[i], field[i + 1], field[i + 2] }))
    {
      turned.push_back(static_cast<float>(component));
    }
  }
  return turned;
}

double
LargestDifference(const std::vector<float> & a, const std::vector<float> & b)
{
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    largest = std::isnan(difference) ? difference : std::max(largest, difference);
  }
  return largest;
}

/** In mm: displacements of some mm, in float, after iterations in which a rounding changes where a voxel is sampled. */
constexpr double tolerance = 2e-3;

} // namespace

TEST_P(RegisteredSlices, HaveTheFieldOfTheirPlane)
{
  const NamedPlane across = AllPlanes().front();
  for (const registrationcases::DeformableMethod & method : registrationcases::DeformableMethods())
  {
    RegistrationParameters parameters = registrationcases::ParametersOf(method);
    parameters.levels = { { { 2, 2, 2 }, 10 }, { { 1, 1, 1 }, 5 } };
    for (const bool isAligned : { true, false })
    {
      const SlicePair   flat = MakeSlices(across, across, isAligned);
      const SliceResult expected = RunSlices(this->GetContext(), parameters, ImagesOf(flat));
      EXPECT_GT(LargestDifference(expected.displacement, std::vector<float>(expected.displacement.size())), 0.5);
      for (const NamedPlane & plane : { AllPlanes()[1], AllPlanes()[2], AllPlanes()[4] })
      {
        // What is aligned by a map may come from any other plane. The half of a map, in whose middle slices are
        // symmetric, is that between parallel planes which the test knows.
        NamedPlane moving = isAligned || method.isSymmetric ? plane : PlaneOf("elsewhere", ObliqueAxes(), 30.0);
        moving.toSpace.offset = Mapped(plane.toSpace, { 0.0, 0.0, isAligned ? 0.0 : 20.0 });
        SCOPED_TRACE(testing::Message() << plane.name << ' ' << method.name << ' ' << method.metric << ' '
                                        << isAligned);
        const SlicePair   pair = MakeSlices(plane, moving, isAligned);
        const SliceResult found = RunSlices(this->GetContext(), parameters, ImagesOf(pair));
        EXPECT_LT(LargestDifference(OnPlane(plane, found.displacement), expected.displacement), tolerance);
        EXPECT_LT(LargestDifference(OnPlane(plane, found.inverse), expected.inverse), tolerance);
        EXPECT_LT(LargestDifference(found.warped, expected.warped), 0.2); // of 255, with slopes of 30 a mm
        EXPECT_NEAR(found.registration.jacobian.minimum, expected.registration.jacobian.minimum, 1e-3);
      }
    }
  }
}

TEST_P(RegisteredSlices, StartFromFieldsInTheirPlane)
{
  const NamedPlane         across = AllPlanes().front();
  const NamedPlane         plane = AllPlanes().back();
  const SlicePair          flat = MakeSlices(across, across, false);
  const SlicePair          oblique = MakeSlices(plane, plane, false);
  const std::vector<float> bend = [&] {
    std::vector<float> field;
    Sample(CoarseSlice(across), [&](const Point & p) {
      field.insert(field.end(), { float(1.5 * std::sin(0.04 * p[1])), float(std::cos(0.05 * p[0])), 0.0f });
      return 0.0;
    });
    return field;
  }();
  const std::vector<float> bendInSpace = OnPlane({ "", Inverse(plane.toSpace) }, bend);
  std::vector<float>       leaving = bendInSpace;
  for (std::size_t i = 0; i < leaving.size(); ++i)
  {
    leaving[i] += static_cast<float>(0.5 * plane.toSpace.matrix[3 * (i % 3) + 2]);
  }
  RegistrationParameters parameters;
  parameters.levels = { { { 1, 1, 1 }, 5 } };
  const auto fieldOf = [](const std::vector<float> & field) {
    return ConstField{ field.data(), 3, MemorySpace::Host };
  };
  for (const bool isSymmetric : { false, true })
  {
    parameters.isSymmetric = isSymmetric;
    for (const auto member : { &RegistrationImages::initialField, &RegistrationImages::transformField })
    {
      RegistrationImages ofFlat = ImagesOf(flat);
      RegistrationImages ofOblique = ImagesOf(oblique);
      ofFlat.*member = fieldOf(bend);
      ofOblique.*member = fieldOf(bendInSpace);
      const SliceResult expected = RunSlices(this->GetContext(), parameters, ofFlat);
      const SliceResult found = RunSlices(this->GetContext(), parameters, ofOblique);
      EXPECT_LT(LargestDifference(OnPlane(plane, found.displacement), expected.displacement), tolerance);
      ofOblique.*member = fieldOf(leaving);
      ExpectInvalidParameter(
        [&] { RunSlices(this->GetContext(), parameters, ofOblique); }, "out of the plane of the slice", "0.");
    }
  }
}

TEST_P(RegisteredSlices, AreNotTakenFromOtherPlanes)
{
  const NamedPlane plane = AllPlanes().back();
  NamedPlane       higher = plane;
  higher.toSpace.offset = Mapped(plane.toSpace, { 0.0, 0.0, 7.25 });
  const SlicePair pair = MakeSlices(plane, higher, true);
  for (const bool isSymmetric : { false, true })
  {
    RegistrationParameters parameters;
    parameters.isSymmetric = isSymmetric;
    ExpectInvalidParameter([&] { RunSlices(this->GetContext(), parameters, ImagesOf(pair)); },
                           "the distance by which the initial transform misses the plane of the moving slice",
                           "7.25 mm");
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(RegisteredSlices);
