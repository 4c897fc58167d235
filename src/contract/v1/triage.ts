import { z } from 'zod'
import { REVIEWS_SELECTED_MAX } from '../../model/input-limits.ts'
import { NO_REVIEW } from '../../model/review.ts'
import { NOTE_CHARS_MAX, NOTES_MAX, TAG_ALLOWED, TAGS_MAX, TRIAGE_STATUSES } from '../../model/triage.ts'
import { NOT_BLANK, OBJECT, says } from '../field.ts'
import type { Route } from '../route.ts'
import { bulkFailures } from './bulk.ts'
import { HEX_64 } from './query.ts'
import { reviewParams } from './reviews.ts'
import { noteView, statusIn, tagText, triageDetail } from './triage-view.ts'

const assignee = says('assignee', 'the id of a member, "me", or null for nobody')

const tagList = (field: string) => {
  const message = says(field, `a list of at most ${TAGS_MAX} tags`)
  return z.array(tagText(field), message).max(TAGS_MAX, message).optional()
}

const change = {
  status: statusIn.optional(),
  assignee: z
    .string(assignee)
    .max(200, assignee)
    .nullable()
    .optional()
    .meta({ description: 'A member by id, `me` for the signed-in user, or null for nobody.' }),
  tags: tagList('tags').meta({
    description: `Replaces all tags. Each is ${TAG_ALLOWED}; it is stored in lowercase.`,
  }),
  add_tags: tagList('add_tags').meta({ description: 'Adds these tags.' }),
  remove_tags: tagList('remove_tags').meta({ description: 'Removes these tags.' }),
}

export const triageBody = z.object(change, OBJECT).meta({
  id: 'TriageBody',
  description: 'Fields that are absent stay as they are.',
  examples: [{ status: 'done', add_tags: ['billing'] }],
})
export type TriageBody = z.infer<typeof triageBody>

const reviewsMessage = says('reviews', `a list of 1 to ${REVIEWS_SELECTED_MAX} objects with a fingerprint`)
const fingerprint = says('fingerprint', '64 hexadecimal digits')

export const bulkTriageBody = z
  .object(
    {
      reviews: z
        .array(
          z.object(
            { fingerprint: z.string(fingerprint).regex(HEX_64, fingerprint), ...change },
            reviewsMessage,
          ),
          reviewsMessage,
        )
        .min(1, reviewsMessage)
        .max(REVIEWS_SELECTED_MAX, reviewsMessage),
    },
    OBJECT,
  )
  .meta({ id: 'BulkTriageBody', examples: [{ reviews: [{ fingerprint: '0'.repeat(64), status: 'done' }] }] })
export type BulkTriageBody = z.infer<typeof bulkTriageBody>

const bulkTriageResult = z
  .object({
    changed: z.int().meta({ description: 'Reviews that are different now.' }),
    undo: z
      .array(
        z
          .object({
            fingerprint: z.string(),
            status: z.enum(TRIAGE_STATUSES).optional(),
            assignee: z.string().nullable().optional(),
            add_tags: z.array(z.string()).optional(),
            remove_tags: z.array(z.string()).optional(),
          })
          .meta({ id: 'TriageUndo', description: 'Only fields that the call changed.' }),
      )
      .meta({
        description:
          'As `reviews` of another call this undoes the changes. Other fields that somebody changed since stay as they are.',
      }),
    failed: bulkFailures.meta({ description: 'Reviews that stay as they are, and why.' }),
  })
  .meta({ id: 'BulkTriageResult' })
export type BulkTriageResult = z.infer<typeof bulkTriageResult>

const noteMessage = says('text', `text of 1 to ${NOTE_CHARS_MAX} characters`)
const noteBody = z
  .object(
    {
      text: z
        .string(noteMessage)
        .max(2 * NOTE_CHARS_MAX, noteMessage)
        .meta({ minLength: 1, maxLength: NOTE_CHARS_MAX, pattern: NOT_BLANK }),
    },
    OBJECT,
  )
  .meta({ id: 'ReviewNoteBody', examples: [{ text: 'Known: fixed in 5.2.1.' }] })

/** `undo` of the largest call, which replaces ten tags of four bytes a character for each review by ten others, must fit. */
const BULK_BYTES_MAX = 512 * 1024

const INVALID = 'A field is not allowed, or the review would have too many tags.'
const NO_NOTE = 'The review has no note with this id.'

export const triageRoutes = {
  triage_review: {
    method: 'PATCH',
    path: '/reviews/{fingerprint}/triage',
    tag: 'Reviews',
    scopes: ['operate'],
    summary: 'Triage a review',
    description:
      'Changes status, assignee and tags of a review in this account. Other accounts, events and exports do not see them.',
    params: reviewParams,
    body: triageBody,
    success: { status: 200, description: 'The triage of the review.', schema: triageDetail },
    errors: { 400: INVALID, 404: 'The account has no such review, or no such member.' },
  },
  triage_reviews: {
    method: 'PATCH',
    path: '/triage',
    tag: 'Reviews',
    scopes: ['operate'],
    summary: 'Triage several reviews',
    description:
      'Changes several reviews in one step. Those that stay as they are, and why, are in `failed`.',
    body: bulkTriageBody,
    bodyBytesMax: BULK_BYTES_MAX,
    success: { status: 200, description: 'What changed.', schema: bulkTriageResult },
    errors: {
      400: 'A field is not allowed.',
      413: `The body has more than ${BULK_BYTES_MAX} bytes.`,
    },
  },
  add_review_note: {
    method: 'POST',
    path: '/reviews/{fingerprint}/notes',
    tag: 'Reviews',
    scopes: ['operate'],
    summary: 'Add a note to a review',
    description: `Adds a note for the members of the account, at most ${NOTES_MAX} for a review.`,
    params: reviewParams,
    body: noteBody,
    success: { status: 200, description: 'The note.', schema: noteView },
    errors: {
      400: 'The text is missing or too long.',
      404: NO_REVIEW,
      409: `The review has ${NOTES_MAX} notes.`,
    },
  },
  delete_review_note: {
    method: 'DELETE',
    path: '/reviews/{fingerprint}/notes/{note_id}',
    tag: 'Reviews',
    scopes: ['operate'],
    summary: 'Delete a note',
    description: 'Deletes a note. Members delete their own notes; owners, and tokens, all.',
    params: reviewParams.extend({
      note_id: z
        .string()
        .regex(/^[\x21-\x7e]{1,500}$/, NO_NOTE)
        .meta({ description: 'Id of the note.' }),
    }),
    success: { status: 204, description: 'The note no longer exists.' },
    errors: { 403: 'Another member wrote the note.', 404: NO_NOTE },
  },
} as const satisfies Record<string, Route>
