"""Makes a checkpoint from the exported model, to continue training. Its weights have the rounding errors of 8 bits."""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from network import HEADS, Network

MODEL = Path(__file__).parent / "../model"
PARTS = ("q", "k", "v")


def restored(constants: dict[str, np.ndarray], features: int) -> Network:
    """The network with the weights from the constants of `graph.py`."""
    tensor = lambda array: torch.from_numpy(np.ascontiguousarray(array.astype(np.float32)))
    words = constants["words"].astype(np.float32) * constants["words.s"].astype(np.float32)
    hidden = words.shape[1]
    layers = sum(name.endswith(".qkv.w") for name in constants)
    network = Network(len(words), layers, features, wide=True)
    network.word.weight.data = tensor(words)
    network.pos.weight.data = tensor(constants["places"])
    network.attend.weight.data = tensor(constants["attend.w"].T)
    network.attend.bias.data.zero_()
    set_both(network.eln, constants, "eln", tensor)
    for at, layer in enumerate(network.layers):
        weight = lambda name: product(constants, f"l{at}.{name}")
        wide, bias, outer = weight("qkv"), constants[f"l{at}.qkv.b"].copy(), weight("ao")
        # The factors of `ao` are merged into the values and unknown. Any factors work if both sides use them.
        balance = np.abs(wide[:, : 2 * hidden]).mean() / np.abs(wide[:, 2 * hidden :]).mean(0).clip(1e-8)
        wide[:, 2 * hidden :] *= balance
        bias[2 * hidden :] *= balance
        for part, name in enumerate(PARTS):
            columns = slice(part * hidden, (part + 1) * hidden)
            getattr(layer, name).weight.data = tensor(wide[:, columns].T)
            getattr(layer, name).bias.data = tensor(bias[columns])
        for name, values in (("ao", outer / balance[:, None]), ("fi", weight("fi")), ("fo", weight("fo"))):
            getattr(layer, name).weight.data = tensor(values.T)
            getattr(layer, name).bias.data = tensor(constants[f"l{at}.{name}.b"])
        for name in ("aln", "oln"):
            set_both(getattr(layer, name), constants, f"l{at}.{name}", tensor)
    start = 0
    for name, size in HEADS.items():
        network.outputs[name].weight.data = tensor(constants["heads.w"][start : start + size])
        network.outputs[name].bias.data = tensor(constants["heads.b"][start : start + size])
        start += size
    if "labels.value.w" in constants:
        network.labels.weigh.weight.data = tensor(constants["labels.weigh.w"].T)
        network.labels.value.weight.data = tensor(constants["labels.value.w"].T)
        network.labels.value.bias.data = tensor(constants["labels.value.b"])
    set_both(network.outputs["feature"][0], constants, "feature.inner", tensor)
    set_both(network.outputs["feature"][2], constants, "feature", tensor)
    return network


def product(constants: dict[str, np.ndarray], name: str) -> np.ndarray:
    """An 8-bit weight before its channels were scaled, inputs by outputs."""
    weight = constants[f"{name}.w"].astype(np.float32) * constants[f"{name}.s"]
    factor = constants.get(f"{name}.factor")
    return weight if factor is None else weight * factor[:, None]


def set_both(module, constants: dict[str, np.ndarray], name: str, tensor):
    module.weight.data, module.bias.data = tensor(constants[f"{name}.w"]), tensor(constants[f"{name}.b"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    graph = onnx.load(MODEL / "encoder.onnx").graph
    features = json.loads((MODEL / "model.json").read_text())["features"]
    network = restored({item.name: numpy_helper.to_array(item) for item in graph.initializer}, len(features))
    torch.save({"state": network.state_dict(), "features": features, "layers": len(network.layers)}, options.out)


if __name__ == "__main__":
    main()
