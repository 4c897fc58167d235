import { z } from 'zod'
import {
  NOTE_CHARS_MAX,
  NOTES_MAX,
  TAG_CHARS_MAX,
  TAGS_MAX,
  TRIAGE_STATUSES,
  TRIAGED_AT_ONCE_MAX,
} from '../../model/triage.ts'
import { NOT_BLANK, says } from '../field.ts'
import type { Route } from '../route.ts'
import { HEX_64 } from './query.ts'
import { NO_REVIEW, reviewParams } from './reviews.ts'
import { noteView, tagText, triageDetail } from './triage-view.ts'

const assignee = says('assignee', 'the id of a member, "me", or null for nobody')

const tagList = (field: string) => {
  const message = says(field, `a list of at most ${TAGS_MAX} tags`)
  return z.array(tagText(field), message).max(TAGS_MAX, message).optional()
}

const change = {
  status: z.enum(TRIAGE_STATUSES, says('status', TRIAGE_STATUSES.join(' or '))).optional(),
  assignee: z
    .string(assignee)
    .max(200, assignee)
    .nullable()
    .optional()
    .meta({ description: 'A member by id, `me` for the signed-in user, or null for nobody.' }),
  tags: tagList('tags').meta({
    description: `Replaces all tags. A tag has at most ${TAG_CHARS_MAX} characters, without commas and quotes; it is stored in lowercase.`,
  }),
  add_tags: tagList('add_tags').meta({ description: 'Adds these tags.' }),
  remove_tags: tagList('remove_tags').meta({ description: 'Removes these tags.' }),
}

const object = { error: 'The body must be a JSON object.' }

export const triageBody = z.object(change, object).meta({
  id: 'TriageBody',
  description: 'Fields that are absent stay as they are.',
  examples: [{ status: 'done', add_tags: ['billing'] }],
})
export type TriageBody = z.infer<typeof triageBody>

const reviewsMessage = says('reviews', `a list of 1 to ${TRIAGED_AT_ONCE_MAX} objects with a fingerprint`)
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
        .max(TRIAGED_AT_ONCE_MAX, reviewsMessage),
    },
    object,
  )
  .meta({ id: 'BulkTriageBody', examples: [{ reviews: [{ fingerprint: '0'.repeat(64), status: 'done' }] }] })
export type BulkTriageBody = z.infer<typeof bulkTriageBody>

const bulkTriageResult = z
  .object({
    changed: z.int().meta({ description: 'Reviews that are different now.' }),
    before: z
      .array(
        z
          .object({
            fingerprint: z.string(),
            status: z.enum(TRIAGE_STATUSES),
            assignee: z.string().nullable(),
            tags: z.array(z.string()),
          })
          .meta({ id: 'TriageBefore' }),
      )
      .meta({ description: 'Those as they were. As `reviews` of another call they undo this one.' }),
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
    object,
  )
  .meta({ id: 'ReviewNoteBody', examples: [{ text: 'Known: fixed in 5.2.1.' }] })

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
    description: 'Changes several reviews in one step. Reviews that the account does not have are ignored.',
    body: bulkTriageBody,
    success: { status: 200, description: 'What changed.', schema: bulkTriageResult },
    errors: { 400: INVALID, 404: 'The account has no such member.' },
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
