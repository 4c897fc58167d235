"""
Builds the ONNX graph of a network for one text per run: 8-bit weights, activations quantised per run.

Optimised for onnxruntime on one core. Layer normalisation from elementary operators takes a quarter of the time of the fused operator.
Query, key and value are one product. Inputs of products have outlier channels, most of all those of the inner product. So channels are
scaled first (SmoothQuant): one scale for all channels would be too coarse.
"""

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

MICROSOFT = "com.microsoft"
OPSET = 20
EPSILON = 1e-12
# The share of a channel's peak that moves from the input to the weights; 0.7 for all other products.
SMOOTHING = {"fo": 0.9}


class Graph:
    def __init__(self):
        self.nodes, self.constants, self.count = [], [], 0

    def constant(self, name: str, value: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, operator: str, inputs: list[str], domain="", outputs=1, **attributes):
        self.count += 1
        names = [f"{operator}{self.count}_{at}" for at in range(outputs)]
        self.nodes.append(helper.make_node(operator, inputs, names, domain=domain, name=f"{operator}{self.count}", **attributes))
        return names[0] if outputs == 1 else names

    def product(self, x: str, name: str, weight: np.ndarray, bias: np.ndarray) -> str:
        """`x` times `weight` (inputs by outputs) in 8 bits, one scale for each output."""
        scale = np.abs(weight).max(0) / 127
        scale[scale == 0] = 1
        whole = np.clip(np.rint(weight / scale), -127, 127).astype(np.int8)
        inputs = [
            x, self.constant(f"{name}.w", whole), self.constant(f"{name}.s", scale.astype(np.float32)),
            self.constant(f"{name}.z", np.zeros(len(scale), np.int8)), self.constant(f"{name}.b", bias.astype(np.float32)),
        ]
        return self.node("DynamicQuantizeMatMul", inputs, MICROSOFT)

    def dense(self, x: str, name: str, layers) -> str:
        """`x` through parallel layers, in 32 bits."""
        weight, bias = (np.concatenate([getattr(layer, part).detach().float().numpy() for layer in layers]) for part in ("weight", "bias"))
        return self.node("Gemm", [x, self.constant(f"{name}.w", weight), self.constant(f"{name}.b", bias)], transB=1)

    def feature(self, x: str, head) -> str:
        if not isinstance(head, torch.nn.Sequential):
            return self.dense(x, "feature", [head])
        inner = self.node("Gelu", [self.dense(x, "feature.inner", [head[0]])])
        return self.dense(inner, "feature", [head[2]])

    def normalise(self, x: str, name: str, weight: np.ndarray, bias: np.ndarray) -> str:
        centred = self.node("Sub", [x, self.node("ReduceMean", [x, "last"])])
        variance = self.node("ReduceMean", [self.node("Mul", [centred, centred]), "last"])
        deviation = self.node("Sqrt", [self.node("Add", [variance, "epsilon"])])
        scaled = self.node("Mul", [self.node("Div", [centred, deviation]), self.constant(f"{name}.w", weight)])
        return self.node("Add", [scaled, self.constant(f"{name}.b", bias)])


def factor(peak: np.ndarray, weight: np.ndarray, name: str) -> np.ndarray:
    """The factors of an input's channels, which balance the peaks of input and weights."""
    share = SMOOTHING.get(name.rsplit(".")[-1], 0.7)
    return (np.abs(weight).max(1).clip(1e-5) ** (1 - share) / peak.clip(1e-3) ** share).astype(np.float32)


def scaled_product(graph: Graph, x: str, name: str, weight: np.ndarray, bias: np.ndarray, peak: np.ndarray) -> str:
    by = factor(peak, weight, name)
    return graph.product(graph.node("Mul", [x, graph.constant(f"{name}.factor", by)]), name, weight / by[:, None], bias)


def evidence(graph: Graph, x: str, labels) -> str:
    """One row: for each label, the evidence of the tokens that it attends to, in 32 bits."""
    part = lambda name, module: graph.node("MatMul", [x, graph.constant(name, module.weight.detach().float().numpy().T)])
    weight = graph.node("Softmax", [part("labels.weigh.w", labels.weigh)], axis=1)
    found = graph.node("ReduceSum", [graph.node("Mul", [part("labels.value.w", labels.value), weight]), "first"], keepdims=0)
    return graph.node("Add", [found, graph.constant("labels.value.b", labels.value.bias.detach().float().numpy())])


