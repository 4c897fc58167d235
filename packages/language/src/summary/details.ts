/** Concrete details of a review that are the same in every language. */
export type Details = {
  readonly devices: readonly string[]
  readonly versions: readonly string[]
  readonly amounts: readonly string[]
}

const MAKERS =
  'iphone|ipad|apple watch|macbook|airpods|pixel|galaxy|samsung|xiaomi|redmi|poco|huawei|honor|oneplus|oppo|vivo|realme|motorola|moto|nokia|xperia|fairphone|nothing phone|fitbit|garmin|kindle|chromebook|fire tv|android tv|android auto|carplay|wear os|chromecast'

/** A maker and up to two words that begin with a digit or are a known suffix: "Pixel 8 Pro", "Galaxy S23". */
const DEVICE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${MAKERS})(?: (?:[a-z]{0,4}\d{1,4}[a-z+]{0,3}|note|watch|pro|max|mini|plus|ultra|air|se|lite|fold|flip|tab|edge)(?![\p{L}\p{N}])){0,3}(?![\p{L}\p{N}])`,
  'giu',
)
const SYSTEM =
  /(?<![\p{L}\p{N}])(?:android|ios|ipados|one ui|windows) ?\d{1,2}(?:\.\d{1,2}){0,2}(?![\p{L}\p{N}])/giu
const VERSION = /(?<![\p{L}\p{N}.,])v?\d{1,3}(?:\.\d{1,4}){2,3}(?![\p{L}\p{N}])/giu
const AMOUNT =
  /(?:[€$£₹¥₩]|(?<!\p{L})(?:rs\.?|inr|usd|eur|r\$)) ?\d{1,7}(?:[.,]\d{1,3}){0,2}|\d{1,7}(?:[.,]\d{1,3}){0,2} ?(?:[€$£₹¥₩円원]|(?:kr|euros?|dollars?|rupees?|reais)(?!\p{L}))/giu

const EACH_MAX = 2

/** Devices, versions and amounts named in a normalised text, as written, at most two of each. */
export function detailsOf(text: string): Details {
  return {
    devices: found(text, DEVICE),
    versions: [...found(text, SYSTEM), ...found(text, VERSION)].slice(0, EACH_MAX),
    amounts: found(text, AMOUNT),
  }
}

function found(text: string, pattern: RegExp): string[] {
  const seen = new Map<string, string>()
  for (const [written] of text.matchAll(pattern)) {
    const key = written.toLowerCase()
    if (!seen.has(key)) seen.set(key, written.trim())
    if (seen.size >= EACH_MAX) break
  }
  return [...seen.values()]
}
