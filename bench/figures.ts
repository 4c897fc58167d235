/** The result of a measurement. */
export type Figure = {
  /** Such as `deliveries.sqlite.ratio`. Does not change, so that runs can be compared. */
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The reference or the conditions of the measurement. */
  readonly note?: string
  /** The target and whether it is met; absent without a target. */
  readonly target?: { readonly text: string; readonly met: boolean }
}

export function atLeast(value: number, min: number): Figure['target'] {
  return { text: `at least ${min}`, met: value >= min }
}

export function atMost(value: number, max: number): Figure['target'] {
  return { text: `at most ${max}`, met: value <= max }
}

export function lineOf({ name, value, unit, note, target }: Figure): string {
  const result = target === undefined ? '' : `  ${target.met ? 'ok' : 'MISSED'}: ${target.text}`
  return `${name.padEnd(52)} ${formatted(value).padStart(12)} ${unit.padEnd(16)}${note ?? ''}${result}`
}

function formatted(value: number): string {
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
