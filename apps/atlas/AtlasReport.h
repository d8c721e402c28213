// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AtlasReport_h
#define apps_atlas_AtlasReport_h

#include "atlas/Alignment.h"
#include "atlas/folder/AtlasFolder.h"
#include "cudaneuro/Atlas.h"
#include "shared/Report.h"

/** Reports how an atlas was built. */
class AtlasReport : public Report
{
public:
  void
  Print() const override;

  /** Reports the iterations as columns, and the drift before each shape update. */
  void
  SetResult(const cudaneuro::AtlasResult & result);

  /** Reports the results of each image.
   * \param energies of the written maps */
  void
  SetImages(const Population &                               population,
            const std::vector<cudaneuro::AtlasImageResult> & results,
            const std::vector<double> &                      energies,
            const AtlasFolder &                              folder);

  /** Reports the alignment of each image, if there is one. Call it after SetImages. */
  void
  SetAlignment(const Alignment & alignment, unsigned int dimension);
};

#endif
