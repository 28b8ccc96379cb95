"""From defaults, a preset, a file and KEY=VALUE to one `Config`; and back out again.

Later wins: defaults < preset < file < KEY=VALUE. All mistakes are collected, then raised at once.
YAML is 1.2, read by ruamel: `no` is Norwegian, 7e-4 is a number, a key given twice is an error.
"""

import difflib
import io
import typing
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.representer import SafeRepresenter

from nmt.config.mistakes import Tree, conflicts, conflicts_beside, describe, endless, known_keys, nearest, raise_any
from nmt.config.tree import Config
from nmt.errors import ConfigError
from nmt.presets import PRESETS


class Settings:
    """What the user asked for: a file and KEY=VALUE pairs, checked, but without the preset's share yet.

    The preset may depend on the size of the corpus, which is known only after reading it; hence two steps.
    """

    def __init__(
        self, tree: Tree, places: Mapping[str, str], mistakes: Sequence[str] = (), *, check: bool = True
    ) -> None:
        """mistakes: found on the way here; reported together with those in the tree.

        check: whether the keys go together, too.
        """
        self._tree = tree
        self._places = places
        self.config = self._validate(tree, mistakes)
        if check:
            raise_any(conflicts(self.config if self.preset == "auto" else self._validate(self._merge(self.preset))))

    @classmethod
    def load(
        cls,
        name: str | None = None,
        overrides: Sequence[str] = (),
        base: Path | None = None,
        sections: Collection[str] = tuple(Config.model_fields),
        check: bool = True,
    ) -> "Settings":
        """Read a config file (a path, or the name of a shipped one) and lay KEY=VALUE over it.

        base: another model's saved configuration, whose `sections` go below the file.
        check: whether the keys go together, too; not for a first look, before the base is known.
        Raises ConfigError with every mistake there is.
        """
        tree: Tree = {}
        places: dict[str, str] = {}
        if base is not None:
            tree = {section: keys for section, keys in _read_yaml(base, places).items() if section in sections}
        if name is not None:
            for section, keys in _read_yaml(_find(name), places).items():
                tree[section] = tree.get(section, {}) | keys if isinstance(keys, dict) else keys
        mistakes = [mistake for text in overrides if (mistake := _override(tree, places, text))]
        return cls(tree, places, mistakes, check=check)

    @property
    def preset(self) -> str:
        """The preset asked for; `auto` leaves the choice to the size of the corpus."""
        return self.config.model.preset

    def resolve(self, preset: str) -> Config:
        """The complete configuration, with `preset` filling what the user did not give."""
        config = self._validate(self._merge(preset))
        raise_any([*conflicts(config), *endless(config)])
        return config

    def _merge(self, preset: str) -> Tree:
        merged: Tree = {section: dict(keys) for section, keys in PRESETS[preset].settings.items()}
        if {"max_steps", "max_epochs", "budget"} & set(self._tree.get("train", {})):
            # The user has said when to stop: the preset's own end must not cut that short.
            merged["train"].pop("max_steps", None)
        for section, keys in self._tree.items():
            merged.setdefault(section, {}).update(keys)
        merged.setdefault("model", {})["preset"] = preset
        return merged

    def _validate(self, tree: Tree, mistakes: Sequence[str] = ()) -> Config:
        """Each key by itself."""
        try:
            config = Config.model_validate(tree)
        except ValidationError as invalid:
            mistakes = [*mistakes, *(describe(error, self._places) for error in invalid.errors())]
            mistakes += conflicts_beside(tree, invalid)
        raise_any(mistakes)
        return config


def _find(name: str) -> Path:
    """A path as it is; otherwise a shipped config by its name."""
    path = Path(name)
    if path.is_file():
        return path
    shipped = find_shipped(name)
    if shipped is not None:
        return shipped
    near = difflib.get_close_matches(name, shipped_names(), 1)
    hint = f"did you mean {near[0]}?" if near else f"a file, or one of: {', '.join(shipped_names())}"
    raise ConfigError(f"there is no configuration {name!r}", hint)


def _shipped_folder() -> Path:
    # In the wheel the configs lie inside the package, in a checkout beside it.
    inside = Path(__file__).parent.parent / "configs"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "configs"


def shipped_names() -> list[str]:
    """The configurations that come with nmt, by name."""
    return sorted(path.stem for path in _shipped_folder().glob("*.yaml"))


def find_shipped(name: str) -> Path | None:
    """The file of a shipped configuration, or None."""
    return _shipped_folder() / f"{name}.yaml" if name in shipped_names() else None


def _yaml() -> YAML:
    yaml = YAML(typ="rt")
    yaml.version = (1, 2)
    return yaml


def _read_yaml(path: Path, places: dict[str, str]) -> Tree:
    """A config file as plain dicts; `places` learns the line of each key. An empty file is an empty tree."""
    try:
        content = _yaml().load(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 (byte offset {error.start})", "save the file as UTF-8") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}", "check the path") from error
    except MarkedYAMLError as error:
        line = f" line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ConfigError(f"{path}{line}: {error.problem}", "mend the YAML there; a key may be given once") from error
    except YAMLError as error:
        raise ConfigError(f"{path} is not YAML: {error}", "mend the file") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} cannot be read as YAML: {_too_much(error)}", "mend the file") from error
    if content is None:
        return {}
    if not isinstance(content, Mapping):
        raise ConfigError(f"{path} holds no keys", "write sections such as `data:` with keys below them")
    try:
        return _plain_sections(content, path, places)
    except RecursionError as error:
        raise ConfigError(f"{path} cannot be read as YAML: {_too_much(error)}", "mend the file") from error


