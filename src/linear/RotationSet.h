// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_RotationSet_h
#define cudaneuro_linear_RotationSet_h

#include <array>
#include <vector>

namespace cudaneuro
{

/** Rotations by up to an angle, about \p spacing from each other, in radians; the first one is the identity. In 3D they
 * are those of the spiral of Alexa, "Super-Fibonacci spirals: fast, low-discrepancy sampling of SO(3)", CVPR 2022; in
 * 2D they are equally spaced angles about the third axis. The same in each call. */
std::vector<std::array<double, 9>>
MakeRotationSet(double largestAngle, double spacing, bool isFlat);

} // namespace cudaneuro

#endif
