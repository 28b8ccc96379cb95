"""From defaults, a preset, a file and KEY=VALUE to one `Config`; and back out again.

Later wins: defaults < preset < file < KEY=VALUE. All mistakes are collected, then raised at once.
YAML is 1.2, read by ruamel: `no` is Norwegian, 7e-4 is a number, a key given twice is an error.
"""

import difflib
import io
import typing
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.representer import SafeRepresenter

from nmt.config.tree import Config
from nmt.errors import ConfigError
from nmt.presets import PRESETS

Tree = dict[str, dict[str, Any]]


class Settings:
    """What the user asked for: a file and KEY=VALUE pairs, checked, but without the preset's share yet.

    The preset may depend on the size of the corpus, which is known only after reading it; hence two steps.
    """

    def __init__(self, tree: Tree, places: Mapping[str, str], mistakes: Sequence[str] = ()) -> None:
        """mistakes: found on the way here; reported together with those in the tree."""
        self._tree = tree
        self._places = places
        self.config = self._validate(tree, mistakes)
        _raise_any(_conflicts(self.config if self.preset == "auto" else self._validate(self._merge(self.preset))))

    @classmethod
    def load(
        cls,
        name: str | None = None,
        overrides: Sequence[str] = (),
        base: Path | None = None,
        sections: Collection[str] = tuple(Config.model_fields),
    ) -> "Settings":
        """Read a config file (a path, or the name of a shipped one) and lay KEY=VALUE over it.

        base: another model's saved configuration, whose `sections` go below the file.
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
        return cls(tree, places, mistakes)

    @property
    def preset(self) -> str:
        """The preset asked for; `auto` leaves the choice to the size of the corpus."""
        return self.config.model.preset

    def resolve(self, preset: str) -> Config:
        """The complete configuration, with `preset` filling what the user did not give."""
        config = self._validate(self._merge(preset))
        _raise_any([*_conflicts(config), *_endless(config)])
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
            mistakes = [*mistakes, *(_describe(error, self._places) for error in invalid.errors())]
            mistakes += _conflicts_beside(tree, invalid)
        _raise_any(mistakes)
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
    if content is None:
        return {}
    if not isinstance(content, Mapping):
        raise ConfigError(f"{path} holds no keys", "write sections such as `data:` with keys below them")
    return _plain_sections(content, path, places)


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
    section, dot, field = name.strip().partition(".")
    if not equals or not dot or not field:
        near = _nearest(name)
        return f"{text!r} is not of the form SECTION.KEY=VALUE{near}"
    places[f"{section}.{field}"] = ""
    keys = tree.setdefault(section, {})
    if isinstance(keys, dict):  # else the file is wrong there, which is reported anyway
        keys[field] = _parse_value(value)
    return None


def _parse_value(text: str) -> Any:
    """A value as YAML would read it; what is no YAML (a lone `*`) is a string."""
    text = text.strip()
    try:
        parsed = _yaml().load(text)
    except YAMLError:
        return text
    if isinstance(parsed, str) and text[0] not in "'\"":
        return text  # as it stands: `a #b` is a file name, not a value with a comment
    # `data.train=a: b` is a file name too, not a mapping.
    simple = parsed is None or isinstance(parsed, bool | int | float | str | list)
    return _plain(parsed) if simple else text


def _keys() -> Iterator[tuple[str, FieldInfo]]:
    """Every full key with its field."""
    for section, field in Config.model_fields.items():
        assert isinstance(field.annotation, type)
        assert issubclass(field.annotation, BaseModel)
        for name, inner in field.annotation.model_fields.items():
            yield f"{section}.{name}", inner


def _nearest(name: str) -> str:
    """The known key most like it: in its own section first, then in any, as a section is easily left out."""
    section, last = name.partition(".")[0], name.split(".")[-1]
    every = {full.split(".")[1]: full for full, _ in _keys()}
    own = {key: full for key, full in every.items() if full.startswith(f"{section}.")}
    near = difflib.get_close_matches(last, own, 1, 0.6) or difflib.get_close_matches(last, every, 1, 0.6)
    return f"; did you mean {every[near[0]]}?" if near else ""


def _describe(error: Any, places: Mapping[str, str]) -> str:
    """One pydantic error in our words: place, full key, what is allowed, the nearest known key."""
    name = ".".join(str(part) for part in error["loc"][:2])
    place = places.get(name, places.get(name.split(".")[0], ""))
    if error["type"] == "extra_forbidden" and len(error["loc"]) == 1 and name in dict(_keys()):
        section, _, last = name.partition(".")
        return f"{place}{name} is written in a file as a key {last} below {section}:"
    if error["type"] == "extra_forbidden":
        if "." not in name:
            sections = list(Config.model_fields)
            near = difflib.get_close_matches(name, sections, 1)
            return f"{place}{name} is no section (sections: {', '.join(sections)})" + (
                f"; did you mean {near[0]}?" if near else _nearest(name)
            )
        return f"{place}{name} is no known key{_nearest(name)}"
    if error["type"] == "literal_error":
        return f"{place}{name} is {error['input']!r} but must be one of {error['ctx']['expected']}"
    if error["type"] == "model_type":
        return f"{place}{name} must be a section with keys below it, not {error['input']!r}"
    what = error["msg"].removeprefix("Value error, ").replace("Input should be", "must be").split(", unable to ")[0]
    for theirs, ours in (
        ("a valid boolean", "true or false"),
        ("a valid integer", "a whole number"),
        ("a valid ", "a "),
    ):
        what = what.replace(theirs, ours)
    value = "without a value" if error["input"] is None else repr(error["input"])
    return f"{place}{name} is {value}: {what[0].lower()}{what[1:]}"


def _conflicts(config: Config) -> Iterator[str]:
    """Values that are allowed alone but not together."""
    model, tokenizer, data = config.model, config.tokenizer, config.data
    if model.d_model % model.num_heads:
        yield f"model.num_heads is {model.num_heads} but must divide model.d_model, {model.d_model}"
    elif model.positions == "rotary" and (width := model.d_model // model.num_heads) % 2:
        yield f"model.positions is rotary, so model.d_model / model.num_heads must be even, not {width}"
    if model.positions == "sinusoidal" and (model.d_model % 2 or model.d_model < 4):
        yield f"model.positions is sinusoidal, so model.d_model must be even and at least 4, not {model.d_model}"
    if model.tie_embeddings == "all" and not tokenizer.shared:
        yield "model.tie_embeddings is all, which needs tokenizer.shared: true; or take model.tie_embeddings=target"
    if isinstance(tokenizer.path, tuple) and tokenizer.shared:
        yield "tokenizer.path names two models, which needs tokenizer.shared: false"
    if data.source_language == data.target_language:
        yield f"data.source_language and data.target_language are both {data.source_language!r}"
    low, high = config.train.adam_betas
    if not (0 <= low < 1 and 0 <= high < 1):
        yield f"train.adam_betas is [{low}, {high}] but both must be in [0, 1)"


def _conflicts_beside(tree: Tree, invalid: ValidationError) -> list[str]:
    """What conflicts in the rest of a tree that has mistakes, so that all are told at once."""
    wrong = {tuple(error["loc"][:2]) for error in invalid.errors()}
    rest = {
        section: {name: value for name, value in keys.items() if (section, name) not in wrong}
        for section, keys in tree.items()
        if (section,) not in wrong and isinstance(keys, dict)
    }
    try:
        return list(_conflicts(Config.model_validate(rest)))
    except ValidationError:
        return []


def _endless(config: Config) -> Iterator[str]:
    """Asked of a complete configuration only: a preset may still say when to stop."""
    if config.train.max_steps is None and config.train.max_epochs is None and config.train.budget is None:
        yield "nothing says when to stop: train.max_steps, train.max_epochs and train.budget are all unset"


def _raise_any(mistakes: Iterable[str]) -> None:
    """All of them in one error, if there are any."""
    unique = list(dict.fromkeys(mistakes))
    if not unique:
        return
    if len(unique) == 1:
        raise ConfigError(unique[0], "nmt train --explain lists every key")
    listed = "".join(f"\n  - {mistake}" for mistake in unique)
    raise ConfigError(f"{len(unique)} mistakes in the configuration:{listed}", "nmt train --explain lists every key")


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
    for name, field in _keys():
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
