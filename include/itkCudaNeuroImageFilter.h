// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroImageFilter_h
#define itkCudaNeuroImageFilter_h

#include "cudaneuro/Context.h"
#include "itkComputeDevice.h"
#include "itkCudaNeuroAllocation.h"
#include "itkCudaNeuroCompatibility.h"
#include "itkCudaNeuroDetail.h"
#include "itkCudaNeuroImageChecks.h"
#include "itkCudaNeuroMacros.h"
#include "itkDeviceImage.h"
#include "itkImage.h"
#include "itkImageToImageFilter.h"

#include <memory>
#include <string>

namespace itk
{

/** \class CudaNeuroImageFilter
 * \brief Base of the image filters of this module: a device, a mask, progress, and statistics.
 *
 * Input and output may each be an itk::Image or a DeviceImage, of dimension 2 or 3 and of pixel type unsigned char,
 * short, unsigned short, float or double. Computation is in float. Real results become integer pixels by rounding to
 * nearest and saturating at the type's range; NaN becomes 0. Filters work on the whole image: they request the largest
 * possible region and produce it.
 *
 * A filter object serves one thread at a time; different filter objects may run in different threads.
 *
 * \ingroup CudaNeuro
 */
template <typename TInputImage, typename TOutputImage = TInputImage>
class ITK_TEMPLATE_EXPORT CudaNeuroImageFilter : public ImageToImageFilter<TInputImage, TOutputImage>
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(CudaNeuroImageFilter);

  using Self = CudaNeuroImageFilter;
  using Superclass = ImageToImageFilter<TInputImage, TOutputImage>;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkOverrideGetNameOfClassMacro(CudaNeuroImageFilter);

  using InputImageType = TInputImage;
  using OutputImageType = TOutputImage;
  using MaskImageType = ImageBase<TInputImage::ImageDimension>;
  static constexpr unsigned int ImageDimension = TInputImage::ImageDimension;

  /** The device to compute on. By default, the device of the input if that is a DeviceImage, else
   * ComputeDevice::GetDefault(). */
  void
  SetComputeDevice(const ComputeDevice & device)
  {
    if (!m_IsComputeDeviceSet || device != m_ComputeDevice)
    {
      m_IsComputeDeviceSet = true;
      m_ComputeDevice = device;
      this->Modified();
    }
  }
  /** Sets the device by its name, see ComputeDevice::FromName. */
  void
  SetComputeDevice(const std::string & name)
  {
    this->SetComputeDevice(ComputeDevice::FromName(name));
  }
  /** \throws ExceptionObject when none was set and the environment variable CUDANEURO_DEVICE names a device that does
   * not exist. */
  ComputeDevice
  GetComputeDevice() const;

  /** Voxels where the mask is 0 are excluded; any other value is inside. Optional; an Image or a DeviceImage of
   * unsigned char, with the geometry of the input. Other pixel types are refused: casting a mask of float would turn
   * 0.5 into 0. An update with a mask fails in filters that compute all voxels, such as
   * CudaDiscreteGaussianImageFilter. */
  itkCudaNeuroSetGetInputMacro(MaskImage, MaskImageType);

  /** Maximum memory of a CUDA device that an update may have at any time, in bytes; 0, the default, is all that is
   * free. Denoising filters, CudaStructuralSimilarityImageFilter, and the upload and download of images work in slabs
   * so as to stay within it. Other filters, and those for which not even a slab fits, fail with a CudaNeuroException
   * that names the bytes needed and allowed.
   *
   * All memory that an update allocates on the device counts, including copies of inputs and outputs in host memory;
   * DeviceImages that are inputs or outputs do not. Host memory is not limited: the setting has no effect where the CPU
   * computes. */
  itkCudaNeuroSetGetMacro(MaximumDeviceMemory, SizeValueType);

  /** Give an itk::Image output page-locked memory from a pool when computing on a CUDA device. The first use of a size
   * is slow, later ones are many times faster than with ordinary memory. On by default. */
  itkCudaNeuroSetGetBooleanMacro(UsePinnedOutput);

  /** Statistics of the last update: bytes copied to the device and from it, milliseconds on the device (0 on the CPU),
   * and the number of slabs that the volume was cut into to fit in memory (1 is no cut; 0 on the CPU). */
  itkCudaNeuroGetValueMacro(HostToDeviceBytes, SizeValueType, m_Statistics.hostToDeviceBytes);
  itkCudaNeuroGetValueMacro(DeviceToHostBytes, SizeValueType, m_Statistics.deviceToHostBytes);
  itkCudaNeuroGetValueMacro(DeviceMilliseconds, double, m_Statistics.deviceMilliseconds);
  itkCudaNeuroGetValueMacro(NumberOfSlabs, unsigned int, m_Statistics.numberOfSlabs);

protected:
  CudaNeuroImageFilter() = default;
  ~CudaNeuroImageFilter() override = default;

