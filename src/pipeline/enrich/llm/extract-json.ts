/**
 * The JSON object in a model's answer, which may have think tags, code fences or prose around it. Null without valid
 * JSON. Uses `indexOf`, because a regular expression such as `<think>[\s\S]*?<\/think>` takes quadratic time for
 * unclosed tags.
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

/** The text without think tags and their content, and without text before an unmatched closing tag. */
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

/** Lower case for ASCII only: `toLowerCase` of the whole text can change its length. */
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

/** Only objects and arrays count: a single word or number is not an answer. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return { reviews: value }
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
