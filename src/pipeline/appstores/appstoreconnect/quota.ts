import type { Quota } from '../official.ts'

/** `user-hour-lim:3500;user-hour-rem:500;`, of a rolling hour and a key. Not every answer has it. */
export function quotaOf(headers: Readonly<Record<string, string>>): Quota | null {
  const text = headers['x-rate-limit'] ?? ''
  const limit = /(?:^|[;\s])user-hour-lim:(\d{1,9})/.exec(text)?.[1]
  const remaining = /(?:^|[;\s])user-hour-rem:(\d{1,9})/.exec(text)?.[1]
  if (limit === undefined || remaining === undefined) return null
  return { limit: Number(limit), remaining: Number(remaining) }
}
