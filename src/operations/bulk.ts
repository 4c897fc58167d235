import { OperationError } from './error.ts'

/** The result of a bulk operation. The others of the call were as wanted already. */
export type BulkResult = {
  /** Objects that the call changed. */
  readonly changed: number
  /** Objects that it could not change, and why. */
  readonly failed: { readonly id: string; readonly reason: string }[]
}

/** Each id once. Throws `invalid` for none or too many. */
export function bulkIds(field: string, ids: readonly string[], max: number): string[] {
  const unique = [...new Set(ids)]
  if (unique.length === 0) throw new OperationError('invalid', 'must name at least one.', { field })
  if (unique.length > max) throw new OperationError('invalid', `must be at most ${max}.`, { field })
  return unique
}
