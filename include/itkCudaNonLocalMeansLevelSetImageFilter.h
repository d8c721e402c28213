// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNonLocalMeansLevelSetImageFilter_h
#define itkCudaNonLocalMeansLevelSetImageFilter_h

#include "cudaneuro/NonLocalMeansLevelSet.h"
#include "itkCudaNeuroImageFilter.h"
#include "itkCudaNeuroMacros.h"

#include <type_traits>

namespace itk
{

/** \class CudaNonLocalMeansLevelSetImageFilter
 * \brief Denoises a surface by non-local means on its signed distance, on a CUDA device or the CPU.
 *
 * The input is the signed distance of a surface, in mm and negative inside, as CudaMeshToSignedDistanceImageFilter and
 * CudaLabelToSignedDistanceImageFilter compute it; the surface of the result is its zero level. Each voxel x of the
 * band
 * \f$ |\phi| \le \delta \f$ is compared, by the patch of distances around it, with all voxels of the band, and moves
 * towards the NumberOfNeighbors y that are most similar (Lee et al., equations 14 to 16; Dong et al. 2008), with the
 * weights
 * \f$ w(x, y) = \exp(-|x - y|^2 / c_1) \exp(-D(x, y) / c_2) \f$, where D is the sum of the squared differences of the
 * patches. The search is exact, and covers the whole band: there is no search window.
 *
 * Voxels outside the band keep their value, unless Reinitialize or, as by default, VolumeCorrection is on; those
 * outside the mask always do. If the input is not a distance, so that the norm of its gradient is far from 1 in the
 * band, there is a warning; CudaReinitializeSignedDistanceImageFilter converts it to a distance.
 *
 * \tparam TInputImage Image or DeviceImage of float or double, in three dimensions. So is TOutputImage.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaNonLocalMeansLevelSetImageFilter : public CudaNeuroImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaNonLocalMeansLevelSetImageFilter);

  using Self = CudaNonLocalMeansLevelSetImageFilter;
  using Superclass = CudaNeuroImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(CudaNonLocalMeansLevelSetImageFilter);

  using Superclass::ImageDimension;
  static_assert(ImageDimension == 3, "A level set is denoised in three dimensions.");
  static_assert(std::is_floating_point_v<typename TInputImage::PixelType> &&
                  std::is_floating_point_v<typename TOutputImage::PixelType>,
                "Signed distances have pixels of float or double; integers would round the surface to voxels.");

  /** Sets all parameters at once, as the engine's struct. */
  itkCudaNeuroParametersMacro(cudaneuro::NonLocalMeansLevelSetParameters);

  /** Half-width of the band around the surface, in mm. Positive, or 0, the default, for cudaneuro::RecommendedBandWidth
   * of the spacing. GetUsedBandWidth returns the value of the last update. */
  itkCudaNeuroParameterMacro(BandWidth, double, bandWidth);
  itkCudaNeuroGetResultMacro(UsedBandWidth, double, bandWidth);

  /** Number of voxels along each edge of the patches: 3, 5 (default) or 7. */
  itkCudaNeuroParameterMacro(PatchSize, unsigned int, patchSize);

  /** Number of voxels that a voxel is averaged with, excluding itself: 1 to 128, default 96. If the band has fewer, all
   * of them are used. */
  itkCudaNeuroParameterMacro(NumberOfNeighbors, unsigned int, numberOfNeighbors);

  /** c1, in mm squared: neighbors that are farther away than its square root have little weight. Positive, infinite to
   * ignore distances, or 0, the default, for a value that is derived from the data. GetUsedSpatialScale returns the
   * value of the last update. */
  itkCudaNeuroParameterMacro(SpatialScale, double, spatialScale);
  itkCudaNeuroGetResultMacro(UsedSpatialScale, double, spatialScale);

  /** c2, in mm squared, the unit of D: patches that differ by more have little weight. Positive, or 0, the default, for
   * a value that is derived from the data. GetUsedSimilarityScale returns the value of the last update. */
  itkCudaNeuroParameterMacro(SimilarityScale, double, similarityScale);
  itkCudaNeuroGetResultMacro(UsedSimilarityScale, double, similarityScale);

  /** Number of steps with one set of weights: 1 to 10000, default 15. */
  itkCudaNeuroParameterMacro(NumberOfIterations, unsigned int, numberOfIterations);

  /** Number of times that patches are compared, and weights computed, on the result so far: 1 (default) to 100. */
  itkCudaNeuroParameterMacro(NumberOfPasses, unsigned int, numberOfPasses);

  /** Recompute distances after each pass, so that the field is a distance again. Off by default. */
  itkCudaNeuroBooleanParameterMacro(Reinitialize, reinitialize);

  /** Add a constant to the distances of the result, so that the enclosed volume stays the same. On by default. */
  itkCudaNeuroBooleanParameterMacro(VolumeCorrection, volumeCorrection);

  /** \name Results of the last update
   */
  ///@{
  /** Number of voxels in the band of the first pass. */
  itkCudaNeuroGetResultMacro(NumberOfBandVoxels, SizeValueType, bandVoxels);

  /** Length of a step towards the neighbors: 1 over the largest sum of a voxel's weights. */
  itkCudaNeuroGetResultMacro(TimeStep, double, timeStep);

  /** The 5 and 95 % quantiles of the norm of the input's gradient in the band. A distance has 1; 4 means 4 or more. */
  itkCudaNeuroGetResultMacro(LowGradientNorm, double, lowGradientNorm);
  itkCudaNeuroGetResultMacro(HighGradientNorm, double, highGradientNorm);

  /** Enclosed volumes in mm cubed, and the distance that VolumeCorrection added, in mm. */
  itkCudaNeuroGetResultMacro(VolumeBefore, double, volumeBefore);
  itkCudaNeuroGetResultMacro(VolumeAfter, double, volumeAfter);
  itkCudaNeuroGetResultMacro(VolumeOffset, double, volumeOffset);
  ///@}

protected:
  CudaNonLocalMeansLevelSetImageFilter() = default;
  ~CudaNonLocalMeansLevelSetImageFilter() override = default;

  bool
  UsesMask() const override
  {
    return true;
  }
  void
  Compute(cudaneuro::Context & context) override;
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

private:
  cudaneuro::NonLocalMeansLevelSetParameters m_Parameters;
  cudaneuro::NonLocalMeansLevelSetResult     m_Result;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaNonLocalMeansLevelSetImageFilter.hxx"
#endif

#endif
