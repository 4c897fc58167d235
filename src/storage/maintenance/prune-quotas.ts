import { PRUNE_COUNT_MAX, type PrunedTable } from '../port/maintenance.ts'

/** Counts the rows of a table up to `PRUNE_COUNT_MAX`, on both engines. */
export function countQuery(table: PrunedTable): string {
  return `select count(*) as rows from (select 1 from ${table} limit ${PRUNE_COUNT_MAX}) counted`
}

/** How many of `rows` rows retention may delete: the share, at least one. */
export function quotaOf(count: { readonly rows: number } | undefined, share: number): number {
  return Math.max(1, Math.ceil((count?.rows ?? 0) * share))
}
