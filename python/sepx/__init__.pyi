# SPDX-License-Identifier: Apache-2.0
from . import levels as levels
from ._core import (Buffer as Buffer, Graph as Graph, Prepared as Prepared,
                    methods as methods, processors as processors)
from ._errors import (BusyError as BusyError, DataError as DataError,
                      Error as Error, FileError as FileError,
                      InvalidError as InvalidError, LimitError as LimitError,
                      MissingError as MissingError,
                      NotFoundError as NotFoundError,
                      StoppedError as StoppedError,
                      UnprovenError as UnprovenError,
                      UnprovenWarning as UnprovenWarning,
                      UnsupportedError as UnsupportedError)
from .ged import Edit as Edit, Ged as Ged, Result as Result
from .graph import Drawing as Drawing, read as read
from .search import Search as Search, Trial as Trial
from .space import Explanation as Explanation, Space as Space, cross as cross
from .study import (FailingError as FailingError, Prediction as Prediction,
                    Row as Row, Study as Study, Unfit as Unfit)

__version__: str
