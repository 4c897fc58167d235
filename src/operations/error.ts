import { isDiskFull, LimitReached, StorageLocked, StorageUnavailable } from '../storage/port/errors.ts'

/** Why an operation rejects a call. HTTP APIs map the code to a status, commands to an exit status. */
export const OPERATION_ERROR_CODES = [
  /** A value is not allowed. */
  'invalid',
  /** The caller lacks the role. */
  'forbidden',
  /** The account has no such object. Objects of other accounts give the same error. */
  'not_found',
  /** The current state or a limit of the account does not allow it, and waiting does not help. */
  'conflict',
  /** An idempotency key was used with another request. */
  'key_reused',
  /** Too often; `retryAfterS` says when to retry. */
  'rate_limited',
  /** The database or a model server does not answer usably; `retryAfterS` says when to retry. */
  'unavailable',
] as const
export type OperationErrorCode = (typeof OPERATION_ERROR_CODES)[number]

type Details = {
  /** The invalid field of the input, in camelCase. `problem` then continues the sentence: "must be …". */
  readonly field?: string
  readonly retryAfterS?: number
}

/** An operation rejected the call. `message` is a sentence for the caller. */
export class OperationError extends Error {
  override readonly name = 'OperationError'
  readonly code: OperationErrorCode
  readonly problem: string
  readonly field: string | null
  readonly retryAfterS: number | null

  constructor(code: OperationErrorCode, problem: string, { field, retryAfterS }: Details = {}) {
    super(field === undefined ? problem : `${field} ${problem}`)
    this.code = code
    this.problem = problem
    this.field = field ?? null
    this.retryAfterS = retryAfterS ?? null
  }
}

const LIMITS_REACHED: Readonly<Record<LimitReached['what'], (max: number) => string>> = {
  'atom feeds': (max) => `The account has reached its limit of ${max} Atom feeds. Revoke one first.`,
  hooks: (max) =>
    `The account has reached its limit of ${max} hooks. Remove one, or ask the operator to raise RADAR_ACCOUNT_HOOKS_MAX.`,
  invitations: (max) => `The account has reached its limit of ${max} open invitations. Withdraw one first.`,
  notes: (max) => `A review has at most ${max} notes. Delete one first.`,
  replays: (max) =>
    `The account has reached its limit of ${max} running or paused replays. Cancel one, or wait until one is done.`,
  'answer templates': (max) =>
    `The account has reached its limit of ${max} answer templates. Delete one first.`,
  'store connections': (max) =>
    `The account has reached its limit of ${max} store connections. Remove one first.`,
  tokens: (max) => `The account has reached its limit of ${max} tokens. Revoke one first.`,
  views: (max) => `The account has reached its limit of ${max} saved views. Delete one first.`,
  watches: (max) => `A hook has at most ${max} watches. Remove one first.`,
  storefronts: (max) =>
    `The account has reached its limit of ${max} tracked storefronts (each app counts once for each storefront). Stop tracking one, or ask the operator to raise RADAR_ACCOUNT_STOREFRONTS_MAX.`,
}

const DISK_FULL =
  'The disk of the database is full: nothing can be changed until the operator frees space. Everything stored can still be read.'
/** Somebody must free space first. */
const DISK_FULL_RETRY_S = 60

/** The connection pool and the loops retry within this time. */
const UNAVAILABLE_RETRY_S = 5

/** The error to show to the caller, including a limit reached in storage and an unavailable database; null for a bug. */
export function operationErrorOf(error: unknown): OperationError | null {
  if (error instanceof OperationError) return error
  if (error instanceof LimitReached)
    return new OperationError('conflict', LIMITS_REACHED[error.what](error.max))
  if (isDiskFull(error))
    return new OperationError('unavailable', DISK_FULL, { retryAfterS: DISK_FULL_RETRY_S })
  if (error instanceof StorageUnavailable) {
    const state = error instanceof StorageLocked ? 'is locked by another process' : 'does not respond'
    return new OperationError('unavailable', `The database ${state}; try again in a few seconds.`, {
      retryAfterS: UNAVAILABLE_RETRY_S,
    })
  }
  return null
}
