// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef TestImages_h
#define TestImages_h

#include "TestVolumes.h"
#include "itkCommand.h"
#include "itkComputeDevice.h"
#include "itkDeviceDownloadImageFilter.h"
#include "itkDeviceUploadImageFilter.h"
#include "itkOutputWindow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

/** Images for tests of the ITK layer, and what looks at them. */
namespace testimages
{

template <typename TPixel, unsigned int VDimension>
using ImageOf = itk::Image<TPixel, VDimension>;

template <unsigned int VDimension>
using MaskOf = itk::Image<unsigned char, VDimension>;

/** Odd sizes, none a multiple of another's block. */
template <unsigned int VDimension>
itk::Size<VDimension>
DefaultSize()
{
  itk::Size<VDimension> size;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    size[axis] = 19 - 4 * axis;
  }
  return size;
}

/** A geometry of which nothing is the default: region that starts away from 0, spacing, origin, oblique direction. */
template <typename TImage>
void
SetObliqueGeometry(TImage * image, const typename TImage::SizeType & size)
{
  constexpr unsigned int         dimension = TImage::ImageDimension;
  typename TImage::IndexType     index;
  typename TImage::SpacingType   spacing;
  typename TImage::PointType     origin;
  typename TImage::DirectionType direction;
  for (unsigned int axis = 0; axis < dimension; ++axis)
  {
    index[axis] = 3 - 4 * static_cast<int>(axis);
    spacing[axis] = 0.9 + 0.3 * axis;
    origin[axis] = -10.0 + 7.5 * axis;
  }
  direction.SetIdentity();
  direction[0][0] = direction[1][1] = 0.8;
  direction[0][1] = -0.6;
  direction[1][0] = 0.6;
  image->SetRegions(typename TImage::RegionType(index, size));
  image->SetSpacing(spacing);
  image->SetOrigin(origin);
  image->SetDirection(direction);
}

/** The noisy phantom of TestVolumes.h times \p scale, rounded, so that every pixel type holds it exactly: up to about
 * 1000 for 1, and 200 for 0.2, which fits unsigned char. */
template <typename TImage>
typename TImage::Pointer
Phantom(double scale = 0.2, const typename TImage::SizeType & size = DefaultSize<TImage::ImageDimension>())
{
  const auto image = TImage::New();
  SetObliqueGeometry(image.GetPointer(), size);
  image->Allocate();
  const cudaneuro::Grid    grid = itk::CudaNeuroDetail::GridOf<TImage::ImageDimension>(image);
  const std::vector<float> values = testvolumes::NoisyPhantom(grid);
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    image->GetBufferPointer()[i] = static_cast<typename TImage::PixelType>(std::round(values[i] * scale));
  }
  return image;
}

/** A mask of the geometry of \p image, with the same value everywhere. */
template <unsigned int VDimension>
typename MaskOf<VDimension>::Pointer
ConstantMask(const itk::ImageBase<VDimension> * image, unsigned char value)
{
  const auto mask = MaskOf<VDimension>::New();
  mask->CopyInformation(image);
  mask->SetRegions(image->GetLargestPossibleRegion());
  mask->Allocate();
  mask->FillBuffer(value);
  return mask;
}

/** A ball with holes, of the geometry of \p image. */
template <unsigned int VDimension>
typename MaskOf<VDimension>::Pointer
BallMaskFor(const itk::ImageBase<VDimension> * image)
{
  const auto mask = ConstantMask<VDimension>(image, 0);
  const auto values = testvolumes::BallMask(itk::CudaNeuroDetail::GridOf<VDimension>(image));
  std::copy(values.begin(), values.end(), mask->GetBufferPointer());
  return mask;
}

/** The pixels of an image in memory order. */
template <typename TPixel, unsigned int VDimension>
std::vector<double>
Pixels(const itk::Image<TPixel, VDimension> * image)
{
  const TPixel * const begin = image->GetBufferPointer();
  return std::vector<double>(begin, begin + image->GetBufferedRegion().GetNumberOfPixels());
}

/** A filter that works on \p device, with its input. */
template <typename TFilter, typename TInput>
typename TFilter::Pointer
OnDevice(const itk::ComputeDevice & device, const TInput & input)
{
  const auto filter = TFilter::New();
  filter->SetComputeDevice(device);
  filter->SetInput(input);
  return filter;
}

/** A copy on \p device. */
template <typename TImage>
typename itk::DeviceImage<typename TImage::PixelType, TImage::ImageDimension>::Pointer
Upload(const TImage * image, const itk::ComputeDevice & device)
{
  const auto upload = OnDevice<itk::DeviceUploadImageFilter<TImage>>(device, image);
  upload->Update();
  typename itk::DeviceImage<typename TImage::PixelType, TImage::ImageDimension>::Pointer result = upload->GetOutput();
  result->DisconnectPipeline();
  return result;
}

