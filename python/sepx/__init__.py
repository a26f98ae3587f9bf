# SPDX-License-Identifier: Apache-2.0
"""Evolve graphs, and measure how far they are apart, exactly.

>>> import sepx
>>> a = sepx.Graph(["input", "conv", "output"], [(0, 1), (1, 2)])
>>> b = sepx.Graph(["input", "pool", "output"], [(0, 1), (1, 2)])
>>> sepx.Ged()(a, b)
1.0

sepx.Graph and sepx.Ged are graphs and distances, sepx.Space and sepx.cross
what may be changed and how, sepx.Search and sepx.Study what to try next.
docs/python.md shows all of it.
"""
from . import levels
from ._core import (Buffer, Graph, Prepared, processors,
                    version as __version__)
from ._errors import (BusyError, DataError, Error, FileError, InvalidError,
                      LimitError, MissingError, NotFoundError, StoppedError,
                      UnprovenError, UnprovenWarning, UnsupportedError)
from .ged import Edit, Ged, Result
from .graph import Drawing, read
from .search import Search, Trial, methods
from .space import Explanation, Space, cross
from .study import FailingError, Prediction, Row, Study, Unfit

__all__ = [
    "Buffer", "BusyError", "DataError", "Drawing", "Edit", "Error",
    "Explanation", "FailingError", "FileError", "Ged", "Graph",
    "InvalidError", "LimitError", "MissingError", "NotFoundError", "Prediction",
    "Prepared",
    "Result",
    "Row", "Search", "Space", "StoppedError", "Study", "Trial", "Unfit",
    "UnprovenError", "UnprovenWarning", "UnsupportedError", "cross",
    "levels", "methods", "processors", "read"]
