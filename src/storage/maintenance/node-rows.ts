import type { Node } from '../port/maintenance.ts'
import { dateOf, msOf, parsed } from '../values.ts'

/** Rows of nodes, the same on both engines. */

export const NODE_COLUMNS = 'id, version, roles, started_at, seen_at, skew_ms'

export type NodeRow = {
  id: string
  version: string
  roles: string
  started_at: number
  seen_at: number
  skew_ms: number | null
}

export function nodeOf(row: NodeRow): Node {
  return {
    id: row.id,
    version: row.version,
    roles: parsed<string[]>(row.roles),
    startedAt: dateOf(row.started_at),
    seenAt: dateOf(row.seen_at),
    skewMs: row.skew_ms,
  }
}

/** In the order of `NODE_COLUMNS`. */
export function nodeValues({ id, version, roles, startedAt, seenAt, skewMs }: Node) {
  const skew = skewMs === null ? null : Math.round(skewMs)
  return [id, version, JSON.stringify(roles), msOf(startedAt), msOf(seenAt), skew] as const
}
