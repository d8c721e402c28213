// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeans_h
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeans_h

#include "cudaneuro/NonLocalMeans.h"

namespace cudaneuro
{

/** Arguments of cudaneuro::NonLocalMeans, which have been checked. */
struct NonLocalMeansCall
{
  const NonLocalMeansParameters & parameters;
  const Grid &                    grid;
  const ConstVolume &             input;
  const ConstVolume &             mask;
  const Volume &                  output;
};

namespace cpu
{
/** The result does not depend on the number of threads.
 * \throws InvalidParameterError, OutOfMemoryError, Aborted */
void
NonLocalMeans(Context & context, const NonLocalMeansCall & call);
} // namespace cpu

namespace gpu
{
/** \throws InvalidParameterError, Error, OutOfMemoryError, Aborted */
void
NonLocalMeans(Context & context, const NonLocalMeansCall & call);
} // namespace gpu

} // namespace cudaneuro

#endif
