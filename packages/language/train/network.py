"""The encoder (BERT, as multilingual-e5-small) with one head for each label."""

import torch
import torch.nn.functional as F
from torch import nn

from e5 import Weights

HEADS = {"sentiment": 4, "themes": 23, "bug": 1, "request": 1, "severity": 3, "competitor": 1}
DROPOUT = 0.1
# Without AVX-512 BF16, products in 16 bits are nine times slower than in 32.
HAS_BF16 = torch.cpu._is_avx512_bf16_supported()


class Layer(nn.Module):
    def __init__(self, hidden: int, inner: int, heads: int):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.ao = (nn.Linear(hidden, hidden) for _ in range(4))
        self.aln, self.oln = (nn.LayerNorm(hidden, eps=1e-12) for _ in range(2))
        self.fi, self.fo = nn.Linear(hidden, inner), nn.Linear(inner, hidden)
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, x, mask):
        rows, length, hidden = x.shape
        split = lambda y: y.view(rows, length, self.heads, hidden // self.heads).transpose(1, 2)
        seen = None if mask is None else mask[:, None, None, :]
        dropout = DROPOUT if self.training else 0.0
        attended = F.scaled_dot_product_attention(split(self.q(x)), split(self.k(x)), split(self.v(x)), seen, dropout)
        x = self.aln(x + self.drop(self.ao(attended.transpose(1, 2).reshape(rows, length, hidden))))
        return self.oln(x + self.drop(self.fo(F.gelu(self.fi(x)))))


def wide_head(inputs: int, features: int) -> nn.Sequential:
    """The feature head that features.py trains. It has one layer more than the other heads, which have fewer classes."""
    return nn.Sequential(nn.Linear(inputs, inputs // 2), nn.GELU(), nn.Linear(inputs // 2, features))


class LabelAttention(nn.Module):
    """Evidence for each label from the tokens that it attends to: a review has several topics, and one weight per token is too few."""

    def __init__(self, hidden: int):
        super().__init__()
        self.weigh = nn.Linear(hidden, sum(HEADS.values()), bias=False)
        self.value = nn.Linear(hidden, sum(HEADS.values()))
        # Starts without effect, so that a trained network stays as it is.
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, x, mask):
        weight = self.weigh(x)
        if mask is not None:
            weight = weight.masked_fill(~mask[..., None], -1e4)
        return (weight.softmax(1) * self.value(x)).sum(1)


def from_checkpoint(path) -> tuple["Network", dict]:
    """The network of a checkpoint in evaluation mode, and the checkpoint."""
    checkpoint = torch.load(path)
    state = checkpoint["state"]
    network = Network(state["word.weight"].shape[0], checkpoint["layers"], len(checkpoint["features"]), "outputs.feature.0.weight" in state)
    network.load_state_dict(state)
    return network.eval(), checkpoint


class Network(nn.Module):
    def __init__(self, vocabulary: int, layers: int, features: int, wide=False, hidden=384, inner=1536, heads=12, positions=512):
        super().__init__()
        self.word, self.pos = nn.Embedding(vocabulary, hidden), nn.Embedding(positions, hidden)
        self.kind = nn.Parameter(torch.zeros(hidden))
        self.eln = nn.LayerNorm(hidden, eps=1e-12)
        self.layers = nn.ModuleList([Layer(hidden, inner, heads) for _ in range(layers)])
        self.drop = nn.Dropout(DROPOUT)
        self.attend = nn.Linear(hidden, 1)
        outputs = {**HEADS, "feature": features}
        self.outputs = nn.ModuleDict({name: nn.Linear(2 * hidden, size) for name, size in outputs.items()})
        self.labels = LabelAttention(hidden)
        if wide:
            self.outputs["feature"] = wide_head(2 * hidden, features)

    def forward(self, ids, mask=None):
        """The outputs of each head by name, and the attention of each token, which shows where the evidence is."""
        x = self.drop(self.eln(self.word(ids) + self.pos.weight[: ids.shape[1]] + self.kind))
        for layer in self.layers:
            x = layer(x, mask)
        weight = self.attend(x).squeeze(-1)
        if mask is None:
            mean = x.mean(1)
        else:
            shown = mask[..., None].float()
            mean = (x * shown).sum(1) / shown.sum(1)
            weight = weight.masked_fill(~mask, -1e4)
        weight = weight.softmax(-1)
        pooled = self.drop(torch.cat([mean, (x * weight[..., None]).sum(1)], -1))
        found = {name: output(pooled) for name, output in self.outputs.items()}
        added = self.labels(self.drop(x), mask).split(list(HEADS.values()), -1)
        for name, more in zip(HEADS, added):
            found[name] = found[name] + more
        return found, weight


def from_weights(weights: Weights, pieces: list[int], layers: int, features: int) -> Network:
    """A network with the lowest `layers` of the pre-trained encoder, the embeddings of `pieces`, and new heads."""
    network = Network(len(pieces), layers, features)
    tensor = lambda name, *shape: torch.from_numpy(weights.tensor(name).reshape(*shape) if shape else weights.tensor(name))
    hidden, inner = weights.hidden, weights.inner
    network.word.weight.data = tensor("emb.word", -1, hidden)[pieces]
    network.pos.weight.data = tensor("emb.pos", -1, hidden)
    network.kind.data = tensor("emb.type")[:hidden]
    network.eln.weight.data, network.eln.bias.data = tensor("emb.ln.w"), tensor("emb.ln.b")
    shapes = {name: (hidden, hidden) for name in ("q", "k", "v", "ao")} | {"fi": (inner, hidden), "fo": (hidden, inner)}
    for index, layer in enumerate(network.layers):
        for name, shape in shapes.items():
            getattr(layer, name).weight.data = tensor(f"l{index}.{name}.w", *shape)
            getattr(layer, name).bias.data = tensor(f"l{index}.{name}.b")
        for name in ("aln", "oln"):
            getattr(layer, name).weight.data = tensor(f"l{index}.{name}.w")
            getattr(layer, name).bias.data = tensor(f"l{index}.{name}.b")
    return network
