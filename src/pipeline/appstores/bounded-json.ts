/**
 * Real answers have fewer than 80,000: one in 15 characters of an app page, 20 for each app of a lookup and for each review. More would
 * block the process: 8 MB can have four million, which took a second.
 */
const VALUES_MAX = 250_000
/** A string takes a step for each quote in it. */
const QUOTES_MAX = 1_000_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const BRACKET = 0x5b
const BRACE = 0x7b

export type JsonParser = (text: string) => unknown

/** Parses the JSON of one answer, which may be in several pieces. Throws a SyntaxError also when they have too many values together. */
export function jsonParser(): JsonParser {
  let room = VALUES_MAX
  return (text) => {
    // Anything else has one value, or is refused at its first character.
    if (!/^\s*[[{]/.test(text)) return JSON.parse(text)
    room -= valuesIn(text, room)
    if (room < 0) throw new SyntaxError(`the answer has more than ${VALUES_MAX} values`)
    return JSON.parse(text)
  }
}

/** About the number of values; more than `max` as soon as there are more. */
function valuesIn(text: string, max: number): number {
  let values = 1
  let quotes = 0
  for (let at = 0; at < text.length && values <= max; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === COMMA || unit === BRACKET || unit === BRACE) values += 1
    else if (unit === QUOTE) {
      do {
        at = text.indexOf('"', at + 1)
        quotes += 1
      } while (at !== -1 && isEscaped(text, at) && quotes <= QUOTES_MAX)
      if (at === -1) return values
      if (quotes > QUOTES_MAX) return max + 1
    }
  }
  return values
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}
