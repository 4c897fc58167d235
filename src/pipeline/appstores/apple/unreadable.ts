import { type Failed, failed, failedAsChanged, type Told } from './ask.ts'

/**
 * The JSON of an answer. An HTML page in its place is a wall against machines; nothing, or `<!-- Empty -->`, proves
 * nothing; any other text is a shape that we do not know. Lookup puts newlines before its JSON.
 */
export function jsonOf(
  source: string,
  told: Told,
): { readonly kind: 'json'; readonly root: unknown } | Failed {
  try {
    return { kind: 'json', root: JSON.parse(told.text) }
  } catch {
    return unreadable(source, told.text, 'it is no JSON')
  }
}

/** What to make of a text that is not in the form asked for. */
export function unreadable(source: string, text: string, why: string): Failed {
  const visible = withoutComments(text).trim()
  if (visible === '') return failed('unknown', source, 'Apple answered with nothing.')
  if (isHtml(visible)) return blockPage(source)
  return failedAsChanged(source, why, text)
}

/** By indexOf: an expression that looks for the end of each comment anew is quadratic in those that never end. */
function withoutComments(text: string): string {
  const kept: string[] = []
  let from = 0
  for (;;) {
    const start = text.indexOf('<!--', from)
    const end = start === -1 ? -1 : text.indexOf('-->', start + 4)
    if (end === -1) return kept.join('') + text.slice(from)
    kept.push(text.slice(from, start))
    from = end + 3
  }
}

export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype html|html|head|body)\b/i.test(text)
}

/** A page of the web store is HTML as well, so only its words tell the wall from a page. */
export function isCaptcha(html: string): boolean {
  return /captcha|unusual traffic|verify (?:that )?you are (?:a )?human/i.test(html.slice(0, 20_000))
}

export function blockPage(source: string): Failed {
  return failed('blocked', source, 'Apple answered with an HTML page instead of data.', { ends: 'host' })
}
