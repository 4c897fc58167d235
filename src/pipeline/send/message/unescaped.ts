import type { Span } from '../../../runtime/aho-corasick.ts'

export type Unescaped = {
  readonly text: string
  /** The place of a part of it in the text with escapes. */
  readonly placeOf: (span: Span) => Span
}

const ESCAPES = /\\(?:u([0-9a-f]{4})|[bfnrt"\\/])|(?:%[0-9a-f]{2})+/gi
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** A text without the escapes of JSON and of URLs. Null when it has none. */
export function unescaped(text: string): Unescaped | null {
  const parts: string[] = []
  /** For each unit of the parts, where it begins in the text. */
  const starts: number[] = []
  let end = 0
  const keep = (to: number) => {
    parts.push(text.slice(end, to))
    for (let at = end; at < to; at += 1) starts.push(at)
    end = to
  }
  for (const match of text.matchAll(ESCAPES)) {
    const [written, unit] = match
    const part = written.startsWith('%')
      ? percentDecoded(written)
      : unit === undefined
        ? unescapedUnit(written)
        : unitOf(unit)
    if (part === null) continue
    keep(match.index)
    parts.push(part)
    let at = match.index
    for (const character of part) {
      for (let each = 0; each < character.length; each += 1) starts.push(at)
      at += written.startsWith('%') ? 3 * Buffer.byteLength(character) : written.length
    }
    end = match.index + written.length
  }
  if (end === 0) return null
  keep(text.length)
  starts.push(text.length)
  return {
    text: parts.join(''),
    placeOf: ({ from, to }) => ({ from: starts[from] ?? 0, to: starts[to] ?? text.length }),
  }
}

function unescapedUnit(written: string): string {
  const character = written.charAt(1)
  return CONTROLS[character.toLowerCase()] ?? character
}

function unitOf(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16))
}

/** Null when the bytes are not UTF-8. */
function percentDecoded(escapes: string): string | null {
  try {
    return decodeURIComponent(escapes)
  } catch {
    return null
  }
}
