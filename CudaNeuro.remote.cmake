# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0

# ITK's description of this module. A copy of this file in Modules/Remote of ITK's source tree makes ITK offer the option
# Module_CudaNeuro, and accept a folder Modules/Remote/CudaNeuro, which ITK 6 else refuses. It names no repository, so that ITK
# fetches nothing and builds what is in that folder. To have ITK fetch it, add the lines
#   GIT_REPOSITORY <address of the repository>
#   GIT_TAG <commit>
# behind the compliance level.
#
#-- # Grading Level Criteria
#-- EVALUATORS: [The ITKCudaNeuro Contributors]
#--
#-- ## Compliance Level 4 star (Very high-quality code, perhaps small community dependance)
#--   - [x] No external requirements beyond those needed by ITK proper: CUDA is optional
#--   - [ ] Builds and passes tests on all supported platforms within 1 month of each core tagged release: tested on Linux
#--   - [ ] 75% code coverage demonstrated for testing suite
#--
#-- ## Compliance Level 3 star (Quality beta code)
#--   - [x] API | executable interface is considered mostly stable and feature complete
#--   - [x] Some tests exist and pass on at least some platform
#--   - [x] All requirements of Levels 2,1
#--
#-- ## Compliance Level 2 star (Alpha code feature API development or niche community/execution environment dependance )
#--   - [x] Compiles for at least 1 niche set of execution environments, and perhaps others
#--   - [x] All requirements of Levels 1
#--
#-- ## Compliance Level 1 star (Pre-alpha features under development and code of unknown quality)
#--   - [x] Code complies on at least 1 platform

itk_fetch_module(
  CudaNeuro
  "Denoising, registration, atlases, landmarks and surfaces in computational neuroanatomy, on NVIDIA GPUs and on the CPU."
  MODULE_COMPLIANCE_LEVEL 3
)
