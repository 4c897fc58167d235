"""Two labelled reviews as one, so that the trainer sees texts whose parts differ: the labels follow from those of the parts."""

import random

from metrics import SEVERITIES

# Longer reviews already have several parts.
TOKENS_MAX = 70
OPPOSITE = {"positive", "negative"}


class Joiner:
    def __init__(self, rows: list[dict]):
        self.by_language: dict[str, list[dict]] = {}
        for row in rows:
            if can_join(row):
                self.by_language.setdefault(row["labels"]["language"], []).append(row)

    def join(self, row: dict) -> dict:
        """`row` with another review of its language before or after it; `row` itself when it is too long."""
        if not can_join(row):
            return row
        parts = [row, random.choice(self.by_language[row["labels"]["language"]])]
        random.shuffle(parts)
        return joined(*parts)


def can_join(row: dict) -> bool:
    return row["labels"] is not None and len(row["text"]) <= TOKENS_MAX


def joined(first: dict, second: dict) -> dict:
    parts = [first["labels"], second["labels"]]
    either = lambda key: any(part[key] for part in parts)
    themes = {theme for part in parts for theme in part["themes"]}
    labels = {
        **parts[0],
        "sentiment": sentiment({part["sentiment"] for part in parts}),
        "severity": max((part["severity"] for part in parts), key=SEVERITIES.index),
        # `other` says that no theme fits.
        "themes": sorted(themes - {"other"} or themes),
        **{key: either(key) for key in ("is_bug_report", "is_feature_request", "mentions_competitor")},
    }
    features = {part["feature"] for part in (first, second)} - {None}
    return {
        **first,
        "stars": random.choice((first, second))["stars"],
        "text": first["text"] + second["text"],
        "feature": features.pop() if len(features) == 1 else None,
        "labels": labels,
        "doubt": first["doubt"] or second["doubt"],
    }


def sentiment(parts: set[str]) -> str:
    """As in the label guide: praise and blame are mixed; a question or a wish beside praise leaves it praise."""
    if "mixed" in parts or OPPOSITE <= parts:
        return "mixed"
    return next(iter(parts - {"neutral"}), "neutral")
