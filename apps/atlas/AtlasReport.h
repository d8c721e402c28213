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

  /** Notes the iterations as columns, and the drift before each shape update. */
  void
  SetResult(const cudaneuro::AtlasResult & result);

  /** Notes what became of each image.
   * \param energies those of the maps that are written */
  void
  SetImages(const Population &                               population,
            const std::vector<cudaneuro::AtlasImageResult> & results,
            const std::vector<double> &                      energies,
            const AtlasFolder &                              folder);

  /** Notes how each image was aligned, after SetImages; nothing where they were not. */
  void
  SetAlignment(const Alignment & alignment, unsigned int dimension);
};

#endif
