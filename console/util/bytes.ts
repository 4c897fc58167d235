import { decimal } from './numbers.ts'

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `12 B`, `3.4 MiB`. */
export function bytes(count: number): string {
  const power = count < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(count) / 10))
  const value = count / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : decimal(value, 1)} ${UNITS[power]}`
}
