const PARTS = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** A date as Apple writes it, with the Pacific offset of that day, e.g. `2026-01-05T03:04:05-08:00`. */
export function pacificTime(at: Date): string {
  const parts = Object.fromEntries(PARTS.formatToParts(at).map(({ type, value }) => [type, value]))
  const local = `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`
  const seconds = Math.floor(at.getTime() / 1000)
  const offsetHours = (Date.parse(`${local}Z`) / 1000 - seconds) / 3600
  return `${local}-${String(-offsetHours).padStart(2, '0')}:00`
}
