import { z } from 'zod'
import type { ReplyState } from '../../model/reply.ts'
import { REPLY_CHARS_MAX } from '../v1/replies.ts'

const text = z
  .string({ error: 'text: is required' })
  .max(REPLY_CHARS_MAX, `text: at most ${REPLY_CHARS_MAX} characters`)

/** `PUT /api/console/reviews/:fingerprint/reply` */
export const ReplyBody = z.object({ text })

/** `PUT /api/console/reviews/:fingerprint/reply/draft` */
export const DraftBody = z.object({ text: text.nullable() })

/** `POST /api/console/reviews/:fingerprint/reply/draft`: by the model server; neither stored nor sent. */
export type GeneratedDraft = { readonly text: string }

/** `GET /api/console/reviews/:fingerprint/reply` */
export type ReplyPanel = {
  readonly reply: {
    readonly state: ReplyState
    readonly text: string | null
    readonly shownText: string | null
    readonly draft: string | null
    readonly problem: string | null
    readonly author: string | null
    readonly requestedAt: string | null
    readonly updatedAt: string
    readonly nextAttemptAt: string | null
  } | null
  /** Why the review cannot be answered; null if it can. */
  readonly obstacle: string | null
  readonly canDelete: boolean
  readonly charsMax: number
  /** Of the review, ISO 639-1; null while it is unknown. */
  readonly language: string | null
  /** Whether a model can draft an answer. */
  readonly canGenerate: boolean
}
