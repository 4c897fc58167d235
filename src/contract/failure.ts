import { z } from 'zod'

/** The body of every error under `/api/v1` (docs/contract.md, Requests and errors). It has no other field. */
export const failureBody = z
  .object({ error: z.string().meta({ description: 'An error message for people.' }) })
  .meta({ id: 'Failure' })
