import { z } from 'zod'
import { UNDO_SECONDS } from '../../model/input-limits.ts'
import { REPLY_STATES } from '../../model/reply.ts'
import { NO_REVIEW } from '../../model/review.ts'
import { NOT_BLANK, OBJECT, says, saysUnquoted } from '../field.ts'
import type { Route } from '../route.ts'
import { reviewParams } from './reviews.ts'

/** Characters of a text that any store takes; the stores have lower limits. */
export const REPLY_CHARS_MAX = 10_000
const message = saysUnquoted('text', `text of at most ${REPLY_CHARS_MAX} characters`)
export const replyText = z
  .string(message)
  .max(REPLY_CHARS_MAX, message)
  .meta({ minLength: 1, pattern: NOT_BLANK })

export const replyView = z
  .object({
    state: z.enum([...REPLY_STATES, 'none']).meta({
      description:
        '`pending`: to be sent. `sent`: the store accepted it and does not show it yet. `published`: the store shows it. `refused`: see `problem`.',
    }),
    text: z.string().nullable().meta({ description: 'The requested answer; null without a request.' }),
    shown_text: z
      .string()
      .nullable()
      .meta({ description: 'The answer that the store showed last, including one from another tool.' }),
    draft: z.string().nullable(),
    problem: z.string().nullable().meta({ description: 'Why it was refused or is not sent yet.' }),
    author: z
      .string()
      .nullable()
      .meta({ description: 'Who requested it; null for an answer from another tool.' }),
    requested_at: z.iso.datetime().nullable(),
    updated_at: z.iso.datetime().nullable(),
    next_attempt_at: z.iso.datetime().nullable().meta({
      description: 'Time of the next request to the store; null during a request and in a final state.',
    }),
    undo_until: z.iso.datetime().nullable().meta({
      description:
        'The answer is not sent before, and can be undone until then; null or past when it cannot.',
    }),
    obstacle: z
      .string()
      .nullable()
      .meta({ description: 'Why the review cannot be answered; null if it can.' }),
    chars_max: z.int().meta({ description: 'The most characters that the store accepts.' }),
    can_delete: z.boolean().meta({ description: 'Whether the store can delete an answer.' }),
    can_generate: z.boolean().meta({ description: 'Whether a model server can draft an answer.' }),
    language: z
      .string()
      .nullable()
      .meta({ description: 'Language of the review, ISO 639-1; null while it is unknown.' }),
  })
  .meta({ id: 'Reply', description: 'The answer of the developer to a review of a connected app.' })
export type ReplyRow = z.infer<typeof replyView>

const seconds = says('undo_seconds', `a whole number from 0 to ${UNDO_SECONDS.max}`)
export const undoSeconds = z.int(seconds).min(0, seconds).max(UNDO_SECONDS.max, seconds).meta({
  description: 'Seconds before the answer is sent, in which it can be undone. By default it is sent at once.',
})

export const replyBody = z
  .object({ text: replyText, undo_seconds: undoSeconds.optional() }, OBJECT)
  .meta({ id: 'ReplyBody', examples: [{ text: 'Thank you! The crash is fixed in version 2.1.' }] })

export const replyDraftBody = z
  .object(
    {
      text: z
        .string(message)
        .max(REPLY_CHARS_MAX, message)
        .nullable()
        .meta({ description: 'Null removes the draft.' }),
    },
    OBJECT,
  )
  .meta({ id: 'ReplyDraftBody', examples: [{ text: 'Thank you! We are looking into it.' }] })

export const replyDraft = z
  .object({ text: z.string().meta({ description: 'Plain text within the limit of the store.' }) })
  .meta({ id: 'ReplyDraft', description: 'An answer that a model drafted, for a person to check.' })
export type ReplyDraft = z.infer<typeof replyDraft>

export const replyRoutes = {
  get_reply: {
    method: 'GET',
    path: '/reviews/{fingerprint}/reply',
    tag: 'Reviews',
    scopes: ['read', 'reply'],
    summary: 'Show the answer to a review',
    description: 'Whether the account can answer the review, and the developer’s answer with its state.',
    params: reviewParams,
    success: { status: 200, description: 'The answer.', schema: replyView },
    errors: { 404: NO_REVIEW },
  },
  reply: {
    method: 'PUT',
    path: '/reviews/{fingerprint}/reply',
    tag: 'Reviews',
    scopes: ['reply'],
    summary: 'Answer a review',
    description:
      'Publishes an answer through the store connection of the app, or replaces the present one. Everyone sees it in the store, and the reviewer is notified. The answer is sent in the background, at once or after `undo_seconds`; `state` shows its progress. Repeating the request changes nothing.',
    params: reviewParams,
    body: replyBody,
    success: { status: 200, description: 'The answer, `pending` at first.', schema: replyView },
    errors: {
      400: 'The text is empty or longer than the store allows.',
      404: NO_REVIEW,
      409: 'The reviews of the app do not come from a store connection.',
    },
  },
  undo_reply: {
    method: 'POST',
    path: '/reviews/{fingerprint}/reply/undo',
    tag: 'Reviews',
    scopes: ['reply'],
    summary: 'Undo an answer',
    description:
      'Takes back an answer whose `undo_seconds` have not passed. The answer of before is restored, and the text becomes the draft, unless one was saved meanwhile.',
    params: reviewParams,
    success: { status: 200, description: 'The answer of before.', schema: replyView },
    errors: { 404: NO_REVIEW, 409: 'No answer can be undone any more.' },
  },
  save_reply_draft: {
    method: 'PUT',
    path: '/reviews/{fingerprint}/reply/draft',
    tag: 'Reviews',
    scopes: ['reply'],
    summary: 'Save a draft of an answer',
    description: 'Stores a draft that the members of the account see and that is never sent by itself.',
    params: reviewParams,
    body: replyDraftBody,
    success: { status: 200, description: 'The answer with its `draft`.', schema: replyView },
    errors: {
      400: 'The text is too long.',
      404: NO_REVIEW,
      409: 'The reviews of the app do not come from a store connection.',
    },
  },
  draft_reply: {
    method: 'POST',
    path: '/reviews/{fingerprint}/reply/draft',
    tag: 'Reviews',
    scopes: ['reply'],
    summary: 'Draft an answer to a review',
    description:
      'Lets the model server of the installation draft an answer in the language of the review and within the limit of the store. The draft is neither stored nor sent: read it, change it and publish it with `PUT /api/v1/reviews/{fingerprint}/reply`. The number of drafts per minute is limited (`RADAR_ACCOUNT_REPLY_DRAFTS_PER_MINUTE`, ten by default); the limit includes those of the console. If the model server fails or the draft is rejected, the status is 503.',
    params: reviewParams,
    success: { status: 200, description: 'The draft.', schema: replyDraft },
    errors: {
      404: NO_REVIEW,
      409: 'The installation has no model server, or the reviews of the app do not come from a store connection.',
    },
  },
  delete_reply: {
    method: 'DELETE',
    path: '/reviews/{fingerprint}/reply',
    tag: 'Reviews',
    scopes: ['reply'],
    summary: 'Delete the answer to a review',
    description: 'Only on the App Store: Google Play cannot delete answers.',
    params: reviewParams,
    success: { status: 200, description: 'The answer, `deleting` at first.', schema: replyView },
    errors: { 404: NO_REVIEW, 409: 'The review has no answer, or the store cannot delete it.' },
  },
} as const satisfies Record<string, Route>
