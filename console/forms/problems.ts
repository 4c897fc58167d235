import { useState } from 'react'
import { RequestFailed } from '../data/request.ts'

/** The problems that the service found, for display at their fields. */
export function problemsOf(error: Error | null): Readonly<Record<string, string>> {
  if (!(error instanceof RequestFailed)) return {}
  return Object.fromEntries(
    Object.entries(error.fields).map(([field, problem]) => [field, sentenceCase(problem)]),
  )
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The error for the top of a form: null when the `fields` of the form show all of it. */
export function problemBeside(error: Error | null, fields: readonly string[]): Error | null {
  const named = Object.keys(problemsOf(error))
  return named.length > 0 && named.every((field) => fields.includes(field)) ? null : error
}

export type FieldProblems<Field extends string> = {
  /** The problem at a field, until it is edited. */
  readonly at: (field: Field) => string | null
  /** Call it when the user edits the fields. */
  readonly edited: (...fields: readonly Field[]) => void
}

/** Props of a component with some fields of a form. */
export type FieldsProps<Value, Field extends string> = {
  readonly value: Value
  readonly set: (change: Partial<Value>) => void
  readonly problems: FieldProblems<Field>
}

type Problems<Field extends string> = FieldProblems<Field> & {
  /** The error for the top of the form. */
  readonly beside: Error | null
}

/** Shows the problems that the service found at the `fields` of a form. Each disappears when the user edits its field. */
export function useProblems<Field extends string>(
  error: Error | null,
  fields: readonly Field[],
): Problems<Field> {
  const [edits, setEdits] = useState<{ of: Error | null; fields: readonly Field[] }>({ of: null, fields: [] })
  const editedSince = edits.of === error ? edits.fields : []
  const problems = problemsOf(error)
  return {
    at: (field) => (editedSince.includes(field) ? null : (problems[field] ?? null)),
    edited: (...more) => {
      if (error !== null) setEdits({ of: error, fields: [...editedSince, ...more] })
    },
    beside: problemBeside(error, fields),
  }
}
