import { readFileSync } from 'node:fs'
import type { TlsOptions } from 'node:tls'
import { type RawOptions, response, startRaw } from './raw-server.ts'
import { accepted, type Expected, failing, type Receiver } from './receiver.ts'

/** The certificate authority of the valid certificates, for the `ca` of the egress. */
export const RECEIVER_AUTHORITY = pem('authority')

/** Receivers with valid and invalid TLS, at `tls.receiver.test` on 127.0.0.1. */
export const TLS_RECEIVERS: readonly Receiver[] = [
  secure('tls-good', { cert: pem('good') }, accepted(200)),
  secure('tls-1.2-only', { cert: pem('good'), maxVersion: 'TLSv1.2' }, accepted(200)),
  secure('tls-expired', { cert: pem('expired') }, failing('tls', null)),
  secure('tls-self-signed', { cert: pem('self-signed') }, failing('tls', null)),
  secure('tls-wrong-host', { cert: pem('wrong-host') }, failing('tls', null)),
  secure(
    'tls-1.1-only',
    { cert: pem('good'), minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    failing('tls', null),
  ),
  secure(
    'tls-wants-our-certificate',
    { cert: pem('good'), requestCert: true, ca: pem('authority') },
    failing('reset', null),
  ),
  plain(
    'tls-spoken-to-plain-http',
    {
      answer: (socket) => socket.end(response('400 Bad Request')),
      onFirstByte: (socket) => socket.end(response('400 Bad Request')),
    },
    failing('tls', null),
  ),
  plain('tls-closed-inside-handshake', { onFirstByte: (socket) => socket.end() }, failing('tls', null)),
  plain('tls-handshake-hangs', { onFirstByte: () => {} }, failing('timeout_connect', null)),
]

function secure(name: string, tls: TlsOptions, expect: Expected): Receiver {
  const fails = expect.attempts[0]?.reason !== null
  return {
    name,
    start: () =>
      startRaw({
        host: 'tls.receiver.test',
        tls: { key: pem('server', 'key'), ...tls },
        answer: (socket) => socket.write(response('200 OK')),
      }),
    expect: fails ? { ...expect, reached: 0 } : expect,
  }
}

function plain(name: string, options: RawOptions, expect: Expected): Receiver {
  return {
    name,
    start: () => startRaw({ ...options, scheme: 'https', host: 'tls.receiver.test' }),
    expect: { ...expect, reached: 0 },
  }
}

function pem(name: string, extension = 'pem'): string {
  return readFileSync(new URL(`./certificates/${name}.${extension}`, import.meta.url), 'utf8')
}
