import { PUBLIC_REPLY_CHARS_MAX, type PublicReply } from '../../model/review.ts'
import { storableText } from '../../model/storable-text.ts'

/** An answer on a public page. Undefined for a text in an unknown form: a review does not fail because of its answer. */
export function publicReplyOf(text: unknown, at: Date | null): PublicReply | undefined {
  if (typeof text !== 'string' || text.trim() === '') return undefined
  return { text: storableText(text.slice(0, PUBLIC_REPLY_CHARS_MAX)), at }
}
