// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef BlockAgreementTest_h
#define BlockAgreementTest_h

#include "DeviceTest.h"
#include "TestVolumes.h"
#include "UploadedVolumes.h"
#include "jobs/DeviceJob.h"
#include "metrics/ReferenceBlockAgreement.h"
#include "metrics/blocks/BlockAgreement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

/** Scans that are placed in space, the agreement of their blocks on a device, and the fixture that compares it with its
 * definition in double precision. */
namespace blockagreement
{

using namespace cudaneuro;
using reference::WeightedScan;
using Vector = std::array<double, 3>;

inline constexpr double blockSide = 32.0;
inline constexpr double shift = 8.0;

inline double
Norm(const Vector & x)
{
  return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

inline Vector
Mapped(const AffineMap & map, const Vector & x)
{
  Vector y = map.offset;
  for (int entry = 0; entry < 9; ++entry)
  {
    y[entry / 3] += map.matrix[entry] * x[entry % 3];
  }
  return y;
}

/** A rotation about an axis through the origin, then a translation. */
inline AffineMap
Rigid(double degrees, const Vector & axis, const Vector & translation = {})
{
  const double angle = degrees * 3.14159265358979323846 / 180.0;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double length = Norm(axis);
  const Vector u{ axis[0] / length, axis[1] / length, axis[2] / length };
  AffineMap    map;
  map.matrix = { c + u[0] * u[0] * (1 - c),        u[0] * u[1] * (1 - c) - u[2] * s, u[0] * u[2] * (1 - c) + u[1] * s,
                 u[1] * u[0] * (1 - c) + u[2] * s, c + u[1] * u[1] * (1 - c),        u[1] * u[2] * (1 - c) - u[0] * s,
                 u[2] * u[0] * (1 - c) - u[1] * s, u[2] * u[1] * (1 - c) + u[0] * s, c + u[2] * u[2] * (1 - c) };
  map.offset = translation;
  return map;
}

/** The intensity around the head. */
inline constexpr double air = 0.0;

/** Where a grid lies, its center at the origin. */
inline AffineMap
CenteredGrid(const std::array<int, 3> & size, const Vector & spacing, const AffineMap & rotation = {})
{
  AffineMap map = rotation;
  for (int entry = 0; entry < 9; ++entry)
  {
    map.matrix[entry] *= spacing[entry % 3];
  }
  const Vector center = Mapped(map, { 0.5 * (size[0] - 1), 0.5 * (size[1] - 1), 0.5 * (size[2] - 1) });
  map.offset = { -center[0], -center[1], -center[2] };
  return map;
}

/** An image of \p intensity on a grid, with a little noise. Where the intensity is background, the weight is 0. */
inline WeightedScan
Scan(const std::array<int, 3> &                    size,
     const AffineMap &                             indexToPoint,
     const std::function<double(const Vector &)> & intensity,
     std::uint64_t                                 seed = 1)
{
  WeightedScan scan;
  scan.image.size = size;
  scan.indexToPoint = indexToPoint;
  ForEachVoxel(size, [&](int x, int y, int z) {
    const double noise = 3.0 * testvolumes::NormalNoise(seed, scan.image.values.size());
    const double value = intensity(Mapped(indexToPoint, { double(x), double(y), double(z) }));
    scan.image.values.push_back(static_cast<double>(static_cast<float>(value + noise)));
    scan.weight.push_back(value != air ? 1.0 : 0.0);
  });
  return scan;
}

/** Two scans in memory of a device. */
class AgreementOnDevice
{
public:
  AgreementOnDevice(Context & context, const WeightedScan & fixed, const WeightedScan & moving)
    : m_Context(context)
    , m_Volumes(context)
  {
    RunDeviceJob(context, [&] {
      m_Agreement =
        std::make_unique<BlockAgreement>(context, this->Upload(fixed), this->Upload(moving), blockSide, shift);
    });
  }

  BlockAgreement::Result
  Evaluate(const AffineMap & map)
  {
    BlockAgreement::Result result;
    RunDeviceJob(m_Context, [&] { result = m_Agreement->Evaluate(map); });
    return result;
  }

private:
  AgreementImage
  Upload(const WeightedScan & scan)
  {
    AgreementImage image;
    image.extent = { scan.image.size[0], scan.image.size[1], scan.image.size[2] };
    image.image = m_Volumes.Upload(std::vector<float>(scan.image.values.begin(), scan.image.values.end()));
    image.mask = m_Volumes.Upload(scan.image.mask);
    image.weight = m_Volumes.Upload(std::vector<float>(scan.weight.begin(), scan.weight.end()));
    image.indexToPoint = scan.indexToPoint;
    std::copy_n(scan.image.goesOnBefore.begin(), 3, image.extended.lower);
    std::copy_n(scan.image.goesOnBehind.begin(), 3, image.extended.upper);
    return image;
  }

  Context &                       m_Context;
  UploadedVolumes                 m_Volumes;
  std::unique_ptr<BlockAgreement> m_Agreement;
};

inline void
ExpectPart(const BlockAgreement::Part & part, const reference::BlockAgreementPart & expected)
{
  // A block whose sums are the same to 2e-3 may be decided by the median of the lengths of gradients, which is found in
  // bins of 1 %.
  EXPECT_NEAR(part.agreement, expected.agreement, expected.undecided + 1e-5);
  EXPECT_LT(expected.undecided, 0.1);
  EXPECT_EQ(part.numberOfBlocks, expected.numberOfBlocks);
  // The median interpolated in a bin is right to a few parts in 1e3, and less than that comes to the ratios.
  EXPECT_NEAR(part.squaredCosine, expected.squaredCosine, 2e-3 * expected.squaredCosine);
  EXPECT_NEAR(part.alignedGradients, expected.alignedGradients, 5e-3 * expected.alignedGradients);
}

inline void
ExpectSame(const BlockAgreement::Part & a, const BlockAgreement::Part & b)
{
  EXPECT_EQ(a.agreement, b.agreement);
  EXPECT_EQ(a.squaredCosine, b.squaredCosine);
  EXPECT_EQ(a.alignedGradients, b.alignedGradients);
  EXPECT_EQ(a.numberOfBlocks, b.numberOfBlocks);
}

inline void
ExpectSame(const BlockAgreement::Result & a, const BlockAgreement::Result & b)
{
  ExpectSame(static_cast<const BlockAgreement::Part &>(a), b);
  ExpectSame(a.ofFixedBlocks, b.ofFixedBlocks);
  ExpectSame(a.ofMovingBlocks, b.ofMovingBlocks);
}

class BlockAgreements : public DeviceTest
{
protected:
  void
  ExpectReference(const WeightedScan & fixed, const WeightedScan & moving, const AffineMap & map)
  {
    const BlockAgreement::Result result = AgreementOnDevice(this->GetContext(), fixed, moving).Evaluate(map);
    {
      SCOPED_TRACE("blocks of the fixed image");
      ExpectPart(result.ofFixedBlocks, reference::AgreementOfBlocks(fixed, moving, map, blockSide, shift));
    }
    SCOPED_TRACE("blocks of the moving image");
    ExpectPart(result.ofMovingBlocks, reference::AgreementOfBlocks(moving, fixed, Inverse(map), blockSide, shift));
    EXPECT_EQ(result.agreement, 0.5 * (result.ofFixedBlocks.agreement + result.ofMovingBlocks.agreement));
    EXPECT_EQ(result.numberOfBlocks, result.ofFixedBlocks.numberOfBlocks + result.ofMovingBlocks.numberOfBlocks);
  }

  double
  Agreement(const WeightedScan & fixed, const WeightedScan & moving, const AffineMap & map)
  {
    return AgreementOnDevice(this->GetContext(), fixed, moving).Evaluate(map).agreement;
  }
};

} // namespace blockagreement

#endif
