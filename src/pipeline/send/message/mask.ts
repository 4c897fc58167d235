const MASK = '(masked)'

/** A shorter part of a URL is a common word, such as `services` or `webhooks`. */
const URL_PART_CHARS_MIN = 16
/** Shorter words of other values are common, such as `Bearer` or `application/json`. */
const WORD_CHARS_MIN = 20

/** Replaces every secret in a text of the outside world, which may repeat parts of the request. */
export type Mask = (text: string) => string

/**
 * Masks the values of these settings: each as it is and percent-encoded. Of a URL also its path with query, and its long parts, because
 * services name these alone. Of other values also the long words, such as the token after `Bearer`.
 */
export function maskOf(settings: unknown, secretFields: readonly string[]): Mask {
  const values = secretFields.flatMap((field) => textsIn((settings as Record<string, unknown>)[field]))
  const secrets = new Set(
    values.flatMap((value) => [value, encodeURIComponent(value), ...urlParts(value), ...longWords(value)]),
  )
  const longestFirst = [...secrets].filter((secret) => secret !== '').sort((a, b) => b.length - a.length)
  return (text) => longestFirst.reduce((masked, secret) => masked.replaceAll(secret, MASK), text)
}

/** Masks values of a record, such as headers. */
export function maskValues(values: Readonly<Record<string, string>>, mask: Mask): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, mask(value)]))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

function urlParts(value: string): string[] {
  const url = URL.parse(value)
  if (url === null || url.host === '') return []
  const path = `${url.pathname}${url.search}`
  const parts = path.split(/[/?&=]/).filter(({ length }) => length >= URL_PART_CHARS_MIN)
  return [url.href, ...(path.length >= URL_PART_CHARS_MIN ? [path] : []), ...parts]
}

function longWords(value: string): string[] {
  return value.split(/[\s"'{},;<>]+/).filter(({ length }) => length >= WORD_CHARS_MIN)
}
