import { z } from 'zod'
import { TAG_ALLOWED, TAG_CHARS_MAX, TRIAGE_STATUSES } from '../../model/triage.ts'
import { oneOf, says, text } from '../field.ts'

export const statusIn = z.enum(TRIAGE_STATUSES, says('status', oneOf(TRIAGE_STATUSES)))

/** What `normalizedTag` takes, for the description of the API. */
const TAG_PATTERN = String.raw`^[^",\\\x00-\x1f\x7f-\x9f]*[^\s",\\#\x00-\x1f\x7f-\x9f][^",\\\x00-\x1f\x7f-\x9f]*$`

/** A tag as a person types it. */
export function tagText(field: string) {
  return text(field, TAG_ALLOWED, TAG_CHARS_MAX).meta({
    pattern: TAG_PATTERN,
  })
}

/** What a team noted about a review. Lists have the number of notes, a single review the notes. */
const fields = {
  status: z.enum(TRIAGE_STATUSES),
  assignee: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .meta({ id: 'Assignee', description: 'A member of the account; null for nobody.' }),
  tags: z.array(z.string()).meta({ description: 'In lowercase, in alphabetical order.' }),
  note_count: z.int(),
}
export const triageView = z.object(fields).meta({
  id: 'Triage',
  description: 'What the members of the account noted about the review. Events and exports have none of it.',
})
export type TriageRow = z.infer<typeof triageView>

export const noteView = z
  .object({
    id: z.string(),
    text: z.string(),
    author: z.string().meta({ description: 'Name of the member or the token at that time.' }),
    author_id: z.string().nullable().meta({ description: 'The member; null for a token.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ReviewNote' })
export type NoteRow = z.infer<typeof noteView>

export const triageDetail = z
  .object({ ...fields, notes: z.array(noteView).meta({ description: 'Oldest first.' }) })
  .meta({ id: 'TriageDetail' })
export type TriageDetail = z.infer<typeof triageDetail>
