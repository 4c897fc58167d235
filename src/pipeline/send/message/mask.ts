import { joined, type Span, spanFinder } from '../../../runtime/aho-corasick.ts'
import { unescaped } from './unescaped.ts'

const MASK = '(masked)'

/** A shorter part of a path is a common word, such as `services` or `webhooks`. */
const PATH_PART_CHARS_MIN = 16
/**
 * A shorter secret is masked only where no letter or digit touches it. Within a longer word it reveals nothing, and no text would be
 * readable without all its `a`.
 */
const INNER_CHARS_MIN = 4

/** Replaces every secret in a text of the outside world, which may repeat parts of the request. */
export type Mask = (text: string) => string

/**
 * Masks the values of these settings and their words, also where a service repeats them in the escapes of JSON or of a URL. Of a URL also
 * its path with query, its long parts, and the values of its query, because services name these alone. Every character of a secret in the
 * text is replaced, once, so that the result is at most five times as long and a mask longer.
 */
export function maskOf(settings: unknown, secretFields: readonly string[]): Mask {
  const secrets = secretFields.flatMap((field) => secretsOf((settings as Record<string, unknown>)[field]))
  const spansOfLong = spanFinder(secrets.filter(({ length }) => length >= INNER_CHARS_MIN))
  const short = new Set(secrets.filter(({ length }) => length > 0 && length < INNER_CHARS_MIN))
  const spansIn = (text: string) => joined(spansOfLong(text), spansOfShort(text, short))
  return (text) => {
    const plain = unescaped(text)
    return masked(
      text,
      plain === null ? spansIn(text) : joined(spansIn(text), spansIn(plain.text).map(plain.placeOf)),
    )
  }
}

/** Masks values of a record, such as headers. */
export function maskValues(values: Readonly<Record<string, string>>, mask: Mask): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, mask(value)]))
}

function masked(text: string, spans: readonly Span[]): string {
  let shown = ''
  let end = 0
  for (const { from, to } of spans) {
    const between = text.slice(end, from)
    // Of several words, one mask.
    if (end === 0 || between.trim() !== '') shown += between + MASK
    end = to
  }
  return shown + text.slice(end)
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u

function spansOfShort(text: string, short: ReadonlySet<string>): Span[] {
  const spans: Span[] = []
  if (short.size === 0) return spans
  for (let from = 0; from < text.length; from += 1) {
    if (WORD_CHARACTER.test(text.charAt(from - 1))) continue
    for (let to = from + 1; to < from + INNER_CHARS_MIN && to <= text.length; to += 1)
      if (short.has(text.slice(from, to)) && !WORD_CHARACTER.test(text.charAt(to))) spans.push({ from, to })
  }
  return spans
}

function secretsOf(value: unknown): string[] {
  if (typeof value === 'string') return urlSecrets(value) ?? [...wholes(value), ...wordsOf(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => headerSecrets(name, inner))
}

/** The scheme of a header, such as `Bearer`, is known to all, and the content type is shown. */
function headerSecrets(name: string, value: unknown): string[] {
  if (typeof value !== 'string') return secretsOf(value)
  if (name.toLowerCase() === 'content-type') return []
  return [...wholes(value), ...wordsOf(value.replace(/^[A-Za-z-]{1,40} /, ''))]
}

/** A longer value is a template, of which the words are masked. */
const WHOLE_CHARS_MAX = 2_048

function wholes(value: string): string[] {
  return value.length <= WHOLE_CHARS_MAX ? [value] : []
}

/** Null for anything else. Without escapes, which are undone in the text too. */
function urlSecrets(value: string): string[] | null {
  const url = URL.parse(value)
  if (url === null || url.host === '') return null
  const path = plainOf(`${url.pathname}${url.search}`)
  const long = [path, ...withoutTags(path).split(/[/?&=#\s]+/)].filter(
    ({ length }) => length >= PATH_PART_CHARS_MIN,
  )
  const values = [...url.searchParams.values()].flatMap((each) => withoutTags(each).split(' '))
  return [value, plainOf(url.href), ...long, ...values]
}

function plainOf(text: string): string {
  return unescaped(text)?.text ?? text
}

const TAG = /\{\{[^{}]*\}\}/g

function withoutTags(template: string): string {
  return template.replaceAll(TAG, ' ')
}

/** The names of JSON properties, of XML elements, and of the fields of a form: the receiver gives them. */
const NAMES = /"[^"\\]{1,100}"(?=\s{0,20}:)|<\/?[A-Za-z][\w:.-]{0,99}|(?:^|&)[\w.[\]-]{1,100}=/g
const BETWEEN_WORDS = /[\s"'`{}()[\]<>,;:=&\\]+/
const COMMON_WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'http', 'https'])

/** The fixed words of a value or template. */
function wordsOf(value: string): string[] {
  const fixed = withoutTags(value).replaceAll(NAMES, ' ')
  return [...new Set([fixed, plainOf(fixed)])]
    .flatMap((text) => text.split(BETWEEN_WORDS))
    .filter((word) => !COMMON_WORDS.has(word))
}
