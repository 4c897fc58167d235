/**
 * The JSON object inside a model's answer, whatever is around it: reasoning in think tags, code fences, a friendly
 * sentence before or after. Null when there is none that parses.
 */
export function extractJson(text: string): unknown {
  const spoken = text.replace(/<think>[\s\S]*?<\/think>/gi, '').replace(/^[\s\S]*<\/think>/i, '')
  const direct = parse(spoken.trim())
  if (direct !== null) return direct
  const fence = /```(?:json)?\s*\n?([\s\S]*?)```/i.exec(spoken)?.[1]
  const fenced = fence === undefined ? null : parse(fence.trim())
  if (fenced !== null) return fenced
  const start = spoken.indexOf('{')
  const end = spoken.lastIndexOf('}')
  return start >= 0 && end > start ? parse(spoken.slice(start, end + 1)) : null
}

/** Objects and arrays only: a bare word or number is no answer. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return { reviews: value }
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
