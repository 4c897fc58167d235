/** The result of a measurement. */
export type Figure = {
  /** `deliveries.sqlite.ratio`: stable, so that runs can be compared. */
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The reference or the conditions of the measurement. */
  readonly note?: string
  /** Whether the target is met; absent without a target. */
  readonly aim?: { readonly text: string; readonly met: boolean }
}

export function atLeast(value: number, least: number): Figure['aim'] {
  return { text: `at least ${least}`, met: value >= least }
}

export function atMost(value: number, most: number): Figure['aim'] {
  return { text: `at most ${most}`, met: value <= most }
}

export function lineOf({ name, value, unit, note, aim }: Figure): string {
  const told = aim === undefined ? '' : `  ${aim.met ? 'ok' : 'MISSED'}: ${aim.text}`
  return `${name.padEnd(52)} ${shown(value).padStart(12)} ${unit.padEnd(16)}${note ?? ''}${told}`
}

function shown(value: number): string {
  if (!Number.isFinite(value)) return '-'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3
  return value.toFixed(digits)
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Nearest rank; NaN for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? sorted[0] ?? Number.NaN
}
