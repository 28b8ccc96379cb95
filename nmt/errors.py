"""The errors a user can meet: one line that says what is wrong, one that says what to try."""


class NMTError(Exception):
    """Something the user can put right.

    message: what is wrong, with the file and line or the configuration key.
    remedy: what to try; shown on a line of its own. May be empty.
    """

    exit_code = 1

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}\n  try: {self.remedy}" if self.remedy else self.message


class UsageError(NMTError):
    """The command line asks for something that makes no sense."""

    exit_code = 2


class ConfigError(NMTError):
    """A configuration key is unknown or has a value it may not have."""

    exit_code = 2


class DataError(NMTError):
    """A text file, corpus or data set cannot be used as it is."""


class ModelError(NMTError):
    """A run, a model folder or a checkpoint is missing, damaged or of another kind."""
