/** Requests per second. Zapier accepts at most 30 to one hook; 25 and the burst stay within that. */
const PRESETS: ReadonlyMap<string, number> = new Map([['hooks.zapier.com', 25]])

/** The rate that a target is known to accept, in requests per second; null when none is known. */
export function ratePresetOf(targetUrl: string): number | null {
  return PRESETS.get(URL.parse(targetUrl)?.hostname ?? '') ?? null
}
