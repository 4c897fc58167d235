"""Fits the whitening of sentence vectors (src/grouping/vector.ts) on the evidence of texts that `evidence.ts` wrote."""

import argparse
from pathlib import Path

import numpy as np

WIDTH = 384
# The share of the whitening: 0 leaves the vectors as they are, 1 gives all directions the same variance.
SHARE = 0.5
# Directions without variance would become noise.
VARIANCE_MIN = 1e-3


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("evidence", type=Path, help="float32 rows of 384 numbers")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "../model/whitening.bin")
    options = parser.parse_args()
    rows = np.fromfile(options.evidence, np.float32).reshape(-1, WIDTH)
    mean = rows.mean(0)
    variances, directions = np.linalg.eigh(np.cov((rows - mean).T))
    weights = (directions * (variances.clip(0) + VARIANCE_MIN) ** (-SHARE / 2)).T
    scale = np.abs(weights).max(1) / 127
    whole = np.clip(np.rint(weights / scale[:, None]), -127, 127).astype(np.int8)
    options.out.write_bytes(mean.astype(np.float32).tobytes() + scale.astype(np.float32).tobytes() + whole.tobytes())
    print(f"{len(rows)} texts, {options.out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
