// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AlignmentRound.h"

#include "atlas/ResultExchange.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/LinearRegistration.h"
#include "itkCudaNeuroLevelSchedule.h"
#include "itkCudaNeuroDetail.h"
#include "shared/ErrorList.h"
#include "shared/ProgressBar.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <numeric>
#include <utility>

namespace detail = itk::CudaNeuroDetail;

using cudaneuro::LinearMetricImages;
using cudaneuro::LinearRegistrationParameters;

namespace
{

/** Draws the progress of several devices, and stops all of them at a signal or when one has failed. */
class RoundProgress
{
public:
  RoundProgress(const AtlasJob & job, std::size_t numberOfDevices, std::size_t numberOfImages)
    : m_Bar("Aligning", job.IsQuiet())
    , m_Done(numberOfDevices, 0.0)
    , m_Total(static_cast<double>(numberOfImages))
  {}

  /** \param done images of the device, including the fraction of the current one
   * \return whether to go on */
  bool
  Show(std::size_t device, double done)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Done[device] = done;
    m_Bar.Show(std::accumulate(m_Done.begin(), m_Done.end(), 0.0) / m_Total);
    return !m_Reason && !IsInterrupted();
  }

  /** Stops all devices. The first reason is kept. */
  void
  Stop(const std::exception_ptr & reason)
  {
    const std::lock_guard<std::mutex> lock(m_Mutex);
    m_Reason = m_Reason ? m_Reason : reason;
  }

  void
  ThrowIfStopped() const
  {
    if (m_Reason)
    {
      std::rethrow_exception(m_Reason);
    }
  }

private:
  std::mutex          m_Mutex;
  ProgressBar         m_Bar;
  std::vector<double> m_Done;
  double              m_Total;
  std::exception_ptr  m_Reason;
};

/** Returns the parameters of cudaneuro-register, from coarse to fine. */
template <unsigned int VDimension>
LinearRegistrationParameters
MakeLinearParameters(const AtlasJob & job, const itk::ImageBase<VDimension> & grid)
{
  LinearRegistrationParameters parameters;
  const auto                   levels = static_cast<unsigned int>(parameters.levels.size());
  const auto                   iterations = static_cast<unsigned int>(parameters.levels.front().iterations);
  parameters.levels = detail::LevelSchedule<VDimension>(levels, iterations, iterations).MakeLevels(&grid);
  parameters.metric.repairOutliers = job.GetOptions().fluid.parameters.repairOutliers;
  parameters.transformType = AlignmentTypeOf(job.GetOptions().align);
  return parameters;
}

template <unsigned int VDimension>
class Round
{
public:
  Round(const AtlasJob &                    job,
        const itk::ImageBase<VDimension> &  grid,
        const AlignmentTarget<VDimension> & target,
        const std::vector<int> &            own)
    : m_Job(job)
    , m_Grid(grid)
    , m_Target(target)
    , m_Own(own)
    , m_Parameters(MakeLinearParameters<VDimension>(job, grid))
    , m_NumberOfDevices(std::min(job.GetDevices().devices.size(), own.size()))
    , m_Progress(job, m_NumberOfDevices, own.size())
    , m_Alignment(job.GetPopulation().size())
    , m_Errors(job.GetPopulation().size())
  {}

  /** \return the alignment of this process's images */
  const Alignment &
  Run()
  {
    std::vector<std::future<void>> devices;
    for (std::size_t device = 0; device < m_NumberOfDevices; ++device)
    {
      devices.push_back(std::async(std::launch::async, [this, device] { this->RunDevice(device); }));
    }
    std::for_each(devices.begin(), devices.end(), [](std::future<void> & device) { device.get(); });
    ThrowIfInterrupted();
    detail::Call([&] { m_Progress.ThrowIfStopped(); });
    ErrorList all;
    std::for_each(m_Errors.begin(), m_Errors.end(), [&](const std::string & text) { all.Add(text); });
    all.ThrowIfAny();
    return m_Alignment;
  }

private:
  MemberImage<VDimension>
  Read(int image) const
  {
    return ReadMember<VDimension>(m_Job, m_Grid, m_Job.GetPopulation()[static_cast<std::size_t>(image)]);
  }

  /** Registers the images of a device one after the other: own images device, device + m_NumberOfDevices, ... */
  void
  RunDevice(std::size_t device)
  {
    try
    {
      const cudaneuro::AtlasDevices & devices = m_Job.GetDevices();
      const auto                      threads = devices.numberOfThreads / static_cast<unsigned int>(m_NumberOfDevices);
      cudaneuro::Context              context(devices.devices[device], std::max(1U, threads));
      context.SetMemoryLimit(devices.maximumDeviceMemory);
      double done = 0.0;
      context.SetProgressFunction(
        [&](float fraction) { return m_Progress.Show(device, done + static_cast<double>(fraction)); });
      const auto read = [this](int image) {
        return std::async(std::launch::async, [this, image] { return Read(image); });
      };
      auto next = read(m_Own[device]);
      for (std::size_t i = device; i < m_Own.size() && m_Progress.Show(device, done); i += m_NumberOfDevices)
      {
        std::future<MemberImage<VDimension>> member = std::exchange(next, {});
        member.wait();
        if (i + m_NumberOfDevices < m_Own.size())
        {
          next = read(m_Own[i + m_NumberOfDevices]);
        }
        this->AlignOrComplain(context, m_Own[i], member);
        done += 1.0;
      }
    }
    catch (...)
    {
      m_Progress.Stop(std::current_exception());
    }
  }

