import { hashOf } from '../model/canonical.ts'
import { type Instant, later } from '../runtime/instant.ts'
import type { Sealer } from '../runtime/seal.ts'
import type { IdempotencyKey } from '../storage/port/hooks.ts'

/** How long a repeated request gets the first answer. */
const KEPT_MS = 24 * 3_600_000

/** A request with its idempotency key. */
export type RepeatableCall = { readonly accountId: string; readonly key: string; readonly request: object }

/** The row to store, so that a repeated request gets `answer` again. The answer is sealed because it contains a signing secret. */
export function sealAnswer(
  call: RepeatableCall,
  answer: object,
  sealer: Sealer,
  now: Instant,
): IdempotencyKey {
  const keySha256Hex = keyHashOf(call.key)
  return {
    keySha256Hex,
    requestSha256Hex: hashOf(['idempotent-request', ...fieldsOf(call.request)]),
    answer: sealer.seal(JSON.stringify(answer), placeOf(call.accountId, keySha256Hex)),
    expiresAt: later(now, KEPT_MS),
  }
}

/** The stored answer. Throws `UnsealFailed` when it was sealed with another key of the installation. */
export function openAnswer({ accountId, key }: RepeatableCall, sealed: string, sealer: Sealer): unknown {
  return JSON.parse(sealer.open(sealed, placeOf(accountId, keyHashOf(key))))
}

function keyHashOf(key: string): string {
  return hashOf(['idempotency-key', key])
}

function placeOf(accountId: string, keySha256Hex: string): string {
  return `idempotency ${accountId} ${keySha256Hex}`
}

/** Names and values sorted by name, so that requests that differ only in white space or field order are equal. */
function fieldsOf(request: object): string[] {
  return Object.entries(request)
    .filter(([, value]) => value !== undefined && value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => [name, JSON.stringify(value)])
}
