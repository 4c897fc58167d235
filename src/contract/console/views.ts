import { z } from 'zod'
import { VIEW_NAME_CHARS_MAX } from '../../model/input-limits.ts'

/** As long as the longest filter, so that the URL of a view works. */
const VALUE_CHARS_MAX = 200
const FILTERS_MAX = 30

/** `GET /api/console/views`: named filters of the review feed, for all members of the account. */
export type SavedViewLine = {
  readonly id: string
  readonly name: string
  /** The query parameters of the feed. */
  readonly filters: Readonly<Record<string, string>>
  /** The name of the member who saved it. */
  readonly author: string
}

const nameProblem = `name: text of 1 to ${VIEW_NAME_CHARS_MAX} characters`
const filtersProblem = `filters: an object with at most ${FILTERS_MAX} texts of at most ${VALUE_CHARS_MAX} characters`

/** `POST /api/console/views`. */
export const ViewBody = z.object({
  name: z
    .string({ error: nameProblem })
    .trim()
    .min(1, nameProblem)
    .max(VIEW_NAME_CHARS_MAX, nameProblem)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'name: one line without control characters'),
  filters: z
    .record(
      z.string().regex(/^[a-z_]{1,40}$/),
      z
        .string()
        .max(VALUE_CHARS_MAX)
        .regex(/^[^\0\p{Cs}]*$/u),
      { error: filtersProblem },
    )
    .refine((filters) => Object.keys(filters).length <= FILTERS_MAX, filtersProblem),
})
