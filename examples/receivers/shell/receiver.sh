#!/bin/sh
# Receives webhooks of Review Radar with a POSIX shell and openssl, as a CGI program: Apache, lighttpd, busybox httpd and
# every other server for CGI call it. How to run it: ../README.md
#
# openssl takes keys as arguments, which other users of the machine can see while it runs.
set -eu

: "${HOOK_SECRETS:?is missing: the secret of the hook, or several}"
tolerance_s=${TOLERANCE_S:-300}
inbox=${INBOX:-inbox}
body_bytes_max=1048576

answer() {
  printf 'Status: %s\r\n\r\n' "$1"
  exit 0
}

matches() { # text, extended regular expression
  printf '%s' "$1" | grep -Eqx -- "$2"
}

hmac() { # key as hex digits; reads standard input, writes base64
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" -binary | openssl base64 -A
}

# Compares the hashes of both under a random key, so that the time it takes says nothing about them.
equals() {
  [ "$(printf '%s' "$1" | hmac "$compare_key")" = "$(printf '%s' "$2" | hmac "$compare_key")" ]
}

# Whether one of the secrets signed the file "$part" at most $tolerance_s seconds from now.
verify() {
  age_s=$(($(date +%s) - timestamp))
  [ "${age_s#-}" -le "$tolerance_s" ] || return 1
  # During a rotation there is a signature for each valid secret, and there may be several secrets here.
  for secret in $HOOK_SECRETS; do
    key=$(printf '%s' "${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
    wanted="v1,$({ printf '%s.%s.' "$id" "$timestamp" && cat "$part"; } | hmac "$key")"
    for signature in $signatures; do
      if equals "$wanted" "$signature"; then return 0; fi
    done
  done
  return 1
}

[ "${REQUEST_METHOD:-}" = POST ] || answer '405 Method Not Allowed'
length=${CONTENT_LENGTH:-0}
matches "$length" '[0-9]{1,7}' && [ "$length" -le "$body_bytes_max" ] || answer '413 Content Too Large'
id=${HTTP_WEBHOOK_ID:-}
timestamp=${HTTP_WEBHOOK_TIMESTAMP:-}
# Each takes some processes to compare; the service sends one for each valid secret, at most three.
signatures=$(printf '%s' "${HTTP_WEBHOOK_SIGNATURE:-}" | cut -d ' ' -f 1-10)
# An id has another form only when somebody made the request up. A number that starts with 0 would be octal.
matches "$id" '[0-9a-f]{64}' && matches "$timestamp" '[1-9][0-9]{0,11}' || answer '401 Unauthorized'
# The shell would take them for names of files.
set -f

mkdir -p "$inbox"
umask 077
part=$(mktemp "$inbox/part-XXXXXX")
trap 'rm -f "$part"' EXIT
head -c "$length" >"$part"
compare_key=$(openssl rand -hex 32)
verify || answer '401 Unauthorized'

# The event is stored before it is acknowledged, as a file of its id: one that comes again changes nothing, and a crash
# loses nothing. Another program works on the files.
sync "$part" 2>/dev/null || sync
if ln "$part" "$inbox/$id.json" 2>/dev/null; then
  echo "event $id" >&2
elif [ ! -e "$inbox/$id.json" ]; then
  answer '500 Internal Server Error'
fi
answer '204 No Content'
