// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceBlockAgreement_h
#define ReferenceBlockAgreement_h

#include "metrics/ReferenceMetric.h"

/** The agreement of blocks by the formulas of src/metrics/blocks/BlockAgreement.h, slowly, in double precision. */
namespace reference
{

struct WeightedScan
{
  ImageOnGrid image;
  /** Empty, or one number a voxel. */
  std::vector<double>  weight;
  cudaneuro::AffineMap indexToPoint;
};

struct BlockAgreementPart
{
  double agreement = 0.0;
  double squaredCosine = 0.0;
  double alignedGradients = 0.0;
  int    numberOfBlocks = 0;
  /** The part of the blocks, as they count, in which a shift is as good as none to 2e-3, so that rounding may
   * decide. */
  double undecided = 0.0;
};

/** The blocks of \p source, whose voxels see \p target through a map of points. */
BlockAgreementPart
AgreementOfBlocks(const WeightedScan &         source,
                  const WeightedScan &         target,
                  const cudaneuro::AffineMap & map,
                  double                       blockSide,
                  double                       shift);

} // namespace reference

#endif
