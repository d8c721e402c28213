# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""Small files under the names that the pages use, written without any library."""

import gzip
import math
import random
import struct

SIZE = (24, 22, 20)
FLOAT, BYTE = (16, "f", 32), (2, "B", 8)


def write_nifti(path, values, kind):
    """An image of SIZE, or a series, with spacing 1, its values with x fastest; a kind is NIfTI's code, Python's, and bits."""
    code, letter, bits = kind
    volumes = len(values) // math.prod(SIZE)
    axes = 3 if volumes == 1 else 4
    header = struct.pack("<i35xB8h3f4h", 348, 0, axes, *SIZE, volumes, 1, 1, 1, 0.0, 0.0, 0.0, 0, code, bits, 0)
    header += struct.pack("<8f3fh2B4f2i", 1, 1, 1, 1, 1, 1, 1, 1, 352, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0)
    header += struct.pack("<104x2h6f12f16x4s4x", 1, 0, *[0.0] * 18, b"n+1")
    assert len(header) == 352
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(header + struct.pack(f"<{len(values)}{letter}", *values))


def ball(shift):
    """Distances from the surface of a ball that is moved along x, positive inside."""
    middle = [0.5 * (n - 1) for n in SIZE]
    middle[0] += shift
    return [
        7.0 - math.dist((x, y, z), middle) for z in range(SIZE[2]) for y in range(SIZE[1]) for x in range(SIZE[0])
    ]


def make_inputs(folder):
    """Writes the files into a folder, which is a pathlib.Path."""
    noise = random.Random(1)
    for name, shift in (("fixed", 0.0), ("moving", 1.0)):
        inside = ball(shift)
        write_nifti(folder / f"{name}.nii.gz", [200.0 / (1.0 + math.exp(-d)) for d in inside], FLOAT)
        write_nifti(folder / f"{name}_seg.nii.gz", [1 if d > 0.0 else 0 for d in inside], BYTE)
    head = [abs(200.0 / (1.0 + math.exp(-d)) + noise.gauss(0.0, 8.0)) for d in ball(0.0)]
    write_nifti(folder / "head.nii.gz", head, FLOAT)
    volumes = [abs(v / (1 + b) + noise.gauss(0.0, 8.0)) for b in range(3) for v in head]
    write_nifti(folder / "dwi.nii.gz", volumes, FLOAT)
    (folder / "affine.tfm").write_text(
        "#Insight Transform File V1.0\n#Transform 0\nTransform: AffineTransform_double_3_3\n"
        "Parameters: 1 0 0 0 1 0 0 0 1 0.5 0 0\nFixedParameters: 0 0 0\n",
        encoding="ascii",
    )
