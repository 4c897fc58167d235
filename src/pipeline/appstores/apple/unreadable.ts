import { jsonParser } from '../bounded-json.ts'
import type { Parsed } from '../parsed.ts'
import { type AppleResponse, type Failed, failed, failedAsChanged } from './request.ts'

/**
 * What `parse` finds in the JSON of an answer. An HTML page instead of it is a block page; an empty body, or `<!-- Empty -->`, proves
 * nothing; any other text is an unknown format. Lookup puts newlines before its JSON.
 */
export function readJson<T>(
  source: string,
  response: AppleResponse,
  parse: (root: unknown) => Parsed<T>,
): Extract<Parsed<T>, { kind: 'parsed' }> | Failed {
  let root: unknown
  try {
    root = jsonParser()(response.text)
  } catch {
    return unreadable(source, response.text, 'it is not JSON')
  }
  const read = parse(root)
  return read.kind === 'changed' ? failedAsChanged(source, read.detail, response.text) : read
}

/** The failure for an answer that is not in the requested format. */
export function unreadable(source: string, text: string, reason: string): Failed {
  const visible = withoutComments(text).trim()
  if (visible === '') return failed('unknown', source, 'Apple sent an empty answer.')
  if (isHtml(visible)) return blockPage(source)
  return failedAsChanged(source, reason, text)
}

/** Uses indexOf, because a regular expression would take quadratic time for unclosed comments. */
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

/** Pages of the web store are HTML too, so only the text identifies a block page. */
export function isCaptcha(html: string): boolean {
  return /captcha|unusual traffic|verify (?:that )?you are (?:a )?human/i.test(html.slice(0, 20_000))
}

export function blockPage(source: string): Failed {
  return failed('blocked', source, 'Apple answered with an HTML page instead of data.', { ends: 'host' })
}