  /** The computation: called with a context of the filter's device, with allocated outputs. */
  virtual void
  Compute(cudaneuro::Context & context) = 0;

  /** Whether the computation excludes the voxels outside the mask. If not, updates with a mask fail. */
  virtual bool
  UsesMask() const
  {
    return false;
  }

  /** Whether the computation reads the pixels of the input, not only its information. */
  virtual bool
  UsesInputPixels() const
  {
    return true;
  }

  void
  VerifyPreconditions() const override
  {
    Superclass::VerifyPreconditions();
    if (this->GetMaskImage() != nullptr && !this->UsesMask())
    {
      itkExceptionMacro("There is a mask image, which this filter has no use for: it computes all voxels");
    }
  }
  void
  GenerateData() override;
  void
  AllocateOutputs() override
  {
    OutputImageType * const output = this->GetOutput();
    output->SetBufferedRegion(output->GetRequestedRegion());
    this->AllocateOutput(output);
  }
  void
  VerifyInputInformation() const override;
  void
  GenerateInputRequestedRegion() override;
  void
  EnlargeOutputRequestedRegion(DataObject * output) override
  {
    output->SetRequestedRegionToLargestPossibleRegion();
  }
  void
  PrintSelf(std::ostream & os, Indent indent) const override;

  /** The mask's pixels; an absent volume when there is no mask. */
  cudaneuro::ConstVolume
  GetMaskVolume() const
  {
    return this->MaskVolumeOf("the mask image", this->GetMaskImage());
  }

  /** The pixels of a mask, an absent volume for null. */
  cudaneuro::ConstVolume
  MaskVolumeOf(const char * name, const MaskImageType * mask) const
  {
    return CudaNeuroDetail::MaskVolumeOf<ImageDimension>(this, name, mask, this->GetComputeDevice());
  }

  /** The grid that all images share. */
  cudaneuro::Grid
  GetGrid() const
  {
    return CudaNeuroDetail::GridOf<ImageDimension>(this->GetInput());
  }

  /** Checks that an input has pixels and is on the device of the computation. */
  template <typename TImage>
  void
  VerifyPixels(const TImage * image, const char * name) const
  {
    CudaNeuroDetail::VerifyPixels(this, name, image, this->GetComputeDevice());
  }

  /** Checks that an image has voxels. */
  void
  VerifyNotEmpty(const ImageBase<ImageDimension> * image, const char * name) const
  {
    CudaNeuroDetail::VerifyNotEmpty<ImageDimension>(this, name, image);
  }

  /** Checks that an image lies on the grid of another. */
  void
  VerifySameGrid(const char *                      name,
                 const ImageBase<ImageDimension> * image,
                 const char *                      nameOfReference,
                 const ImageBase<ImageDimension> * reference) const
  {
    CudaNeuroDetail::VerifySameGrid<ImageDimension>(
      this, name, image, nameOfReference, reference, this->GetCoordinateTolerance(), this->GetDirectionTolerance());
  }

  /** Makes the input itself the output, for filters that change no pixel. A pipeline treats inputs as const, so the
   * filters that read the output must not modify it. */
  void
  ShareInput()
  {
    this->GraftOutput(const_cast<TInputImage *>(this->GetInput()));
  }

  /** Copies the input's pixels, scalars or vectors, to the output, converted to its type. */
  void
  CopyInputToOutput(cudaneuro::Context & context);

  /** Allocates an output's buffered region. */
  template <typename TPixel>
  void
  AllocateOutput(Image<TPixel, ImageDimension> * output)
  {
    const std::string reason = CudaNeuroDetail::AllocatePixels(this->GetComputeDevice(), m_UsePinnedOutput, output);
    if (!reason.empty())
    {
      itkWarningMacro("The output gets ordinary memory, which is slower to copy to: " << reason);
    }
  }
  template <typename TPixel>
  void
  AllocateOutput(DeviceImage<TPixel, ImageDimension> * output)
  {
    CudaNeuroDetail::AllocatePixels(this->GetComputeDevice(), m_UsePinnedOutput, output);
  }

  /** Allocates the largest possible region of an output, or releases the pixels of one that is not computed. */
  template <typename TImage>
  void
  AllocateOrRelease(TImage * output, bool isComputed)
  {
    if (!isComputed)
    {
      output->Initialize();
      return;
    }
    output->SetBufferedRegion(output->GetLargestPossibleRegion());
    this->AllocateOutput(output);
  }

private:
  bool                                m_IsComputeDeviceSet = false;
  ComputeDevice                       m_ComputeDevice;
  SizeValueType                       m_MaximumDeviceMemory = 0;
  bool                                m_UsePinnedOutput = true;
  std::unique_ptr<cudaneuro::Context> m_Context;
  cudaneuro::Statistics               m_Statistics;
};

} // namespace itk

#ifndef ITK_MANUAL_INSTANTIATION
#  include "itkCudaNeuroImageFilter.hxx"
#endif

#endif
