import { storableText } from '../../../model/storable-text.ts'
import type { JsonParser } from '../bounded-json.ts'

/**
 * Access to Play's data: nested arrays without names, of varying length. Any position may be missing. These functions
 * never throw.
 */

/** The value at `path`, or undefined when any part of it is missing. */
export function at(value: unknown, ...path: readonly (number | string)[]): unknown {
  let current = value
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined
    current = (current as Record<number | string, unknown>)[step]
  }
  return current
}

/** The text at `path` in its stored form; null when it is missing, empty or not text. */
export function textAt(value: unknown, ...path: readonly (number | string)[]): string | null {
  const found = at(value, ...path)
  return typeof found === 'string' && found !== '' ? storableText(found) : null
}

/** The parsed JSON, or undefined when `text` is not JSON. `parse`: the parser of the answer that it is a piece of. */
export function parseJson(text: string, parse: JsonParser): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

const QUOTE = 0x22
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
/** Play's data is about 20 deep. */
const DEPTH_MAX = 1_000

/**
 * The end (exclusive) of the JSON array or object at `start`; null when none starts there, it does not end, or it is very deep. Counts
 * brackets outside strings, so JavaScript may follow.
 */
export function jsonEnd(text: string, start: number): number | null {
  if (text[start] !== '[' && text[start] !== '{') return null
  let depth = 0
  let inString = false
  for (let index = start; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (inString) {
      if (unit === BACKSLASH) index += 1
      else if (unit === QUOTE) inString = false
    } else if (unit === QUOTE) inString = true
    else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) {
      depth += 1
      if (depth > DEPTH_MAX) return null
    } else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) {
      depth -= 1
      if (depth === 0) return index + 1
    }
  }
  return null
}
