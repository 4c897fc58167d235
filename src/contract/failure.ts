import { z } from 'zod'

/** The body of every failure under `/api/v1` (specification 2.5): this field and nothing else. */
export const failureBody = z
  .object({ error: z.string().meta({ description: 'A sentence for a person.' }) })
  .meta({ id: 'Failure' })
export type FailureBody = z.infer<typeof failureBody>
