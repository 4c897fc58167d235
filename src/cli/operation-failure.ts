import { operationErrorOf } from '../operations/error.ts'

export type OperationFailure = { readonly sentence: string; readonly isUsage: boolean }

/** Options and words that a field of an operation comes from, where the names differ. */
const OPTIONS: Readonly<Record<string, string>> = {
  accountName: '--name',
  eventIds: 'EVENT-ID...',
  password: 'The password',
  ratePerSecond: '--rate',
}

/** A refusal of an operation as a command reports it; null for any other error. `hint`: what to do about an unknown id. */
export function operationFailureOf(error: unknown, hint: string | undefined): OperationFailure | null {
  const refusal = operationErrorOf(error)
  // The error of a database that does not answer says more to an operator: which database, and why.
  if (refusal === null || refusal.code === 'unavailable') return null
  const { code, field, problem } = refusal
  const sentence = field === null ? problem : `${OPTIONS[field] ?? `--${field}`} ${problem}`
  if (code === 'not_found' && hint !== undefined) return { sentence: `${sentence} ${hint}`, isUsage: false }
  return { sentence, isUsage: code === 'invalid' }
}
