# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions that know file, line and remedy."""


class Error(Exception):
    """Anything that the library refuses or fails at.

    `message` is what is wrong; `file` and `line` say where, and `remedy` what
    to do, each None if the message has no such part. Subclasses are also the
    built-in exceptions that one would expect: a bad file is a ValueError, a
    missing one a FileNotFoundError.
    """

    def __init__(self, text, file=None, line=None, remedy=None):
        super().__init__(text)
        self.message = text
        self.file, self.line, self.remedy = file, line, remedy

    def __str__(self):
        return self.message

    def __reduce__(self):
        return type(self), (self.message, self.file, self.line, self.remedy)


class InvalidError(Error, ValueError):
    """An argument that cannot be."""


class DataError(Error, ValueError):
    """A file or text that is malformed."""


class FileError(Error, OSError):
    """A file that cannot be written."""


class MissingError(Error, FileNotFoundError):
    """A file that is not there or cannot be read."""


class LimitError(Error, ValueError):
    """A documented limit is exceeded."""


class NotFoundError(Error, LookupError):
    """A name that nothing has; the message lists those that there are."""


class BusyError(Error, BlockingIOError):
    """Another process is writing to the study."""


class StoppedError(Error, RuntimeError):
    """Stopped on request."""


class UnsupportedError(Error, NotImplementedError):
    """Not possible with this space, system or build."""


class UnprovenError(Error, ArithmeticError):
    """The distance of two graphs is not known, only its bounds.

    `lower` and `upper` are proven. Use Ged.result() to get them as a result.
    """

    def __init__(self, lower, upper):
        super().__init__(
            f"the distance is between {lower:g} and {upper:g}, the graphs are "
            "too large for a proof; use result() for bounds and the best map")
        self.lower, self.upper = lower, upper

    def __reduce__(self):
        return type(self), (self.lower, self.upper)


class UnprovenWarning(UserWarning):
    """Some of many distances are upper bounds; ask for bounds=True."""


_BY_CODE = {-2: InvalidError, -3: DataError, -4: FileError, -5: LimitError,
            -6: NotFoundError, -7: BusyError, -8: StoppedError,
            -9: UnsupportedError, -10: MissingError}


def make(code, text, file, line, remedy):
    """The exception of an error code of the library. Called from C."""
    return _BY_CODE.get(code, Error)(text, file or None, line or None,
                                     remedy or None)


def unproven(lower, upper):
    """Called from C."""
    return UnprovenError(lower, upper)
