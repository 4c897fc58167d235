import { createHmac } from 'node:crypto'

const PERIOD_MS = 30_000
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The period whose code was taken first, by URI: the one that turned the factor on and is spent. */
const spentPeriods = new Map<string, number>()

/**
 * The present code of an authenticator app (RFC 6238) for an `otpauth:` URI. The first call for a URI turns its factor
 * on; the codes of later calls are never that one, whichever period has begun since: a code is accepted once.
 */
export function totpCode(uri: string): string {
  const present = Math.floor(Date.now() / PERIOD_MS)
  const spent = spentPeriods.get(uri)
  if (spent === undefined) spentPeriods.set(uri, present)
  const key = decodeBase32(new URL(uri).searchParams.get('secret') ?? '')
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(present === spent ? present + 1 : present))
  const hash = createHmac('sha1', key).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 0x0f
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
