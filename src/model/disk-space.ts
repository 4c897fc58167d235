/** The free space of the file system that has the database. */
export type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number }

export type DiskLevel = 'ok' | 'low' | 'full'

const MIB = 1024 ** 2

/**
 * The most free bytes of each level, and the most of a small disk. The write-ahead log of SQLite grows to 64 MiB in a burst, so with less
 * than that a commit may fail at any time; a busy account writes less than 512 MiB a day (chosen: a day to react).
 */
const LIMITS = [
  { level: 'full', bytes: 64 * MIB, share: 0.02 },
  { level: 'low', bytes: 512 * MIB, share: 0.1 },
] as const

export function diskLevelOf({ freeBytes, totalBytes }: DiskSpace): DiskLevel {
  const reached = LIMITS.find(({ bytes, share }) => freeBytes < Math.min(bytes, totalBytes * share))
  return reached?.level ?? 'ok'
}

/** Whether work stops, and what to do; null for enough space. `space` is null for a database server. */
export function diskSentence(level: DiskLevel, space: DiskSpace | null): string | null {
  if (level === 'ok') return null
  const free = space === null ? '' : `: ${mib(space.freeBytes)} of ${mib(space.totalBytes)} are free`
  return level === 'low'
    ? `The disk of the database is nearly full${free}. Free space before checks and deliveries stop.`
    : `The disk of the database is full${free}. Checks and deliveries have stopped. They resume once there is space.`
}

/** Such as `1,024 MiB`. */
export function mib(bytes: number): string {
  return `${(bytes / MIB).toLocaleString('en', { maximumFractionDigits: bytes < 10 * MIB ? 1 : 0 })} MiB`
}
