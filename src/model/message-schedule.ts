/**
 * When a hook with messages may send. Its deliveries wait until then, and one message shows all that wait.
 * Times are wall-clock times of the time zone.
 */
export type MessageSchedule = {
  /** An IANA name. */
  readonly timeZone: string
  /** At most one message in this time. */
  readonly everyMinutes: number | null
  /** One message a day, or a week with `weekday`, at this time: `HH:MM`. */
  readonly dailyAt: string | null
  /** Monday is 1, Sunday 7. */
  readonly weekday: number | null
  /** No message from the first until the second time, which may be on the next day. */
  readonly quiet: { readonly from: string; readonly until: string } | null
  /** When it was saved, in milliseconds: the first message of a day or week comes after it. */
  readonly sinceMs: number
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const DAY_MINUTES = 24 * 60

/**
 * When the next message may be sent: `nowMs` if now. `lastMs` is the time of the last message, null without one. Pure. A time that a change
 * of the clocks skips is the same number of minutes later.
 */
export function nextMessageMs(schedule: MessageSchedule, lastMs: number | null, nowMs: number): number {
  const dueMs = Math.max(nowMs, dueAfter(schedule, lastMs, nowMs))
  return afterQuiet(schedule, dueMs)
}

function dueAfter(
  { everyMinutes, dailyAt, weekday, timeZone, sinceMs }: MessageSchedule,
  lastMs: number | null,
  nowMs: number,
): number {
  if (dailyAt !== null) {
    // A message of a time in the future was sent under a wrong clock.
    const fromMs = Math.min(Math.max(lastMs ?? sinceMs, sinceMs), nowMs)
    return nextLocalMs(timeZone, minutesOf(dailyAt), fromMs, { weekday, isOnceADay: true })
  }
  if (everyMinutes === null || lastMs === null || lastMs > nowMs) return nowMs
  return lastMs + everyMinutes * MINUTE_MS
}

function afterQuiet({ quiet, timeZone }: MessageSchedule, atMs: number): number {
  if (quiet === null) return atMs
  const from = minutesOf(quiet.from)
  const until = minutesOf(quiet.until)
  const at = localOf(timeZone, atMs).minutes
  const isQuiet = from <= until ? at >= from && at < until : at >= from || at < until
  return isQuiet ? nextLocalMs(timeZone, until, atMs, { weekday: null, isOnceADay: false }) : atMs
}

/**
 * The first instant after `afterMs` at which the clocks of the time zone show this time of day, on this weekday. A time that the clocks
 * repeat counts twice unless `isOnceADay`.
 */
function nextLocalMs(
  timeZone: string,
  minutes: number,
  afterMs: number,
  { weekday, isOnceADay }: { readonly weekday: number | null; readonly isOnceADay: boolean },
): number {
  const start = localOf(timeZone, afterMs)
  for (let days = 0; days <= 8; days += 1) {
    const dayMs = start.dayMs + days * DAY_MS
    if (weekday !== null && weekdayOf(dayMs) !== weekday) continue
    const instants = instantsOf(timeZone, dayMs, minutes)
    const next = (isOnceADay ? instants.slice(0, 1) : instants).find((atMs) => atMs > afterMs)
    if (next !== undefined) return next
  }
  return afterMs + DAY_MS
}

/** Monday is 1, Sunday 7. */
function weekdayOf(dayMs: number): number {
  return new Date(dayMs).getUTCDay() || 7
}

export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return (hours * 60 + minutes) % DAY_MINUTES
}

type Local = {
  /** The day as the instant of its midnight in UTC. */
  readonly dayMs: number
  readonly minutes: number
}

function localOf(timeZone: string, atMs: number): Local {
  const localMs = atMs + offsetMs(timeZone, atMs)
  const dayMs = Math.floor(localMs / DAY_MS) * DAY_MS
  return { dayMs, minutes: Math.floor((localMs - dayMs) / MINUTE_MS) }
}

/** In order: two of a repeated time. A skipped time is as much later as the clocks were advanced. */
function instantsOf(timeZone: string, dayMs: number, minutes: number): number[] {
  const localMs = dayMs + minutes * MINUTE_MS
  const before = offsetMs(timeZone, localMs - DAY_MS)
  const after = offsetMs(timeZone, localMs + DAY_MS)
  const instants = [localMs - Math.max(before, after), localMs - Math.min(before, after)].filter(
    (atMs) => atMs + offsetMs(timeZone, atMs) === localMs,
  )
  return instants.length > 0 ? instants : [localMs - before]
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** How far the clocks of the time zone are ahead of UTC, in milliseconds. */
function offsetMs(timeZone: string, atMs: number): number {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
  }
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]))
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  const shownMs = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return shownMs - Math.floor(atMs / 1000) * 1000
}