def build(network, peaks: list[dict[str, np.ndarray]], heads: list[str]) -> onnx.ModelProto:
    """`peaks`: the greatest input of each channel on calibration texts, by layer and product. The graph's output is one row:
    the outputs of `heads`, then those of the feature head."""
    array = lambda tensor: tensor.detach().float().numpy()
    graph = Graph()
    graph.constant("last", np.array([-1]))
    graph.constant("first", np.array([1]))
    graph.constant("epsilon", np.array(EPSILON, np.float32))
    words = array(network.word.weight)
    scale = np.maximum(np.abs(words).max(1, keepdims=True), 1e-8) / 127
    table = graph.constant("words", np.rint(words / scale).astype(np.int8))
    scales = graph.constant("words.s", scale.astype(np.float16))
    floats = lambda x: graph.node("Cast", [x], to=TensorProto.FLOAT)
    word = graph.node("Mul", [floats(graph.node("Gather", [table, "ids"])), floats(graph.node("Gather", [scales, "ids"]))])
    places = graph.constant("places", (array(network.pos.weight) + array(network.kind)).astype(np.float16))
    length = graph.node("Shape", ["ids"], start=1, end=2)
    zero = graph.constant("zero", np.array([0]))
    place = graph.node("Slice", [places, zero, length, zero])
    x = graph.node("Add", [word, floats(place)])
    x = graph.normalise(x, "eln", array(network.eln.weight), array(network.eln.bias))
    for at, layer in enumerate(network.layers):
        parts = (layer.q, layer.k, layer.v)
        wide, bias = (np.concatenate([array(part).T for part in some], -1) for some in zip(*((part.weight, part.bias) for part in parts)))
        outer, inner = array(layer.ao.weight).T, array(layer.fo.weight).T
        # The factor of `ao` is part of the values, so it costs nothing.
        after = factor(peaks[at]["ao"], outer, "ao")
        wide[:, -len(after) :] *= after
        bias[-len(after) :] *= after
        q, k, v = graph.node("Split", [scaled_product(graph, x, f"l{at}.qkv", wide, bias, peaks[at]["q"])], outputs=3, axis=-1, num_outputs=3)
        attended = graph.node("MultiHeadAttention", [q, k, v], MICROSOFT, num_heads=layer.heads)
        out = graph.product(attended, f"l{at}.ao", outer / after[:, None], array(layer.ao.bias))
        x = graph.normalise(graph.node("Add", [x, out]), f"l{at}.aln", array(layer.aln.weight), array(layer.aln.bias))
        wider = scaled_product(graph, x, f"l{at}.fi", array(layer.fi.weight).T, array(layer.fi.bias), peaks[at]["fi"])
        out = scaled_product(graph, graph.node("Gelu", [wider]), f"l{at}.fo", inner, array(layer.fo.bias), peaks[at]["fo"])
        x = graph.normalise(graph.node("Add", [x, out]), f"l{at}.oln", array(layer.oln.weight), array(layer.oln.bias))
    attend = graph.node("MatMul", [x, graph.constant("attend.w", array(network.attend.weight).T)])
    weight = graph.node("Softmax", [attend], axis=1)
    mean = graph.node("ReduceMean", [x, "first"], keepdims=0)
    weighted = graph.node("ReduceSum", [graph.node("Mul", [x, weight]), "first"], keepdims=0)
    pooled = graph.node("Concat", [mean, weighted], axis=-1)
    heads_together = [network.outputs[name] for name in heads]
    wide = network.outputs["feature"]
    found = graph.node("Add", [graph.dense(pooled, "heads", heads_together), evidence(graph, x, network.labels)])
    outputs = graph.node("Concat", [found, graph.feature(pooled, wide)], axis=-1)
    flat = graph.constant("flat", np.array([-1]))
    graph.nodes.append(helper.make_node("Reshape", [outputs, flat], ["outputs"]))
    graph.nodes.append(helper.make_node("Reshape", [weight, flat], ["attention"]))
    made = helper.make_graph(
        graph.nodes, "encoder", [helper.make_tensor_value_info("ids", TensorProto.INT32, [1, "length"])],
        [helper.make_tensor_value_info("outputs", TensorProto.FLOAT, [None]), helper.make_tensor_value_info("attention", TensorProto.FLOAT, [None])],
        graph.constants,
    )
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)], ir_version=9)
