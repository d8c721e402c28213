# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""NIfTI-1 files as arrays, where only NumPy is at hand. Arrays are indexed [i, j, k]; an affine takes indices to mm, RAS."""

import gzip
import pathlib

import numpy as np

TYPES = {2: "u1", 4: "i2", 8: "i4", 16: "f4", 64: "f8", 256: "i1", 512: "u2", 768: "u4"}
HEADER = np.dtype(
    [
        ("sizeof_hdr", "i4"),
        ("unused", "V36"),
        ("dim", "i2", 8),
        ("intent", "V14"),
        ("datatype", "i2"),
        ("bitpix", "i2"),
        ("slice_start", "i2"),
        ("pixdim", "f4", 8),
        ("vox_offset", "f4"),
        ("scl_slope", "f4"),
        ("scl_inter", "f4"),
        ("slice_end", "V3"),
        ("xyzt_units", "u1"),
        ("description", "V128"),
        ("qform_code", "i2"),
        ("sform_code", "i2"),
        ("quaternion", "f4", 6),
        ("sform", "f4", (3, 4)),
        ("intent_name", "V16"),
        ("magic", "S4"),
    ]
)
MILLIMETERS = 2
SCANNER = 1


def quaternion_matrix(b, c, d):
    a = np.sqrt(max(0.0, 1 - b * b - c * c - d * d))
    return np.array(
        [
            [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c],
        ]
    )


def matrix_quaternion(rotation):
    """The components b, c, d of a rotation, with a positive."""
    values, vectors = np.linalg.eigh(rotation_form(rotation))
    quaternion = vectors[:, np.argmax(values)]
    return quaternion[1:] * (1 if quaternion[0] >= 0 else -1)


def rotation_form(r):
    """The symmetric matrix whose first eigenvector is the quaternion of a rotation."""
    form = np.zeros((4, 4))
    form[0, 0] = np.trace(r)
    form[0, 1:] = form[1:, 0] = r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]
    form[1:, 1:] = r + r.T - np.trace(r) * np.eye(3)
    return form


def affine_of(header):
    affine = np.eye(4)
    if header["sform_code"] > 0:
        affine[:3] = header["sform"]
    elif header["qform_code"] > 0:
        sign = -1 if header["pixdim"][0] < 0 else 1
        spacing = header["pixdim"][1:4] * [1, 1, sign]
        affine[:3, :3] = quaternion_matrix(*header["quaternion"][:3].astype(float)) * spacing
        affine[:3, 3] = header["quaternion"][3:]
    else:
        raise ValueError("the header has neither qform nor sform")
    return affine


def read(path):
    """The voxels and the affine of a volume."""
    content = (gzip.decompress if str(path).endswith(".gz") else bytes)(pathlib.Path(path).read_bytes())
    order = "<" if content[:4] == (348).to_bytes(4, "little") else ">"
    header = np.frombuffer(content, HEADER.newbyteorder(order), 1)[0]
    if header["sizeof_hdr"] != 348 or int(header["datatype"]) not in TYPES:
        raise ValueError(f"{path} is no NIfTI-1 file of numbers")
    shape = [int(n) for n in header["dim"][1:4]]
    voxels = np.frombuffer(content, order + TYPES[int(header["datatype"])], int(np.prod(shape)), int(header["vox_offset"]))
    voxels = np.ascontiguousarray(voxels.reshape(shape, order="F"))
    if header["scl_slope"] not in (0, 1) or (header["scl_slope"] != 0 and header["scl_inter"] != 0):
        voxels = voxels * header["scl_slope"] + header["scl_inter"]
    return voxels.astype(voxels.dtype.newbyteorder("="), copy=False), affine_of(header)


def write(path, voxels, affine):
    header = np.zeros(1, HEADER.newbyteorder("<"))
    kind = voxels.dtype.newbyteorder("<")
    header["sizeof_hdr"] = 348
    header["dim"] = [3, *voxels.shape, 1, 1, 1, 1]
    header["datatype"] = {np.dtype(name): code for code, name in TYPES.items()}[voxels.dtype]
    header["bitpix"] = 8 * voxels.dtype.itemsize
    spacing = np.linalg.norm(affine[:3, :3], axis=0)
    directions = affine[:3, :3] / spacing
    sign = 1 if np.linalg.det(directions) > 0 else -1
    header["pixdim"] = [sign, *spacing, 0, 0, 0, 0]
    header["vox_offset"] = 352
    header["scl_slope"] = 1
    header["xyzt_units"] = MILLIMETERS
    header["qform_code"] = header["sform_code"] = SCANNER
    header["quaternion"] = [*matrix_quaternion(directions * [1, 1, sign]), *affine[:3, 3]]
    header["sform"] = affine[:3]
    header["magic"] = b"n+1"
    content = header.tobytes() + bytes(4) + voxels.astype(kind, copy=False).tobytes(order="F")
    pathlib.Path(path).write_bytes(gzip.compress(content, 1) if str(path).endswith(".gz") else content)
