import type { PublicReply, Review } from '../../model/review.ts'

/** The answers that a poll of a public page saw, by fingerprint. The first copy of a duplicate counts: pages are newest first. */
export function publicRepliesOf(fetched: readonly Review[]): ReadonlyMap<string, PublicReply | null> {
  const replies = new Map<string, PublicReply | null>()
  for (const { fingerprint, publicReply } of fetched) {
    if (publicReply !== undefined && !replies.has(fingerprint)) replies.set(fingerprint, publicReply)
  }
  return replies
}
