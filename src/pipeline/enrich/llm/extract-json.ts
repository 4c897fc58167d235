/**
 * The JSON object inside a model's answer, which may be surrounded by think tags, code fences or prose. Null when none
 * parses. Tags and fences are found with `indexOf`: an expression such as `<think>[\s\S]*?<\/think>` is quadratic in
 * tags that are never closed.
 */
export function extractJson(text: string): unknown {
  const visible = withoutReasoning(text)
  const direct = parse(visible.trim())
  if (direct !== null) return direct
  const fence = fencedPart(visible)
  const fenced = fence === null ? null : parse(fence.trim())
  if (fenced !== null) return fenced
  const start = visible.indexOf('{')
  const end = visible.lastIndexOf('}')
  return start >= 0 && end > start ? parse(visible.slice(start, end + 1)) : null
}

const OPEN = '<think>'
const CLOSE = '</think>'

/** Without the content of think tags, and without text before a closing tag that was never opened. */
function withoutReasoning(text: string): string {
  const folded = foldAscii(text)
  let kept = ''
  let from = 0
  for (;;) {
    const start = folded.indexOf(OPEN, from)
    const end = start === -1 ? -1 : folded.indexOf(CLOSE, start)
    if (end === -1) break
    kept += text.slice(from, start)
    from = end + CLOSE.length
  }
  kept += text.slice(from)
  const orphan = foldAscii(kept).lastIndexOf(CLOSE)
  return orphan === -1 ? kept : kept.slice(orphan + CLOSE.length)
}

/** In lower case with the same length: `toLowerCase` of the whole text can change it. */
function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The content of the first closed code fence; null without one. */
function fencedPart(text: string): string | null {
  const open = text.indexOf('```')
  if (open === -1) return null
  const head = text.slice(open + 3, open + 7).toLowerCase() === 'json' ? 7 : 3
  const close = text.indexOf('```', open + head)
  return close === -1 ? null : text.slice(open + head, close)
}

/** Objects and arrays only: a single word or number is no answer. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return { reviews: value }
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
