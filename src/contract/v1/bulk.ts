import { z } from 'zod'
import { EVENT_IDS_MAX } from '../../model/input-limits.ts'
import { OBJECT, says } from '../field.ts'
import { HEX_64 } from './query.ts'

const ids = says('event_ids', `a list of 1 to ${EVENT_IDS_MAX} event ids, 64 lowercase hex digits each`)
export const eventIdsBody = z
  .object(
    { event_ids: z.array(z.string(ids).regex(HEX_64, ids), ids).min(1, ids).max(EVENT_IDS_MAX, ids) },
    OBJECT,
  )
  .meta({
    id: 'EventIds',
    examples: [{ event_ids: ['3f6c0c2d5f0b8a1e6a5c0d9b7e4f2a1c3f6c0c2d5f0b8a1e6a5c0d9b7e4f2a1c'] }],
  })

export const bulkFailures = z.array(
  z.object({ id: z.string(), reason: z.string() }).meta({ id: 'BulkFailure' }),
)

/** The result of a change of several objects. What is in neither was as wanted already. */
export const bulkResult = z
  .object({
    changed: z.int(),
    failed: bulkFailures.meta({ description: 'Ids that could not be changed, and why.' }),
  })
  .meta({ id: 'BulkResult', description: 'Ids in neither were as wanted already.' })
export type BulkResult = z.infer<typeof bulkResult>
