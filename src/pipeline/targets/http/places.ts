import { type Escape, formEscape, headerEscape, htmlEscape, jsonEscape, urlEscape } from '../escapes.ts'

/** The context of a value, which decides how it is escaped. */
export type Place = {
  /** Whether every value is written as JSON, with its own quotes. */
  readonly asJson: boolean
  readonly ofText: Escape
  readonly ofJson: Escape
  /** Why a value is not allowed here, as the end of "has a value …"; null where it is allowed. */
  readonly problem: string | null
}

/** The grammar of what a template writes, as far as it decides how values are escaped. A value never changes the state. */
export type Format = {
  readonly start: string
  /** The state after a fixed text. Takes linear time. */
  readonly after: (state: string, text: string) => string
  readonly at: (state: string) => Place
}

const same: Escape = (text) => text

function clear(ofText: Escape, { ofJson = ofText, asJson = false } = {}): Place {
  return { asJson, ofText, ofJson, problem: null }
}

/** Every place is the same. */
function uniform(ofText: Escape): Format {
  const place = clear(ofText)
  return { start: '', after: (state) => state, at: () => place }
}

export const PLAIN = uniform(same)
export const FORM = uniform(formEscape)
export const URL_PARTS = uniform(urlEscape)

const OUTSIDE = 'outside'
const INSIDE = 'inside'
const BACKSLASH = 'backslash'

/** Of formats in which `"` begins and ends a string, and `\` escapes in it. */
function afterQuotes(state: string, text: string): string {
  let now = state
  for (const char of text) {
    if (now === BACKSLASH) now = INSIDE
    else if (char === '"') now = now === INSIDE ? OUTSIDE : INSIDE
    else if (char === '\\' && now === INSIDE) now = BACKSLASH
  }
  return now
}

function quoted(outside: Place, inside: Place): Format {
  const afterBackslash = { ...inside, problem: 'after a backslash' }
  return {
    start: OUTSIDE,
    after: afterQuotes,
    at: (state) => (state === OUTSIDE ? outside : state === INSIDE ? inside : afterBackslash),
  }
}

export const JSON_TEXT = quoted(clear(same, { asJson: true }), clear(jsonEscape))

/** JSON loses nothing where only visible ASCII can be sent. */
const asciiJson: Escape = (json) =>
  json.replace(/[^\x20-\x7E]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const backslashed: Escape = (text) => text.replace(/["\\]/g, '\\$&')

export const HEADER = quoted(
  clear(headerEscape, { ofJson: asciiJson }),
  clear((text) => backslashed(headerEscape(text)), { ofJson: (json) => backslashed(asciiJson(json)) }),
)

const TEXT = 'text'
const TAG = 'tag'
const COMMENT = 'comment'
const CDATA = 'cdata'
const MARKUP = clear(htmlEscape)
/** The elements whose text is a program. */
const PROGRAM = /^<(script|style)(?![\w-])/i
/** The name of an attribute before its value, of which the last characters are read. */
const ATTRIBUTE = /([\w:.-]{1,40})\s{0,9}=\s{0,9}$/
const ATTRIBUTE_CHARS = 60
/** Attributes whose value is a program. */
const PROGRAM_ATTRIBUTE = /^(?:on.*|style|srcdoc)$/i

const MARKUP_PROBLEMS: Readonly<Record<string, string>> = {
  [TAG]: 'inside a tag and outside quotes',
  [COMMENT]: 'in a comment',
  [CDATA]: 'in CDATA',
}

/**
 * The states are `text`, `comment`, `cdata`, `in script`, and in the tag of an element `tag`, with the quote of an attribute and `!` for a
 * program: `tag"`, `tag"!`, `tag script`.
 */
export const MARKUP_TEXT: Format = {
  start: TEXT,

  after(state, text) {
    // Only ASCII: "İ" is longer in lower case.
    const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    let now = state
    let at = 0
    while (at < text.length) {
      const [next, end] = markupStep(now, text, lower, at)
      if (end === -1) return now
      now = next
      at = end
    }
    return now
  },

  at(state) {
    if (state === TEXT || /^tag(?: \w+)?["']$/.test(state)) return MARKUP
    const isProgram = state.startsWith('in ') || state.endsWith('!')
    const problem = isProgram ? 'in a program' : MARKUP_PROBLEMS[state.split(' ')[0] ?? '']
    return { ...MARKUP, problem: problem ?? 'inside a tag' }
  },
}

/** The state after the next mark that ends this one, and the position after the mark; -1 when there is none. */
function markupStep(state: string, text: string, lower: string, from: number): readonly [string, number] {
  const past = (mark: string, next: string): readonly [string, number] => {
    const found = lower.indexOf(mark, from)
    return [next, found === -1 ? -1 : found + mark.length]
  }
  if (state === COMMENT) return past('-->', TEXT)
  if (state === CDATA) return past(']]>', TEXT)
  if (state.startsWith('in ')) return past(`</${state.slice(3)}`, TAG)
  const quote = /["']/.exec(state)?.[0]
  if (quote !== undefined) return past(quote, state.replace(/["']!?/, ''))
  if (state === TEXT) {
    const found = text.indexOf('<', from)
    if (found === -1) return [TEXT, -1]
    if (text.startsWith('<!--', found)) return [COMMENT, found + 4]
    if (text.startsWith('<![CDATA[', found)) return [CDATA, found + 9]
    const program = PROGRAM.exec(text.slice(found, found + 9))?.[1]
    return [program === undefined ? TAG : `${TAG} ${program.toLowerCase()}`, found + 1]
  }
  const found = text.slice(from).search(/["'>]/)
  if (found === -1) return [state, -1]
  const mark = text[from + found] ?? ''
  const end = from + found + 1
  if (mark === '>') return [state === TAG ? TEXT : `in ${state.slice(TAG.length + 1)}`, end]
  const attribute = ATTRIBUTE.exec(text.slice(Math.max(0, end - 1 - ATTRIBUTE_CHARS), end - 1))?.[1]
  return [`${state}${mark}${attribute === undefined || PROGRAM_ATTRIBUTE.test(attribute) ? '!' : ''}`, end]
}

/** The format of a body; null for one that allows no values. */
export function formatOf(contentType: string): Format | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json' || type.endsWith('+json')) return JSON_TEXT
  if (type === 'text/html' || type.endsWith('/xml') || type.endsWith('+xml')) return MARKUP_TEXT
  if (type === 'application/x-www-form-urlencoded') return FORM
  return type === 'text/plain' || type === 'text/markdown' ? PLAIN : null
}
