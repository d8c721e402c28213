// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_transform_VolumeTransforms_h
#define apps_transform_VolumeTransforms_h

#include "transform/MapSteps.h"

#include <cstddef>
#include <string>
#include <vector>

/** The transforms of the volumes of a series. Those of a file for each volume are read by several threads before any
 * voxel; only linear ones are kept, others may not have room in memory together and are read again when their volume is
 * moved. Those of one file are all kept. */
class VolumeTransforms
{
public:
  /** \param steps one for each volume
   * \param what what they are for, in the message about transforms of other axes
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

  /** Several threads may ask. */
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
