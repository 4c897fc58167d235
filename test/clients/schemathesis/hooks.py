"""Rules that OpenAPI cannot express. Requests that break one are changed or not sent."""

import csv
import hashlib
import io
import json
import os
import re
from datetime import datetime, timedelta

import schemathesis
from hypothesis import strategies as st

STATISTICS_DAYS_MAX = 366
IMPORT_FIELDS = ("store", "app_id", "market", "review_id", "rating", "title", "body", "author", "app_version", "occurred_at")
STORE, APP_ID, MARKET = os.environ.get("RADAR_IMPORT_APP", "apple/404000001/us").split("/")


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """The examples of an import name an app that the account does not track."""
    for content in raw_schema["paths"]["/api/v1/imports/reviews"]["post"]["requestBody"]["content"].values():
        content.pop("example", None)


@schemathesis.hook
def map_case(context, case):
    """A webhook needs a URL. A key belongs to one body, so the key is made of the body."""
    if case.path == "/api/v1/hooks" and isinstance(case.body, dict) and case.body.get("target_url") is None:
        case.body["target_url"] = "https://example.com/radar"
    headers = case.headers or {}
    key = next((name for name in headers if name.lower() == "idempotency-key"), None)
    if key is not None and re.fullmatch(r"[ -~]{1,255}", str(headers[key])):
        body = json.dumps(case.body, sort_keys=True, default=str)
        headers[key] = hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()
    return case


@schemathesis.hook
def filter_case(context, case):
    body = case.body if isinstance(case.body, dict) else {}
    return (
        has_short_period(case)
        and fits(body)
        and has_past_start(case, body)
        and has_allowed_recipients(case, body)
        and has_allowed_target(body)
        and has_consistent_storefronts(body)
    )


def has_short_period(case):
    """The period of statistics has a maximum."""
    if not case.path.endswith("/stats"):
        return True
    query = case.query or {}
    since, until = (instant(query.get(name)) for name in ("since", "until"))
    now = datetime.now().astimezone()
    until = until or now
    since = since or until - timedelta(days=30)
    return until - since <= timedelta(days=STATISTICS_DAYS_MAX)


def fits(body):
    """A body has at most 64 KiB. The longest allowed list of ids with the longest ids has more."""
    return len(json.dumps(body)) < 60_000


def has_past_start(case, body):
    """A recovery is about events that exist."""
    if not case.path.endswith("/recovery"):
        return True
    since = instant(body.get("since") or (case.query or {}).get("since"))
    return since is not None and since < datetime.now().astimezone()


def has_allowed_recipients(case, body):
    """Alerts that are on need a channel. An installation without a mail server has only the webhook, whose address must be public."""
    if not case.path.endswith("/alerts"):
        return True
    url = body.get("webhook_url")
    return not body.get("emails") and (url == "https://example.com/radar" or (url is None and body.get("enabled") is not True))


def instant(text):
    try:
        return datetime.fromisoformat(str(text)).astimezone()
    except (ValueError, OverflowError):
        return None


def has_allowed_target(body):
    """
    Settings of a message depend on its service, schedules are only for messages, and the address of a webhook must be
    public. Each has its own tests.
    """
    if body.get("target_type") not in (None, "webhook"):
        return False
    if body.get("target_settings") is not None or body.get("message_schedule") is not None:
        return False
    url = body.get("target_url")
    # The schema says only that it is text, since "pull:" is no URI for some generated clients.
    return not isinstance(url, str) or url.startswith("https://example.com/")


def has_consistent_storefronts(body):
    """`countries` must contain `country`."""
    watches = body.get("watches")
    for watch in [body, *(watches if isinstance(watches, list) else [])]:
        if isinstance(watch, dict) and watch.get("country") is not None and watch.get("countries"):
            return False
    return True


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=50)
ROW = st.fixed_dictionaries(
    {
        "store": st.just(STORE),
        "app_id": st.just(APP_ID),
        "market": st.just(MARKET),
        "review_id": st.text("abcdefghij0123456789", min_size=1, max_size=20),
        "rating": st.integers(1, 5),
        "occurred_at": st.datetimes(datetime(2009, 1, 1), datetime(2025, 1, 1)).map(lambda at: f"{at.isoformat()}Z"),
    },
    optional={name: st.none() | TEXT for name in ("title", "body", "author", "app_version")},
)
ROWS = st.lists(ROW, min_size=1, max_size=5)


def json_lines(rows):
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def csv_table(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, IMPORT_FIELDS)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


for media_type, encoded in (("application/jsonl", json_lines), ("text/csv", csv_table)):
    schemathesis.openapi.media_type(media_type, ROWS.map(encoded))