def _too_much(error: Exception) -> str:
    return "it is nested too deep, or in itself" if isinstance(error, RecursionError) else str(error)


def _plain_sections(content: Any, path: Path, places: dict[str, str]) -> Tree:
    tree: Tree = {}
    for section, keys in content.items():
        places[str(section)] = _place(path, content, section)
        if keys is None:
            continue
        tree[str(section)] = _plain(keys)
        if isinstance(keys, Mapping):
            for name in keys:
                places[f"{section}.{name}"] = _place(path, keys, name)
    return tree


def _place(path: Path, mapping: Any, name: Any) -> str:
    """File and line of a key; the file alone for one that came by a merge (`<<`)."""
    try:
        return f"{path} line {mapping.lc.key(name)[0] + 1}: "
    except (KeyError, TypeError):
        return f"{path}: "


def _plain(value: Any) -> Any:
    """ruamel's round-trip objects as Python's own."""
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    for kind in (bool, int, float, str):  # bool before int: a bool is one
        if isinstance(value, kind):
            return kind(value)
    return None if value is None else str(value)  # a date: text like any other


def _override(tree: Tree, places: dict[str, str], text: str) -> str | None:
    """Lay one KEY=VALUE over the tree; returns what is wrong with it, if anything."""
    name, equals, value = text.partition("=")
    *sections, field = name.strip().split(".")
    if not equals or not sections or not field:
        return f"{text!r} is not of the form SECTION.KEY=VALUE{nearest(name)}"
    if len(sections) > 1 and ".".join(sections) not in {known.rpartition(".")[0] for known, _ in known_keys()}:
        return f"{name.strip()} is no known key{nearest(name)}"
    places[name.strip()] = ""
    keys: Any = tree
    for section in sections:
        keys = keys.setdefault(section, {}) if isinstance(keys, dict) else None
    if isinstance(keys, dict):  # else the file is wrong there, which is reported anyway
        keys[field] = _parse_value(value)
    return None


def read_overrides(words: Sequence[str], section: str) -> dict[str, Any]:
    """The values of SECTION.KEY=VALUE words, for one section and flat.

    Raises ConfigError for all that is wrong, at once: keys that are unknown or of other sections, bad values.
    """
    tree: Tree = {}
    places: dict[str, str] = {}
    mistakes = [mistake for text in words if (mistake := _override(tree, places, text))]
    mistakes += [f"only {section}.* can be set here, not {name}.*" for name in tree if name != section]
    Settings(tree, places, mistakes)
    return dict(tree.get(section, {}))


def _parse_value(text: str) -> Any:
    """A value as YAML would read it; what is no YAML (a lone `*`) is a string."""
    text = text.strip()
    try:
        parsed = _yaml().load(text)
        if isinstance(parsed, str) and text[0] not in "'\"":
            return text  # as it stands: `a #b` is a file name, not a value with a comment
        # `data.train=a: b` is a file name too, not a mapping.
        simple = parsed is None or isinstance(parsed, bool | int | float | str | list)
        return _plain(parsed) if simple else text
    except (YAMLError, ValueError, RecursionError):  # a number of thousands of digits; a list that holds itself
        return text


class _Representer(SafeRepresenter):
    """A section's keys one a line, a list on one line."""

    def represent_on_one_line(self, items: list[Any]) -> Any:
        return self.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=True)


_Representer.add_representer(list, _Representer.represent_on_one_line)


def dump(config: Config) -> str:
    """The complete configuration as YAML 1.2 text."""
    stream = io.StringIO()
    yaml = YAML(typ="safe", pure=True)
    yaml.Representer = _Representer
    yaml.default_flow_style = False
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    yaml.width = 120
    yaml.dump(config.model_dump(mode="json"), stream)
    return stream.getvalue()


def load_saved(path: Path) -> Config:
    """A configuration that `dump` wrote. Raises ConfigError like any other file."""
    places: dict[str, str] = {}
    return Settings(_read_yaml(path, places), places).config


def explain() -> list[tuple[str, str, str, str]]:
    """(key, default, unit, documentation) of every key, in order."""
    rows = []
    for name, field in known_keys():
        extra = field.json_schema_extra
        unit = str(extra.get("unit", "")) if isinstance(extra, dict) else ""
        choices = typing.get_args(field.annotation) if typing.get_origin(field.annotation) is typing.Literal else ()
        choices = ("true", "false") if field.annotation is bool else choices
        unit = unit or " | ".join(choices)
        rows.append((name, _as_written(field.default), unit, field.description or ""))
    return rows


def _as_written(value: Any) -> str:
    match value:
        case None:
            return "unset"
        case bool():
            return str(value).lower()
        case tuple():
            return str(list(value))
        case _:
            return str(value)


def json_schema() -> dict[str, Any]:
    """The JSON schema that editors use to complete and check a config file (configs/schema.json)."""
    return Config.model_json_schema()
