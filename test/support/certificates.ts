import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

export type TestAuthority = {
  /** PEM, for `NODE_EXTRA_CA_CERTS`. */
  readonly certificate: string
  /** Key and certificate of a server with these names or IPv4 addresses, as PEM. */
  readonly issue: (...names: readonly string[]) => { readonly key: string; readonly cert: string }
}

/** A certificate authority for one test, because Node makes keys but no certificates. They are valid for a day before and after now. */
export function createAuthority(): TestAuthority {
  const issuer = 'Review Radar tests'
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const authority = extension(BASIC_CONSTRAINTS, sequence(BOOLEAN_TRUE))
  return {
    certificate: certificateOf(issuer, issuer, keys.publicKey, authority, keys.privateKey),
    issue(...names) {
      const server = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const alternatives = names.map((name) =>
        isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name)),
      )
      const extensions = extension(SUBJECT_ALT_NAME, sequence(...alternatives))
      const subject = names[0] ?? 'localhost'
      return {
        key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        cert: certificateOf(issuer, subject, server.publicKey, extensions, keys.privateKey),
      }
    },
  }
}

const ECDSA_WITH_SHA256 = '2a8648ce3d040302'
const COMMON_NAME = '550403'
const BASIC_CONSTRAINTS = '551d13'
const SUBJECT_ALT_NAME = '551d11'
const BOOLEAN_TRUE = Buffer.from('0101ff', 'hex')
const DAY_MS = 86_400_000

/** RFC 5280 4.1. */
function certificateOf(
  issuer: string,
  subject: string,
  publicKey: KeyObject,
  extensions: Buffer,
  issuerKey: KeyObject,
): string {
  const algorithm = sequence(oid(ECDSA_WITH_SHA256))
  const version = der(0xa0, der(0x02, Buffer.of(2)))
  const serial = der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)]))
  const validity = sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS))
  const body = sequence(
    version,
    serial,
    algorithm,
    nameOf(issuer),
    validity,
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extensions)),
  )
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, issuerKey)]))
  const lines =
    sequence(body, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(text)))))
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(0x04, value))
}

function time(ms: number): Buffer {
  return der(0x18, Buffer.from(`${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`))
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content])
  if (length < 0x100) return Buffer.concat([Buffer.of(tag, 0x81, length), content])
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 0xff), content])
}
