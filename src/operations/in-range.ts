import { OperationError } from './error.ts'

/** Throws `invalid` for a number outside the range. Accepts null and undefined. */
export function requireInRange(
  field: string,
  value: number | null | undefined,
  range: { readonly min: number; readonly max: number },
): void {
  if (value == null || (value >= range.min && value <= range.max)) return
  throw new OperationError('invalid', `must be a number from ${range.min} to ${range.max}, not ${value}.`, {
    field,
  })
}
