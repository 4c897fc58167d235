import { z } from 'zod'
import { REVIEWS_SELECTED_MAX } from '../../model/input-limits.ts'
import { NO_BATCH, REPLY_STATES } from '../../model/reply.ts'
import { STORES } from '../../model/vocabulary.ts'
import { OBJECT, says } from '../field.ts'
import type { Route } from '../route.ts'
import { bulkFailures } from './bulk.ts'
import { HEX_64, wholeNumber } from './query.ts'
import { undoSeconds } from './replies.ts'
import { reviewCount, reviewRow } from './reviews.ts'

const ids = says(
  'fingerprints',
  `a list of 1 to ${REVIEWS_SELECTED_MAX} fingerprints, 64 lowercase hex digits each`,
)
const fingerprints = z.array(z.string(ids).regex(HEX_64, ids), ids).min(1, ids).max(REVIEWS_SELECTED_MAX, ids)
const templateId = z.string(says('template_id', 'the id of an answer template'))
const templateAt = says('template_updated_at', 'an ISO 8601 date and time')
const EXAMPLE = {
  template_id: 'tpl_1f0e9d8c7b6a5f4e3d2c1b0a1f0e9d8c7b6a5f4e',
  fingerprints: ['3f6c0c2d5f0b8a1e6a5c0d9b7e4f2a1c3f6c0c2d5f0b8a1e6a5c0d9b7e4f2a1c'],
}

const previewBody = z
  .object({ template_id: templateId, fingerprints }, OBJECT)
  .meta({ id: 'ReplyPreviewBody', examples: [EXAMPLE] })

const bulkBody = z
  .object(
    {
      template_id: templateId,
      template_updated_at: z.iso
        .datetime({ offset: true, ...templateAt })
        .optional()
        .meta({
          description: '`updated_at` of the template that you saw: the call fails if it was changed since.',
        }),
      fingerprints,
      undo_seconds: undoSeconds.optional(),
    },
    OBJECT,
  )
  .meta({ id: 'BulkReplyBody', examples: [{ ...EXAMPLE, undo_seconds: 30 }] })

const preview = z
  .object({
    fingerprint: z.string(),
    text: z.string(),
    chars: z.int(),
    chars_max: z.int().meta({ description: 'The most characters that the store accepts.' }),
    problem: z.string().nullable().meta({ description: 'Why it cannot be sent; null if it can.' }),
  })
  .meta({ id: 'ReplyPreview', description: 'The answer that a template makes for one review.' })
export type ReplyPreviewRow = z.infer<typeof preview>

const bulkReplyResult = z
  .object({
    batch_id: z.string(),
    undo_until: z.iso.datetime().nullable().meta({ description: 'Null: the answers are sent at once.' }),
    changed: z.int().meta({ description: 'Answers to be sent.' }),
    failed: bulkFailures.meta({ description: 'Reviews that are not answered, and why.' }),
  })
  .meta({ id: 'BulkReplyResult' })
export type BulkReplyResult = z.infer<typeof bulkReplyResult>

const batch = z
  .object({
    id: z.string(),
    replies: z.array(
      z
        .object({
          fingerprint: z.string(),
          review_author: z.string().nullable(),
          store: z.enum(STORES),
          app_id: z.string(),
          app_name: z.string().nullable(),
          state: z.enum(REPLY_STATES),
          text: z.string().nullable(),
          problem: z.string().nullable().meta({ description: 'Why it was refused or is not sent yet.' }),
          undo_until: z.iso.datetime().nullable(),
        })
        .meta({ id: 'BatchReply' }),
    ),
  })
  .meta({ id: 'ReplyBatch', description: 'The answers of one call that were neither undone nor replaced.' })
export type ReplyBatch = z.infer<typeof batch>

const undone = z
  .object({
    undone: z.int(),
    too_late: z
      .int()
      .meta({ description: 'Answers that could not be undone any more: they are sent, or refused.' }),
  })
  .meta({ id: 'UndoneReplies' })
export type UndoneReplies = z.infer<typeof undone>

const toAnswerQuery = z.object({
  limit: wholeNumber('limit', { min: 1, max: 100 }).default(50),
})

const params = z.object({
  id: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, NO_BATCH)
    .meta({ description: '`batch_id` of a call.' }),
})
const NO_TEMPLATE = 'The account has no answer template with this id.'

export const bulkReplyRoutes = {
  list_reviews_to_answer: {
    method: 'GET',
    path: '/reviews/to-answer',
    tag: 'Reviews',
    scopes: ['read'],
    summary: 'List reviews to answer',
    description:
      'Reviews of the last 30 days that can be answered through a store connection and have no answer, only a draft, a refused one, or one from before they were edited. Fewest stars first, then newest.',
    query: toAnswerQuery,
    success: { status: 200, description: 'The first of them.', schema: z.array(reviewRow) },
    errors: { 400: 'limit is out of range.' },
  },
  count_reviews_to_answer: {
    method: 'GET',
    path: '/reviews/to-answer/count',
    tag: 'Reviews',
    scopes: ['read'],
    summary: 'Count reviews to answer',
    description: 'The number of reviews to answer, counted up to 1,000.',
    success: { status: 200, description: 'The number.', schema: reviewCount },
    errors: {},
  },
  preview_replies: {
    method: 'POST',
    path: '/reviews/replies/preview',
    tag: 'Reviews',
    scopes: ['read', 'reply'],
    summary: 'Preview answers from a template',
    description:
      'The text of a template for each of the reviews, and what keeps it from being sent. Stores and sends nothing.',
    body: previewBody,
    success: { status: 200, description: 'One for each review.', schema: z.array(preview) },
    errors: { 400: 'fingerprints is invalid.', 404: NO_TEMPLATE },
  },
  reply_to_many: {
    method: 'POST',
    path: '/reviews/replies',
    tag: 'Reviews',
    scopes: ['reply'],
    summary: 'Answer several reviews',
    description: `Publishes the text of a template as the answer to up to ${REVIEWS_SELECTED_MAX} reviews. Reviews that have an answer are left out, unless they were edited since. Drafts are replaced, and an undo gives them back.`,
    body: bulkBody,
    success: { status: 200, description: 'What is sent and what is not.', schema: bulkReplyResult },
    errors: {
      400: 'A field is invalid; the message names it.',
      404: NO_TEMPLATE,
      409: 'The template was changed.',
    },
  },
  get_reply_batch: {
    method: 'GET',
    path: '/reply-batches/{id}',
    tag: 'Reviews',
    scopes: ['read', 'reply'],
    summary: 'Show the answers of one call',
    description: 'The receipt of a call that answered several reviews: each answer with its state.',
    params,
    success: { status: 200, description: 'The answers.', schema: batch },
    errors: { 404: NO_BATCH },
  },
  undo_reply_batch: {
    method: 'POST',
    path: '/reply-batches/{id}/undo',
    tag: 'Reviews',
    scopes: ['reply'],
    summary: 'Undo the answers of one call',
    description:
      'Takes back the answers that are not sent yet. Drafts of before are restored; without one the text becomes the draft.',
    params,
    success: { status: 200, description: 'How many were taken back.', schema: undone },
    errors: { 404: NO_BATCH },
  },
} as const satisfies Record<string, Route>
