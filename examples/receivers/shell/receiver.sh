#!/bin/sh
# Receives webhooks of Review Radar with a POSIX shell and openssl, as a CGI program for Apache, lighttpd, busybox httpd
# or any other CGI server. How to run it: ../README.md
#
# openssl takes keys as arguments, so other users of the machine can see them in the process list.
set -eu

: "${HOOK_SECRETS:?is missing. Set it to the secret of the hook.}"
tolerance_s=${TOLERANCE_S:-300}
inbox=${INBOX:-inbox}
body_bytes_max=1048576

respond() {
  printf 'Status: %s\r\n\r\n' "$1"
  exit 0
}

matches() { # text, extended regular expression
  printf '%s' "$1" | grep -Eqx -- "$2"
}

hmac() { # key as hex digits; reads standard input, writes base64
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" -binary | openssl base64 -A
}

# Compares HMACs under a random key, so that the duration reveals nothing about the values.
equals() {
  [ "$(printf '%s' "$1" | hmac "$compare_key")" = "$(printf '%s' "$2" | hmac "$compare_key")" ]
}

# Whether one of the secrets signed the file "$part" at most $tolerance_s seconds before or after now.
verify() {
  age_s=$(($(date +%s) - timestamp))
  [ "${age_s#-}" -le "$tolerance_s" ] || return 1
  # During a rotation, the service signs with each valid secret, and the receiver may have several secrets.
  for secret in $HOOK_SECRETS; do
    key=$(printf '%s' "${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
    expected="v1,$({ printf '%s.%s.' "$id" "$timestamp" && cat "$part"; } | hmac "$key")"
    for signature in $signatures; do
      if equals "$expected" "$signature"; then return 0; fi
    done
  done
  return 1
}

[ "${REQUEST_METHOD:-}" = POST ] || respond '405 Method Not Allowed'
length=${CONTENT_LENGTH:-0}
matches "$length" '[0-9]{1,7}' && [ "$length" -le "$body_bytes_max" ] || respond '413 Content Too Large'
id=${HTTP_WEBHOOK_ID:-}
timestamp=${HTTP_WEBHOOK_TIMESTAMP:-}
# Each comparison starts several processes. The service sends one signature per valid secret, at most three.
signatures=$(printf '%s' "${HTTP_WEBHOOK_SIGNATURE:-}" | cut -d ' ' -f 1-10)
# The service sends no other format. In shell arithmetic, a number that starts with 0 would be octal.
matches "$id" '[0-9a-f]{64}' && matches "$timestamp" '[1-9][0-9]{0,11}' || respond '401 Unauthorized'
# No globbing in $HOOK_SECRETS and $signatures.
set -f

mkdir -p "$inbox"
umask 077
part=$(mktemp "$inbox/part-XXXXXX")
trap 'rm -f "$part"' EXIT
head -c "$length" >"$part"
compare_key=$(openssl rand -hex 32)
verify || respond '401 Unauthorized'

# Writes the event to a file named by its ID before it is acknowledged, so a crash loses no event and a duplicate
# changes nothing. Another program processes the files.
sync "$part" 2>/dev/null || sync
if ln "$part" "$inbox/$id.json" 2>/dev/null; then
  echo "event $id" >&2
elif [ ! -e "$inbox/$id.json" ]; then
  respond '500 Internal Server Error'
fi
respond '204 No Content'
