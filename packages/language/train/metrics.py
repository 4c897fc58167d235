"""The figures of eval/score.ts, to compare candidates during training."""

import numpy as np

SENTIMENTS = ["positive", "neutral", "negative", "mixed"]
SEVERITIES = ["low", "medium", "high"]
THEMES = (
    "stability_crash performance battery data_loss sync login_account billing_payment refund pricing_value ads ui_ux "
    "onboarding bug_general notifications privacy_security customer_support content_quality compatibility localization "
    "update_regression praise_general comparison other"
).split()
YES_NO = {"bug": "is_bug_report", "request": "is_feature_request", "competitor": "mentions_competitor"}
USUAL = {"themes": 0.4, "bug": 0.5, "request": 0.5, "competitor": 0.5}


def f1(gold, predicted) -> float:
    gold, predicted = np.asarray(gold, bool), np.asarray(predicted, bool)
    return float(2 * (gold & predicted).sum() / max(1, gold.sum() + predicted.sum()))


def macro_f1(gold, predicted, classes: int) -> float:
    return float(np.mean([f1(np.asarray(gold) == c, np.asarray(predicted) == c) for c in range(classes)]))


def figures(rows, outputs, thresholds=USUAL) -> dict[str, float]:
    p = {name: 1 / (1 + np.exp(-outputs[name])) for name in ("themes", *YES_NO)}
    labels = [row["labels"] for row in rows]
    themes = p["themes"] > thresholds["themes"]
    for at in np.where(themes.sum(1) == 0)[0]:
        themes[at, outputs["themes"][at].argmax()] = True
    gold = np.array([[theme in label["themes"] for theme in THEMES] for label in labels])
    found = {
        "sentiment": macro_f1([SENTIMENTS.index(l["sentiment"]) for l in labels], outputs["sentiment"].argmax(1), 4),
        "themes": f1(gold.reshape(-1), themes.reshape(-1)),
        "severity": macro_f1([SEVERITIES.index(l["severity"]) for l in labels], outputs["severity"].argmax(1), 3),
    }
    for name, key in YES_NO.items():
        found[name] = f1([l[key] for l in labels], p[name][:, 0] > thresholds[name])
    return found


def best_thresholds(rows, outputs) -> dict[str, float]:
    best = dict(USUAL)
    for name in USUAL:
        tried = [(figures(rows, outputs, {**best, name: t})[name], -abs(t - 0.45), t) for t in np.arange(0.1, 0.9, 0.05)]
        best[name] = round(float(max(tried)[2]), 2)
    return best
