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

/**
 * The end (exclusive) of the JSON array or object at `start`; null when none starts there or it does not end. Counts
 * brackets outside strings, so JavaScript may follow.
 */
export function jsonEnd(text: string, start: number): number | null {
  if (text[start] !== '[' && text[start] !== '{') return null
  let depth = 0
  let inString = false
  for (let index = start; index < text.length; index += 1) {
    const char = text[index]
    if (inString) {
      if (char === '\\') index += 1
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '[' || char === '{') depth += 1
    else if (char === ']' || char === '}') {
      depth -= 1
      if (depth === 0) return index + 1
    }
  }
  return null
}
