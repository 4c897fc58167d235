import { type AppleResponse, type Failed, failed, failedAsChanged } from './request.ts'

/**
 * The JSON of an answer. An HTML page instead of it is a block page; an empty body, or `<!-- Empty -->`, proves nothing;
 * any other text is an unknown format. Lookup puts newlines before its JSON.
 */
export function jsonOf(
  source: string,
  response: AppleResponse,
): { readonly kind: 'json'; readonly root: unknown } | Failed {
  try {
    return { kind: 'json', root: JSON.parse(response.text) }
  } catch {
    return unreadable(source, response.text, 'it is no JSON')
  }
}

/** The failure for a text in another form than the requested one. */
export function unreadable(source: string, text: string, reason: string): Failed {
  const visible = withoutComments(text).trim()
  if (visible === '') return failed('unknown', source, 'Apple answered with nothing.')
  if (isHtml(visible)) return blockPage(source)
  return failedAsChanged(source, reason, text)
}

/** By indexOf: a regular expression would be quadratic in unclosed comments. */
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

/** A page of the web store is HTML as well, so only its words distinguish a block page from it. */
export function isCaptcha(html: string): boolean {
  return /captcha|unusual traffic|verify (?:that )?you are (?:a )?human/i.test(html.slice(0, 20_000))
}

export function blockPage(source: string): Failed {
  return failed('blocked', source, 'Apple answered with an HTML page instead of data.', { ends: 'host' })
}
