// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Maps_h
#define Maps_h

#include "HeadImage.h"

/** Random maps of space, and errors of maps. */

Point
Apply(const cudaneuro::AffineMap & map, const Point & point);

/** The map x -> matrix (x - center) + center + shift. */
cudaneuro::AffineMap
AboutCenter(const std::array<double, 9> & matrix, const Point & center, const Point & shift);

/** Rotations about x, y and z, one after the other, each by up to an angle in degrees; from 180 degrees on, all
 * rotations are equally likely. Shifts are up to a distance along each axis. */
cudaneuro::AffineMap
RandomRigid(Random & random, double degrees, double distance, const Point & center);

/** A rotation as above, followed by sizes from 1 - scale to 1 + scale along each axis, and shears by up to scale /
 * 2. */
cudaneuro::AffineMap
RandomAffine(Random & random, double degrees, double distance, double scale, const Point & center);

/** Reads a linear transform of ITK.
 * \throws itk::ExceptionObject, std::runtime_error */
cudaneuro::AffineMap
ReadMap(const std::string & path);

/** The mean distance between points and what a map makes of the corners. */
double
MeanDistance(const cudaneuro::AffineMap & map, const Corners & corners, const Corners & points);

#endif
