import type { TargetFailureReason } from '../../model/vocabulary.ts'
import type { TargetAnswer, TargetFailure } from './target.ts'

export function permanent(reason: TargetFailureReason, detail: string): TargetFailure {
  return { kind: 'permanent', reason, detail }
}

/** The wait in seconds, also with a fraction, that a service asks for; null for anything else. */
export function waitOf(seconds: unknown): TargetFailure | null {
  const number = typeof seconds === 'string' && seconds.trim() !== '' ? Number(seconds) : seconds
  return typeof number === 'number' && Number.isFinite(number) && number >= 0
    ? { kind: 'wait', afterMs: Math.ceil(number * 1000) }
    : null
}

/** The JSON object of an answer; an empty one for anything else. */
export function jsonOf({ body }: TargetAnswer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
