import type { Attempt } from '../../model/delivery.ts'
import { dateOf, msOf, parsed } from '../values.ts'

/** The stored form of an attempt, the same on both engines: one JSON text. */
type StoredAttempt = Omit<Attempt, 'startedAt'> & { readonly startedAtMs: number }

export function recordOf({ startedAt, ...attempt }: Attempt): string {
  return JSON.stringify({ ...attempt, startedAtMs: msOf(startedAt) } satisfies StoredAttempt)
}

export function attemptOf(record: string): Attempt {
  const { startedAtMs, ...attempt } = parsed<StoredAttempt>(record)
  return { ...attempt, startedAt: dateOf(startedAtMs) }
}
