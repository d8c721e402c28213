// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceDenoising_h
#define ReferenceDenoising_h

#include "cudaneuro/AnisotropicDiffusion.h"
#include "cudaneuro/Bilateral.h"
#include "cudaneuro/NonLocalMeans.h"
#include "cudaneuro/StructuralSimilarity.h"

#include <vector>

/** The filters as their definitions say, in double precision, voxel by voxel, without regard to speed and without code
 * of the library. */
namespace reference
{

struct Image
{
  cudaneuro::Grid            grid;
  std::vector<double>        values;
  std::vector<unsigned char> mask; // empty: no mask

  std::size_t
  Index(std::int64_t x, std::int64_t y, std::int64_t z) const;
  bool
  IsInside(std::int64_t x, std::int64_t y, std::int64_t z) const;
  /** Whether a voxel is inside the image and the mask, and finite. */
  bool
  TakesPart(std::int64_t x, std::int64_t y, std::int64_t z) const;
  double
  At(std::int64_t x, std::int64_t y, std::int64_t z) const;
};

inline double
Square(double x)
{
  return x * x;
}

std::vector<double>
Bilateral(const cudaneuro::BilateralParameters & parameters, const Image & image);

std::vector<double>
AnisotropicDiffusion(const cudaneuro::AnisotropicDiffusionParameters & parameters, const Image & image);

std::vector<double>
NonLocalMeans(const cudaneuro::NonLocalMeansParameters & parameters, const Image & image);

/** \param noise at each voxel, of which the parameters are multiples. Voxels where it is 0 take no part. */
std::vector<double>
BilateralWithNoiseMap(const cudaneuro::BilateralParameters & parameters,
                      Image                                  image,
                      const std::vector<double> &            noise);

/** As above. Differences along edges are compared with the geometric mean of both ends' kappas. */
std::vector<double>
AnisotropicDiffusionWithNoiseMap(const cudaneuro::AnisotropicDiffusionParameters & parameters,
                                 Image                                             image,
                                 const std::vector<double> &                       noise);

/** As above. */
std::vector<double>
NonLocalMeansWithNoiseMap(const cudaneuro::NonLocalMeansParameters & parameters,
                          Image                                      image,
                          const std::vector<double> &                noise);

double
EstimateNoiseSigma(const Image & image);

struct Similarity
{
  std::vector<double> map;
  double              mean;
  double              meanSquaredError;
};

/** The mask is that of \p reference. */
Similarity
StructuralSimilarity(const cudaneuro::StructuralSimilarityParameters & parameters,
                     const Image &                                     reference,
                     const Image &                                     image);

} // namespace reference

#endif
