// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ZeroLevelTestCases_h
#define ZeroLevelTestCases_h

#include "DistanceTestCases.h"

/** Fields on grids, and what stands for their zero levels. */
namespace distancetests
{

/** In mm, for spacing near 1 and distances up to 10: single precision gives errors of some 2^-24 of these. */
constexpr double fieldTolerance = 1e-5;

using Field = std::function<double(const Point &)>;

Point
CenterOf(const cudaneuro::Grid & grid, std::int64_t i);

std::vector<float>
Sample(const cudaneuro::Grid & grid, const Field & field);

Field
Ball(const Point & center, double radius);

/** A field with several parts, some of which the grid cuts off, and exact zeros here and there. */
std::vector<float>
RandomField(const cudaneuro::Grid & grid, std::uint64_t seed);

/** Distances of all voxels to the triangles of a mesh. */
std::vector<double>
DistancesToMesh(const cudaneuro::Grid & grid, const Mesh & mesh);

/** Distances up to \p reach, with the sign of the field. */
std::vector<double>
Signed(const std::vector<float> & field, const std::vector<double> & distances, double reach);

/** Expects these values, to fieldTolerance. */
void
ExpectNear(const std::vector<float> & values, const std::vector<double> & expected);

} // namespace distancetests

#endif
