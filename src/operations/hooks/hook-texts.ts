import { HOOK_DESCRIPTION_CHARS_MAX, HOOK_NAME_CHARS_MAX } from '../../model/hook-limits.ts'
import { OperationError } from '../error.ts'

const CHARS_MAX = { name: HOOK_NAME_CHARS_MAX, description: HOOK_DESCRIPTION_CHARS_MAX } as const
type Field = keyof typeof CHARS_MAX

type Given = { readonly [field in Field]?: string | null | undefined }

/** The given name and description as they are stored: trimmed, null when nothing is left. Throws `invalid`. */
export function hookTexts({ name, description }: Given): { [field in Field]?: string | null } {
  return {
    ...(name !== undefined && { name: textOf('name', name) }),
    ...(description !== undefined && { description: textOf('description', description) }),
  }
}

function textOf(field: Field, text: string | null): string | null {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return null
  if (!trimmed.isWellFormed() || trimmed.includes('\0')) {
    throw invalid(field, 'must be text without NUL and lone surrogates.')
  }
  const charsMax = CHARS_MAX[field]
  if ([...trimmed].length > charsMax) throw invalid(field, `must have at most ${charsMax} characters.`)
  return trimmed
}

function invalid(field: string, problem: string): OperationError {
  return new OperationError('invalid', problem, { field })
}
