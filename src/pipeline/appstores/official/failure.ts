import type { OfficialFailure, OfficialFailureReason } from '../official.ts'

export function failed(
  reason: OfficialFailureReason,
  detail: string,
  more: Partial<Omit<OfficialFailure, 'kind' | 'reason' | 'detail'>> = {},
): OfficialFailure {
  return { kind: 'failed', reason, detail, status: null, ...more }
}

/** A text of a store inside one of our sentences: one line, bounded, with a full stop. */
export function quoted(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  const short =
    line.length > QUOTED_CHARS_MAX ? `${line.slice(0, QUOTED_CHARS_MAX - 1).toWellFormed()}…` : line
  return /[.!?…]$/.test(short) ? short : `${short}.`
}

const QUOTED_CHARS_MAX = 300
