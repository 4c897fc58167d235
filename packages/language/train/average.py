"""Writes the mean of the weights of checkpoints that were trained from the same one."""

import argparse
from pathlib import Path

import torch


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    given = [torch.load(path, weights_only=False) for path in options.checkpoints]
    if any(one["features"] != given[0]["features"] for one in given):
        raise SystemExit("The checkpoints know different features.")
    state = {name: torch.stack([one["state"][name].float() for one in given]).mean(0) for name in given[0]["state"]}
    torch.save({**given[0], "state": state}, options.out)


main()
