/** How names and numbers of the service read to people. */

/** `stability_crash` is "stability crash". */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ')
}

/** `1 review`, `1,200 reviews`; for a word whose plural takes an s. */
export function counted(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`
}

/** A share of 0 to 1 in percent, to a tenth, rounded down: not all is never "100 %". Null is a dash. */
export function percent(share: number | null): string {
  if (share === null) return '–'
  return share === 1 ? '100 %' : `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`
}
