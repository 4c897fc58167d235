"""Trains the feature head alone on all example requests, with a fixed encoder: minutes instead of an hour."""

import argparse
import json
from pathlib import Path

import torch
import torch.nn.functional as F

from network import HAS_BF16, from_checkpoint, wide_head
from texts import Texts

TOKENS_MAX = 64
EPOCHS = 30


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--rows", type=Path, action="append", required=True)
    parser.add_argument("--pieces", type=Path, default=Path(__file__).parent / "../model/pieces.tsv")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    network, checkpoint = from_checkpoint(options.checkpoint)
    texts = Texts(options.pieces)
    place = {slug: at for at, slug in enumerate(checkpoint["features"])}
    rows = [json.loads(line) for path in options.rows for line in path.open()]
    rows = sorted((row for row in rows if row["feature"] in place), key=lambda row: len(row["text"]))
    given, gold = pooled(network, texts, rows), torch.tensor([place[row["feature"]] for row in rows])
    order = torch.randperm(len(rows))
    held, used = order[: len(rows) // 12], order[len(rows) // 12 :]
    head = wide_head(given.shape[1], len(place))
    optimizer = torch.optim.AdamW(head.parameters(), lr=1e-3, weight_decay=0.05)
    steps = EPOCHS * (len(used) // 256 + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3, total_steps=steps)
    for epoch in range(EPOCHS):
        head.train()
        for some in used[torch.randperm(len(used))].split(256):
            loss = F.cross_entropy(head(F.dropout(given[some], 0.3)), gold[some], label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        if epoch % 5 == 4:
            with torch.no_grad():
                right = (head(given[held]).argmax(1) == gold[held]).float().mean().item()
            print(f"epoch {epoch + 1}: loss {loss.item():.3f}, {right:.3f} of {len(held)} held-out examples are right", flush=True)
    network.outputs["feature"] = head
    torch.save({**checkpoint, "state": network.state_dict()}, options.out)


def pooled(network, texts, rows) -> torch.Tensor:
    """The input of the heads for each row, without stars and app name."""
    found = {}
    hook = network.outputs["bug"].register_forward_pre_hook(lambda _, inputs: found.update(pooled=inputs[0]))
    kept = []
    with torch.no_grad():
        for start in range(0, len(rows), 32):
            some = [texts.tokens({**row, "text": row["text"][:TOKENS_MAX]}, False, False) for row in rows[start : start + 32]]
            ids = torch.full((len(some), max(map(len, some))), texts.pad)
            mask = torch.zeros(ids.shape, dtype=torch.bool)
            for at, text in enumerate(some):
                ids[at, : len(text)], mask[at, : len(text)] = torch.tensor(text), True
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HAS_BF16):
                network(ids, mask)
            kept.append(found["pooled"].float())
            if start % 3200 == 0:
                print(f"{start} of {len(rows)} texts", flush=True)
    hook.remove()
    return torch.cat(kept)


if __name__ == "__main__":
    main()
