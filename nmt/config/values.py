"""Kinds of values that a configuration has, and how they are written."""

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, WithJsonSchema, field_validator


def key(default: Any, doc: str, unit: str = "", **limits: Any) -> Any:
    """A configuration key: its default, one line of documentation, its unit and pydantic's limits (gt, ge, lt, le)."""
    return Field(default, description=doc, json_schema_extra={"unit": unit} if unit else None, **limits)


class Section(BaseModel):
    """Frozen, and strict about names: an unknown key is a mistake, never ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, coerce_numbers_to_str=True)

    @field_validator("*", mode="before")
    @classmethod
    def _true_is_no_number(cls, value: Any, info: ValidationInfo) -> Any:
        """pydantic would read `max_steps: true` as 1."""
        assert info.field_name is not None
        is_switch = cls.model_fields[info.field_name].annotation is bool
        return str(value).lower() if isinstance(value, bool) and not is_switch else value


def location(value: Any) -> Any:
    """One place, or two files.

    Said before the union is tried, which would tell one mistake once for each of its members.
    """
    parts = value if isinstance(value, list | tuple) else [value]
    one_or_two = len(parts) == 2 or not isinstance(value, list | tuple)
    if not one_or_two or not all(isinstance(part, str | int | float) and not isinstance(part, bool) for part in parts):
        raise ValueError("must be one place, or two files as in [SOURCE, TARGET]")
    return value if parts is not value else tuple(parts)


# One place (a prefix, a .tsv file, hf:NAME, "starter") or two files, source first.
Location = Annotated[str | tuple[str, str], BeforeValidator(location)]


def pair(value: Any) -> Any:
    """Two numbers."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError("must be two numbers, as in [0.9, 0.98]")
    return tuple(value)


def _names(value: Any) -> Any:
    """[encoder, output], or one name alone."""
    parts = value if isinstance(value, list | tuple) else [value]
    if not all(isinstance(part, str) and part for part in parts):
        raise ValueError("must be names, as in [encoder, output]")
    return tuple(parts)


Names = Annotated[tuple[str, ...], BeforeValidator(_names)]


def _tags(value: Any) -> Any:
    """[deu, fra], or one name alone, without the brackets that it has in a text."""
    if value is None:
        return ()
    names = tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)
    for name in names:
        if not re.fullmatch("[A-Za-z0-9_-]+", name):
            raise ValueError(f"a tag's name is made of letters, digits, - and _, not {name!r}")
    if twice := [name for index, name in enumerate(names) if name in names[:index]]:
        raise ValueError(f"names {twice[0]} twice")
    return names


Tags = Annotated[
    tuple[str, ...],
    BeforeValidator(_tags),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"items": {"type": "string"}, "type": "array"}]}),
]

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def _duration(value: Any) -> Any:
    """30m, 1h30m, 90s or a number of seconds, as seconds."""
    if value is None or isinstance(value, int | float):
        return value
    if not re.fullmatch(r"(\d+(\.\d+)?[smhd])+", str(value).strip()):
        raise ValueError("must be a time such as 30m, 1h30m or 90s")
    return sum(float(number) * _UNITS[unit] for number, _, unit in re.findall(r"(\d+(\.\d+)?)([smhd])", str(value)))


Duration = Annotated[
    float | None,
    BeforeValidator(_duration),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"exclusiveMinimum": 0, "type": "number"}, {"type": "null"}]}),
]
