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

/** Takes the last axis of an image for that of the values of a voxel, where it has as many as there are axes of space,
 * and those between have one. */
void
TakeLastAxis(OpenedImage & image, unsigned int dimension)
{
  if (image.components == 1 && image.size.size() > dimension && image.size.back() == dimension &&
      std::all_of(image.size.begin() + dimension, image.size.end() - 1, [](std::size_t size) { return size == 1; }))
  {
    image.components = dimension;
    image.dimension = dimension;
    image.size.resize(dimension);
  }
}

/** Applies what the header says of the meaning of vectors. Those of 1006 are along RAS and in the unit of the
 * header; those of 1007 are along LPS, as ITK and ANTs write them.
 * \return what is to be said of it */
std::vector<std::string>
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
  TakeLastAxis(image, dimension);
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
  std::vector<double> & factors = image.voxels.factors;
  factors.assign(image.components, MillimetersOf(header));
  if (intent == displacements)
  {
    std::for_each_n(
      factors.begin(), std::min<std::size_t>(2, factors.size()), [](double & factor) { factor = -factor; });
  }
  return grid.notes;
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
  const auto  notes = field.nifti ? TakeMeaning(field, dimension) : std::vector<std::string>();
  if (field.components != dimension || field.dimension != dimension)
  {
    throw UserError(field.path + " has " + std::to_string(field.components) + " values a voxel and " +
                    std::to_string(field.dimension) + " axes" + IntentOf(field) + "; a displacement field of " +
                    std::to_string(dimension) + " axes has " + std::to_string(dimension) + " values");
  }
  WarnOnce(field.path, notes);
  return field;
}

OpenedImage
OpenGridOrField(OpenedImages & opened, const std::string & path)
{
  OpenedImage image = opened.OpenAny(path);
  // Four axes are a series, of whatever number of volumes.
  if (image.nifti && image.size.size() > 4)
  {
    TakeLastAxis(image, image.size.back() == 2 ? 2 : 3);
  }
  if (image.components == 1 || image.dimension < 2 || image.dimension > 3)
  {
    return opened.OpenGrid(path);
  }
  image.components = 1;
  return image;
}

} // namespace cudaneuro::files
