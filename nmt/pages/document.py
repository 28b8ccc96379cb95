"""What the pages that commands write have in common."""

from collections.abc import Iterable, Sequence
from html import escape


def document(title: str, style: str, body: str) -> str:
    """A whole HTML document that needs nothing from elsewhere, and may load nothing. All is escaped already."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}</body>
</html>
"""


def table(heads: Sequence[str], kinds: str, rows: Iterable[Sequence[str]], name: str = "") -> str:
    """A table that scrolls where the page is too narrow; nothing without rows. The first column names the row.

    kinds: of each column, a letter each: text, number, or markup, which alone is not escaped.  name: its class.
    """
    body = "".join(
        "<tr>" + "".join(_cell(index, kind, cell) for index, (kind, cell) in enumerate(zip(kinds, row, strict=True)))
        + "</tr>\n"
        for row in rows
    )  # fmt: skip
    if not body:
        return ""
    top = "".join(f'<th scope="col"{_class(kind)}>{escape(head)}</th>' for kind, head in zip(kinds, heads, strict=True))
    head = f"<thead><tr>{top}</tr></thead>\n" if any(heads) else ""
    told = f' class="{name}"' if name else ""
    return f'<div class="scroll"><table{told}>{head}<tbody>\n{body}</tbody></table></div>\n'


def _cell(index: int, kind: str, cell: str) -> str:
    inside = cell if kind == "m" else escape(cell)
    direction = ' dir="auto"' if kind == "t" else ""
    return f'<th scope="row"{direction}>{inside}</th>' if index == 0 else f"<td{_class(kind)}{direction}>{inside}</td>"


def _class(kind: str) -> str:
    return "" if kind == "t" else f' class="{kind}"'


def details(name: str, inside: str, *, is_open: bool = False) -> str:
    """What is folded away until it is asked for; on paper it is open. inside: markup."""
    return f"<details{' open' if is_open else ''}><summary>{escape(name)}</summary>\n{inside}</details>\n"
