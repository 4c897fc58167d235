"""Writes a checkpoint as the model that the service reads: `encoder.onnx` with weights of 8 bits, and the names of its outputs."""

import argparse
import json
import tempfile
import warnings
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from onnxruntime.transformers import optimizer

from network import HEADS, Network

MODEL = Path(__file__).parent / "../model"
# The input of this product has outliers: one scale for the whole of it costs 0.04 in sentiment, one for each 32 numbers nothing.
BLOCKWISE = "/fo/"
BLOCK = 32


class OneText(torch.nn.Module):
    """One text at a time: no padding and no mask; all heads in one row, and the attention of each token."""

    def __init__(self, network: Network):
        super().__init__()
        self.network = network

    def forward(self, ids):
        outputs, weight = self.network(ids)
        return torch.cat([outputs[name] for name in (*HEADS, "feature")], -1)[0], weight[0]


def main():
    take = argparse.ArgumentParser(description=__doc__)
    take.add_argument("checkpoint", type=Path)
    take.add_argument("--out", type=Path, default=MODEL)
    take.add_argument("--full", action="store_true", help="keep 32 bits, to see what 8 lose")
    options = take.parse_args()
    kept = torch.load(options.checkpoint)
    state = kept["state"]
    network = Network(state["word.weight"].shape[0], kept["layers"], len(kept["features"]))
    network.load_state_dict(state)
    network.eval()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        plain, fused = f"{folder}/plain.onnx", f"{folder}/fused.onnx"
        names = {"input_names": ["ids"], "output_names": ["outputs", "attention"], "dynamic_axes": {"ids": {1: "length"}, "attention": {0: "length"}}}
        ids = torch.arange(4, 24, dtype=torch.int32)[None]
        torch.onnx.export(OneText(network), (ids,), plain, opset_version=17, dynamo=False, **names)
        heads = network.layers[0].heads
        optimizer.optimize_model(plain, "bert", num_heads=heads, hidden_size=heads * 32).save_model_to_file(fused)
        if options.full:
            (options.out / "encoder.onnx").write_bytes(Path(fused).read_bytes())
        else:
            wide = [node.name for node in onnx.load(fused).graph.node if node.op_type == "MatMul" and BLOCKWISE in node.name]
            quantize_dynamic(
                fused, plain, op_types_to_quantize=["MatMul", "Gather"], nodes_to_exclude=wide, per_channel=True,
                weight_type=QuantType.QInt8, extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
            )
            blocks = MatMulNBitsQuantizer(onnx.load(plain), block_size=BLOCK, is_symmetric=True, accuracy_level=4, bits=8)
            blocks.process()
            blocks.model.save_model_to_file(str(options.out / "encoder.onnx"), False)
    print(f"{(options.out / 'encoder.onnx').stat().st_size / 1e6:.1f} MB, {len(kept['features'])} features")
    described = options.out / "model.json"
    model = json.loads(described.read_text()) if described.exists() else {"version": "1", "thresholds": {}}
    described.write_text(json.dumps({**model, "features": kept["features"]}, indent=1) + "\n")


if __name__ == "__main__":
    main()
