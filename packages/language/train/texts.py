"""Builds the input of the network from prepared rows, as src/encoder does from a review."""

from pathlib import Path

TOKENS_MAX = 192
HIDDEN_STARS = "☆"


class Texts:
    def __init__(self, pieces: Path):
        self.pieces = [line.rsplit("\t", 1)[-1] for line in pieces.read_text(encoding="utf8").split("\n")[:-1]]
        self.number = {piece: at for at, piece in enumerate(self.pieces)}
        self.hidden_stars = [self.number["▁"], self.number[HIDDEN_STARS]]
        self.pad = self.number["<pad>"]

    def tokens(self, row, stars=True, app=True, before=(), after=()) -> list[int]:
        """Stars, app name and text. A longer text keeps two thirds from its start and one third from its end."""
        head = (row["stars"] if stars and row["stars"] else self.hidden_stars) + (row["app"] if app and row["app"] else [])
        whole, most = [*head, *before, *row["text"], *after], TOKENS_MAX - 2
        if len(whole) > most:
            whole = whole[: most * 2 // 3] + whole[len(whole) - (most - most * 2 // 3) :]
        return [self.number["<s>"], *whole, self.number["</s>"]]
