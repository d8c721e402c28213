// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_LinearChecks_h
#define cudaneuro_linear_LinearChecks_h

#include "core/PlaneFrames.h"
#include "cudaneuro/LinearRegistration.h"

#include <optional>

/** Checks of the arguments of a linear registration. Each throws InvalidParameterError with the given value and its
 * limit. */
namespace cudaneuro
{

/** Requires a finite, invertible map. If it is the start between slices, it must take the plane of one onto that of the
 * other. */
void
RequireInitialTransform(const AffineMap & transform, LinearStart start, const std::optional<PlaneFrames> & planes);

/** Requires that the caller gives no weights, because a registration computes its own. */
void
RequireNoWeights(const LinearMetricImages & images);

} // namespace cudaneuro

#endif
