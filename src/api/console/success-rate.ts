/** The share of ended deliveries that were delivered, 0 to 1; null when none ended. Pending ones do not count. */
export function successRate(figures: { readonly delivered: number; readonly died: number }): number | null {
  const { delivered, died } = figures
  return delivered + died === 0 ? null : delivered / (delivered + died)
}
