#!/bin/sh
# Creates the certificates of the hostile receivers. Needs openssl. Only tests use these certificates and keys.
# They are valid for 100 years, except for one that expired in 2020.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/index.txt" && echo 01 > "$work/serial"
cat > "$work/ca.cnf" <<CONF
[ca]
default_ca = d
[d]
dir = $work
database = $work/index.txt
new_certs_dir = $work
serial = $work/serial
default_md = sha256
policy = p
copy_extensions = copy
unique_subject = no
[p]
commonName = supplied
CONF
key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2>/dev/null; }
key "$work/ca.key"
openssl req -x509 -new -key "$work/ca.key" -subj "/CN=Receivers test authority" -days 36500 \
  -addext basicConstraints=critical,CA:TRUE -out authority.pem
key server.key
issue() { # name, host, start, end
  openssl req -new -key server.key -subj "/CN=$2" -addext "subjectAltName=DNS:$2" -out "$work/$1.csr"
  openssl ca -batch -config "$work/ca.cnf" -cert authority.pem -keyfile "$work/ca.key" -notext \
    -startdate "$3" -enddate "$4" -in "$work/$1.csr" -out "$1.pem" 2>/dev/null
}
issue good tls.receiver.test 20250101000000Z 21250101000000Z
issue expired tls.receiver.test 20190101000000Z 20200101000000Z
issue wrong-host other.receiver.test 20250101000000Z 21250101000000Z
openssl req -x509 -new -key server.key -subj "/CN=tls.receiver.test" -days 36500 \
  -addext "subjectAltName=DNS:tls.receiver.test" -out self-signed.pem
