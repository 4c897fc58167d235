import { run, type Work } from '../../work.ts'

const UNFINISHED = "'pending', 'sent', 'deleting'"
const DETACHED =
  'The store connection was removed before the store confirmed the request. Look at the review in the store.'

/** The connection of these answers is removed. What the store shows of an unfinished answer is not known any more. */
export function detachReplies(connectionId: string): Work<number> {
  return run(
    `update replies set connection_id = null, next_at = null, lease = null,
       problem = case when state in (${UNFINISHED}) then '${DETACHED}' else problem end,
       state = case when state in (${UNFINISHED}) then 'refused' else state end
     where connection_id = ?1`,
    connectionId,
  )
}
