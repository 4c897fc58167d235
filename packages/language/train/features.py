"""Trains the feature head alone, on all example requests, with the encoder as it is: minutes instead of an hour."""

import argparse
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from network import Network

TOKENS_MAX = 64
EPOCHS = 40


def main():
    take = argparse.ArgumentParser(description=__doc__)
    take.add_argument("checkpoint", type=Path)
    take.add_argument("--rows", type=Path, action="append", required=True)
    take.add_argument("--pieces", type=Path, default=Path(__file__).parent / "../model/pieces.tsv")
    take.add_argument("--out", type=Path, required=True)
    take.add_argument("--threads", type=int, default=1)
    options = take.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    kept = torch.load(options.checkpoint)
    state = kept["state"]
    network = Network(state["word.weight"].shape[0], kept["layers"], len(kept["features"]))
    network.load_state_dict(state)
    network.eval()
    pieces = [line.rsplit("\t", 1)[-1] for line in options.pieces.read_text().split("\n")[:-1]]
    number = {piece: at for at, piece in enumerate(pieces)}
    place = {slug: at for at, slug in enumerate(kept["features"])}
    rows = [json.loads(line) for path in options.rows for line in path.open()]
    rows = sorted((row for row in rows if row["feature"] in place), key=lambda row: len(row["text"]))
    hidden = [number["▁"], number["☆"]]
    found = {}
    hook = network.outputs["feature"].register_forward_pre_hook(lambda _, inputs: found.update(pooled=inputs[0]))
    pooled = []
    with torch.no_grad():
        for start in range(0, len(rows), 32):
            texts = [[number["<s>"], *hidden, *row["text"][:TOKENS_MAX], number["</s>"]] for row in rows[start : start + 32]]
            longest = max(map(len, texts))
            ids = torch.full((len(texts), longest), number["<pad>"])
            mask = torch.zeros(len(texts), longest, dtype=torch.bool)
            for at, text in enumerate(texts):
                ids[at, : len(text)], mask[at, : len(text)] = torch.tensor(text), True
            with torch.autocast("cpu", dtype=torch.bfloat16):
                network(ids, mask)
            pooled.append(found["pooled"].float())
    hook.remove()
    given, gold = torch.cat(pooled), torch.tensor([place[row["feature"]] for row in rows])
    order = torch.randperm(len(rows))
    held, used = order[: len(rows) // 12], order[len(rows) // 12 :]
    head = network.outputs["feature"]
    for parameter in network.parameters():
        parameter.requires_grad = False
    head.weight.requires_grad = head.bias.requires_grad = True
    optimizer = torch.optim.AdamW(head.parameters(), lr=2e-3, weight_decay=0.02)
    steps = EPOCHS * (len(used) // 256 + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps)
    for epoch in range(EPOCHS):
        for some in used[torch.randperm(len(used))].split(256):
            loss = F.cross_entropy(head(F.dropout(given[some], 0.2)), gold[some], label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        if epoch % 10 == 9:
            with torch.no_grad():
                right = (head(given[held]).argmax(1) == gold[held]).float().mean().item()
            print(f"epoch {epoch + 1}: loss {loss.item():.3f}, {right:.3f} of {len(held)} held out are right", flush=True)
    torch.save({**kept, "state": network.state_dict()}, options.out)


if __name__ == "__main__":
    main()
