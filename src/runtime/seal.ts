import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** AES-256 (FIPS 197). */
export const SEAL_KEY_BYTES = 32
/** NIST SP 800-38D 8.2.1 and 5.2.1.2: a random 96-bit nonce, a full 128-bit tag. */
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Enough to distinguish an operator's keys. It reveals nothing about the key. */
const KEY_ID_CHARS = 8
const VERSION = 's1'

/** A sealed text could not be opened: it was sealed with another key or for another owner, or it was changed. */
export class UnsealFailed extends Error {
  override readonly name = 'UnsealFailed'
}

/** Seals texts for storage with one key, each bound to one owner. */
export type Sealer = {
  /** Identifies the key without revealing it. */
  readonly keyId: string
  /** `s1.<key id>.<base64url of nonce, text and tag>`. Two calls never return the same text. */
  readonly seal: (text: string, owner: string) => string
  /** Throws `UnsealFailed`, which names the required key, unless this key sealed the text for this owner. */
  readonly open: (sealed: string, owner: string) => string
}

/** AES-256-GCM; `owner` (a hook's id) is authenticated too, so that a sealed secret cannot be moved to another row. */
export function createSealer(key: Uint8Array): Sealer {
  if (key.length !== SEAL_KEY_BYTES) throw new Error(`a sealing key has ${SEAL_KEY_BYTES} bytes`)
  const keyId = createHash('sha256')
    .update('review-radar key id')
    .update(key)
    .digest('hex')
    .slice(0, KEY_ID_CHARS)
  return {
    keyId,
    seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(owner),
      )
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${VERSION}.${keyId}.${sealed.toString('base64url')}`
    },
    open(sealed, owner) {
      const [version, sealedBy, data = ''] = sealed.split('.')
      if (version !== VERSION) throw new UnsealFailed('The encrypted text has an unknown version.')
      if (sealedBy !== keyId) {
        throw new UnsealFailed(
          `It was encrypted with the key ${sealedBy}; the current RADAR_SECRET_KEY is ${keyId}.`,
        )
      }
      const bytes = Buffer.from(data, 'base64url')
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const tag = bytes.subarray(-TAG_BYTES)
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(owner))
          .setAuthTag(tag)
        const inside = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([inside, decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new UnsealFailed('It was changed after it was encrypted, or belongs to another owner.', {
          cause,
        })
      }
    },
  }
}

/** A key as base64, base64url or hex of exactly 32 bytes; null for anything else. */
export function parseSealKey(text: string): Buffer | null {
  const trimmed = text.trim()
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return null
  const key = Buffer.from(trimmed, 'base64')
  return key.length === SEAL_KEY_BYTES ? key : null
}
