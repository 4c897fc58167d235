import { storableText } from '../../../model/storable-text.ts'

/**
 * Play's data are arrays of arrays without names, whose length varies from row to row: every read may find nothing. These
 * functions never throw.
 */

/** The value at `path`, or undefined when any step of it is missing. */
export function at(value: unknown, ...path: readonly (number | string)[]): unknown {
  let here = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    here = (here as Record<number | string, unknown>)[step]
  }
  return here
}

/** The text at `path`, as it is stored; null when it is absent, empty or no text. */
export function textAt(value: unknown, ...path: readonly (number | string)[]): string | null {
  const found = at(value, ...path)
  return typeof found === 'string' && found !== '' ? storableText(found) : null
}

/** The parsed JSON, or undefined when `text` is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Where the JSON array or object that starts at `start` ends (exclusive); null when it does not end or none starts
 * there. Counts brackets outside strings, so that what follows may be JavaScript.
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
