import { NAME_CHARS_MAX } from '../../model/input-limits.ts'
import { OperationError } from '../error.ts'

/** The trimmed name of a person, an account or a token. Throws `invalid`. */
export function nameOf(text: string, field = 'name'): string {
  const name = text.trim()
  if (name !== '' && name.length <= NAME_CHARS_MAX) return name
  throw new OperationError('invalid', `must have 1 to ${NAME_CHARS_MAX} characters.`, { field })
}
