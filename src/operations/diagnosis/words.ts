export function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`
}

/** Such as `1,200 events`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
