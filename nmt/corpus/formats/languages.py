"""Language codes as files write them (en, EN, en-US, en_GB), against those that are asked for."""


def closeness(wanted: str, found: str) -> int:
    """2: the same code.  1: one of them says more (en and en-US).  0: another language, or another kind of it."""
    wanted, found = _plain(wanted), _plain(found)
    if wanted == found:
        return 2
    return int(found.startswith(f"{wanted}-") or wanted.startswith(f"{found}-"))


def choose(wanted: tuple[str, str], found: list[str]) -> tuple[int | None, int | None]:
    """Which of the codes in `found` stand for the source and the target; never one for both.

    The same code goes before one that says more or less, the first before later ones.
    """
    sides: list[int | None] = []
    for own, other in (wanted, wanted[::-1]):
        ranked = [(closeness(own, code), -index) for index, code in enumerate(found) if closeness(other, code) < 2]
        best, place = max(ranked, default=(0, 0))
        sides.append(-place if best else None)
    source, target = sides
    if source is not None and source == target:  # both are asked for as kinds of one language
        target = None
    return source, target


def _plain(code: str) -> str:
    return code.strip().replace("_", "-").lower()
