"""Several clusterings, each compared with each other or all with one reference."""

from clustcmp.matrices.api import matrix, matrix_of, prepare_requests, read_named
from clustcmp.matrices.nouns import Cell, Input, Matrix, MatrixReport

__all__ = [
    "Cell",
    "Input",
    "Matrix",
    "MatrixReport",
    "matrix",
    "matrix_of",
    "prepare_requests",
    "read_named",
]
