"""Receives webhooks of Review Radar with the standard library of Python 3.9 or later. How to run it: ../README.md"""

import base64
import hashlib
import hmac
import os
import re
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
    """True if one of the secrets signed these bytes at most `tolerance_s` seconds from `now_s`."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(now_s - int(timestamp)) > tolerance_s:
        return False
    given = [part[3:] for part in headers.get("webhook-signature", "").split(" ") if part.startswith("v1,")]
    signed = f"{event_id}.{timestamp}.".encode() + body
    # During a rotation there is a signature for each valid secret, and there may be several secrets here.
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        if any(hmac.compare_digest(wanted, signature.encode()) for signature in given):
            return True
    return False


def store(event_id: str, body: bytes) -> bool:
    """Stores an event before it is acknowledged, as a file of its id: one that comes again changes nothing, and a crash
    loses nothing. Another program works on the files; False when there was one."""
    with tempfile.NamedTemporaryFile(dir=INBOX, suffix=".part") as part:
        part.write(body)
        part.flush()
        os.fsync(part.fileno())
        try:
            os.link(part.name, INBOX / f"{event_id}.json")
            return True
        except FileExistsError:
            return False


class Receiver(BaseHTTPRequestHandler):
    # Seconds that a client may be silent.
    timeout = 15

    def do_POST(self) -> None:
        status = self.receive()
        # A body that was not read would be taken for the next request.
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
        raise SystemExit("HOOK_SECRETS is missing: the secret of the hook, or several.")
    INBOX.mkdir(parents=True, exist_ok=True)
    ThreadingHTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
