"""The page of `nmt data check`: one HTML file that needs no network and no script, in light and dark."""

from nmt.corpus.checking.full import Report


def page(report: Report) -> str:
    return ""
