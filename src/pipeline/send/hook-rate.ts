/** Zapier refuses more than 30 requests a second to one hook; 25 and the burst that goes with it stay within that. */
const PRESETS: ReadonlyMap<string, number> = new Map([['hooks.zapier.com', 25]])

/** The limit that a target is known to have, in requests a second; null for none. */
export function ratePresetOf(url: string): number | null {
  return PRESETS.get(URL.parse(url)?.hostname ?? '') ?? null
}
