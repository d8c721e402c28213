// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_inputs_RegisterOptions_h
#define apps_register_inputs_RegisterOptions_h

#include "files/images/OpenedImage.h"
#include "files/transforms/TransformFile.h"
#include "processes/Processes.h"
#include "register/labels/LabelWeights.h"
#include "shared/CommandOptions.h"
#include "shared/ComputeOptions.h"

#include "cudaneuro/DisplacementField.h"
#include "shared/Files.h"

#include <memory>
#include <string>
#include <vector>

/** The files of a channel after the first one: two images of the same heads with another contrast. Files that were not
 * given are empty. */
struct ChannelFiles
{
  std::string fixed;
  std::string moving;
  std::string fixedMask;
  std::string movingMask;
  /** From points of the first channel's image to points of this one's. */
  std::string fixedTransform;
  std::string movingTransform;
};

/** The files of a subcommand that registers, and where it computes. Subcommands have some of these options. */
struct RegisterOptions
{
  std::string fixed;
  std::string moving;

  std::string outputWarped;
  std::string outputField;
  std::string outputInverseField;
  std::string outputJacobian;
  /** The whole map. */
  std::string outputTransform;
  /** The inverse of a linear map. */
  std::string outputInverseTransform;
  /** The linear part of a map that deforms. */
  std::string outputAlignment;
  std::string outputLabels;
  std::string outputType;
  /** The interpolation of the warped image, and its value outside the moving image. */
  std::string interpolation = "linear";
  double      outside = 0.0;
  std::string json;

  std::vector<std::string> initialTransforms;
  std::string              initialField;
  std::string              fixedMask;
  std::string              movingMask;
  std::string              fixedLabels;
  std::string              movingLabels;
  /** Whether the distances of labels' boundaries are measured, too. */
  bool measuresLabelDistances = false;

  std::vector<ChannelFiles> channels;
  std::string               fixedPoints;
  std::string               movingPoints;
  /** In mm: one value for all, or one for each point of the fixed file. */
  std::vector<double> pointStandardDeviations{ 1.0 };
  /** Whether the labels pull, instead of only measuring the overlap. */
  bool         areLabelsMatched = false;
  LabelWeights labelWeights;
  /** The grids of the two heads in a run without images; empty for those of the labels. */
  std::string grid;
  std::string movingGrid;

  /** A list of pairs instead of the inputs above. The names of outputs then have {name}. */
  std::string pairs;
  /** The table of the results of all pairs. */
  std::string table;
  bool        isResumed = false;
  /** The processes that share the list. */
  Processes * processes = nullptr;

  ComputeOptions compute;

  /** The images that a run opens, for all pairs of a list, by --nifti-place and --volume. */
  std::shared_ptr<OpenedImages> opened = std::make_shared<OpenedImages>();
};

/** Returns whether there are two images to register: points and labels do not need them. */
bool
HasImages(const RegisterOptions & files);

/** Returns the interpolation of the moving image. */
cudaneuro::Interpolation
InterpolationOf(const RegisterOptions & options);

/** Return the transforms, and the images, that a pair reads. */
std::vector<std::string>
TransformsOf(const RegisterOptions & files);
std::vector<std::string>
ImagesOf(const RegisterOptions & files);

/** Returns all files that a pair reads. */
std::vector<std::string>
InputsOf(const RegisterOptions & files);

/** The heading of options that name outputs. */
constexpr const char * groupOfOutputs = "Outputs (at least one; the ending decides the format)";

/** The heading of options that name inputs. */
constexpr const char * groupOfInputs = "Inputs";

/** Adds the outputs that all subcommands have: the warped image, its type, warped labels, and the report. */
void
AddCommonOutputs(CLI::App & app, RegisterOptions & options, OptionModes & modes);

/** Adds the inputs that all subcommands have: images, masks, labels, and the initial transform, whose possible kinds
 * are \p kinds. */
void
AddCommonInputs(CLI::App & app, RegisterOptions & options, OptionModes & modes, const std::string & kinds);

/** Adds --pairs, --table and --resume, after the inputs, which --pairs replaces. */
void
AddPairOptions(CLI::App & app, RegisterOptions & options, OptionModes & modes);

/** Requires two images, or points or labels instead of them, or a list of pairs and files for their results.
 * \param parts Several if points or labels can replace images
 * \throws CLI::ParseError that names what is missing, UserError */
void
RequireFiles(const RegisterOptions & options, TransformParts parts);

#endif
