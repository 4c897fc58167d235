import { OperationError } from './error.ts'

/** The trimmed text that a person wrote, of 1 to `max` characters. Throws `invalid`. */
export function requireText(field: string, given: string, max: number): string {
  const text = given.trim()
  const chars = [...text].length
  if (chars === 0 || chars > max) {
    throw new OperationError('invalid', `must have 1 to ${max} characters; it has ${chars}.`, { field })
  }
  if (!text.isWellFormed() || text.includes('\0')) {
    throw new OperationError('invalid', 'must not have NUL or lone surrogates.', { field })
  }
  return text
}