  /** Registers an image. After an error of any image, the others are only read, so that all bad files are named. */
  void
  AlignOrComplain(cudaneuro::Context & context, int index, std::future<MemberImage<VDimension>> & member)
  {
    const auto    at = static_cast<std::size_t>(index);
    std::string & complaint = m_Errors[at];
    try
    {
      const MemberImage<VDimension> image = member.get();
      if (!m_IsAnyWrong)
      {
        this->Align(context, at, image);
      }
    }
    catch (const UserError & error)
    {
      complaint = error.what();
    }
    catch (const cudaneuro::InvalidParameterError & error)
    {
      complaint = m_Job.GetPopulation()[at].path + " cannot be aligned with " + m_Target.name + ": " + error.what();
    }
    m_IsAnyWrong = m_IsAnyWrong || !complaint.empty();
  }

  void
  Align(cudaneuro::Context & context, std::size_t image, const MemberImage<VDimension> & member)
  {
    LinearMetricImages images;
    images.fixedGeometry = m_Target.member.geometry;
    images.fixedImage = m_Target.member.GetImage();
    images.fixedMask = m_Target.member.GetMask();
    images.movingGeometry = member.geometry;
    images.movingImage = member.GetImage();
    images.movingMask = member.GetMask();

    LinearRegistrationParameters parameters = m_Parameters;
    cudaneuro::AffineMap         start;
    if (!m_Job.GetAlignment().empty() && m_Job.GetAlignment()[image].isSuccess)
    {
      start = m_Job.GetAlignment()[image].transform;
      // The coarse levels have been solved in the previous round.
      parameters.start = cudaneuro::LinearStart::InitialTransform;
      parameters.searchAngle = 0.0;
      parameters.searchDistance = 0.0;
      parameters.levels.erase(parameters.levels.begin());
    }
    const auto       result = cudaneuro::RegisterLinearly(context, parameters, images, start);
    ImageAlignment & alignment = m_Alignment[image];
    alignment.transform = result.transform;
    alignment.metric = result.value;
    alignment.overlap = result.overlap;
    alignment.quality = result.quality;
    alignment.isSuccess = result.isSuccess;
  }

  const AtlasJob &                    m_Job;
  const itk::ImageBase<VDimension> &  m_Grid;
  const AlignmentTarget<VDimension> & m_Target;
  const std::vector<int> &            m_Own;
  const LinearRegistrationParameters  m_Parameters;
  const std::size_t                   m_NumberOfDevices;
  RoundProgress                       m_Progress;
  Alignment                           m_Alignment;
  std::vector<std::string>            m_Errors;
  std::atomic<bool>                   m_IsAnyWrong{ false };
};

/** Checks the target, once rather than for each image.
 * \throws UserError for a target that is constant or not finite */
template <unsigned int VDimension>
void
CheckTarget(const AtlasJob & job, const AlignmentTarget<VDimension> & target)
{
  LinearMetricImages images;
  images.fixedGeometry = images.movingGeometry = target.member.geometry;
  images.fixedImage = images.movingImage = target.member.GetImage();
  images.fixedMask = images.movingMask = target.member.GetMask();
  try
  {
    cudaneuro::Context            context(job.GetDevices().devices.front(), job.GetDevices().numberOfThreads);
    const cudaneuro::LinearMetric metric(context, LinearRegistrationParameters().metric, images);
  }
  catch (const cudaneuro::InvalidParameterError & error)
  {
    throw UserError("images cannot be aligned with " + target.name + ": " + error.what());
  }
}

} // namespace

template <unsigned int VDimension>
Alignment
AlignTo(AtlasJob &                          job,
        const itk::ImageBase<VDimension> &  grid,
        const AlignmentTarget<VDimension> & target,
        const std::vector<int> &            own)
{
  detail::Call([&] { CheckTarget<VDimension>(job, target); });
  const Alignment alignment =
    own.empty() ? Alignment(job.GetPopulation().size()) : Round<VDimension>(job, grid, target, own).Run();
  return ExchangeAlignment(job.GetProcesses(), own, alignment);
}

#define INSTANTIATE(VDimension) \
  template Alignment AlignTo( \
    AtlasJob &, const itk::ImageBase<VDimension> &, const AlignmentTarget<VDimension> &, const std::vector<int> &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
