// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_transform_VolumeTransforms_h
#define apps_transform_VolumeTransforms_h

#include "transform/MapSteps.h"

#include <cstddef>
#include <string>
#include <vector>

/** The transforms of the volumes of a series. If each volume has a file, several threads read them before any
 * voxel, and keep the linear ones; others, which together may not fit into memory, are read again when their volume is
 * moved. If one file has all transforms, all are kept. */
class VolumeTransforms
{
public:
  /** \param steps one for each volume
   * \param what the purpose, in the message about transforms of other axes
   * \throws UserError that names all files that cannot be used */
  VolumeTransforms(const std::vector<MapStep> & steps,
                   const ReadingOptions &       reading,
                   const std::string &          what,
                   const ComputeOptions &       compute);

  /** \param path a file that has them all, in the order of the volumes */
  VolumeTransforms(const std::string & path, const std::string & what);

  std::size_t
  GetCount() const
  {
    return m_Kept.size();
  }

  /** Returns the transform of a volume. Several threads may call it at once. */
  SpaceMap<3>::Pointer
  Get(std::size_t volume) const;

private:
  std::vector<MapStep>              m_Steps;
  ReadingOptions                    m_Reading;
  std::string                       m_What;
  ComputeOptions                    m_Compute;
  std::vector<SpaceMap<3>::Pointer> m_Kept;
};

#endif
