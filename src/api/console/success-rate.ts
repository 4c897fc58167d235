/**
 * The share of delivered ones among deliveries that ended or are late, 0 to 1; null without any. Those that a working destination has
 * pending do not count.
 */
export function successRate(figures: {
  readonly delivered: number
  readonly died: number
  readonly late: number
}): number | null {
  const { delivered, died, late } = figures
  const all = delivered + died + late
  return all === 0 ? null : delivered / all
}
