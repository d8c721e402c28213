// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_ParameterChecks_h
#define cudaneuro_core_ParameterChecks_h

#include "cudaneuroContext.h"

/** Each throws InvalidParameterError with the parameter's name, its value and the limit, or does nothing. */
namespace cudaneuro
{

/** > 0 and finite. */
void
RequirePositive(const char * name, double value);
void
RequirePositive(const char * name, const std::array<double, 3> & values);

/** >= 0 and finite. */
void
RequireNotNegative(const char * name, double value);

void
RequireAtLeast(const char * name, int value, int limit);

/** \p limit or more along axes longer than 1; not looked at along the others. */
void
RequireRadius(const char * name, const std::array<int, 3> & radius, int limit, const Grid & grid);

/** 1 to 2^31 - 1 voxels along each axis, and positive spacing. */
void
RequireGrid(const Grid & grid);

/** There is a volume, and this context reaches it. */
void
RequireVolume(const char * name, const Context & context, const ConstVolume & volume);
void
RequireVolume(const char * name, const Context & context, const Volume & volume);

/** Absent, or a volume of type UnsignedChar that this context reaches. */
void
RequireMask(const Context & context, const ConstVolume & mask);

/** All of what an image filter works on. */
void
RequireImages(const Context &     context,
              const Grid &        grid,
              const ConstVolume & input,
              const ConstVolume & mask,
              const Volume &      output);

} // namespace cudaneuro

#endif
