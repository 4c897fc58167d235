import type { Review } from './review.ts'

/**
 * The public review ids that an id of App Store Connect may contain. Its ids look like UUIDs, but four published ones of
 * two apps are the app's id in seven bytes, the public review id in five, and four zero bytes. One of the two apps has
 * bytes 6 and 7 swapped, so there can be two readings. Nothing documents this: callers compare rating and title, and
 * never use the result as an identity. Only erasing does: a wrong reading would cost one review.
 */
export function publicReviewIdsOf(reviewId: string, appId: string): readonly string[] {
  const digits = reviewId.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/i.test(digits) || !/^[1-9]\d{0,14}$/.test(appId)) return []
  const bytes = Buffer.from(digits, 'hex')
  const app = Buffer.alloc(8)
  app.writeBigUInt64BE(BigInt(appId))
  // An app id of eight bytes does not fit.
  if (app[0] !== 0 || !bytes.subarray(0, 6).equals(app.subarray(1, 7))) return []
  if (bytes.readUInt32BE(12) !== 0) return []
  const [low, sixth, seventh, rest] = [app[7], bytes[6], bytes[7], BigInt(bytes.readUInt32BE(8))]
  const readings = [
    ...(sixth === low ? [seventh] : []),
    ...(seventh === low && seventh !== sixth ? [sixth] : []),
  ]
  return readings
    .map((high) => (BigInt(high ?? 0) << 32n) + rest)
    .filter((id) => id > 0n)
    .map(String)
}

/** The ids of App Store Connect that contain this public id, in both orders of bytes 6 and 7. */
function officialReviewIdsOf(publicId: string, appId: string): readonly string[] {
  if (!/^[1-9]\d{0,11}$/.test(publicId) || !/^[1-9]\d{0,14}$/.test(appId)) return []
  const [app, review] = [BigInt(appId), Buffer.alloc(8)]
  review.writeBigUInt64BE(BigInt(publicId))
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(Number(app >> 8n), 0, 6)
  bytes.writeUInt8(Number(app & 0xffn), 6)
  review.copy(bytes, 7, 3)
  const swapped = Buffer.from(bytes)
  swapped.subarray(6, 8).reverse()
  return [bytes, swapped].map((each) =>
    each.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  )
}

/** All ids under which the public pages and the official interface of the store may show this review. Google uses one for both. */
export function shownIdsOf({
  store,
  appId,
  reviewId,
}: Pick<Review, 'store' | 'appId' | 'reviewId'>): readonly string[] {
  if (store !== 'apple') return [reviewId]
  const publicIds = [reviewId, ...publicReviewIdsOf(reviewId, appId)]
  const officialIds = publicIds.flatMap((id) => officialReviewIdsOf(id, appId))
  return [...new Set([...publicIds, ...officialIds])]
}
