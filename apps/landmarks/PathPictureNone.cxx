// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/PathPicture.h"

#include <stdexcept>

// For builds without VTK.

std::string
GetReasonForNoPicture()
{
  return "this program was built without VTK";
}

class PathPicture::Scene
{};

PathPicture::PathPicture(const PointPaths &)
{
  throw std::runtime_error(GetReasonForNoPicture());
}

PathPicture::~PathPicture() = default;

void
PathPicture::Draw(std::size_t, const std::string &)
{}
