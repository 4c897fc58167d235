import { duration } from '../service/config/parse.ts'
import { type Arguments, UsageError } from './command.ts'

const DAY = String.raw`(\d{4})-(\d{2})-(\d{2})`
const TIME = String.raw`T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})`
const INSTANT = new RegExp(`^${DAY}(?:${TIME})?$`)
const agoMs = duration('1s', '3650d')

/** The values of `instantOption`, for a help text. */
export const INSTANT_HELP = 'a day, a time (RFC 3339) or how long ago, such as 7d'

/**
 * An option as an instant: a day (its beginning, UTC), a time with its offset, or a duration before `now`. Undefined
 * when it was not given. Throws `UsageError`.
 */
export function instantOption(args: Arguments, name: string, now: Date): Date | undefined {
  const text = args.option(name)
  if (text === undefined) return undefined
  const ago = agoMs.safeParse(text)
  const at = ago.success ? new Date(now.getTime() - ago.data) : parsedInstant(text)
  if (at !== null) return at
  throw new UsageError(
    `--${name} must be a time such as 2026-01-31 or 2026-01-31T12:00:00Z, or how long ago, such as 90d, 6h or 30m, not "${text}".`,
  )
}

function parsedInstant(text: string): Date | null {
  const [, year, month, day] = INSTANT.exec(text) ?? []
  const at = new Date(text)
  // JavaScript parses the 30th of February as the 2nd of March.
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return year !== undefined && Number(day) <= days && !Number.isNaN(at.getTime()) ? at : null
}
