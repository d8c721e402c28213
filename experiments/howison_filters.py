# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""All configurations of the three filters on an image; its pixels stay on the device."""

from fractions import Fraction

import itk

# The paper does not state the scale of intensities of its parameters. Its range sigmas fit 0 to 255, the scale here,
# and its kappas 0 to 1. Non-local means improve images of little noise, as in the paper, only with h for 0 to 255.
# Distances are in voxels.
DATA_RANGE, KAPPA_SCALE, H_SCALE = 255.0, 255.0, 1.0

# R: radius, sd: domain sigma, sr: range sigma; N: steps, dt: time step, k: kappa; W-P: window and patch radius, h
PAPER_GRID = {
    "R": (1, 2, 3, 5, 7),
    "sd": (0.25, 0.5, 1, 2, 3, 4, 8, 16),
    "sr": (2, 4, 8, 16, 32, 64),
    "N": (1, 5, 10, 20, 50),
    "dt": tuple(Fraction(1, n) for n in (128, 64, 32, 16, 8, 4)),
    "k": (1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1),
    "W-P": ((1, 1), (2, 1), (3, 1), (3, 2), (5, 3)),
    "h": (0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2),
}
COARSE_GRID = {
    "R": (1, 2),
    "sd": (0.5, 2),
    "sr": (8, 32),
    "N": (1, 20),
    "dt": (Fraction(1, 32),),
    "k": (1e-3, 1e-2, 1e-1),
    "W-P": ((1, 1), (2, 1)),
    "h": (0.1, 0.8),
}

HostImage, DeviceImage = itk.Image[itk.F, 3], itk.DeviceImage[itk.F, 3]


def make(filter_name, image, **settings):
    return getattr(itk, filter_name)[DeviceImage, DeviceImage].New(image, **settings)


class Sweep:
    """The filters, made and connected once, for one image after another; a thread has one of its own.

    An update computes what is out of date, so asking for the comparison runs the filter before it."""

    def __init__(self, grid, device=None):
        self.grid = grid
        self.uploads = [itk.DeviceUploadImageFilter[HostImage, DeviceImage].New() for _ in range(2)]
        for upload in self.uploads:
            upload.SetComputeDevice(device or upload.GetComputeDevice())  # what follows computes where its input is
        reference, self.noisy = (upload.GetOutput() for upload in self.uploads)
        self.similarity = make(
            "CudaStructuralSimilarityImageFilter", reference, data_range=DATA_RANGE, compute_map=False
        )
        self.bilateral = make("CudaBilateralSweepImageFilter", self.noisy, use_image_spacing=False)
        self.bilateral.SetRadii(list(grid["R"]))
        self.bilateral.SetDomainSigmas([float(sigma) for sigma in grid["sd"]])
        self.diffusions = []
        for done, steps in zip((0, *grid["N"]), grid["N"]):  # each goes on where the one before it stopped
            image = self.diffusions[-1].GetOutput() if done else self.noisy
            settings = {"stencil": "Weickert26", "conductance": "PeronaMalikRational", "use_image_spacing": False}
            self.diffusions.append(
                make("CudaAnisotropicDiffusionImageFilter", image, number_of_iterations=steps - done, **settings)
            )
        self.non_local_means = [
            make("CudaNonLocalMeansImageFilter", self.noisy, weighting="PatchSum", smoothing_parameter=h * H_SCALE)
            for h in grid["h"]
        ]

    def compare(self, images):
        """Returns (MSE, MSSIM) of each image, at once: small images keep the device busy only together."""
        first, *others = images
        self.similarity.SetTestImage(first)
        self.similarity.RemoveAddedTestImages()
        for image in others:
            self.similarity.AddTestImage(image)
        self.similarity.UpdateLargestPossibleRegion()
        return zip(self.similarity.GetMeanSquaredErrors(), self.similarity.GetMeanStructuralSimilarities())

    def run(self, reference, noisy):
        """Yields (filter, parameters, MSE, MSSIM), the noisy image itself first."""
        for upload, array in zip(self.uploads, (reference, noisy)):
            upload.SetInput(itk.image_view_from_array(array))
        for means in self.compare([self.noisy]):
            yield "none", "", *means
        places = [f"R={radius} sd={sigma}" for radius in self.grid["R"] for sigma in self.grid["sd"]]
        for sigma in self.grid["sr"]:
            self.bilateral.SetRangeSigma(sigma)
            outputs = [self.bilateral.GetOutput(i) for i in range(len(places))]
            for place, means in zip(places, self.compare(outputs)):
                yield "bilateral", f"{place} sr={sigma}", *means
        for dt, kappa in ((dt, kappa) for dt in self.grid["dt"] for kappa in self.grid["k"]):
            for diffusion in self.diffusions:
                diffusion.SetTimeStep(float(dt))
                diffusion.SetKappa(kappa * KAPPA_SCALE)
            outputs = [diffusion.GetOutput() for diffusion in self.diffusions]
            for steps, means in zip(self.grid["N"], self.compare(outputs)):
                yield "diffusion", f"N={steps} dt={dt} k={kappa:g}", *means
        for window, patch in self.grid["W-P"]:
            for non_local_means in self.non_local_means:
                non_local_means.SetWindowRadius(window)
                non_local_means.SetPatchRadius(patch)
            outputs = [non_local_means.GetOutput() for non_local_means in self.non_local_means]
            for h, means in zip(self.grid["h"], self.compare(outputs)):
                yield "non-local means", f"W-P={window}-{patch} h={h}", *means
