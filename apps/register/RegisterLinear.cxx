// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "processes/DeviceList.h"
#include "register/ImagesRun.h"
#include "register/LabelComparison.h"
#include "register/LabelWarping.h"
#include "register/LinearStage.h"
#include "register/OutputStaging.h"
#include "register/RegisterCommands.h"
#include "shared/ProgressBar.h"
#include "shared/SlicerDescription.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace
{

/** A subcommand that finds a linear map. */
struct LinearMethod
{
  LinearTransformType type;
  const char *        name;
  const char *        description;
};

constexpr LinearMethod methods[] = {
  { LinearTransformType::Translation,
    "translation",
    "Finds the shift of one image against another.\n"
    "Choose it where the images are turned alike and have the same scale." },
  { LinearTransformType::Rigid,
    "rigid",
    "Finds the rotation and the shift of one image against another, of any two contrasts.\n"
    "Choose it for two scans of one head." },
  { LinearTransformType::Similarity,
    "similarity",
    "Finds the rotation, the shift and the scale of one image against another, of any two contrasts.\n"
    "Choose it for two images of one object whose scales differ." },
  { LinearTransformType::Affine,
    "affine",
    "Finds the affine map between two images, of any two contrasts: rotation, shift, scales and shears.\n"
    "Choose it for the heads of two persons. unbiased, greedy and symmetric begin with it by themselves." }
};

struct LinearCommandOptions
{
  RegisterOptions files;
  LinearOptions   method;
};

/** Resamples the moving labels through the map, and compares them with the fixed ones. */
template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
RegisterLabels(RegisterJob & job, const RegisterInputs<VDimension> & inputs, const TransformOf<VDimension> * transform)
{
  const ComputeOptions & compute = job.GetOptions().compute;
  const auto             after = WarpLabelsBy<VDimension>(compute, inputs, transform);
  if (inputs.fixedLabels.IsNotNull())
  {
    CompareWithFixedLabels<VDimension>(
      job, inputs, "before", *WarpLabelsBy<VDimension>(compute, inputs, inputs.initialTransform));
    CompareWithFixedLabels<VDimension>(job, inputs, "after", *after);
  }
  return after;
}

template <unsigned int VDimension>
class RegisterLinearRun : public ImagesRun<VDimension>
{
public:
  /** Checks the parameters before files are read. */
  RegisterLinearRun(const LinearOptions & options, LinearTransformType type, std::unique_ptr<RegisterJob> job)
    : ImagesRun<VDimension>(std::move(job))
    , m_Filter(MakeLinearFilter<VDimension>(
        options, type, this->GetJob().GetOptions(), this->GetJob().GetReport(), "/parameters"))
  {
    const RegisterOptions & files = this->GetJob().GetOptions();
    m_Filter->SetComputeWarped(this->GetJob().Has("warped"));
    m_Filter->SetInterpolation(InterpolationOf(files));
    m_Filter->SetEdgePaddingValue(static_cast<float>(files.outside));
    this->CheckParameters(*m_Filter);
  }

private:
  void
  Register(const RegisterInputs<VDimension> & inputs) override
  {
    const RegisterOptions & options = this->GetJob().GetOptions();
    ProgressBar::ExpectStages(1 + CountLabelStages(options, inputs, false));
    Align<VDimension>(options.compute, inputs, *m_Filter, this->GetJob().GetReport());
  }

  typename LabelImage<VDimension>::Pointer
  WarpLabels(const RegisterInputs<VDimension> & inputs) override
  {
    return RegisterLabels<VDimension>(this->GetJob(), inputs, m_Filter->GetTransform());
  }

  void
  WriteOutputs(const LabelImage<VDimension> * labels) override
  {
    OutputStaging staging(this->GetJob());
    staging.StartImages<VDimension>(m_Filter->GetWarpedImage(), labels, this->GetInputs().movingCodes);
    staging.Start("transform", [this](const OutputFile & file) {
      return StageTransform<VDimension>(file, m_Filter->GetTransform());
    });
    staging.Start("inverse_transform", [this](const OutputFile & file) {
      return StageTransform<VDimension>(file, m_Filter->GetInverseTransform());
    });
    staging.Commit();
  }

  typename LinearFilter<VDimension>::Pointer m_Filter;
};

void
RunLinear(const CLI::App & app, const LinearMethod & method, const LinearCommandOptions & options)
{
  const auto make = [&](std::unique_ptr<RegisterJob> job) -> std::unique_ptr<RegisterRun> {
    if (job->GetDimension() == 2)
    {
      return std::make_unique<RegisterLinearRun<2>>(options.method, method.type, std::move(job));
    }
    return std::make_unique<RegisterLinearRun<3>>(options.method, method.type, std::move(job));
  };
  const auto isAligned = [](const RegisterOptions &) { return true; };
  RunMethod(
    app, { method.name, TransformParts::One, options.method.isSuccessRequired, isAligned, make }, options.files);
}

std::string
ExamplesOf(const std::string & name)
{
  return "Examples:\n"
         "  cudaneuro-register " +
         name +
         " fixed.nii.gz moving.nii.gz --output-warped warped.nii.gz --output-transform map.tfm\n"
         "  cudaneuro-register " +
         name + " fixed.nii.gz moving.nii.gz --output-transform map.mat --json report.json --require-success";
}

void
AddLinearCommand(CLI::App & program, Processes & processes, const LinearMethod & method)
{
  const auto        options = std::make_shared<LinearCommandOptions>();
  const auto        modes = std::make_shared<OptionModes>();
  CLI::App * const  app = program.add_subcommand(method.name, method.description);
  RegisterOptions & files = options->files;
  AddCommonOutputs(*app, files, *modes);
  AddFile(*app,
          "--output-transform",
          files.outputTransform,
          "The map from fixed to moving points, LPS: .tfm, .txt or .h5 in\n"
          "its own class, or .mat, an affine transform as ANTs has it",
          groupOfOutputs,
          "transform output type=linear reference=moving");
  AddFile(*app,
          "--output-inverse-transform",
          files.outputInverseTransform,
          "The inverse map",
          groupOfOutputs,
          "transform output type=linear");
  AddCommonInputs(*app, files, *modes, "a linear transform to start from\n(.h5, .tfm, .txt, .mat)");
  AddLinearChannels(*app, options->method, files, *modes);
  AddPairOptions(*app, files, *modes);
  AddStartOptions(*app, options->method, method.type, "Start");
  AddLinearMethodOptions(*app, options->method, *modes);
  AddComputeOptions(*app, files.compute);
  DescribeDeviceList(*app);
  files.processes = &processes;
  DeclareResults(*app,
                 { { "quality", "/alignment/quality", "How sure it is that the map was found" },
                   { "overlap", "/alignment/overlap", "Fraction of an image that overlaps the other" } });
  app->footer(ExamplesOf(method.name));
  app->callback([=] {
    modes->Check();
    options->files.channels = ChannelsOf(options->method.channels);
    RunLinear(*app, method, *options);
  });
}

} // namespace

void
AddLinearCommands(CLI::App & program, Processes & processes)
{
  for (const LinearMethod & method : methods)
  {
    AddLinearCommand(program, processes, method);
  }
}
