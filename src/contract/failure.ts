import { z } from 'zod'

/** The body of every failure under `/api/v1` (docs/contract.md, Requests and errors): this field and nothing else. */
export const failureBody = z
  .object({ error: z.string().meta({ description: 'A sentence for a person.' }) })
  .meta({ id: 'Failure' })
