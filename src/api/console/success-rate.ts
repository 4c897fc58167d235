/** Delivered of the deliveries that ended, 0 to 1; null when none did. What is still tried counts as neither. */
export function successRate(figures: { readonly delivered: number; readonly died: number }): number | null {
  const { delivered, died } = figures
  return delivered + died === 0 ? null : delivered / (delivered + died)
}
