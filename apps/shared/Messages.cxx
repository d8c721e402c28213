// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/Messages.h"

#include "files/base/ErrorStream.h"
#include "itkObjectFactory.h"
#include "itkOutputWindow.h"
#include "shared/ProgressBar.h"
#include "shared/SlicerRun.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <iostream>
#include <regex>

namespace
{

std::string       programNameOfMessages = "program";
std::atomic<bool> areMessagesMuted{ false };
/** What messages of ITK's classes in this thread begin with. */
thread_local std::string subjectOfMessages;

/** Prints the messages of ITK's classes like this program's own. */
class MessageWindow : public itk::OutputWindow
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(MessageWindow);
  using Self = MessageWindow;
  using Superclass = itk::OutputWindow;
  using Pointer = itk::SmartPointer<Self>;
  itkFactorylessNewMacro(Self);

  void
  DisplayText(const char * text) override
  {
    PrintMessage("", subjectOfMessages + OneLine(text));
  }
  void
  DisplayErrorText(const char * text) override
  {
    PrintMessage("error: ", subjectOfMessages + WithOptionNames(OneLine(text)));
  }
  void
  DisplayWarningText(const char * text) override
  {
    PrintWarning(subjectOfMessages + WithOptionNames(OneLine(text)));
  }

protected:
  MessageWindow() = default;
  ~MessageWindow() override = default;
};

/** The options that set parameters of the library. Their first letter may be of either case there: the engine has
 * domainSigma, the filter's class DomainSigma. */
struct ParameterName
{
  const char * parameter;
  const char * option;
};

constexpr ParameterName parameterNames[] = {
  { "alpha", "--alpha" },
  { "bandWidth", "--band-width" },
  { "beta", "--beta" },
  { "conductance", "--conductance" },
  { "convergenceThreshold", "--convergence" },
  { "correlationRadius", "--radius" },
  { "dataRange", "--data-range" },
  { "deviation", "--noise" },
  { "displacement", "--displacement" },
  { "domainSigma", "--domain-sigma" },
  { "edgeLength", "--edge-length" },
  { "fieldSigma", "--field-sigma" },
  { "firstSweeps", "--first-sweeps" },
  { "gamma", "--gamma" },
  { "gradientTolerance", "--gradient-tolerance" },
  { "intensityQuantiles", "--quantiles" },
  { "iterations", "--iterations" },
  { "kappa", "--kappa" },
  { "lambda", "--lambda" },
  { "matchIntensities", "--match-intensities" },
  { "maximumDistance", "--maximum-distance" },
  { "maximumNumberOfIterations", "--iterations" },
  { "maximumRotation", "--maximum-rotation" },
  { "maximumScale", "--maximum-scale" },
  { "maximumShear", "--maximum-shear" },
  { "maximumStep", "--step" },
  { "meanDistance", "--mean-distance" },
  { "minimumJacobian", "--minimum-jacobian" },
  { "minimumOverlap", "--minimum-overlap" },
  { "noise", "--noise" },
  { "noiseSigma", "--noise" },
  { "noiseStandardDeviation", "--noise" },
  { "numberOfHistogramBins", "--bins" },
  { "numberOfImages", "--images" },
  { "numberOfIterations", "--iterations" },
  { "numberOfIterationsPerLevel", "--iterations" },
  { "numberOfLevels", "--levels" },
  { "numberOfNeighbors", "--neighbors" },
  { "numberOfPasses", "--passes" },
  { "numberOfPoints", "--points" },
  { "numberOfTimeSteps", "--time-steps" },
  { "patchRadius", "--patch-radius" },
  { "patchSize", "--patch-size" },
  { "pointAlignment", "--align" },
  { "radius", "--radius" },
  { "rangeSigma", "--range-sigma" },
  { "ricianCorrection", "--rician" },
  { "searchAngle", "--search-angle" },
  { "searchDistance", "--search-distance" },
  { "shapeUpdateInterval", "--shape-update" },
  { "sharpening", "--sharpening" },
  { "shrinkFactors", "--shrink-factors" },
  { "sigma", "--sigma" },
  { "sigmaPerLevel", "--sigma-per-level" },
  { "similarityScale", "--similarity-scale" },
  { "smoothing", "--smoothing" },
  { "smoothingFactor", "--smoothing-factor" },
  { "smoothingParameter", "--smoothing" },
  { "smoothness", "--smoothness" },
  { "spatialScale", "--spatial-scale" },
  { "standardDeviations", "--field-sigma" },
  { "sweeps", "--sweeps" },
  { "timeStep", "--time-step" },
  { "trimmedFraction", "--trim" },
  { "unbiasedWeight", "--lambda" },
  { "updateFieldStandardDeviations", "--sigma" },
  { "updateFieldStandardDeviationsPerLevel", "--sigma-per-level" },
  { "voxelSize", "--spacing" },
  { "voxelWeighting", "--voxel-weights" },
  { "windowRadius", "--window-radius" },
};

/** The option of a parameter, or an empty string. */
std::string
OptionOf(std::string parameter)
{
  parameter.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(parameter.front())));
  const auto * const found = std::find_if(std::begin(parameterNames),
                                          std::end(parameterNames),
                                          [&](const ParameterName & name) { return parameter == name.parameter; });
  return found == std::end(parameterNames) ? "" : found->option;
}

} // namespace

void
StartMessages(const std::string & programName)
{
  programNameOfMessages = programName;
  itk::OutputWindow::SetInstance(MessageWindow::New());
  SetWarningHandler(PrintWarning);
}

MessageSubject::MessageSubject(const std::string & text)
{
  subjectOfMessages = text;
}

MessageSubject::~MessageSubject()
{
  subjectOfMessages.clear();
}

void
SetMessagesMuted(bool areMuted)
{
  areMessagesMuted = areMuted;
}

void
PrintMessage(const std::string & kind, const std::string & text)
{
  if (areMessagesMuted)
  {
    return;
  }
  ProgressBar::Erase();
  WriteErrorLine(programNameOfMessages + ": " + kind + text);
}

void
PrintWarning(const std::string & text)
{
  // Slicer takes all that is on standard error for errors.
  if (IsSlicerRun() && !areMessagesMuted)
  {
    std::cout << "warning: " + text + '\n' << std::flush;
    return;
  }
  PrintMessage("warning: ", text);
}

std::string
WithOptionNames(const std::string & text)
{
  // A word that begins a message and is followed by " is ", maybe with the number of an axis; elsewhere only a word
  // with a capital letter inside, which cannot be one of plain language.
  static const std::regex word("^[A-Za-z]+(?=(\\[[0-9]\\])? is )|\\b[A-Za-z][a-z]+([A-Z][a-z]+)+\\b");
  std::string             result;
  auto                    rest = text.cbegin();
  for (std::sregex_iterator match(text.begin(), text.end(), word), none; match != none; ++match)
  {
    const std::string option = OptionOf(match->str());
    result.append(rest, (*match)[0].first).append(option.empty() ? match->str() : option);
    rest = (*match)[0].second;
  }
  return result.append(rest, text.cend());
}
