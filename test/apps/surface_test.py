# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of cudaneuro-surface have in common."""

import array
import itertools
import json
import math

import programs
import surface_files

# Level sets with few neighbors and iterations, so that a run takes part of a second.
QUICK = {"--method": "level-set", "--patch-size": "3", "--neighbors": "16", "--iterations": "3", "--threads": "1"}
QUICK_WORDS = [word for option in QUICK.items() for word in option]
RADIUS = 6.0
NOISE = 0.2


def rms(values):
    return math.sqrt(sum(value * value for value in values) / len(values))


class SurfaceTest(programs.ProgramTest):
    """Each test has a folder with a noisy sphere whose points have an array of heights, and its triangles one of numbers."""

    def setUp(self):
        super().setUp()
        self.points, self.triangles = surface_files.sphere(12, RADIUS, NOISE)
        heights = "".join(f"{p[2]!r}\n" for p in self.points)
        numbers = "".join(f"{i}\n" for i in range(len(self.triangles)))
        arrays = f"POINT_DATA {len(self.points)}\nSCALARS height float 1\nLOOKUP_TABLE default\n{heights}"
        arrays += f"CELL_DATA {len(self.triangles)}\nSCALARS number int 1\nLOOKUP_TABLE default\n{numbers}"
        self.write("noisy.vtk", surface_files.vtk(self.points, self.triangles, arrays))

    def denoise(self, status, words, *arguments, surface="noisy.vtk", **options):
        given = {argument.split("=")[0] for argument in arguments}
        quick = [word for name, value in QUICK.items() if name not in given for word in (name, value)]
        return self.expect(status, words, "surface", "denoise", surface, *arguments, *quick, "-q", **options)

    def denoise_mesh(self, surface, *arguments, status=0, words=""):
        """Denoises by the method that meshes have by default."""
        return self.expect(status, words, "surface", "denoise", surface, *arguments, "--threads", "2", "-q")

    def mesh_report(self, surface, *arguments, **options):
        return json.loads(self.denoise_mesh(surface, "--json", "-", *arguments, **options))

    def expect_refused(self, words, *arguments, **options):
        """Expects an error in one line, and that nothing is written."""
        before = self.names()
        self.denoise(1, words, *arguments, **options)
        self.assertEqual(self.names(), before)

    def surface(self, name):
        return surface_files.read(name, (self.folder / name).read_bytes())

    def report(self, *arguments, **options):
        return json.loads(self.denoise(0, "", "--json", "-", *arguments, **options))

    def compare(self, first, second):
        return json.loads(self.expect(0, "", "surface", "compare", first, second, "--json", "-", "-q"))

    def write_image(self, name, size, element, values, spacing=(1, 1, 1), origin=(0, 0, 0), direction=None):
        header = programs.meta_header(size, {"f": "MET_FLOAT", "B": "MET_UCHAR", "h": "MET_SHORT"}[element]).decode()
        lines = f"ElementSpacing = {' '.join(map(str, spacing))}\nOffset = {' '.join(map(str, origin))}\n"
        if direction:
            lines += f"TransformMatrix = {' '.join(map(str, direction))}\n"
        content = header.replace("ElementType", lines + "ElementType").encode() + array.array(element, values).tobytes()
        self.write(name, content)

    def write_labels(self, name="labels.mha"):
        """Two balls, of labels 3 and 7, the second at the edge of the image."""
        size, spacing = (24, 20, 20), (1.0, 1.2, 1.0)
        balls = {3: ((8, 10, 10), 6.0), 7: ((24, 10, 10), 5.0)}
        values = []
        for z, y, x in itertools.product(*(range(n) for n in size[::-1])):
            point = [i * s for i, s in zip((x, y, z), spacing)]
            values.append(next((label for label, (center, radius) in balls.items() if math.dist(point, center) < radius), 0))
        self.write_image(name, size, "B", values, spacing)
        return {label: 1.2 * values.count(label) for label in balls}

    def write_distance(self, name="distance.mha", direction=None, scale=1.0):
        """The distance to a ball of RADIUS around the middle, on a grid of 20 voxels of 1 mm."""
        values = [scale * (math.dist((x, y, z), (9.5,) * 3) - RADIUS) for z, y, x in itertools.product(range(20), repeat=3)]
        self.write_image(name, (20,) * 3, "f", values, direction=direction)
        return values
