"""Receives webhooks of Review Radar with the standard library of Python 3.9 or later. How to run it: ../README.md"""

import base64
import hashlib
import hmac
import os
import re
import sys
import tempfile
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

BODY_BYTES_MAX = 1_048_576

SECRETS = os.environ.get("HOOK_SECRETS", "").split()
TOLERANCE_S = int(os.environ.get("TOLERANCE_S", "300"))
INBOX = Path(os.environ.get("INBOX", "inbox"))
PORT = int(os.environ.get("PORT", "4040"))


def verify(body: bytes, headers, secrets: list[str], now_s: int, tolerance_s: int) -> bool:
    """Whether one of the secrets signed these bytes at most `tolerance_s` seconds before or after `now_s`."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(now_s - int(timestamp)) > tolerance_s:
        return False
    signatures = [part[3:] for part in headers.get("webhook-signature", "").split(" ") if part.startswith("v1,")]
    signed = f"{event_id}.{timestamp}.".encode() + body
    # During a rotation, the service signs with each valid secret, and the receiver may have several secrets.
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        if any(hmac.compare_digest(expected, signature.encode()) for signature in signatures):
            return True
    return False


def store(event_id: str, body: bytes) -> bool:
    """Writes the event to a file named by its ID before it is acknowledged, so a crash loses no event and a duplicate
    changes nothing. Another program processes the files. Returns False for a duplicate."""
    with tempfile.NamedTemporaryFile(dir=INBOX, suffix=".part") as temporary:
        temporary.write(body)
        temporary.flush()
        os.fsync(temporary.fileno())
        try:
            os.link(temporary.name, INBOX / f"{event_id}.json")
            return True
        except FileExistsError:
            return False


class Receiver(BaseHTTPRequestHandler):
    # Seconds without data from the client.
    timeout = 15

    def do_POST(self) -> None:
        try:
            status = self.receive()
        except (OSError, ValueError) as error:
            print(error, file=sys.stderr, flush=True)
            # The service retries.
            status = 500
        # On an open connection, an unread body would be parsed as the next request.
        self.close_connection = True
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def receive(self) -> int:
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]+", length):
            return 411
        if int(length) > BODY_BYTES_MAX:
            return 413
        body = self.rfile.read(int(length))
        if not verify(body, self.headers, SECRETS, int(time.time()), TOLERANCE_S):
            return 401
        event_id = self.headers["webhook-id"]
        if not re.fullmatch(r"[0-9a-f]{64}", event_id):
            return 400
        if store(event_id, body):
            print("event", event_id, flush=True)
        return 204

    def log_message(self, *_) -> None:
        pass


if __name__ == "__main__":
    if not SECRETS:
        raise SystemExit("HOOK_SECRETS is missing. Set it to the secret of the hook.")
    INBOX.mkdir(parents=True, exist_ok=True)
    ThreadingHTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
