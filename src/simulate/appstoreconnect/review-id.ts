import { createHash } from 'node:crypto'

/**
 * The id of a review in App Store Connect: the app's id in seven bytes, the public review id in five, and four zero
 * bytes, written as a UUID. An id that is not a number, as tests may choose it, is hashed.
 */
export function ascIdOf(appId: string, publicId: string): string {
  const bytes = Buffer.alloc(16)
  const app = /^\d{1,15}$/.test(appId) ? BigInt(appId) : 0n
  const isNumber = /^\d{1,12}$/.test(publicId)
  const review = isNumber
    ? BigInt(publicId)
    : createHash('sha256').update(publicId).digest().readBigUInt64BE() & 0xff_ffff_ffffn
  bytes.writeUIntBE(Number(app >> 8n), 0, 6)
  bytes[6] = Number(app & 0xffn)
  bytes.writeUIntBE(Number(review & 0xff_ffff_ffffn), 7, 5)
  const text = bytes.toString('hex')
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
