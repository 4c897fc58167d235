/** Concrete details of a review that are the same in every language. */
export type Details = {
  readonly devices: readonly string[]
  readonly versions: readonly string[]
  readonly amounts: readonly string[]
  /** Services and systems that have the same name everywhere. */
  readonly names: readonly string[]
}

const MAKERS =
  'iphone|ipad|apple watch|macbook|airpods|pixel|galaxy|samsung|xiaomi|redmi|huawei|honor|oneplus|oppo|realme|motorola|nokia|xperia|fairphone|nothing phone|fitbit|garmin|kindle|chromebook|fire tv|android tv|android auto|carplay|wear os|chromecast'

/** Makers with the name of an ordinary word of some language: only with a model. */
const MAKERS_WITH_MODEL = String.raw`(?:poco|moto|vivo)(?= [a-z]{0,4}\d)`

/** A maker and up to four words with a digit or of names of devices: "Pixel 8 Pro", "Samsung Galaxy S23". */
const DEVICE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${MAKERS}|${MAKERS_WITH_MODEL})(?: (?:[a-z]{0,4}\d{1,4}[a-z+]{0,3}|note|watch|pro|max|mini|plus|ultra|air|se|lite|fold|flip|tab|edge|galaxy|gear|redmi|poco|active)(?![\p{L}\p{N}])){0,4}(?![\p{L}\p{N}])`,
  'giu',
)
const SYSTEM =
  /(?<![\p{L}\p{N}])(?:android|ios|ipados|one ui|windows) ?\d{1,2}(?:\.\d{1,2}){0,2}(?![\p{L}\p{N}])/giu
/** Not a date: 21.4.20. */
const VERSION =
  /(?<![\p{L}\p{N}.,])(?!(?:[12]?\d|0\d|3[01])\.(?:0?\d|1[0-2])\.(?:20)?\d\d(?!\.?\d))v?\d{1,3}(?:\.\d{1,4}){2,3}(?![\p{L}\p{N}])/giu
const AMOUNT =
  /(?:[€$£₹¥₩]|(?<!\p{L})(?:rs\.?|inr|usd|eur|r\$)) ?\d{1,7}(?:[.,]\d{1,3}){0,2}|\d{1,7}(?:[.,]\d{1,3}){0,2} ?(?:[€$£₹¥₩円원]|(?:kr|euros?|dollars?|rupees?|reais)(?!\p{L}))/giu
const NAME =
  /(?<![\p{L}\p{N}])(?:google fit|samsung health|apple health|health connect|google pay|apple pay|samsung pay|phonepe|paytm|paypal|upi|strava|withings|polar|suunto|amazfit|mi ?fit|mi ?band ?\d?|airplay|whatsapp|instagram|facebook|netflix|youtube|telegram|wi-?fi|vpn|siri|alexa)(?![\p{L}\p{N}])/giu

const EACH_MAX = 2

/** Devices, versions, amounts and services named in a normalised text, as written, at most two of each, without the app's own name. */
export function detailsOf(text: string, isOwn: (name: string) => boolean): Details {
  return {
    devices: found(text, DEVICE),
    versions: [...found(text, SYSTEM), ...found(text, VERSION)].slice(0, EACH_MAX),
    amounts: found(text, AMOUNT),
    names: found(text, NAME).filter((name) => !isOwn(name)),
  }
}

/** Without repeats, and without "Samsung" next to "Samsung Gear". */
function found(text: string, pattern: RegExp): string[] {
  const seen = new Map<string, string>()
  for (const [written] of text.matchAll(pattern)) {
    const key = written.toLowerCase()
    if (!seen.has(key)) seen.set(key, written.trim())
  }
  const keys = [...seen.keys()]
  return [...seen]
    .filter(([key]) => !keys.some((other) => other.startsWith(`${key} `)))
    .map(([, written]) => written)
    .slice(0, EACH_MAX)
}