template <typename TPixel, unsigned int VDimension>
std::vector<double>
Pixels(const itk::DeviceImage<TPixel, VDimension> * image)
{
  const auto download = itk::DeviceDownloadImageFilter<itk::DeviceImage<TPixel, VDimension>>::New();
  download->SetInput(image);
  download->Update();
  return Pixels(download->GetOutput());
}

/** NaN equals NaN. */
inline void
ExpectSame(const std::vector<double> & actual, const std::vector<double> & expected, double tolerance = 0.0)
{
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
  {
    const bool bothNan = std::isnan(actual[i]) && std::isnan(expected[i]);
    const bool same = bothNan || actual[i] == expected[i] || std::abs(actual[i] - expected[i]) <= tolerance;
    ASSERT_TRUE(same) << "at " << i << ": " << actual[i] << " and " << expected[i] << ", tolerance " << tolerance;
  }
}

/** Updates a filter, and compares the pixels of its output. */
template <typename TFilterPointer>
void
ExpectOutput(const TFilterPointer & filter, const std::vector<double> & expected, double tolerance = 0.0)
{
  filter->Update();
  ExpectSame(Pixels(filter->GetOutput()), expected, tolerance);
}

/** Progress rises to 1. Stopping in its midst throws itk::ProcessAborted, and the filter works afterwards. */
template <typename TFilter>
void
ExpectProgressAndAbort(const itk::SmartPointer<TFilter> & filter, std::size_t leastReports = 2)
{
  std::vector<float> progress;
  bool               abort = false;
  filter->AddObserver(itk::ProgressEvent(), [&](const itk::EventObject &) {
    progress.push_back(filter->GetProgress());
    if (abort && filter->GetProgress() > 0.0f)
    {
      filter->AbortGenerateDataOn();
    }
  });
  filter->Update();
  const std::vector<double> expected = Pixels(filter->GetOutput());
  ASSERT_GE(progress.size(), leastReports);
  EXPECT_EQ(progress.back(), 1.0f);
  EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end())) << ::testing::PrintToString(progress);

  abort = true;
  filter->Modified();
  EXPECT_THROW(filter->Update(), itk::ProcessAborted);
  EXPECT_LT(filter->GetProgress(), 1.0f);

  abort = false;
  filter->Modified();
  ExpectOutput(filter, expected);
}

template <unsigned int VDimension>
void
ExpectSameGeometry(const itk::ImageBase<VDimension> * actual, const itk::ImageBase<VDimension> * expected)
{
  EXPECT_EQ(actual->GetLargestPossibleRegion(), expected->GetLargestPossibleRegion());
  EXPECT_EQ(actual->GetBufferedRegion(), expected->GetLargestPossibleRegion());
  EXPECT_EQ(actual->GetSpacing(), expected->GetSpacing());
  EXPECT_EQ(actual->GetOrigin(), expected->GetOrigin());
  EXPECT_EQ(actual->GetDirection(), expected->GetDirection());
}

/** What \p function throws, as text; empty when it throws nothing. */
template <typename TException = itk::ExceptionObject, typename TFunction>
std::string
MessageOf(TFunction && function)
{
  try
  {
    function();
  }
  catch (const TException & error)
  {
    return error.GetDescription();
  }
  return "";
}

/** What an object prints. */
inline std::string
Printed(const itk::LightObject * object)
{
  std::ostringstream text;
  object->Print(text);
  return text.str();
}

inline ::testing::AssertionResult
Contains(const std::string & text, const std::string & part)
{
  if (text.find(part) != std::string::npos)
  {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << '"' << text << "\" does not contain \"" << part << '"';
}

/** Expects an object to print all parts of a text. */
inline void
ExpectPrints(const itk::LightObject * object, const std::vector<std::string> & parts)
{
  const std::string text = Printed(object);
  for (const std::string & part : parts)
  {
    EXPECT_TRUE(Contains(text, part));
  }
}

/** Catches ITK's warnings while it lives. */
class WarningCapture
{
public:
  WarningCapture()
    : m_Before(itk::OutputWindow::GetInstance())
  {
    itk::OutputWindow::SetInstance(m_Window);
  }
  ~WarningCapture() { itk::OutputWindow::SetInstance(m_Before); }
  WarningCapture(const WarningCapture &) = delete;
  WarningCapture &
  operator=(const WarningCapture &) = delete;

  const std::string &
  GetText() const
  {
    return m_Window->m_Text;
  }

private:
  class Window : public itk::OutputWindow
  {
  public:
    using Self = Window;
    using Pointer = itk::SmartPointer<Self>;
    itkSimpleNewMacro(Self);
    void
    DisplayText(const char * text) override
    {
      m_Text += text;
    }
    std::string m_Text;
  };

  itk::OutputWindow::Pointer m_Before;
  Window::Pointer            m_Window = Window::New();
};

} // namespace testimages

#endif
