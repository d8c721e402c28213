// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/EnumNames.h"
#include "cudaneuro/LinearRegistration.h"

namespace cudaneuro
{

namespace
{

constexpr EnumNames<LinearTransformType, 4> typeNames{ "transform type",
                                                       { { { LinearTransformType::Translation, "Translation" },
                                                           { LinearTransformType::Rigid, "Rigid" },
                                                           { LinearTransformType::Similarity, "Similarity" },
                                                           { LinearTransformType::Affine, "Affine" } } } };

constexpr EnumNames<LinearStart, 4> startNames{ "start",
                                                { { { LinearStart::InitialTransform, "InitialTransform" },
                                                    { LinearStart::GridCenters, "GridCenters" },
                                                    { LinearStart::CentersOfMass, "CentersOfMass" },
                                                    { LinearStart::PrincipalAxes, "PrincipalAxes" } } } };

constexpr EnumNames<VoxelWeighting, 4> weightingNames{ "voxel weighting",
                                                       { { { VoxelWeighting::Automatic, "Automatic" },
                                                           { VoxelWeighting::Uniform, "Uniform" },
                                                           { VoxelWeighting::NearHead, "NearHead" },
                                                           { VoxelWeighting::Depth, "Depth" } } } };

} // namespace

std::ostream &
operator<<(std::ostream & os, LinearTransformType type)
{
  return typeNames.Print(os, type);
}

void
FromName(const std::string & name, LinearTransformType & type)
{
  type = typeNames.Parse(name);
}

std::ostream &
operator<<(std::ostream & os, LinearStart start)
{
  return startNames.Print(os, start);
}

void
FromName(const std::string & name, LinearStart & start)
{
  start = startNames.Parse(name);
}

std::ostream &
operator<<(std::ostream & os, VoxelWeighting weighting)
{
  return weightingNames.Print(os, weighting);
}

void
FromName(const std::string & name, VoxelWeighting & weighting)
{
  weighting = weightingNames.Parse(name);
}

} // namespace cudaneuro
