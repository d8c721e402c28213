// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ContourSurface.h"

#include <numeric>

namespace cudaneuro
{

std::vector<SmoothLabel>
LabelsToSurfaces(Context & context, const LabelNumberImage * labels, unsigned int count)
{
  const ConstVolume   volume{ labels->GetBufferPointer(), PixelType::UnsignedShort, MemorySpace::Host };
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1.0);
  std::vector<SmoothLabel> result;
  for (const LabelSurface & label : MakeLabelSurfaces(context, BufferGeometry(labels), volume, numbers))
  {
    result.push_back({ WithNormals(ToVtk(label.surface)), label.noise });
  }
  return result;
}

} // namespace cudaneuro
