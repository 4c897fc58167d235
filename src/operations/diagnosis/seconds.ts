export function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`
}
