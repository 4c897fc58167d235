import { operationErrorOf } from '../operations/error.ts'

export type OperationFailure = { readonly sentence: string; readonly isUsage: boolean }

/** The option or argument of a field of an operation, where the names differ. */
const OPTIONS: Readonly<Record<string, string>> = {
  accountName: '--name',
  eventIds: 'EVENT-ID...',
  issuerId: '--issuer-id',
  keyId: '--key-id',
  password: 'The password',
  privateKey: '--key-file',
  ratePerSecond: '--rate',
  reportsBucket: '--reports-bucket',
  serviceAccount: '--key-file',
}

/**
 * An error of an operation as a command reports it; null for any other error. `hint`: what to do about an unknown id.
 */
export function operationFailureOf(error: unknown, hint: string | undefined): OperationFailure | null {
  const failure = operationErrorOf(error)
  // For an unavailable database the original error is more useful to an operator: it names the database and the cause.
  if (failure === null || failure.code === 'unavailable') return null
  const { code, field, problem } = failure
  const sentence = field === null ? problem : `${OPTIONS[field] ?? `--${field}`} ${problem}`
  if (code === 'not_found' && hint !== undefined) return { sentence: `${sentence} ${hint}`, isUsage: false }
  return { sentence, isUsage: code === 'invalid' }
}
