"""Exports a checkpoint for the service: `encoder.onnx` with 8-bit weights, and `model.json` with the names of its outputs."""

import argparse
import json
from pathlib import Path

import numpy as np
import torch

import graph
from network import HEADS, from_checkpoint
from texts import Texts

MODEL = Path(__file__).parent / "../model"
# The channels' peaks are stable from about a hundred texts on.
CALIBRATION_ROWS = 150


def peaks_of(network, texts) -> list[dict[str, np.ndarray]]:
    """The greatest absolute input of each channel, by layer and product."""
    peaks = [{} for _ in network.layers]

    def observe(found, name):
        def update(_, inputs):
            peak = inputs[0].abs().amax((0, 1)).numpy()
            found[name] = np.maximum(found.get(name, peak), peak)

        return update

    hooks = [
        getattr(layer, name).register_forward_pre_hook(observe(found, name))
        for found, layer in zip(peaks, network.layers)
        for name in ("q", "ao", "fi", "fo")
    ]
    with torch.no_grad():
        for text in texts:
            network(torch.tensor([text]))
    for hook in hooks:
        hook.remove()
    return peaks


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--rows", type=Path, required=True, help="texts for calibration")
    parser.add_argument("--out", type=Path, default=MODEL)
    options = parser.parse_args()
    torch.set_num_threads(1)
    network, checkpoint = from_checkpoint(options.checkpoint)
    texts = Texts(MODEL / "pieces.tsv")
    rows = [json.loads(line) for line in options.rows.open()]
    some = rows[:: max(1, len(rows) // CALIBRATION_ROWS)]
    model = graph.build(network, peaks_of(network, [texts.tokens(row) for row in some]), list(HEADS))
    written = options.out / "encoder.onnx"
    written.write_bytes(model.SerializeToString(deterministic=True))
    print(f"{written.stat().st_size / 1e6:.1f} MB, {len(checkpoint['features'])} features")
    described = options.out / "model.json"
    description = json.loads(described.read_text()) if described.exists() else {"version": "1", "thresholds": {}}
    described.write_text(json.dumps({**description, "features": checkpoint["features"]}, indent=2) + "\n")


if __name__ == "__main__":
    main()
