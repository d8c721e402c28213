// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/OpenedField.h"

#include "files/base/Errors.h"
#include "files/images/NiftiGeometry.h"
#include "files/images/NiftiHeader.h"

#include <algorithm>
#include <map>

namespace cudaneuro::files
{

namespace
{

/** What an intent code stands for, as "displacement vectors", where vectors are concerned; else "intent N". */
std::string
NameOfIntent(std::int64_t intent)
{
  static const std::map<std::int64_t, std::string> names{ { 1005, "symmetric matrices" },
                                                          { 1006, "displacement vectors" },
                                                          { 1007, "vectors" },
                                                          { 2006, "a displacement field of FSL" },
                                                          { 2007, "coefficients of splines of FSL" },
                                                          { 2008, "coefficients of splines of FSL" },
                                                          { 2009, "coefficients of splines of FSL" } };
  const auto                                       found = names.find(intent);
  return found == names.end() ? "intent " + std::to_string(intent) : found->second;
}

/** Applies what the header says of the meaning of vectors. Those of 1006 are along RAS and in the unit of the
 * header; those of 1007 are along LPS, as ITK and ANTs write them. */
void
TakeMeaning(OpenedImage & image, unsigned int dimension)
{
  constexpr std::int64_t displacements = 1006;
  constexpr std::int64_t vectors = 1007;
  const NiftiHeader &    header = *image.nifti;
  const std::int64_t     intent = header.GetIntent();
  const std::string      name = header.Text("intent_name");
  const bool             isKnown = intent == 0 || intent == displacements || intent == vectors;
  if (!isKnown || name == "Mapping" || name == "NREG_TRANS")
  {
    throw UserError(
      image.path + " has intent_code " + std::to_string(intent) + " (" + NameOfIntent(intent) + ")" +
      (name.empty() ? "" : " and intent_name " + name) +
      ", which is no field of displacements in mm along RAS or LPS; convert it by the program that made it, "
      "or by wb_command -convert-warpfield");
  }
  const bool isLastAxis =
    image.components == 1 && image.size.size() > dimension && image.size.back() == dimension &&
    std::all_of(image.size.begin() + dimension, image.size.end() - 1, [](std::size_t size) { return size == 1; });
  if (isLastAxis)
  {
    image.components = dimension;
    image.dimension = dimension;
    image.size.resize(dimension);
  }
  NiftiGrid grid{ image.geometry, {} };
  if (dimension == 2)
  {
    KeepTwoAxes(grid);
    image.geometry = grid.geometry;
  }
  if (intent == 0)
  {
    grid.notes.emplace_back(
      "its vectors have no intent_code, and are taken as displacements along LPS, as ITK and ANTs have them; "
      "1006 in it would stand for RAS, and 1007 for LPS");
  }
  WarnOnce(image.path, grid.notes);
  std::vector<double> & factors = image.voxels.factors;
  factors.assign(image.components, MillimetersOf(header));
  if (intent == displacements)
  {
    std::for_each_n(
      factors.begin(), std::min<std::size_t>(2, factors.size()), [](double & factor) { factor = -factor; });
  }
}

} // namespace

std::string
IntentOf(const OpenedImage & image)
{
  const std::int64_t intent = image.nifti ? image.nifti->GetIntent() : 0;
  return intent == 0 ? "" : ", and its intent_code is " + std::to_string(intent) + ", " + NameOfIntent(intent);
}

OpenedImage
AsField(const OpenedImage & image, unsigned int dimension)
{
  OpenedImage field = image;
  if (field.nifti)
  {
    TakeMeaning(field, dimension);
  }
  if (field.components != dimension || field.dimension != dimension)
  {
    throw UserError(field.path + " has " + std::to_string(field.components) + " values a voxel and " +
                    std::to_string(field.dimension) + " axes" + IntentOf(field) + "; a displacement field of " +
                    std::to_string(dimension) + " axes has " + std::to_string(dimension) + " values");
  }
  return field;
}

} // namespace cudaneuro::files
